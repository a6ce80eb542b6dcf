//! The joints above the hips of a skeleton whose root is another joint.
//!
//! Many rigs have a reference joint above the hips. In one take it stays at the origin of the capture, metres
//! away; in another it travels with the body. Pieces of such takes do not agree on it: a join would swing the
//! hips along an arc of that radius, or carry the reference joint through the scene. So these joints rest in
//! every piece, and the hips carry the motion.

use marey_motion::{LocalPose, Quat, Role, Skeleton, Vec3};

/// The joints above the hips, and the joints directly below them.
#[derive(Debug, Clone)]
pub(crate) struct ReferenceJoints {
    /// From the root down.
    above: Vec<RestingJoint>,
    hips: HangingJoint,
    /// Other joints that hang from those above the hips.
    others: Vec<HangingJoint>,
}

/// A joint above the hips.
#[derive(Debug, Clone)]
struct RestingJoint {
    local: LocalJoint,
    rest: Quat,
    /// Position and rotation in the world at rest.
    rest_frame: (Vec3, Quat),
}

/// A joint whose parent is above the hips.
#[derive(Debug, Clone)]
struct HangingJoint {
    local: LocalJoint,
    /// The index of its parent among the joints above the hips.
    parent: usize,
}

/// Where a pose keeps a joint.
#[derive(Debug, Clone)]
struct LocalJoint {
    joint: usize,
    /// Index among the movers, if it has its own translation.
    mover: Option<usize>,
    offset: Vec3,
}

impl LocalJoint {
    fn of(skeleton: &Skeleton, joint: usize) -> Self {
        let mover = skeleton.movers().iter().position(|&mover| mover == joint);
        Self { joint, mover, offset: skeleton.joints()[joint].offset }
    }

    /// Position and rotation in the world of this joint below a parent.
    fn below(&self, (at, turn): (Vec3, Quat), pose: &LocalPose) -> (Vec3, Quat) {
        let position = self.mover.map_or(self.offset, |mover| pose.positions[mover]);
        (at + turn * position, turn * pose.rotations[self.joint])
    }
}

impl ReferenceJoints {
    /// `None` if the hips are the root, or if no joint has their role.
    pub(crate) fn of(skeleton: &Skeleton) -> Option<Self> {
        let hips = skeleton.joint_of(Role::Hips).filter(|&hips| hips != 0)?;
        let joints = skeleton.joints();
        let parent = |&joint: &usize| joints[joint].parent;
        let mut chain: Vec<usize> = std::iter::successors(parent(&hips), parent).collect();
        chain.reverse();
        let pose = LocalPose::rest(skeleton);
        let mut above: Vec<RestingJoint> = Vec::with_capacity(chain.len());
        for &joint in &chain {
            let local = LocalJoint::of(skeleton, joint);
            let parent_frame = above.last().map_or((Vec3::ZERO, Quat::IDENTITY), |parent| parent.rest_frame);
            let rest_frame = local.below(parent_frame, &pose);
            above.push(RestingJoint { local, rest: pose.rotations[joint], rest_frame });
        }
        let hanging = |joint: usize| {
            let parent = chain.iter().position(|&above| joints[joint].parent == Some(above))?;
            Some(HangingJoint { local: LocalJoint::of(skeleton, joint), parent })
        };
        let is_other = |joint: &usize| *joint != hips && !chain.contains(joint);
        let others = (0..joints.len()).filter(is_other).filter_map(hanging).collect();
        Some(Self { above, hips: hanging(hips)?, others })
    }

    /// Lets the joints above the hips rest. Hips that cannot move by themselves are moved by the root. The
    /// hips, and other joints that hang from the resting ones, keep their position and rotation in the world;
    /// others that cannot move keep their rotation only. Does not allocate.
    pub(crate) fn settle(&self, pose: &mut LocalPose) {
        let hips = self.world(&self.hips, pose);
        let (rest_at, rest_turn) = self.above[self.hips.parent].rest_frame;
        let root_shift = match self.hips.local.mover {
            Some(_) => Vec3::ZERO,
            None => hips.0 - (rest_at + rest_turn * self.hips.local.offset),
        };
        for other in &self.others {
            let world = self.world(other, pose);
            self.hang(other, world, root_shift, pose);
        }
        self.hang(&self.hips, hips, root_shift, pose);
        for RestingJoint { local, rest, .. } in &self.above {
            pose.rotations[local.joint] = *rest;
            if let Some(mover) = local.mover {
                pose.positions[mover] = local.offset;
            }
        }
        pose.positions[0] += root_shift;
    }

    /// Position and rotation of a hanging joint in the world.
    fn world(&self, hanging: &HangingJoint, pose: &LocalPose) -> (Vec3, Quat) {
        let chain = self.above[..=hanging.parent].iter();
        let origin = (Vec3::ZERO, Quat::IDENTITY);
        hanging.local.below(chain.fold(origin, |frame, above| above.local.below(frame, pose)), pose)
    }

    /// Puts a hanging joint at a place in the world, below a parent that rests.
    fn hang(&self, hanging: &HangingJoint, world: (Vec3, Quat), root_shift: Vec3, pose: &mut LocalPose) {
        let (at, turn) = self.above[hanging.parent].rest_frame;
        let back = turn.conjugate();
        pose.rotations[hanging.local.joint] = (back * world.1).normalize();
        if let Some(mover) = hanging.local.mover {
            pose.positions[mover] = back * (world.0 - at - root_shift);
        }
    }
}

/// The translation that moves a body whose reference joints rest: that of the hips, or that of the root if the
/// hips cannot move by themselves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BodyMover {
    mover: usize,
    parent_from_world: Quat,
}

impl BodyMover {
    pub(crate) fn of(skeleton: &Skeleton) -> Self {
        let hips = ReferenceJoints::of(skeleton).and_then(|joints| {
            let (_, turn) = joints.above[joints.hips.parent].rest_frame;
            Some(Self { mover: joints.hips.local.mover?, parent_from_world: turn.conjugate() })
        });
        hips.unwrap_or(Self { mover: 0, parent_from_world: Quat::IDENTITY })
    }

    /// Moves the body in the world.
    pub(crate) fn shift(self, pose: &mut LocalPose, by: Vec3) {
        if let Some(position) = pose.positions.get_mut(self.mover) {
            *position += self.parent_from_world * by;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use marey_motion::{Joint, WorldPose};

    use super::*;

    /// A reference joint, a second one, the hips, which may translate, a spine, and a prop.
    fn skeleton(hips_move: bool) -> Arc<Skeleton> {
        let turned = Quat::from_rotation_x(-1.5);
        let joints = vec![
            Joint { rest_rotation: turned, ..Joint::new("reference", None, Vec3::ZERO) },
            Joint::new("centre", Some(0), Vec3::X * 0.1),
            Joint { moves: hips_move, ..Joint::new("hips", Some(1), Vec3::Y).with_role(Role::Hips) },
            Joint::new("spine", Some(2), Vec3::Y * 0.2),
            Joint { moves: true, ..Joint::new("prop", Some(0), Vec3::Z) },
        ];
        Arc::new(Skeleton::new(joints, vec![]).unwrap())
    }

    #[test]
    fn joints_above_the_hips_rest_and_the_body_stays_where_it_is() {
        for hips_move in [true, false] {
            let skeleton = skeleton(hips_move);
            let mut pose = LocalPose::rest(&skeleton);
            pose.positions[0] = Vec3::new(3.0, 0.0, -4.0);
            for (joint, rotation) in pose.rotations.iter_mut().enumerate() {
                *rotation = Quat::from_rotation_y(1.0 + joint as f32) * Quat::from_rotation_x(0.3);
            }
            let before = WorldPose::of(&skeleton, pose.view());
            ReferenceJoints::of(&skeleton).unwrap().settle(&mut pose);
            let after = WorldPose::of(&skeleton, pose.view());
            for joint in [2, 3, 4] {
                assert!(before.positions[joint].distance(after.positions[joint]) < 1e-5, "{joint}");
                assert!(before.rotations[joint].dot(after.rotations[joint]).abs() > 1.0 - 1e-6, "{joint}");
            }
            let rest = LocalPose::rest(&skeleton);
            assert_eq!(pose.rotations[..2], rest.rotations[..2]);
            assert_eq!(pose.positions[0] == rest.positions[0], hips_move);
            let by = Vec3::new(0.1, -0.2, 0.3);
            BodyMover::of(&skeleton).shift(&mut pose, by);
            let moved = WorldPose::of(&skeleton, pose.view());
            assert!(moved.positions[3].distance(after.positions[3] + by) < 1e-5);
            assert_eq!(moved.positions[0] == after.positions[0], hips_move);
        }
    }

    #[test]
    fn hips_that_are_the_root_have_no_joints_above_them() {
        let hips = Joint::new("hips", None, Vec3::Y).with_role(Role::Hips);
        assert!(ReferenceJoints::of(&Skeleton::new(vec![hips], vec![]).unwrap()).is_none());
    }
}
