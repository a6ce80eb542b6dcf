//! Settings of beat detection.

use marey_motion::Role;

use crate::{OutOfRange, Result};

/// Settings of beat detection.
#[derive(Debug, Clone, PartialEq)]
pub struct BeatSettings {
    /// The joints to follow if steps do not define the beat; default hips, head, elbows, hands, knees and
    /// feet. Missing ones are ignored.
    pub roles: Vec<Role>,
    /// The slowest tempo, in beats per minute; default 75; 30 to 300.
    pub slowest_bpm: f64,
    /// The fastest tempo, in beats per minute; default 200; above the slowest, up to 300.
    pub quickest_bpm: f64,
    /// Standard deviation for smoothing paths, in seconds; default 0.05, a quarter of half a fast beat; 0 to
    /// 0.2.
    pub smoothing_secs: f64,
    /// Cost of an irregular beat: α, in standard deviations of the evidence; default 200; 0 to 10000. An
    /// interval that is off by a tenth costs about two.
    pub steadiness: f64,
    /// A lower strength means no rhythm; default 0.15; 0 to 1.
    pub least_strength: f32,
}

impl Default for BeatSettings {
    fn default() -> Self {
        Self {
            roles: Role::LANDMARKS.to_vec(),
            slowest_bpm: 75.0,
            quickest_bpm: 200.0,
            smoothing_secs: 0.05,
            steadiness: 200.0,
            least_strength: 0.15,
        }
    }
}

impl BeatSettings {
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
