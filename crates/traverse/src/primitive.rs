//! One hop or one stride: what motion is made of.

use std::ops::Range;

use marey_motion::{Clip, Contacts, Ground, Side, Tag, Vec2, Vec3};
use marey_plan::SourceRef;

/// Motion to learn from.
#[derive(Debug, Clone)]
pub struct Example {
    /// What plans call it.
    pub source: SourceRef,
    /// The motion, whole.
    pub clip: Clip,
    /// When feet stand, as heels (`LeftFoot`) and balls (`LeftToes`); a hopper's base by the role of its root. Where nothing is
    /// said of a hopper, it is seen in its motion.
    pub contacts: Contacts,
    /// What is done when; the longest within a hop is its style.
    pub tags: Vec<Tag>,
}

/// One hop or one stride of an example: from standing to standing.
#[derive(Debug, Clone, PartialEq)]
pub struct Primitive {
    /// Which example, from 0.
    pub example: usize,
    /// From the frame at which it begins to the one at which the next can begin: both are of the same instant of standing.
    pub frames: Range<usize>,
    /// The frame at which the foot leaves.
    pub take_off: usize,
    /// The frame at which it is down again.
    pub landing: usize,
    /// Which foot; `None` where there is but one.
    pub foot: Option<Side>,
    /// How far it leads: a of figure 2, in metres.
    pub length_m: f32,
    /// How much higher it leads: b of figure 2, in metres.
    pub height_m: f32,
    /// How high the other foot stood before, over the one that stands now, in metres; 0 where there is but one.
    pub(crate) before_m: f32,
    /// How high the foot is carried above the higher of its two places, in metres.
    pub clearance_m: f32,
    /// What it is called.
    pub style: String,
    /// Where it begins in its example.
    pub(crate) from: Stance,
    /// Where it ends in its example.
    pub(crate) to: Stance,
    /// What of the figure is where, at a few instants.
    pub(crate) outline: Vec<Instant>,
}

impl Primitive {
    /// Length and height.
    pub fn lead(&self) -> Vec2 {
        Vec2::new(self.length_m, self.height_m)
    }
}

/// A sole that stands in an example.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stance {
    /// The middle of the sole.
    pub(crate) at: Vec3,
    /// How it is tilted along the way, in radians.
    pub(crate) slope_rad: f32,
    /// The way: from the sole, ahead.
    pub(crate) way: Ground,
}

/// An instant of a hop, for a look at what is in its way: in the plane of along and up.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Instant {
    /// Which share of the flight has passed, 0 to 1.
    pub(crate) share: f32,
    /// The middle of the sole, from where the hop begins.
    pub(crate) sole: Vec2,
    /// How the sole is tilted, over how it is tilted when it stands.
    pub(crate) tilt_rad: f32,
    /// The bones that are not the sole, end to end, from its middle.
    pub(crate) bones: Vec<[Vec2; 2]>,
    /// No bone is lower or farther behind,
    pub(crate) low: Vec2,
    /// nor higher or farther ahead.
    pub(crate) high: Vec2,
}

impl Instant {
    pub(crate) fn new(share: f32, sole: Vec2, tilt_rad: f32, bones: Vec<[Vec2; 2]>) -> Self {
        let ends = || bones.iter().flatten().copied();
        let low = ends().reduce(Vec2::min).unwrap_or_default();
        let high = ends().reduce(Vec2::max).unwrap_or_default();
        Self { share, sole, tilt_rad, bones, low, high }
    }
}

/// The tag that covers most of some frames; of equals the first.
pub(crate) fn style_of(tags: &[Tag], frames: &Range<usize>) -> String {
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
    fn the_style_is_what_is_done_longest() {
        let tag = |name: &str, start, end| Tag { name: name.into(), start, end };
        let tags = [tag("rest", 0, 10), tag("hop", 10, 30), tag("leap", 30, 50)];
        assert_eq!(style_of(&tags, &(5..40)), "hop");
        assert_eq!(style_of(&tags, &(60..70)), "");
    }
}
