//! Settings of filling gaps.

use marey_motion::Ground;
use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::Result;

/// How gaps are filled from examples.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NearSettings {
    /// Number of example gaps that the regression uses; default 600; range 1 to 100000. More are slower and change little, because far
    /// ones have little weight.
    pub neighbours: usize,
    /// Exponent of the weight of an example gap, (d²ₘᵢₙ / d²) to this power; default 2; range 0 to 8. With 0 all neighbours count alike;
    /// large values use the nearest only.
    pub falloff: f32,
    /// Whether feet are planted; default true. Without, motion is as predicted and feet slide.
    pub plants_feet: bool,
}

impl Default for NearSettings {
    fn default() -> Self {
        Self { neighbours: 600, falloff: 2.0, plants_feet: true }
    }
}

impl NearSettings {
    /// Checks that every field is in its range.
    pub fn validate(&self) -> Result<()> {
        let neighbours = u32::try_from(self.neighbours).unwrap_or(u32::MAX);
        OutOfRange::check("neighbours", neighbours, 1..=100_000)?;
        OutOfRange::check("falloff", self.falloff, 0.0..=8.0)?;
        Ok(())
    }
}

/// Length and position of the motion that fills a gap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GapSettings {
    /// Frame rate of the motion in Hz; default 60; range 1 to 1000.
    pub rate_hz: f64,
    /// Number of frames, including both poses; range 2 to 100000; default `None`: as long as people of the corpus take.
    pub frames: Option<usize>,
    /// Where the last pose is; default [`EndPlace::Free`].
    pub end: EndPlace,
}

impl Default for GapSettings {
    fn default() -> Self {
        Self { rate_hz: 60.0, frames: None, end: EndPlace::Free }
    }
}

impl GapSettings {
    /// Checks that every field is in its range.
    pub fn validate(&self) -> Result<()> {
        crate::tween::check_output(self.rate_hz, self.frames)
    }
}

/// Where the last pose of a gap is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndPlace {
    /// Where people of the corpus get in such a gap.
    #[default]
    Free,
    /// Where its clip has it.
    AsGiven,
    /// With its hips over this place, and this heading.
    At(Ground),
}
