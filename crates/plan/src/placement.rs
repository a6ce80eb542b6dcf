//! One use of a source clip.

use marey_motion::Ground;
use serde::{Deserialize, Serialize};

/// Reference to a source clip: a take and one of its actors.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceRef {
    /// Name of the take.
    pub take: String,
    /// Index of the actor.
    #[serde(default)]
    pub actor: usize,
}

/// A frame of the source and the frame of the plan at which it is shown. Both may be fractional.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyTime {
    /// Frame of the source.
    pub source_frame: f64,
    /// Frame of the plan.
    pub frame: f64,
}

/// One use of a source clip: its source frames, its frames in the plan, and its position on the floor.
///
/// The first frame shows `source_start`, and the end corresponds to `source_end`. Time between is linear, or
/// piecewise linear through the key times.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Placement {
    /// The source clip.
    pub source: SourceRef,
    /// First source frame that is used, at the rate of the source.
    pub source_start: usize,
    /// One past the last source frame.
    pub source_end: usize,
    /// First frame in the plan, at the rate of the plan.
    pub start: usize,
    /// Length in frames of the plan.
    pub frames: usize,
    /// Key times, sorted; empty for a uniform stretch.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub key_times: Vec<KeyTime>,
    /// Position and heading of the source on the floor, after mirroring.
    #[serde(default)]
    pub world_from_source: Ground,
    /// Whether left and right are swapped, by reflection in the plane x = 0 of the source.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub mirrored: bool,
}

impl Placement {
    /// Returns one past the last frame in the plan.
    pub fn end(&self) -> usize {
        self.start.saturating_add(self.frames)
    }

    /// Returns the number of source frames that are used.
    pub fn source_frames(&self) -> usize {
        self.source_end.saturating_sub(self.source_start)
    }

    /// Returns the source frame that is shown `at` frames after the start; both may be fractional. Before the
    /// start and after the end, the first and last interval are extrapolated.
    ///
    /// ```
    /// use marey_plan::{KeyTime, Placement, SourceRef};
    /// let mut placement = Placement {
    ///     source: SourceRef { take: "walk".into(), actor: 0 },
    ///     source_start: 100,
    ///     source_end: 140,
    ///     start: 30,
    ///     frames: 20,
    ///     key_times: vec![],
    ///     world_from_source: Default::default(),
    ///     mirrored: false,
    /// };
    /// // Twice as fast as recorded.
    /// assert_eq!(placement.source_frame_at(5.0), 110.0);
    /// // Frame 110 of the source must be at frame 40 of the plan: slower at first, then faster.
    /// placement.key_times.push(KeyTime { source_frame: 110.0, frame: 40.0 });
    /// assert_eq!(placement.source_frame_at(5.0), 105.0);
    /// assert_eq!(placement.source_frame_at(15.0), 125.0);
    /// assert_eq!(placement.source_frame_at(20.0), 140.0);
    /// assert_eq!(placement.source_frame_at(-1.0), 99.0);
    /// ```
    pub fn source_frame_at(&self, at: f64) -> f64 {
        let mut from = (0.0, self.source_start as f64);
        let mut to = (self.frames as f64, self.source_end as f64);
        for key in &self.key_times {
            let key = (key.frame - self.start as f64, key.source_frame);
            if at < key.0 {
                to = key;
                break;
            }
            from = key;
        }
        from.1 + (at - from.0) * (to.1 - from.1) / (to.0 - from.0)
    }
}
