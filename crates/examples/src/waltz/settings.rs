//! Settings of a waltz.

use marey_body::BodyProportions;
use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::Result;

/// Settings of a waltz.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WaltzSettings {
    /// Random seed; default 0. Another seed gives another waltz.
    pub seed: u64,
    /// Duration, in seconds; default 60; 10 (there is time for two bars) to 3600.
    pub duration_secs: f64,
    /// Beats per minute; default 88, a slow waltz; 70 to 110.
    pub tempo_bpm: f64,
    /// Frames per second; default 60; 10 to 1000. The same seed gives the same waltz at every rate.
    pub rate_hz: f64,
    /// The leader's body; default 1.78 m tall. It must be as tall as the follower or up to 0.28 m taller.
    pub leader: BodyProportions,
    /// The follower's body; default 1.66 m tall.
    pub follower: BodyProportions,
    /// Radius of the couple's path around the floor, in metres; default 3; 2 to 20.
    pub floor_m: f64,
    /// Standard deviation of the capture noise on every joint coordinate, in millimetres; default 0; 0 to 50.
    pub noise_mm: f32,
}

impl Default for WaltzSettings {
    fn default() -> Self {
        let body = |height_m| BodyProportions { height_m, ..BodyProportions::default() };
        Self {
            seed: 0,
            duration_secs: 60.0,
            tempo_bpm: 88.0,
            rate_hz: 60.0,
            leader: body(1.78),
            follower: body(1.66),
            floor_m: 3.0,
            noise_mm: 0.0,
        }
    }
}

impl WaltzSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("duration_secs", self.duration_secs, 10.0..=3600.0)?;
        OutOfRange::check("tempo_bpm", self.tempo_bpm, 70.0..=110.0)?;
        OutOfRange::check("rate_hz", self.rate_hz, 10.0..=1000.0)?;
        OutOfRange::check("floor_m", self.floor_m, 2.0..=20.0)?;
        OutOfRange::check("noise_mm", self.noise_mm, 0.0..=50.0)?;
        self.leader.validate()?;
        self.follower.validate()?;
        let taller_m = self.leader.height_m - self.follower.height_m;
        OutOfRange::check("leader.height_m - follower.height_m", taller_m, 0.0..=0.28)?;
        Ok(())
    }
}
