//! What Lindy dances are to be.

use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::{Body, Result};

/// What Lindy dances are to be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LindySettings {
    /// Where chance starts; default 0. Another seed is another dance.
    pub seed: u64,
    /// Frames a second; default 60; 10 to 1000. The same seed is the same dance at every rate.
    pub rate_hz: f64,
    /// Who leads; default 1.78 m tall. As tall as the follower, or up to 0.28 m taller: the hand goes
    /// over the follower's head.
    pub leader: Body,
    /// Who follows; default 1.66 m tall.
    pub follower: Body,
    /// Deviation of every coordinate of every joint, as if captured, in millimetres; default 0; 0 to 50.
    pub noise_mm: f32,
}

impl Default for LindySettings {
    fn default() -> Self {
        let body = |height_m| Body { height_m, ..Body::default() };
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
