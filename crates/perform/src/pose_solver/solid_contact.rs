//! The points of a body that touch solids.

use glam::Vec3;
use marey_motion::WorldPose;

use super::DEPTH_TOLERANCE_M;
use crate::character_body::CharacterBody;
use crate::geometry::Geometry;

/// A point of the body that touches a solid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SolidContact {
    /// The index of the point: joints, then bone tips.
    point: usize,
    solid: usize,
    pub(super) joint: usize,
    pub(super) position: Vec3,
    /// The outward normal of the solid.
    pub(super) normal: Vec3,
    /// The depth inside, in metres; negative outside.
    pub(super) depth_m: f32,
}

/// The largest number of contacts.
pub(super) const MAX_CONTACTS: usize = 12;
/// The distance from the solid at which a contact is released, in metres.
const RELEASE_M: f32 = 0.02;

/// The contacts, tracked from iteration to iteration and from frame to frame.
#[derive(Debug, Clone, Default)]
pub(super) struct SolidContacts {
    /// The limb of each joint: 0 to 3, or 4 for the trunk.
    limbs: Vec<usize>,
    contacts: Vec<SolidContact>,
}

impl SolidContacts {
    pub(super) fn new(body: &CharacterBody) -> Self {
        let limb = |joint: usize| body.branches.iter().position(|limb| limb.contains(&joint)).unwrap_or(4);
        Self {
            limbs: (0..body.skeleton().len()).map(limb).collect(),
            contacts: Vec::with_capacity(MAX_CONTACTS + 1),
        }
    }

    pub(super) fn copy_from(&mut self, other: &Self) {
        self.contacts.clear();
        self.contacts.extend_from_slice(&other.contacts);
    }

    pub(super) fn clear(&mut self) {
        self.contacts.clear();
    }

    pub(super) fn all(&self) -> &[SolidContact] {
        &self.contacts
    }

    /// Releases a contact.
    pub(super) fn release(&mut self, index: usize) {
        self.contacts.remove(index);
    }

    /// Updates the contacts for a pose and adds the deepest point of each limb. Returns the largest depth.
    pub(super) fn update(&mut self, world: &WorldPose, solids: &[(usize, Geometry)]) -> f32 {
        self.contacts.retain(|contact| solids.iter().any(|(solid, _)| *solid == contact.solid));
        let mut deepest: [Option<SolidContact>; 5] = [None; 5];
        let mut max_depth_m = 0f32;
        let tips = world.skeleton().tips().iter().map(|tip| tip.parent).zip(world.tips());
        let points = world.positions.iter().copied().enumerate().chain(tips);
        for (point, (joint, position)) in points.enumerate() {
            for &(solid, shape) in solids {
                let near = shape.nearest(position);
                let depth_m = -near.distance_m;
                max_depth_m = max_depth_m.max(depth_m);
                let found = SolidContact { point, solid, joint, position, normal: near.normal, depth_m };
                let is_same = |contact: &&mut SolidContact| contact.point == point && contact.solid == solid;
                if let Some(known) = self.contacts.iter_mut().find(is_same) {
                    *known = found;
                } else if depth_m
                    > deepest[self.limbs[joint]].map_or(DEPTH_TOLERANCE_M, |other| other.depth_m)
                {
                    deepest[self.limbs[joint]] = Some(found);
                }
            }
        }
        self.contacts.retain(|contact| contact.depth_m > -RELEASE_M);
        for found in deepest.into_iter().flatten() {
            if self.contacts.len() < MAX_CONTACTS {
                self.contacts.push(found);
            }
        }
        max_depth_m
    }
}
