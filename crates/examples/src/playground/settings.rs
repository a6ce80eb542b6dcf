//! Settings of a performer's stream.

use marey_body::BodyProportions;
use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::Result;

/// Settings of a performer's stream.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlaygroundSettings {
    /// Random seed; default 0. Another seed gives another order, pace and amplitude.
    pub seed: u64,
    /// Frames per second; default 60, as motion-capture systems send them; 10 to 1000.
    pub rate_hz: f64,
    /// The performer's body; default 1.72 m tall. [`crate::playground::HEIGHTS_M`] has the heights of six performers.
    pub body: BodyProportions,
    /// Standard deviation of the capture noise on every joint coordinate, in millimetres; default 0; 0 to 50.
    pub noise_mm: f32,
    /// Standard deviation of the noise on every marker coordinate, in millimetres; default 1; 0 to 50. A skeleton fitted to many
    /// markers is less noisy than each marker.
    pub marker_noise_mm: f32,
    /// How often a marker is lost, per minute; default 2; 0 to 60.
    pub dropouts_per_min: f64,
}

impl Default for PlaygroundSettings {
    fn default() -> Self {
        Self {
            seed: 0,
            rate_hz: 60.0,
            body: BodyProportions::default(),
            noise_mm: 0.0,
            marker_noise_mm: 1.0,
            dropouts_per_min: 2.0,
        }
    }
}

impl PlaygroundSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("rate_hz", self.rate_hz, 10.0..=1000.0)?;
        OutOfRange::check("noise_mm", self.noise_mm, 0.0..=50.0)?;
        OutOfRange::check("marker_noise_mm", self.marker_noise_mm, 0.0..=50.0)?;
        OutOfRange::check("dropouts_per_min", self.dropouts_per_min, 0.0..=60.0)?;
        Ok(self.body.validate()?)
    }
}
