//! How pieces of motion are made one.
//!
//! Where a piece follows another, poses do not meet. What is between them is a displacement: for each joint the rotation
//! that carries one to the other, as a rotation vector; for the root and other movers a vector, whose part along the floor
//! and whose height go their own ways. Each way of joining spreads displacements over frames:
//!
//! | name | source | what is displaced | waits for the next piece |
//! |---|---|---|---|
//! | [`Linear`](Method::Linear) | Hsu, Gentry and Popović 2004, section 5 | both pieces, along a straight line over each, so that they meet half-way | yes |
//! | [`Ease`](Method::Ease) | Lamouret and van de Panne 1996, section 3.3: x′ = x + (1 − α) Δx₁ + α Δx₂ | the same, with α eased in and out | yes |
//! | [`Hermite`](Method::Hermite) | Park et al. 2004, section 5.1.4 | the following piece only, by a cubic over all of it that matches place and velocity | no |
//! | [`Inertialise`](Method::Inertialise) | Bollo 2016, *Inertialization* | the following piece only, by a quintic over a window that matches place, velocity, and ends in rest | no |
//! | [`Crossfade`](Method::Crossfade) | Kovar, Gleicher and Pighin 2002, section 3.3 | the first frames of the following piece are mixed with the example before, which goes on | no |
//!
//! In a fade a joint goes one way round all the time, which is the shorter in the middle of the fade: where two motions part by about half a
//! turn, the shorter way changes sides from one frame to the next.
//!
//! Pieces may be shorter than a fade: several examples then fade at once, each under the next. And a fade that would be more sudden than
//! either example is meanwhile takes longer (`pace`).
//!
//! Why the crossfade is the default: a limb that one piece swings one way and the next the other way is, for the other methods, a
//! velocity to be matched, which takes the limb on to where neither piece has it: a leg kicks. In a crossfade the example
//! before goes on, and says by itself how that swing ends.
//!
//! Changed: Lamouret's Δx₂ goes to the terrain; here it goes half-way to the piece that follows. Bollo's quintic has a
//! choice of first acceleration, so as not to overshoot; here it is that of the piece that follows.
//!
//! Where a piece goes on where the one before ends in the same example, at the same place, nothing is joined, and what was
//! being spread goes on.
//!
//! Limits. Linear and ease match places but not velocities. In a crossfade, an example that ends goes on as it went and comes to rest while it fades, whatever it would have done.

mod fades;
mod joiner;
mod offset;
mod pace;

pub(crate) use joiner::Joiner;
use marey_ops::OutOfRange;
pub(crate) use offset::{exp, log};
use serde::{Deserialize, Serialize};

use crate::Result;

/// How pieces are joined, by name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Not at all: pieces jump.
    None,
    /// Both pieces are adjusted along a straight line so that they meet.
    Linear,
    /// Both pieces are adjusted with ease so that they meet.
    Ease,
    /// The following piece starts where and as fast as the one before ended; the displacement is gone at its end.
    Hermite,
    /// The same, and the displacement is gone after a window. The default for live motion ([`crate::Settings::live`]).
    Inertialise,
    /// The example before goes on and fades out over a window. The default.
    #[default]
    Crossfade,
}

impl Method {
    /// All of them.
    pub const ALL: [Method; 6] =
        [Method::None, Method::Linear, Method::Ease, Method::Hermite, Method::Inertialise, Method::Crossfade];

    /// What it is called in settings.
    pub fn name(self) -> &'static str {
        match self {
            Method::None => "none",
            Method::Linear => "linear",
            Method::Ease => "ease",
            Method::Hermite => "hermite",
            Method::Inertialise => "inertialise",
            Method::Crossfade => "crossfade",
        }
    }

    /// Whether a piece can be played only when the next one is known.
    pub fn waits_for_next(self) -> bool {
        matches!(self, Method::Linear | Method::Ease)
    }
}

/// How pieces are joined.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Which way.
    pub method: Method,
    /// How long a displacement takes to be gone, or a fade, in seconds; default 0.6, a little more than a step; 0.02 to 5. For the
    /// methods that have a window.
    pub window_secs: f64,
    /// How many times as long a crossfade may take where it would be more sudden than either example; default 1.6; 1 (never
    /// longer) to 4.
    pub longest: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { method: Method::default(), window_secs: 0.6, longest: 1.6 }
    }
}

impl Settings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("window_secs", self.window_secs, 0.02..=5.0)?;
        Ok(OutOfRange::check("longest", self.longest, 1.0..=4.0)?)
    }

    /// The window in frames, at least 1.
    pub(crate) fn window(&self, rate_hz: f64) -> usize {
        ((self.window_secs * rate_hz).round() as usize).max(1)
    }

    /// The longest that a crossfade takes, in frames.
    pub(crate) fn longest(&self, rate_hz: f64) -> usize {
        ((self.window_secs * self.longest * rate_hz).round() as usize).max(self.window(rate_hz))
    }
}
