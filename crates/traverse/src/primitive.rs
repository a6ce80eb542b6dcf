//! Motion primitives: one hop or one stride of an example.

use std::ops::Range;

use marey_motion::{Clip, Contacts, Ground, Side, Tag, Vec2, Vec3};
use marey_plan::SourceRef;

/// An example clip with its contacts and tags.
#[derive(Debug, Clone)]
pub struct TraverseExample {
    /// The name that plans use for it.
    pub source: SourceRef,
    /// The whole clip.
    pub clip: Clip,
    /// Ground contacts of heels (`LeftFoot`) and balls (`LeftToes`), or of a hopper's base by the role of its root.
    /// If a hopper has none, they are detected in the motion.
    pub contacts: Contacts,
    /// Tags. The tag that covers most of a primitive is its style.
    pub tags: Vec<Tag>,
    /// Frames that cannot be used. No primitive has one of them.
    pub unusable: Vec<Range<usize>>,
}

/// One hop or one stride of an example, from one stance to the next.
#[derive(Debug, Clone, PartialEq)]
pub struct MotionPrimitive {
    /// Index of the example.
    pub example: usize,
    /// From the frame at which it begins to the one at which the next can begin. Both show the same phase of a stance.
    pub frames: Range<usize>,
    /// The frame at which the foot leaves the ground.
    pub take_off: usize,
    /// The frame at which it is on the ground again.
    pub landing: usize,
    /// Which foot moves; `None` for a hopper.
    pub foot: Option<Side>,
    /// Horizontal displacement: a of figure 2, in metres.
    pub length_m: f32,
    /// Vertical displacement: b of figure 2, in metres.
    pub height_m: f32,
    /// Height of the moving foot's previous footing above the supporting foot, in metres; 0 for a hopper.
    pub(crate) previous_height_m: f32,
    /// Height of the foot above the higher of its two footings, in metres.
    pub clearance_m: f32,
    /// The tag that covers most of it; empty if there is none.
    pub style: String,
    /// Stance at the beginning, in the example.
    pub(crate) from: Stance,
    /// Stance at the end, in the example.
    pub(crate) to: Stance,
    /// Shape of the character at a few frames, to test it against the terrain. Hoppers only.
    pub(crate) outline: Vec<OutlineFrame>,
}

impl TraverseExample {
    /// Whether no frame of a primitive is unusable. A primitive needs the frame at which it ends.
    pub(crate) fn can_use(&self, primitive: &MotionPrimitive) -> bool {
        let frames = &primitive.frames;
        !self.unusable.iter().any(|range| range.start <= frames.end && frames.start < range.end)
    }
}

impl MotionPrimitive {
    /// Length and height.
    pub fn displacement(&self) -> Vec2 {
        Vec2::new(self.length_m, self.height_m)
    }
}

/// A sole that stands, in an example.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stance {
    /// The middle of the sole.
    pub(crate) position: Vec3,
    /// Tilt along the direction of travel, in radians.
    pub(crate) slope_rad: f32,
    /// The direction of travel, from the sole.
    pub(crate) heading: Ground,
}

/// The shape of a hopper at one frame of a hop, in the vertical plane (along, up).
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OutlineFrame {
    /// Fraction of the flight that has passed, 0 to 1.
    pub(crate) fraction: f32,
    /// The middle of the sole, relative to its start.
    pub(crate) sole: Vec2,
    /// Tilt of the sole, relative to its tilt when it stands.
    pub(crate) tilt_rad: f32,
    /// End points of all bones other than the sole, relative to its middle.
    pub(crate) bones: Vec<[Vec2; 2]>,
    /// Lower corner of the bones' bounding box.
    pub(crate) low: Vec2,
    /// Upper corner of the bones' bounding box.
    pub(crate) high: Vec2,
}

impl OutlineFrame {
    pub(crate) fn new(fraction: f32, sole: Vec2, tilt_rad: f32, bones: Vec<[Vec2; 2]>) -> Self {
        let ends = || bones.iter().flatten().copied();
        let low = ends().reduce(Vec2::min).unwrap_or_default();
        let high = ends().reduce(Vec2::max).unwrap_or_default();
        Self { fraction, sole, tilt_rad, bones, low, high }
    }
}

/// The name of the tag that overlaps most with some frames; the first of equals, and empty if none overlaps.
pub(crate) fn dominant_tag(tags: &[Tag], frames: &Range<usize>) -> String {
    let overlap = |tag: &Tag| tag.end.min(frames.end).saturating_sub(tag.start.max(frames.start));
    let longest = tags
        .iter()
        .filter(|tag| overlap(tag) > 0)
        .reduce(|best, next| if overlap(next) > overlap(best) { next } else { best });
    longest.map_or_else(String::new, |tag| tag.name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn style_is_the_tag_with_the_longest_overlap() {
        let tag = |name: &str, start, end| Tag { name: name.into(), start, end };
        let tags = [tag("rest", 0, 10), tag("hop", 10, 30), tag("leap", 30, 50)];
        assert_eq!(dominant_tag(&tags, &(5..40)), "hop");
        assert_eq!(dominant_tag(&tags, &(60..70)), "");
    }
}
