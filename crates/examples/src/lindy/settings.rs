//! Settings of Lindy Hop dances.

use marey_body::BodyProportions;
use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::Result;

/// Settings of Lindy Hop dances.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LindySettings {
    /// Random seed; default 0. Another seed gives another dance.
    pub seed: u64,
    /// Frames per second; default 60; 10 to 1000. The same seed gives the same dance at every rate.
    pub rate_hz: f64,
    /// The leader's body; default 1.78 m tall. It must be as tall as the follower or up to 0.28 m taller, because the hand passes
    /// over the follower's head.
    pub leader: BodyProportions,
    /// The follower's body; default 1.66 m tall.
    pub follower: BodyProportions,
    /// Standard deviation of the capture noise on every joint coordinate, in millimetres; default 0; 0 to 50.
    pub noise_mm: f32,
}

impl Default for LindySettings {
    fn default() -> Self {
        let body = |height_m| BodyProportions { height_m, ..BodyProportions::default() };
        Self { seed: 0, rate_hz: 60.0, leader: body(1.78), follower: body(1.66), noise_mm: 0.0 }
    }
}

impl LindySettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("rate_hz", self.rate_hz, 10.0..=1000.0)?;
        OutOfRange::check("noise_mm", self.noise_mm, 0.0..=50.0)?;
        self.leader.validate()?;
        self.follower.validate()?;
        let taller_m = self.leader.height_m - self.follower.height_m;
        OutOfRange::check("leader.height_m - follower.height_m", taller_m, 0.0..=0.28)?;
        Ok(())
    }
}
