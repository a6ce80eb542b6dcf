//! How a style is learned, and how a way is searched.

use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::Result;

/// Which joints depend on which.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dependence {
    /// Each joint on the one it hangs from, as in the paper.
    Body,
    /// The tree that the motion itself suggests: that of most mutual information (Chow and Liu 1968). The default.
    #[default]
    Learned,
    /// Joints know nothing of each other: the paper's "divine awkwardness".
    None,
}

/// How a style is learned.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StyleSettings {
    /// Frames a second at which postures are learned and searched; default 15; 1 to 120. Motion between them is filled in.
    pub rate_hz: f64,
    /// How many orientations a joint has at most; default 390, as the paper has fewer than 400; 2 to 4000.
    pub most_orientations: usize,
    /// Orientations this near to another are the same, in radians; default 0.1, about six degrees; 0.001 to 1.
    pub nearness_rad: f32,
    /// How many steps' worth of likelihood a joint has, in each orientation, for going on to one beside it, or to the nearest of
    /// another group, though that was never seen;
    /// default 0.2; 0 to 100. With 0 only steps that were seen are taken, as in the paper, and a joint that was somewhere once has to be
    /// led through all that came before.
    pub doubt: f32,
    /// Postures that are asked for may have joints this far from all that was seen of them, in radians; default 0.6, 34 degrees;
    /// 0 to 3.2.
    pub farthest_rad: f32,
    /// Which joints depend on which.
    pub dependence: Dependence,
}

impl Default for StyleSettings {
    fn default() -> Self {
        Self {
            rate_hz: 15.0,
            most_orientations: 390,
            nearness_rad: 0.1,
            doubt: 0.2,
            farthest_rad: 0.6,
            dependence: Dependence::default(),
        }
    }
}

impl StyleSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("rate_hz", self.rate_hz, 1.0..=120.0)?;
        let most = u32::try_from(self.most_orientations).unwrap_or(u32::MAX);
        OutOfRange::check("most_orientations", most, 2..=4000)?;
        OutOfRange::check("nearness_rad", self.nearness_rad, 0.001..=1.0)?;
        OutOfRange::check("doubt", self.doubt, 0.0..=100.0)?;
        OutOfRange::check("farthest_rad", self.farthest_rad, 0.0..=3.2)?;
        Ok(())
    }
}

/// How a way is searched.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SearchSettings {
    /// How many of the likeliest next postures are looked at from each, and orientations of each joint; default 6; 1 to 1000000.
    pub successors: usize,
    /// How many postures of a step are kept in memory at most; default 128; 1 to 10 million.
    pub width: usize,
    /// How many postures are looked at until the best way found has to do; default 2000; 1 to a thousand million.
    pub most_postures: usize,
    /// How much more than its likelihood it counts that a posture is near the end; default 1; 1 to 1000. The paper's search, which
    /// counts nothing else, is at the other end.
    pub greed: f64,
    /// How many times as many steps as the fewest possible a way may have; default 3; 1 to 100.
    pub discursiveness: f64,
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self { successors: 6, width: 128, most_postures: 2000, greed: 1.0, discursiveness: 3.0 }
    }
}

impl SearchSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        let whole = |name, value: usize, low: u32, high: u32| {
            OutOfRange::check(name, u32::try_from(value).unwrap_or(u32::MAX), low..=high)
        };
        whole("successors", self.successors, 1, 1_000_000)?;
        whole("width", self.width, 1, 10_000_000)?;
        whole("most_postures", self.most_postures, 1, 1_000_000_000)?;
        OutOfRange::check("greed", self.greed, 1.0..=1000.0)?;
        OutOfRange::check("discursiveness", self.discursiveness, 1.0..=100.0)?;
        Ok(())
    }
}
