//! What counts as a contact.

use serde::{Deserialize, Serialize};

use crate::{OutOfRange, Result};

/// What counts as a contact. A contact starts when a point is both slow and low, and ends when it is fast or high; the
/// bounds for ending are wider, so that jitter about one bound does not tear a contact apart.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Deviation of the Gaussian that paths are smoothed with first, in seconds; default 0.03; 0 to 0.2. Enough to
    /// bring 5 mm of noise at 30 Hz down to 3 mm, too little to blur a step, whose swing takes 0.4 s.
    pub smoothing_secs: f64,
    /// Slower than this a point may come to stand, in metres a second; default 0.4; above 0 up to 5. Four times the
    /// speed that 5 mm of noise at 30 Hz feigns; a swinging foot does 4, and slows down from 1 within 40 ms.
    pub enter_speed_mps: f32,
    /// Faster than this it has left, in metres a second; default 0.6; `enter_speed_mps` to 5.
    pub leave_speed_mps: f32,
    /// Lower than this over its own level a point may come to stand, in metres; default 0.015; above 0 up to 1. Five
    /// times what smoothing leaves of 5 mm of noise.
    pub enter_height_m: f32,
    /// Higher than this it has left, in metres; default 0.04; `enter_height_m` to 1. A swinging foot clears the floor by
    /// little, but is fast then.
    pub leave_height_m: f32,
    /// How long the stretch of time is whose rests give the level that heights are taken from, in seconds; default 1.6;
    /// 0.5 to 3600. A stride and a half; long enough for a foot to come down, short enough for a floor that is not level.
    pub level_secs: f64,
    /// How far above that level a plant may be, in metres; default 0.03; 0 to 1. Feet of a skeleton differ, and floors are
    /// uneven; the height of a plant itself is then taken from its own rest.
    pub uneven_m: f32,
    /// How much higher than at its lowest the floor may be elsewhere, in metres; default 0.25; 0 to 100. Feet that rest
    /// higher than that, as on a bar or a chair, are in the air.
    pub floor_range_m: f32,
    /// How far an end is moved inwards at the most, from where the height crosses its lower bound to where it began to
    /// rise, in seconds; default 0.09, what a heel takes in walking at ease; 0 to 0.5. More finds a heel that rises more
    /// slowly, and makes the other ends less sure.
    pub most_trim_secs: f64,
    /// Contacts shorter than this are dropped, in seconds; default 0.08; 0 to 1. A walking heel is down for 0.3 s.
    pub least_contact_secs: f64,
    /// Gaps shorter than this are closed, in seconds; default 0.08; 0 to 1. A swing takes at least 0.25 s.
    pub least_gap_secs: f64,
}

impl Default for Settings {
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
            most_trim_secs: 0.09,
            least_contact_secs: 0.08,
            least_gap_secs: 0.08,
        }
    }
}

impl Settings {
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
        OutOfRange::check("most_trim_secs", self.most_trim_secs, 0.0..=0.5)?;
        OutOfRange::check("least_contact_secs", self.least_contact_secs, 0.0..=1.0)?;
        OutOfRange::check("least_gap_secs", self.least_gap_secs, 0.0..=1.0)?;
        Ok(())
    }
}
