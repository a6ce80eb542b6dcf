//! The hips of a skeleton whose root is another joint.
//!
//! Many rigs have a reference joint above the hips, which stays at the origin of the capture, metres away.
//! Blending the rotations of two such joints would swing the hips along an arc of that radius. So the hips are
//! blended in the world, whatever joints stand above them.

use marey_motion::{LocalPose, Quat, Role, Skeleton, Vec3};

/// A joint between the root and the hips.
#[derive(Debug, Clone, Copy)]
struct ChainJoint {
    joint: usize,
    /// Index among the movers, if it has its own translation.
    mover: Option<usize>,
    offset: Vec3,
}

impl ChainJoint {
    fn position(&self, pose: &LocalPose) -> Vec3 {
        self.mover.map_or(self.offset, |mover| pose.positions[mover])
    }
}

/// Position and rotation of the hips in the world.
#[derive(Debug, Clone)]
pub(super) struct HipsFrame {
    /// The joints above the hips, from the root down.
    above: Vec<ChainJoint>,
    hips: ChainJoint,
}

impl HipsFrame {
    /// `None` if the hips are the root, or if no joint has their role.
    pub(super) fn of(skeleton: &Skeleton) -> Option<Self> {
        let hips = skeleton.joint_of(Role::Hips).filter(|&hips| hips != 0)?;
        let joint = |joint: usize| ChainJoint {
            joint,
            mover: skeleton.movers().iter().position(|&mover| mover == joint),
            offset: skeleton.joints()[joint].offset,
        };
        let parent = |&joint: &usize| skeleton.joints()[joint].parent;
        let mut above: Vec<_> = std::iter::successors(parent(&hips), parent).map(joint).collect();
        above.reverse();
        Some(Self { above, hips: joint(hips) })
    }

    /// Position and rotation of the hips.
    pub(super) fn get(&self, pose: &LocalPose) -> (Vec3, Quat) {
        let (at, turn) = self.parent(pose);
        (at + turn * self.hips.position(pose), turn * pose.rotations[self.hips.joint])
    }

    /// Moves and rotates the hips. If they have no translation of their own, the root moves.
    pub(super) fn set(&self, pose: &mut LocalPose, position: Vec3, rotation: Quat) {
        let (at, turn) = self.parent(pose);
        pose.rotations[self.hips.joint] = (turn.conjugate() * rotation).normalize();
        match self.hips.mover {
            Some(mover) => pose.positions[mover] = turn.conjugate() * (position - at),
            None => pose.positions[0] += position - (at + turn * self.hips.offset),
        }
    }

    /// Position and rotation of the joint above the hips.
    fn parent(&self, pose: &LocalPose) -> (Vec3, Quat) {
        self.above.iter().fold((Vec3::ZERO, Quat::IDENTITY), |(at, turn), joint| {
            (at + turn * joint.position(pose), turn * pose.rotations[joint.joint])
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use marey_motion::{Joint, WorldPose};

    use super::*;

    /// A reference joint, a second one, and the hips, which may translate.
    fn skeleton(moves: bool) -> Arc<Skeleton> {
        let hips = Joint { moves, ..Joint::new("hips", Some(1), Vec3::Y).with_role(Role::Hips) };
        let joints = vec![
            Joint::new("reference", None, Vec3::ZERO),
            Joint::new("centre", Some(0), Vec3::X * 0.1),
            hips,
            Joint::new("spine", Some(2), Vec3::Y * 0.2),
        ];
        Arc::new(Skeleton::new(joints, vec![]).unwrap())
    }

    #[test]
    fn hips_come_to_where_they_are_set() {
        for moves in [true, false] {
            let skeleton = skeleton(moves);
            let frame = HipsFrame::of(&skeleton).unwrap();
            let mut pose = LocalPose::rest(&skeleton);
            pose.positions[0] = Vec3::new(3.0, 0.0, -4.0);
            pose.rotations[0] = Quat::from_rotation_y(1.0);
            pose.rotations[2] = Quat::from_rotation_x(0.3);
            let (position, rotation) = (Vec3::new(0.2, 0.9, 0.1), Quat::from_rotation_z(0.4));
            frame.set(&mut pose, position, rotation);
            let world = WorldPose::of(&skeleton, pose.view());
            assert!(world.positions[2].distance(position) < 1e-5);
            assert!(world.rotations[2].dot(rotation).abs() > 1.0 - 1e-6);
            let (at, turn) = frame.get(&pose);
            assert!(at.distance(position) < 1e-5 && turn.dot(rotation).abs() > 1.0 - 1e-6);
        }
    }

    #[test]
    fn hips_that_are_the_root_need_no_frame() {
        let hips = Joint::new("hips", None, Vec3::Y).with_role(Role::Hips);
        assert!(HipsFrame::of(&Skeleton::new(vec![hips], vec![]).unwrap()).is_none());
    }
}
