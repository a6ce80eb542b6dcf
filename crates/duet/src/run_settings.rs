//! How a trained pair goes on.

use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::Result;

/// How a trained pair goes on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RunSettings {
    /// How freely the next movements are drawn; default 2; 0 to 100. Equation 21 has each
    /// movement twice, by what its person did before and by what the other did; 2 undoes that. 0 is the paper's rule, always the
    /// likeliest, which goes round in circles; more surprises.
    pub temperature: f64,
    /// How many frames the touches of both may differ before the defender's movement is warped in time; default 3, as in the
    /// paper; 0 to 1000.
    pub touch_slack: u32,
    /// How far a movement may be turned so that both face each other as in the examples, in radians; default 0.5; 0 to 3.2. A short one
    /// no faster than 1.5 rad/s.
    pub most_turn_rad: f64,
    /// How far a movement may be shifted so that both are as far apart as in the examples, or where a command says, in metres;
    /// default 0.35; 0 to 10. A short one no faster than 0.6 m/s. Along a path it is as far as it takes.
    pub most_shift_m: f64,
    /// How far a hand or a foot is brought to what it strikes, in metres; default 0.35; 0 to 10.
    pub most_reach_m: f64,
}

impl Default for RunSettings {
    fn default() -> Self {
        Self { temperature: 2.0, touch_slack: 3, most_turn_rad: 0.5, most_shift_m: 0.35, most_reach_m: 0.35 }
    }
}

impl RunSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("temperature", self.temperature, 0.0..=100.0)?;
        OutOfRange::check("touch_slack", self.touch_slack, 0..=1000)?;
        OutOfRange::check("most_turn_rad", self.most_turn_rad, 0.0..=3.2)?;
        OutOfRange::check("most_shift_m", self.most_shift_m, 0.0..=10.0)?;
        OutOfRange::check("most_reach_m", self.most_reach_m, 0.0..=10.0)?;
        Ok(())
    }
}
