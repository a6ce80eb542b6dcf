//! What a walk is to be.

use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::{Body, Result, Style};

/// What a walk is to be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WalkSettings {
    /// Where chance starts; default 0. Another seed is another walk.
    pub seed: u64,
    /// How long it lasts, in seconds; default 60; 6 (there is time for a few steps) to 3600.
    pub duration_secs: f64,
    /// Frames a second; default 60; 10 to 1000. The same seed is the same walk at every rate.
    pub rate_hz: f64,
    /// Who walks.
    pub body: Body,
    /// How they walk.
    pub style: Style,
    /// How far speeds differ from the style's, as a share of it; default 0.25; 0 to 0.6.
    pub speed_range: f32,
    /// How many episodes go backwards or aside, as a share; default 0; 0 to 1. `marey examples` makes walks with 0.15.
    pub backward_or_aside: f32,
    /// How far from the middle of the room the walker goes before turning back, in metres; default 4; 2 to 50.
    pub room_m: f32,
    /// Deviation of every coordinate of every joint, as if captured, in millimetres; default 0; 0 to 50.
    pub noise_mm: f32,
}

impl Default for WalkSettings {
    fn default() -> Self {
        Self {
            seed: 0,
            duration_secs: 60.0,
            rate_hz: 60.0,
            body: Body::default(),
            style: Style::default(),
            speed_range: 0.25,
            backward_or_aside: 0.0,
            room_m: 4.0,
            noise_mm: 0.0,
        }
    }
}

impl WalkSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("duration_secs", self.duration_secs, 6.0..=3600.0)?;
        OutOfRange::check("rate_hz", self.rate_hz, 10.0..=1000.0)?;
        OutOfRange::check("speed_range", self.speed_range, 0.0..=0.6)?;
        OutOfRange::check("backward_or_aside", self.backward_or_aside, 0.0..=1.0)?;
        OutOfRange::check("room_m", self.room_m, 2.0..=50.0)?;
        OutOfRange::check("noise_mm", self.noise_mm, 0.0..=50.0)?;
        self.body.validate()?;
        self.style.validate()
    }

    /// How many frames the walk has.
    pub(crate) fn frames(&self) -> usize {
        (self.duration_secs * self.rate_hz).round() as usize
    }
}
