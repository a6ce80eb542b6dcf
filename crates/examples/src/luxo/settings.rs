//! Settings of a lamp's run.

use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::Result;

/// Settings of a lamp's run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LuxoSettings {
    /// Random seed; default 0. Another seed gives another terrain and another crossing.
    pub seed: u64,
    /// Frames per second; default 60; 10 to 240, the rate of the simulation.
    pub rate_hz: f64,
    /// Distance that the lamp covers, in metres; default 5; 1 to 50.
    pub length_m: f32,
    /// Scale of slopes (at most 14° at roughness 1) and steps (at most 10 cm); default 1; 0 (level) to 1.5.
    pub roughness: f32,
    /// Whether the ground has gaps, of up to 20 cm at roughness 1; default true.
    pub gaps: bool,
    /// Lookahead of the planner in hops; default 3; 0 (random hops) to 5.
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
