//! One use of an example.

use marey_motion::Ground;
use serde::{Deserialize, Serialize};

/// Whose motion: a take by its name, and an actor of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceRef {
    /// The take's name.
    pub take: String,
    /// Which of its actors, from 0.
    #[serde(default)]
    pub actor: usize,
}

/// An instant of the example, and the instant of the placement it is to be at. Frames may have fractions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyTime {
    /// Frame of the example, from its first.
    pub source_frame: f64,
    /// Frame of the plan, from its first.
    pub frame: f64,
}

/// One use of an example: which frames of whose motion, at which frames of the plan, and where on the floor.
///
/// Its first frame shows the example's first, and its end is the example's end: times between go steadily, or by key
/// times piece by piece.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Placement {
    /// Whose motion.
    pub source: SourceRef,
    /// First frame of the example that is used, at the example's own rate.
    pub source_start: usize,
    /// One past the last.
    pub source_end: usize,
    /// The frame of the plan at which it starts, at the plan's rate.
    pub start: usize,
    /// How many frames of the plan it lasts.
    pub frames: usize,
    /// Instants that are to be at given times; sorted; none for a steady stretch.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub key_times: Vec<KeyTime>,
    /// Where on the floor the example is put. Of a mirrored example: after mirroring.
    #[serde(default)]
    pub world_from_source: Ground,
    /// Left for right, across the plane x = 0 of the example.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub mirrored: bool,
}

impl Placement {
    /// One past its last frame of the plan.
    pub fn end(&self) -> usize {
        self.start.saturating_add(self.frames)
    }

    /// How many frames of the example it uses.
    pub fn source_frames(&self) -> usize {
        self.source_end.saturating_sub(self.source_start)
    }

    /// The frame of the example that is shown `at` frames after the start; both may have fractions. Before the start and
    /// after the end, time goes on as in the first and the last piece.
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
    /// // The step at frame 110 of the example is to be at frame 40 of the plan: slower at first, faster then.
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
