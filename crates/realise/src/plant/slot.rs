//! The state of a frame on its way through the steps.

use std::sync::Arc;

use marey_motion::{LocalPose, Skeleton, Vec3};

use crate::plant::footholds::Holds;
use crate::plant::leg::LegAt;
use crate::sole_touch::SoleTouch;

/// A frame on its way through the steps.
#[derive(Debug)]
pub(super) struct Slot {
    pub(super) pose: LocalPose,
    /// The foot contacts of the source.
    pub(super) touch: SoleTouch,
    pub(super) legs: [LegAt; 2],
    /// Heel and ball of each foot in the source, before joining.
    pub(super) own: [[Vec3; 2]; 2],
    /// Height of the tip of the toes of each foot in the source, in metres.
    pub(super) own_tip_m: [f32; 2],
    /// How strongly a join changes the frame, 0 to 1.
    pub(super) between: f32,
    /// The displacement of the root.
    pub(super) root: Vec3,
    pub(super) holds: Holds,
    pub(super) tilt: [Vec3; 2],
    pub(super) shift: [Vec3; 2],
    /// The required hip drop and lift of each foot, in metres.
    pub(super) need_m: f32,
    pub(super) missing_height_m: [f32; 2],
    /// The largest of these three around the frame.
    pub(super) most_m: [f32; 3],
}

/// The last frames, by number.
#[derive(Debug)]
pub(super) struct Ring {
    slots: Vec<Slot>,
    /// How far standing feet slide from the frame before to each frame. Apart from the rest, because many are
    /// read for each frame.
    slides: Vec<Vec3>,
}

impl Ring {
    pub(super) fn new(skeleton: &Arc<Skeleton>, room: usize) -> Self {
        let slot = || Slot {
            pose: LocalPose::rest(skeleton),
            touch: SoleTouch::default(),
            legs: [LegAt::default(); 2],
            own: [[Vec3::ZERO; 2]; 2],
            own_tip_m: [0.0; 2],
            between: 0.0,
            root: Vec3::ZERO,
            holds: Holds::default(),
            tilt: [Vec3::ZERO; 2],
            shift: [Vec3::ZERO; 2],
            need_m: 0.0,
            missing_height_m: [0.0; 2],
            most_m: [0.0; 3],
        };
        let room = room.max(1);
        Self { slots: (0..room).map(|_| slot()).collect(), slides: vec![Vec3::ZERO; room] }
    }

    /// How far standing feet slide from the frame before to a frame.
    pub(super) fn slide(&self, frame: usize) -> Vec3 {
        self.slides[frame % self.slides.len()]
    }

    pub(super) fn set_slide(&mut self, frame: usize, slide: Vec3) {
        let room = self.slides.len();
        self.slides[frame % room] = slide;
    }

    pub(super) fn at(&self, frame: usize) -> &Slot {
        &self.slots[frame % self.slots.len()]
    }

    pub(super) fn at_mut(&mut self, frame: usize) -> &mut Slot {
        let room = self.slots.len();
        &mut self.slots[frame % room]
    }
}
