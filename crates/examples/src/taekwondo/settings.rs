//! Settings of a bout.

use marey_body::BodyProportions;
use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::Result;

/// Settings of a bout.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TaekwondoSettings {
    /// Random seed; default 0. Another seed gives another bout.
    pub seed: u64,
    /// Duration, in seconds; default 180; 10 to 3600. Park et al. learnt from two minutes.
    pub duration_secs: f64,
    /// Frames per second; default 60; 10 to 1000. The same seed gives the same bout at every rate.
    pub rate_hz: f64,
    /// The body of the fighter with the left foot forward; default 1.76 m tall.
    pub red: BodyProportions,
    /// The body of the fighter with the right foot forward; default 1.72 m tall. It must be within 0.12 m of red's height.
    pub blue: BodyProportions,
    /// Standard deviation of the capture noise on every joint coordinate, in millimetres; default 0; 0 to 50.
    pub noise_mm: f32,
}

impl Default for TaekwondoSettings {
    fn default() -> Self {
        let body = |height_m| BodyProportions { height_m, ..BodyProportions::default() };
        Self {
            seed: 0,
            duration_secs: 180.0,
            rate_hz: 60.0,
            red: body(1.76),
            blue: body(1.72),
            noise_mm: 0.0,
        }
    }
}

impl TaekwondoSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("duration_secs", self.duration_secs, 10.0..=3600.0)?;
        OutOfRange::check("rate_hz", self.rate_hz, 10.0..=1000.0)?;
        OutOfRange::check("noise_mm", self.noise_mm, 0.0..=50.0)?;
        self.red.validate()?;
        self.blue.validate()?;
        let taller_m = self.red.height_m - self.blue.height_m;
        OutOfRange::check("red.height_m - blue.height_m", taller_m, -0.12..=0.12)?;
        Ok(())
    }
}
