//! One frame of the target.

use glam::{Quat, Vec3};
use marey_motion::{Clip, ClipParts, Role, Skeleton, WorldPose};

use crate::Result;

/// The target in one frame: world rotations of all joints, and the position of the hips.
#[derive(Debug, Clone)]
pub(super) struct Figure {
    pub(super) hips_joint: usize,
    pub(super) hips: Vec3,
    pub(super) rotations: Vec<Quat>,
}

impl Figure {
    /// Every frame of a clip.
    pub(super) fn all(clip: &Clip) -> Result<Vec<Self>> {
        let hips_joint = clip.skeleton().require(Role::Hips)?;
        let mut world = WorldPose::scratch(clip.skeleton());
        let frame = |pose| {
            world.set(pose);
            Self { hips_joint, hips: world.positions[hips_joint], rotations: world.rotations.clone() }
        };
        Ok(clip.poses().map(frame).collect())
    }

    /// The position of a joint that hangs on the hips by joints without their own translation.
    pub(super) fn position(&self, skeleton: &Skeleton, joint: usize) -> Vec3 {
        let mut at = Vec3::ZERO;
        let mut j = joint;
        while j != self.hips_joint && j != 0 {
            let parent = skeleton.parents()[j];
            at += self.rotations[parent] * skeleton.offsets()[j];
            j = parent;
        }
        self.hips + at
    }

    /// The positions of the hips and of all joints below them; other joints are at the origin.
    pub(super) fn positions(&self, skeleton: &Skeleton) -> Vec<Vec3> {
        let mut at = vec![Vec3::ZERO; skeleton.len()];
        at[self.hips_joint] = self.hips;
        for (j, &parent) in skeleton.parents().iter().enumerate().skip(self.hips_joint + 1) {
            if skeleton.is_under(j, self.hips_joint) {
                at[j] = at[parent] + self.rotations[parent] * skeleton.offsets()[j];
            }
        }
        at
    }

    /// Appends the frame to the arrays of a clip.
    pub(super) fn write(&self, skeleton: &Skeleton, parts: &mut ClipParts) {
        let parents = skeleton.parents();
        for (j, rotation) in self.rotations.iter().enumerate() {
            let local = if j == 0 { *rotation } else { self.rotations[parents[j]].inverse() * *rotation };
            parts.rotations.push(local.normalize());
        }
        // The nearest translating joint above the hips carries them; all others stay in place.
        let carrier = self.carrier(skeleton);
        for &mover in skeleton.movers() {
            let position = if mover == carrier {
                self.carrier_position(skeleton, carrier)
            } else {
                skeleton.offsets()[mover]
            };
            parts.positions.push(position);
        }
    }

    fn carrier(&self, skeleton: &Skeleton) -> usize {
        let mut j = self.hips_joint;
        while !skeleton.joints()[j].moves {
            j = skeleton.parents()[j];
        }
        j
    }

    /// The local position of the carrier that places the hips.
    fn carrier_position(&self, skeleton: &Skeleton, carrier: usize) -> Vec3 {
        let parents = skeleton.parents();
        let mut world = self.hips;
        let mut j = self.hips_joint;
        while j != carrier {
            world -= self.rotations[parents[j]] * skeleton.offsets()[j];
            j = parents[j];
        }
        if carrier == 0 {
            return world;
        }
        // Joints above it are at their rest positions, whatever their rotation.
        let mut above = Vec::new();
        let mut j = parents[carrier];
        while j != 0 {
            above.push(j);
            j = parents[j];
        }
        let start = skeleton.offsets()[0];
        let parent_at =
            above.iter().rev().fold(start, |at, &j| at + self.rotations[parents[j]] * skeleton.offsets()[j]);
        self.rotations[parents[carrier]].inverse() * (world - parent_at)
    }
}
