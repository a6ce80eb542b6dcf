//! Joining pieces of motion.
//!
//! At the boundary of two pieces the poses differ. The difference is a displacement: for each joint the
//! rotation from one pose to the other, as a rotation vector; for the root and other moving joints a
//! translation, whose horizontal and vertical parts are independent. Each method spreads the displacement
//! over frames:
//!
//! | method | source | what is displaced | needs the next piece |
//! |---|---|---|---|
//! | [`Linear`](JoinMethod::Linear) | Hsu, Gentry and Popović 2004, section 5 | both pieces, linearly over each, so that they meet half-way | yes |
//! | [`Ease`](JoinMethod::Ease) | Lamouret and van de Panne 1996, section 3.3: x′ = x + (1 − α) Δx₁ + α Δx₂ | the same, with α eased in and out | yes |
//! | [`Hermite`](JoinMethod::Hermite) | Park et al. 2004, section 5.1.4 | the next piece, by a cubic over its length that matches position and velocity | no |
//! | [`Inertialise`](JoinMethod::Inertialise) | Bollo 2016, *Inertialization* | the next piece, by a quintic over a window that matches position and velocity | no |
//! | [`Crossfade`](JoinMethod::Crossfade) | Kovar, Gleicher and Pighin 2002, section 3.3 | the first frames of the next piece are blended with the previous source, which continues | no |
//!
//! Joints above the hips rest in every piece (`reference_joints`), so the hips are displaced in the world.
//!
//! During a fade a joint rotates in one direction, the one that is shorter in the middle of the fade. The
//! shorter direction of each frame would flip if two motions are about half a turn apart.
//!
//! Pieces may be shorter than a fade: several sources then fade at once, each under the next. A fade whose
//! accelerations would exceed those of both sources takes longer (`fade_length`).
//!
//! Arms and head take longer to join than the legs, which have to stand: they bear no weight, and a swing of
//! the arms that ends within a step looks sudden.
//!
//! The crossfade is the default. If two pieces swing a limb in opposite directions, the other methods match
//! its velocity and carry the limb beyond both pieces: a leg kicks. In a crossfade the previous source
//! continues and shows how the swing ends.
//!
//! Changed: Lamouret's Δx₂ leads to the terrain; here it leads half-way to the next piece. Bollo's quintic
//! chooses its initial acceleration to avoid overshoot; here it is that of the next piece.
//!
//! If a piece continues the previous one in the same source and at the same place, nothing is joined, and a
//! running displacement continues.
//!
//! Limits. Linear and ease match positions but not velocities. In a crossfade, a source that ends is
//! extrapolated and comes to rest while it fades.

mod fade_length;
mod fades;
mod joiner;
mod offset;

pub(crate) use joiner::Joiner;
use marey_ops::OutOfRange;
pub(crate) use offset::{exp, log};
use serde::{Deserialize, Serialize};

use self::fades::FadeSpan;
use crate::Result;

/// Method of joining pieces.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JoinMethod {
    /// None: pieces jump.
    None,
    /// Adjusts both pieces linearly so that they meet.
    Linear,
    /// Adjusts both pieces with an eased weight so that they meet.
    Ease,
    /// The next piece starts with the position and velocity of the previous one; the displacement decays over
    /// the whole piece.
    Hermite,
    /// The same, but the displacement decays over a window. The default for live motion
    /// ([`crate::RealiseSettings::live`]).
    Inertialise,
    /// The previous source continues and fades out over a window. The default.
    #[default]
    Crossfade,
}

impl JoinMethod {
    /// All methods.
    pub const ALL: [JoinMethod; 6] = [
        JoinMethod::None,
        JoinMethod::Linear,
        JoinMethod::Ease,
        JoinMethod::Hermite,
        JoinMethod::Inertialise,
        JoinMethod::Crossfade,
    ];

    /// The name in settings.
    pub fn name(self) -> &'static str {
        match self {
            JoinMethod::None => "none",
            JoinMethod::Linear => "linear",
            JoinMethod::Ease => "ease",
            JoinMethod::Hermite => "hermite",
            JoinMethod::Inertialise => "inertialise",
            JoinMethod::Crossfade => "crossfade",
        }
    }

    /// Whether a piece can be played only if the next one is known.
    pub fn waits_for_next(self) -> bool {
        matches!(self, JoinMethod::Linear | JoinMethod::Ease)
    }
}

/// Settings of joins.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct JoinSettings {
    /// The method.
    pub method: JoinMethod,
    /// Length of the decay or fade, in seconds; default 0.6, a little longer than a step; 0.02 to 5. For the
    /// methods that have a window.
    pub window_secs: f64,
    /// How many times longer a crossfade may take if it would otherwise accelerate more than both sources;
    /// default 1.6; 1 (never longer) to 4.
    pub longest: f64,
    /// How many times longer arms and head take to join; default 1.5; 1 to 3. For the methods that have a
    /// window.
    pub arms: f64,
    /// How far a join may move from where an engine planned it to where the feet agree, in seconds; default
    /// 0.1; 0 (never) to 0.5. Used when a plan is made; the plan states where its joins are.
    pub move_secs: f64,
}

impl Default for JoinSettings {
    fn default() -> Self {
        Self { method: JoinMethod::default(), window_secs: 0.6, longest: 1.6, arms: 1.5, move_secs: 0.1 }
    }
}

impl JoinSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("window_secs", self.window_secs, 0.02..=5.0)?;
        OutOfRange::check("longest", self.longest, 1.0..=4.0)?;
        OutOfRange::check("arms", self.arms, 1.0..=3.0)?;
        Ok(OutOfRange::check("move_secs", self.move_secs, 0.0..=0.5)?)
    }

    /// The window in frames, at least 1.
    pub(crate) fn window(&self, rate_hz: f64) -> usize {
        ((self.window_secs * rate_hz).round() as usize).max(1)
    }

    /// The length of a fade of the legs in frames, with that of the arms.
    pub(crate) fn fade_span(&self, body: usize) -> FadeSpan {
        FadeSpan { body, arms: (self.arms * body as f64).round() as usize }
    }

    /// The longest crossfade of arms and head, in frames.
    pub(crate) fn longest_of_arms(&self, rate_hz: f64) -> usize {
        self.fade_span(self.longest(rate_hz)).arms
    }

    /// The longest crossfade of the legs, in frames.
    pub(crate) fn longest(&self, rate_hz: f64) -> usize {
        ((self.window_secs * self.longest * rate_hz).round() as usize).max(self.window(rate_hz))
    }
}
