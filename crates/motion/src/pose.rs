//! Poses, in local and world coordinates.

use std::sync::Arc;

use glam::{Quat, Vec3};

use crate::{Ground, Skeleton};

/// Rotations of all joints and translations of the movers, relative to their parents.
///
/// The root is the first mover: its translation is its world position.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalPose {
    /// Rotation of each joint.
    pub rotations: Vec<Quat>,
    /// Translation of each of [`Skeleton::movers`].
    pub positions: Vec<Vec3>,
}

impl LocalPose {
    /// The skeleton's pose at rest.
    pub fn rest(skeleton: &Skeleton) -> Self {
        Self {
            rotations: skeleton.joints().iter().map(|j| j.rest_rotation).collect(),
            positions: skeleton.movers().iter().map(|&j| skeleton.offsets()[j]).collect(),
        }
    }

    /// A borrowed view of the pose.
    pub fn view(&self) -> LocalPoseRef<'_> {
        LocalPoseRef { rotations: &self.rotations, positions: &self.positions }
    }
}

/// A borrowed [`LocalPose`], from a pose or from a frame of a clip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LocalPoseRef<'a> {
    /// Rotation of each joint.
    pub rotations: &'a [Quat],
    /// Translation of each of [`Skeleton::movers`].
    pub positions: &'a [Vec3],
}

impl LocalPoseRef<'_> {
    /// The world position of the root.
    pub fn root_position(&self) -> Vec3 {
        self.positions[0]
    }

    /// The world rotation of the root.
    pub fn root_rotation(&self) -> Quat {
        self.rotations[0]
    }

    /// An owned copy.
    pub fn to_owned(&self) -> LocalPose {
        LocalPose { rotations: self.rotations.to_vec(), positions: self.positions.to_vec() }
    }
}

/// World positions and rotations of all joints.
#[derive(Debug, Clone, PartialEq)]
pub struct WorldPose {
    skeleton: Arc<Skeleton>,
    /// World rotation of each joint.
    pub rotations: Vec<Quat>,
    /// World position of each joint, in metres.
    pub positions: Vec<Vec3>,
}

impl WorldPose {
    /// Forward kinematics of one pose.
    pub fn of(skeleton: &Arc<Skeleton>, local: LocalPoseRef<'_>) -> Self {
        let mut pose = Self::scratch(skeleton);
        pose.set(local);
        pose
    }

    /// A reusable pose of a skeleton, filled by [`WorldPose::set`].
    pub fn scratch(skeleton: &Arc<Skeleton>) -> Self {
        let n = skeleton.len();
        Self {
            skeleton: skeleton.clone(),
            rotations: vec![Quat::IDENTITY; n],
            positions: vec![Vec3::ZERO; n],
        }
    }

    /// Forward kinematics into this pose; does not allocate.
    pub fn set(&mut self, local: LocalPoseRef<'_>) {
        crate::kinematics::world_from_local(&self.skeleton, local, &mut self.rotations, &mut self.positions);
    }

    /// The skeleton.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// World positions of the skeleton's tips.
    pub fn tips(&self) -> impl Iterator<Item = Vec3> + '_ {
        self.skeleton
            .tips()
            .iter()
            .map(|tip| self.positions[tip.parent] + self.rotations[tip.parent] * tip.offset)
    }

    /// The height of the lowest joint or tip.
    pub fn lowest(&self) -> f32 {
        self.tips().chain(self.positions.iter().copied()).map(|p| p.y).fold(f32::INFINITY, f32::min)
    }

    /// The pose transformed in the ground plane.
    pub fn moved(mut self, world_from_here: Ground) -> Self {
        let turn = world_from_here.rotation();
        for (p, q) in self.positions.iter_mut().zip(&mut self.rotations) {
            *p = world_from_here.point(*p);
            *q = turn * *q;
        }
        self
    }
}
