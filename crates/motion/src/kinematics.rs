//! Forward kinematics: from parent-relative to world.

use glam::{Quat, Vec3};

use crate::{Clip, LocalPoseRef, Skeleton};

/// World transforms of every joint in every frame, frames × joints.
#[derive(Debug, Clone, PartialEq)]
pub struct WorldClip {
    /// Number of joints per frame.
    pub joints: usize,
    /// World rotations, frame by frame.
    pub rotations: Vec<Quat>,
    /// World positions, frame by frame, in metres.
    pub positions: Vec<Vec3>,
}

impl WorldClip {
    /// The world positions of one frame.
    pub fn positions_at(&self, frame: usize) -> &[Vec3] {
        &self.positions[frame * self.joints..][..self.joints]
    }

    /// The world rotations of one frame.
    pub fn rotations_at(&self, frame: usize) -> &[Quat] {
        &self.rotations[frame * self.joints..][..self.joints]
    }

    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.positions.len() / self.joints
    }
}

impl Clip {
    /// Forward kinematics of the whole clip.
    pub fn world(&self) -> WorldClip {
        let joints = self.skeleton().len();
        let mut world = WorldClip {
            joints,
            rotations: vec![Quat::IDENTITY; self.frames() * joints],
            positions: vec![Vec3::ZERO; self.frames() * joints],
        };
        let rows = world.rotations.chunks_exact_mut(joints).zip(world.positions.chunks_exact_mut(joints));
        for (local, (rotations, positions)) in self.poses().zip(rows) {
            world_from_local(self.skeleton(), local, rotations, positions);
        }
        world
    }
}

/// Computes one frame of world transforms. The slices have one value per joint.
pub(crate) fn world_from_local(
    skeleton: &Skeleton,
    local: LocalPoseRef<'_>,
    rotations: &mut [Quat],
    positions: &mut [Vec3],
) {
    // Parent-relative translations first, so that the loop over joints has no branch.
    positions.copy_from_slice(skeleton.offsets());
    for (&joint, &position) in skeleton.movers().iter().zip(local.positions) {
        positions[joint] = position;
    }
    rotations[0] = local.rotations[0];
    for (j, &p) in skeleton.parents().iter().enumerate().skip(1) {
        let parent = rotations[p];
        rotations[j] = parent * local.rotations[j];
        positions[j] = positions[p] + parent * positions[j];
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::Mat4;
    use proptest::prelude::*;

    use super::*;
    use crate::{Joint, LocalPose, WorldPose};

    /// Reference implementation: multiplies the matrices from the root to each joint.
    fn naive(skeleton: &Skeleton, local: LocalPoseRef<'_>, joint: usize) -> Vec3 {
        let mut chain = vec![joint];
        while let Some(p) = skeleton.joints()[*chain.last().unwrap()].parent {
            chain.push(p);
        }
        let mut m = Mat4::IDENTITY;
        for &j in chain.iter().rev() {
            let t = match skeleton.movers().iter().position(|&mover| mover == j) {
                Some(i) => local.positions[i],
                None => skeleton.offsets()[j],
            };
            m *= Mat4::from_rotation_translation(local.rotations[j], t);
        }
        m.transform_point3(Vec3::ZERO)
    }

    proptest! {
        #[test]
        fn forward_kinematics_equals_matrix_products(
            joints in proptest::collection::vec(
                (any::<prop::sample::Index>(), -1f32..1.0, -1f32..1.0, -1f32..1.0, -3f32..3.0, any::<bool>()), 1..12),
        ) {
            let mut list = Vec::new();
            let mut pose = LocalPose { rotations: vec![], positions: vec![] };
            for (i, &(ref p, x, y, z, angle, moves)) in joints.iter().enumerate() {
                let mut joint = Joint::new(i.to_string(), (i > 0).then(|| p.index(i)), Vec3::new(x, y, z));
                joint.moves |= moves;
                if joint.moves {
                    pose.positions.push(Vec3::new(z, x, y));
                }
                pose.rotations.push(Quat::from_axis_angle(Vec3::new(x, y, z + 2.0).normalize(), angle));
                list.push(joint);
            }
            let skeleton = Arc::new(Skeleton::new(list, vec![]).unwrap());
            let world = WorldPose::of(&skeleton, pose.view());
            for j in 0..skeleton.len() {
                prop_assert!((world.positions[j] - naive(&skeleton, pose.view(), j)).length() < 1e-4);
            }
        }
    }
}
