//! Settings of cleaning.

use serde::{Deserialize, Serialize};

use crate::{OutOfRange, Result};

/// Settings of [`clean`](super::clean). A frame is a defect if it is farther from the middle of its neighbours than its noise
/// and the largest plausible acceleration explain.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CleaningSettings {
    /// Largest deviation of a rotation that noise explains, in radians; default 0.2; 0 to 3. Less, if the joint is usually
    /// steadier. On the tuning half of CMU's walks, fights and jumps, the limbs of clean takes deviate by less than 0.2 at 120 Hz.
    pub noise_rad: f32,
    /// Largest plausible angular acceleration of a joint, in rad/s²; default 1500; 1 to 1e6. A kick reaches 500. It matters at
    /// low rates: at 30 Hz it explains 0.8 rad.
    pub angular_acceleration: f32,
    /// Largest deviation of a position that noise explains, in metres; default 0.02; 0 to 1. Less, if the root is usually steadier.
    pub noise_m: f32,
    /// Largest plausible acceleration of the root, in m/s²; default 150; 1 to 1e6. A hard landing reaches 60.
    pub acceleration: f32,
    /// Defects closer than this are one, in seconds; default 0.1; 0 to 1.
    pub join_secs: f64,
    /// The longest defect of the trunk or a limb that is repaired, in seconds; default 0.15; 0 to 10. Interpolation over more
    /// would invent motion.
    pub repair_secs: f64,
    /// The longest defect of a finger or toe that is repaired, in seconds; default 0.5; 0 to 10. Nothing hangs on them, so
    /// invented motion is hardly seen.
    pub repair_end_secs: f64,
    /// Largest plausible angular speed across a repaired defect, in rad/s; default 40; 1 to 1e4. A faster one is a jump: the
    /// motion before and after it does not go together.
    pub jump_rad_per_sec: f32,
    /// Largest plausible speed of the root across a repaired defect, in m/s; default 12, faster than any sprinter; 1 to 1e4.
    pub jump_mps: f32,
    /// Frames that are marked as unusable before and after a jump, in seconds; default 0.05; 0 to 1.
    pub margin_secs: f64,
}

impl Default for CleaningSettings {
    fn default() -> Self {
        Self {
            noise_rad: 0.2,
            angular_acceleration: 1500.0,
            noise_m: 0.02,
            acceleration: 150.0,
            join_secs: 0.1,
            repair_secs: 0.15,
            repair_end_secs: 0.5,
            jump_rad_per_sec: 40.0,
            jump_mps: 12.0,
            margin_secs: 0.05,
        }
    }
}

impl CleaningSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("noise_rad", self.noise_rad, 0.0..=3.0)?;
        OutOfRange::check("angular_acceleration", self.angular_acceleration, 1.0..=1e6)?;
        OutOfRange::check("noise_m", self.noise_m, 0.0..=1.0)?;
        OutOfRange::check("acceleration", self.acceleration, 1.0..=1e6)?;
        OutOfRange::check("join_secs", self.join_secs, 0.0..=1.0)?;
        OutOfRange::check("repair_secs", self.repair_secs, 0.0..=10.0)?;
        OutOfRange::check("repair_end_secs", self.repair_end_secs, 0.0..=10.0)?;
        OutOfRange::check("jump_rad_per_sec", self.jump_rad_per_sec, 1.0..=1e4)?;
        OutOfRange::check("jump_mps", self.jump_mps, 1.0..=1e4)?;
        OutOfRange::check("margin_secs", self.margin_secs, 0.0..=1.0)?;
        Ok(())
    }
}
