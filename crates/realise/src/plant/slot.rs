//! What is known of a frame while it is on its way.

use std::sync::Arc;

use marey_motion::{LocalPose, Skeleton, Vec3};

use crate::plant::leg::LegAt;
use crate::touch::Touch;

/// A frame on its way through the steps.
#[derive(Debug)]
pub(super) struct Slot {
    pub(super) pose: LocalPose,
    /// What stands in the example.
    pub(super) touch: Touch,
    pub(super) legs: [LegAt; 2],
    /// Where heel and ball of each foot are in the example, joined to nothing.
    pub(super) own: [[Vec3; 2]; 2],
    /// How much a join has made of the frame, 0 to 1.
    pub(super) between: f32,
    /// Where heel and ball of each foot stand, if they do.
    pub(super) holds: [[Option<Vec3>; 2]; 2],
    pub(super) tilt: [Vec3; 2],
    pub(super) shift: [Vec3; 2],
    /// How far hips must come down, and each foot go up, in metres.
    pub(super) need_m: f32,
    pub(super) lacks_m: [f32; 2],
    /// The most of these three around.
    pub(super) most_m: [f32; 3],
}

/// The last frames, by number.
#[derive(Debug)]
pub(super) struct Ring {
    slots: Vec<Slot>,
}

impl Ring {
    pub(super) fn new(skeleton: &Arc<Skeleton>, room: usize) -> Self {
        let slot = || Slot {
            pose: LocalPose::rest(skeleton),
            touch: Touch::default(),
            legs: [LegAt::default(); 2],
            own: [[Vec3::ZERO; 2]; 2],
            between: 0.0,
            holds: [[None; 2]; 2],
            tilt: [Vec3::ZERO; 2],
            shift: [Vec3::ZERO; 2],
            need_m: 0.0,
            lacks_m: [0.0; 2],
            most_m: [0.0; 3],
        };
        Self { slots: (0..room.max(1)).map(|_| slot()).collect() }
    }

    pub(super) fn at(&self, frame: usize) -> &Slot {
        &self.slots[frame % self.slots.len()]
    }

    pub(super) fn at_mut(&mut self, frame: usize) -> &mut Slot {
        let room = self.slots.len();
        &mut self.slots[frame % room]
    }
}
