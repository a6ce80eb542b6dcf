//! Settings of [`DuetSession`](crate::DuetSession).

use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::Result;

/// Settings of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DuetRunSettings {
    /// Randomness of the choice of movements; default 2; 0 to 100.
    ///
    /// Equation 21 counts each movement twice, by the person's previous movement and by the
    /// partner's; 2 compensates for that. 0 is the paper's rule, always the most likely movement,
    /// which ends in loops. Higher values give more variety.
    pub temperature: f64,
    /// Maximum difference of the two contact frames before the defender's movement is time-warped;
    /// default 3, as in the paper; 0 to 1000.
    pub contact_tolerance_frames: u32,
    /// Maximum turn of a movement that makes both face each other as in the recordings, in radians;
    /// default 0.5; 0 to 3.2. Short movements turn at most at 1.5 rad/s.
    pub max_turn_rad: f64,
    /// Maximum shift of a movement that restores the recorded distance, or reaches the position of a
    /// command, in metres; default 0.35; 0 to 10. Short movements shift at most at 0.6 m/s. Does not
    /// limit the shift along a path.
    pub max_shift_m: f64,
    /// Maximum distance that a hand or foot is moved onto its target, in metres; default 0.35; 0 to 10.
    pub max_reach_m: f64,
}

impl Default for DuetRunSettings {
    fn default() -> Self {
        Self {
            temperature: 2.0,
            contact_tolerance_frames: 3,
            max_turn_rad: 0.5,
            max_shift_m: 0.35,
            max_reach_m: 0.35,
        }
    }
}

impl DuetRunSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("temperature", self.temperature, 0.0..=100.0)?;
        OutOfRange::check("contact_tolerance_frames", self.contact_tolerance_frames, 0..=1000)?;
        OutOfRange::check("max_turn_rad", self.max_turn_rad, 0.0..=3.2)?;
        OutOfRange::check("max_shift_m", self.max_shift_m, 0.0..=10.0)?;
        OutOfRange::check("max_reach_m", self.max_reach_m, 0.0..=10.0)?;
        Ok(())
    }
}
