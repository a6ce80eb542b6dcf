//! How beats are found.

use marey_motion::Role;

use crate::{OutOfRange, Result};

/// How beats are found.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The joints to follow where feet do not come down in time; default hips, head, elbows, hands, knees and feet. Those a skeleton lacks are left out.
    pub roles: Vec<Role>,
    /// The slowest tempo looked for, in beats a minute; default 75; 30 to 300.
    pub slowest_bpm: f64,
    /// The quickest, in beats a minute; default 200; above the slowest, up to 300.
    pub quickest_bpm: f64,
    /// Deviation of the weights that smooth paths, in seconds; default 0.05; 0 to 0.2. A quarter of the half of a quick beat.
    pub smoothing_secs: f64,
    /// How much an irregular beat costs: α, in deviations of the evidence; default 200; 0 to 10000. An interval off by a
    /// tenth costs about two deviations.
    pub steadiness: f64,
    /// Below this strength there is no rhythm; default 0.15; 0 to 1.
    pub least_strength: f32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            roles: vec![
                Role::Hips,
                Role::Head,
                Role::LeftLowerArm,
                Role::RightLowerArm,
                Role::LeftHand,
                Role::RightHand,
                Role::LeftLowerLeg,
                Role::RightLowerLeg,
                Role::LeftFoot,
                Role::RightFoot,
            ],
            slowest_bpm: 75.0,
            quickest_bpm: 200.0,
            smoothing_secs: 0.05,
            steadiness: 200.0,
            least_strength: 0.15,
        }
    }
}

impl Settings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("slowest_bpm", self.slowest_bpm, 30.0..=300.0)?;
        OutOfRange::check("quickest_bpm", self.quickest_bpm, self.slowest_bpm..=300.0)?;
        OutOfRange::check("smoothing_secs", self.smoothing_secs, 0.0..=0.2)?;
        OutOfRange::check("steadiness", self.steadiness, 0.0..=10_000.0)?;
        OutOfRange::check("least_strength", self.least_strength, 0.0..=1.0)?;
        Ok(())
    }
}
