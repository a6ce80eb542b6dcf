//! The points of a body that touch solids.

use glam::Vec3;
use marey_motion::WorldPose;

use super::SKIN_M;
use crate::character_body::CharacterBody;
use crate::geometry::Geometry;

/// A point that touches a solid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Touch {
    /// The index of the point: joints, then bone tips.
    point: usize,
    solid: usize,
    pub(super) joint: usize,
    pub(super) place: Vec3,
    /// The outward normal of the solid.
    pub(super) normal: Vec3,
    /// The depth inside, in metres; negative outside.
    pub(super) depth_m: f32,
}

/// The largest number of touches.
pub(super) const MOST_TOUCHES: usize = 12;
/// The distance outside at which a touch is released, in metres.
const CLEAR_M: f32 = 0.02;

/// The touches, tracked from iteration to iteration and from frame to frame.
#[derive(Debug, Clone, Default)]
pub(super) struct Touches {
    /// The limb of each joint: 0 to 3, or 4 for the trunk.
    limbs: Vec<usize>,
    touches: Vec<Touch>,
}

impl Touches {
    pub(super) fn new(body: &CharacterBody) -> Self {
        let limb = |joint: usize| body.branches.iter().position(|limb| limb.contains(&joint)).unwrap_or(4);
        Self {
            limbs: (0..body.skeleton().len()).map(limb).collect(),
            touches: Vec::with_capacity(MOST_TOUCHES + 1),
        }
    }

    pub(super) fn copy_from(&mut self, other: &Self) {
        self.touches.clear();
        self.touches.extend_from_slice(&other.touches);
    }

    pub(super) fn clear(&mut self) {
        self.touches.clear();
    }

    pub(super) fn all(&self) -> &[Touch] {
        &self.touches
    }

    /// Releases a touch.
    pub(super) fn leave(&mut self, number: usize) {
        self.touches.remove(number);
    }

    /// Updates the touches for a pose and adds the deepest point of each limb; returns the largest depth.
    pub(super) fn find(&mut self, world: &WorldPose, solids: &[(usize, Geometry)]) -> f32 {
        self.touches.retain(|touch| solids.iter().any(|(solid, _)| *solid == touch.solid));
        let mut deepest: [Option<Touch>; 5] = [None; 5];
        let mut most_m = 0f32;
        let tips = world.skeleton().tips().iter().map(|tip| tip.parent).zip(world.tips());
        let points = world.positions.iter().copied().enumerate().chain(tips);
        for (point, (joint, place)) in points.enumerate() {
            for &(solid, shape) in solids {
                let near = shape.nearest(place);
                let depth_m = -near.distance_m;
                most_m = most_m.max(depth_m);
                let found = Touch { point, solid, joint, place, normal: near.normal, depth_m };
                let is_same = |touch: &&mut Touch| touch.point == point && touch.solid == solid;
                if let Some(known) = self.touches.iter_mut().find(is_same) {
                    *known = found;
                } else if depth_m > deepest[self.limbs[joint]].map_or(SKIN_M, |other| other.depth_m) {
                    deepest[self.limbs[joint]] = Some(found);
                }
            }
        }
        self.touches.retain(|touch| touch.depth_m > -CLEAR_M);
        for found in deepest.into_iter().flatten() {
            if self.touches.len() < MOST_TOUCHES {
                self.touches.push(found);
            }
        }
        most_m
    }
}
