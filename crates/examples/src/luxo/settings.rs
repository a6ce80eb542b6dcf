//! What a lamp's crossing is to be.

use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::Result;

/// What a lamp's crossing is to be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LuxoSettings {
    /// Where chance starts; default 0. Another seed is another terrain and another way over it.
    pub seed: u64,
    /// Frames a second; default 60; 10 to 240, the rate of the simulation.
    pub rate_hz: f64,
    /// How far the lamp is to go, in metres; default 5; 1 to 50.
    pub length_m: f32,
    /// How steep slopes and how high steps are, over the usual: 12° and 8 cm at most; default 1; 0 (level) to 1.5.
    pub roughness: f32,
    /// Whether the ground has gaps, of up to 17 cm at roughness 1; default true.
    pub gaps: bool,
    /// How many hops the planner looks ahead; default 3; 0 (it does what it likes) to 5.
    pub lookahead: usize,
}

impl Default for LuxoSettings {
    fn default() -> Self {
        Self { seed: 0, rate_hz: 60.0, length_m: 5.0, roughness: 1.0, gaps: true, lookahead: 3 }
    }
}

impl LuxoSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("rate_hz", self.rate_hz, 10.0..=240.0)?;
        OutOfRange::check("length_m", self.length_m, 1.0..=50.0)?;
        OutOfRange::check("roughness", self.roughness, 0.0..=1.5)?;
        OutOfRange::check("lookahead", self.lookahead as f64, 0.0..=5.0)?;
        Ok(())
    }
}
