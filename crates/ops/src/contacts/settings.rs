//! Settings of contact detection.

use serde::{Deserialize, Serialize};

use crate::{OutOfRange, Result};

/// Settings of contact detection. A contact starts when a point is both slow and low, and ends when it is
/// fast or high; the thresholds for ending are wider, so that jitter does not split a contact.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ContactSettings {
    /// Standard deviation of the Gaussian that smooths paths, in seconds; default 0.03; 0 to 0.2. Enough to
    /// reduce 5 mm of noise at 30 Hz to 3 mm, too little to blur a step, whose swing takes 0.4 s.
    pub smoothing_secs: f64,
    /// A slower point may stand, in metres per second; default 0.4; above 0 up to 5. Four times the apparent
    /// speed of 5 mm of noise at 30 Hz; a swinging foot moves at 4 and slows down from 1 within 40 ms.
    pub enter_speed_mps: f32,
    /// A faster point has left, in metres per second; default 0.6; `enter_speed_mps` to 5.
    pub leave_speed_mps: f32,
    /// A point lower than this over its own level may stand, in metres; default 0.015; above 0 up to 1. Five
    /// times what smoothing leaves of 5 mm of noise.
    pub enter_height_m: f32,
    /// A higher point has left, in metres; default 0.04; `enter_height_m` to 1. A swinging foot has little
    /// clearance, but is fast.
    pub leave_height_m: f32,
    /// Length of the window whose resting frames define the level, in seconds; default 1.6, a stride and a
    /// half; 0.5 to 3600. Long enough for a foot to come down, short enough for an uneven floor.
    pub level_secs: f64,
    /// Largest height of a plant above that level, in metres; default 0.03; 0 to 1. Feet of a skeleton
    /// differ, and floors are uneven; the height of the plant itself is relative to its own level.
    pub uneven_m: f32,
    /// Largest height of the floor above its lowest level, in metres; default 0.25; 0 to 100. Feet that rest
    /// higher, as on a bar or a chair, are in the air.
    pub floor_range_m: f32,
    /// Largest drift of a standing foot up or down, in metres; default 0.05; 0 to 0.3. Captured feet drift by
    /// up to 4 cm.
    pub drift_m: f32,
    /// Largest correction of an end, from where height or speed cross their lower threshold to where the point
    /// starts to leave, in seconds; default 0.07, chosen by labels of captured heels; 0 to 0.5. Larger values
    /// find slower heels and make other ends less certain.
    pub end_trim_secs: f64,
    /// The same for a start, from where the height crosses its lower threshold to where the point has come to
    /// rest, in seconds; default 0: people label a part that comes down as standing as soon as it is low.
    pub start_trim_secs: f64,
    /// Contacts shorter than this are dropped, in seconds; default 0.08; 0 to 1. A walking heel is down for 0.3 s.
    pub least_contact_secs: f64,
    /// Gaps shorter than this are closed, in seconds; default 0.08; 0 to 1. A swing takes at least 0.25 s.
    pub least_gap_secs: f64,
}

impl Default for ContactSettings {
    fn default() -> Self {
        Self {
            smoothing_secs: 0.03,
            enter_speed_mps: 0.4,
            leave_speed_mps: 0.6,
            enter_height_m: 0.015,
            leave_height_m: 0.04,
            level_secs: 1.6,
            uneven_m: 0.03,
            floor_range_m: 0.25,
            drift_m: 0.05,
            end_trim_secs: 0.07,
            start_trim_secs: 0.0,
            least_contact_secs: 0.08,
            least_gap_secs: 0.08,
        }
    }
}

impl ContactSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("smoothing_secs", self.smoothing_secs, 0.0..=0.2)?;
        OutOfRange::check("enter_speed_mps", self.enter_speed_mps, f32::MIN_POSITIVE..=5.0)?;
        OutOfRange::check("leave_speed_mps", self.leave_speed_mps, self.enter_speed_mps..=5.0)?;
        OutOfRange::check("enter_height_m", self.enter_height_m, f32::MIN_POSITIVE..=1.0)?;
        OutOfRange::check("leave_height_m", self.leave_height_m, self.enter_height_m..=1.0)?;
        OutOfRange::check("level_secs", self.level_secs, 0.5..=3600.0)?;
        OutOfRange::check("uneven_m", self.uneven_m, 0.0..=1.0)?;
        OutOfRange::check("floor_range_m", self.floor_range_m, 0.0..=100.0)?;
        OutOfRange::check("drift_m", self.drift_m, 0.0..=0.3)?;
        OutOfRange::check("end_trim_secs", self.end_trim_secs, 0.0..=0.5)?;
        OutOfRange::check("start_trim_secs", self.start_trim_secs, 0.0..=0.5)?;
        OutOfRange::check("least_contact_secs", self.least_contact_secs, 0.0..=1.0)?;
        OutOfRange::check("least_gap_secs", self.least_gap_secs, 0.0..=1.0)?;
        Ok(())
    }
}
