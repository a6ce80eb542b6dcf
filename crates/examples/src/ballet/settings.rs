//! Settings of ballet phrases.

use marey_body::BodyProportions;
use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::Result;

/// Settings of ballet phrases.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BalletSettings {
    /// Random seed; default 0. Another seed gives other phrases.
    pub seed: u64,
    /// Number of phrases; default 38, as in Stuart et al.; 1 to 1000.
    pub phrases: usize,
    /// Frames per second; default 60; 4 to 1000. The same seed gives the same phrase at every rate; at 4 a frame is a posture.
    pub rate_hz: f64,
    /// The dancer's body; default 1.66 m tall, with long legs.
    pub body: BodyProportions,
    /// Standard deviation of the capture noise on every joint coordinate, in millimetres; default 0; 0 to 50.
    pub noise_mm: f32,
}

impl Default for BalletSettings {
    fn default() -> Self {
        let body = BodyProportions { height_m: 1.66, leg_length: 1.03, ..BodyProportions::default() };
        Self { seed: 0, phrases: 38, rate_hz: 60.0, body, noise_mm: 0.0 }
    }
}

impl BalletSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("phrases", self.phrases as f64, 1.0..=1000.0)?;
        OutOfRange::check("rate_hz", self.rate_hz, 4.0..=1000.0)?;
        OutOfRange::check("noise_mm", self.noise_mm, 0.0..=50.0)?;
        Ok(self.body.validate()?)
    }
}
