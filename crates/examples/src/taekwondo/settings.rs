//! What a bout is to be.

use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::{Body, Result};

/// What a bout is to be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TaekwondoSettings {
    /// Where chance starts; default 0. Another seed is another bout.
    pub seed: u64,
    /// How long it lasts, in seconds; default 180; 10 to 3600. Park et al. learnt from two minutes.
    pub duration_secs: f64,
    /// Frames a second; default 60; 10 to 1000. The same seed is the same bout at every rate.
    pub rate_hz: f64,
    /// Who fights with the left foot ahead; default 1.76 m tall.
    pub red: Body,
    /// Who fights with the right foot ahead; default 1.72 m tall. No more than 0.12 m taller or shorter than red.
    pub blue: Body,
    /// Deviation of every coordinate of every joint, as if captured, in millimetres; default 0; 0 to 50.
    pub noise_mm: f32,
}

impl Default for TaekwondoSettings {
    fn default() -> Self {
        let body = |height_m| Body { height_m, ..Body::default() };
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
