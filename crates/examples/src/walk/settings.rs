//! Settings of a walk.

use marey_body::BodyProportions;
use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::{GaitStyle, Result};

/// Settings of a walk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WalkSettings {
    /// Random seed; default 0. Another seed gives another walk.
    pub seed: u64,
    /// Duration, in seconds; default 60; 6 (there is time for a few steps) to 3600.
    pub duration_secs: f64,
    /// Frames per second; default 60; 10 to 1000. The same seed gives the same walk at every rate.
    pub rate_hz: f64,
    /// The walker's body.
    pub body: BodyProportions,
    /// The walker's gait.
    pub style: GaitStyle,
    /// Variation of the speed, as a share of the style's speed; default 0.25; 0 to 0.6.
    pub speed_range: f32,
    /// Share of the episodes that go backwards or sideways; default 0; 0 to 1. `marey examples` uses 0.15.
    pub backward_or_sideways: f32,
    /// Distance from the middle of the room at which the walker turns back, in metres; default 4; 2 to 50.
    pub room_m: f32,
    /// Standard deviation of the capture noise on every joint coordinate, in millimetres; default 0; 0 to 50.
    pub noise_mm: f32,
}

impl Default for WalkSettings {
    fn default() -> Self {
        Self {
            seed: 0,
            duration_secs: 60.0,
            rate_hz: 60.0,
            body: BodyProportions::default(),
            style: GaitStyle::default(),
            speed_range: 0.25,
            backward_or_sideways: 0.0,
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
        OutOfRange::check("backward_or_sideways", self.backward_or_sideways, 0.0..=1.0)?;
        OutOfRange::check("room_m", self.room_m, 2.0..=50.0)?;
        OutOfRange::check("noise_mm", self.noise_mm, 0.0..=50.0)?;
        self.body.validate()?;
        self.style.validate()
    }

    /// The number of frames.
    pub(crate) fn frames(&self) -> usize {
        (self.duration_secs * self.rate_hz).round() as usize
    }
}
