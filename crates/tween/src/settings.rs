//! Settings of learning a style and of searching a path.

use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::Result;

/// Which joints depend on which.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dependence {
    /// Each joint depends on its parent in the skeleton, as in the paper.
    Body,
    /// The tree with the most mutual information, learned from the motion (Chow and Liu 1968). The default.
    #[default]
    Learned,
    /// Joints are independent: the paper's "divine awkwardness".
    None,
}

/// How a style is learned.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StyleSettings {
    /// Rate at which postures are learned and searched, in Hz; default 15; range 1 to 120. Frames between
    /// postures are interpolated.
    pub rate_hz: f64,
    /// Maximum number of orientations of a joint; default 390 (the paper has fewer than 400); range 2 to
    /// 4000.
    pub max_orientations: usize,
    /// Orientations closer than this are merged, in radians; default 0.1, about six degrees; range 0.001 to
    /// 1.
    pub merge_angle_rad: f32,
    /// Pseudo-count, in transitions per orientation, for unseen transitions to a neighbouring orientation or
    /// to the nearest of another group; default 0.2; range 0 to 100. With 0 only seen transitions are
    /// possible, as in the paper, and a joint can leave or reach a rare orientation only through the frames
    /// around it.
    pub smoothing: f32,
    /// Maximum angle between a joint of a given pose and the nearest orientation of the style, in radians;
    /// default 0.6, 34 degrees; range 0 to 3.2.
    pub max_pose_error_rad: f32,
    /// Which joints depend on which.
    pub dependence: Dependence,
}

impl Default for StyleSettings {
    fn default() -> Self {
        Self {
            rate_hz: 15.0,
            max_orientations: 390,
            merge_angle_rad: 0.1,
            smoothing: 0.2,
            max_pose_error_rad: 0.6,
            dependence: Dependence::default(),
        }
    }
}

impl StyleSettings {
    /// Checks that every field is in its range.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("rate_hz", self.rate_hz, 1.0..=120.0)?;
        let max_orientations = u32::try_from(self.max_orientations).unwrap_or(u32::MAX);
        OutOfRange::check("max_orientations", max_orientations, 2..=4000)?;
        OutOfRange::check("merge_angle_rad", self.merge_angle_rad, 0.001..=1.0)?;
        OutOfRange::check("smoothing", self.smoothing, 0.0..=100.0)?;
        OutOfRange::check("max_pose_error_rad", self.max_pose_error_rad, 0.0..=3.2)?;
        Ok(())
    }
}

/// How a path between two postures is searched.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PathSearchSettings {
    /// Number of successors of a posture, and of orientations tried per joint; default 6; range 1 to 1000000.
    pub successors: usize,
    /// Maximum number of postures kept per step; default 128; range 1 to 10 million.
    pub beam_width: usize,
    /// Number of expanded postures after which the search returns the best path so far; default 2000; range 1
    /// to one billion.
    pub max_expansions: usize,
    /// Weight of the heuristic in weighted A*; default 1; range 1 to 1000. The paper's search, which uses the
    /// heuristic alone, is the limit of large weights.
    pub heuristic_weight: f64,
    /// Maximum length of a path, relative to the fewest possible steps; default 3; range 1 to 100.
    pub max_length_ratio: f64,
}

impl Default for PathSearchSettings {
    fn default() -> Self {
        Self {
            successors: 6,
            beam_width: 128,
            max_expansions: 2000,
            heuristic_weight: 1.0,
            max_length_ratio: 3.0,
        }
    }
}

impl PathSearchSettings {
    /// Checks that every field is in its range.
    pub fn validate(&self) -> Result<()> {
        let check_count = |name, value: usize, low: u32, high: u32| {
            OutOfRange::check(name, u32::try_from(value).unwrap_or(u32::MAX), low..=high)
        };
        check_count("successors", self.successors, 1, 1_000_000)?;
        check_count("beam_width", self.beam_width, 1, 10_000_000)?;
        check_count("max_expansions", self.max_expansions, 1, 1_000_000_000)?;
        OutOfRange::check("heuristic_weight", self.heuristic_weight, 1.0..=1000.0)?;
        OutOfRange::check("max_length_ratio", self.max_length_ratio, 1.0..=100.0)?;
        Ok(())
    }
}
