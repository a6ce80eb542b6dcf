//! Moving a hand or foot of a pose by [two-bone inverse kinematics](crate::ik).
//!
//! The middle joint keeps its direction; a straight arm folds backward, a straight leg forward.

use marey_motion::{LocalPose, MotionError, Quat, Role, Side, Skeleton, Vec3, WorldPose};

use crate::ik::{self, Limb, two_bone};

/// The smallest fold of elbows and knees, in radians.
const MIN_FOLD_RAD: f32 = 0.1;
/// A middle joint closer than this to the line from root to end has no usable direction, in metres.
const STRAIGHT_M: f32 = 0.005;

/// An arm or a leg of a skeleton.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reach {
    /// Upper joint, elbow or knee, hand or foot.
    joints: [usize; 3],
    /// Fold direction of a straight limb, in the frame of the hips.
    folds_to: Vec3,
}

impl Reach {
    /// The limb that ends in a role, which must be a hand or a foot.
    pub fn of(skeleton: &Skeleton, role: Role) -> Result<Self, MotionError> {
        let (upper, lower, folds_to) = match role {
            Role::LeftHand | Role::RightHand => (Role::LeftUpperArm, Role::LeftLowerArm, Vec3::NEG_Z),
            Role::LeftFoot | Role::RightFoot => (Role::LeftUpperLeg, Role::LeftLowerLeg, Vec3::Z),
            _ => return Err(MotionError::MissingRole { role }),
        };
        let side = role.side().unwrap_or(Side::Left);
        let [upper, lower] = [upper, lower].map(|role| skeleton.require(role.on(side)));
        let joints = [upper?, lower?, skeleton.require(role)?];
        let hangs = |joint: usize, on: usize| joint != on && skeleton.is_under(joint, on);
        if !hangs(joints[1], joints[0]) || !hangs(joints[2], joints[1]) {
            return Err(MotionError::MissingRole { role });
        }
        Ok(Self { joints, folds_to })
    }

    /// The joint of the hand or the foot.
    pub fn end(&self) -> usize {
        self.joints[2]
    }

    /// Moves the end of the limb to a position and keeps its world rotation, as for a hand that holds
    /// something. Returns the position it reaches. `world` belongs to the given pose.
    pub fn put(&self, pose: &mut LocalPose, world: &WorldPose, place: Vec3) -> Vec3 {
        self.bend(pose, world, place, |_| Quat::IDENTITY)
    }

    /// Moves the end of the limb to a position and keeps the local rotation of wrist or ankle. Returns the
    /// position it reaches.
    pub fn carry(&self, pose: &mut LocalPose, world: &WorldPose, place: Vec3) -> Vec3 {
        self.bend(pose, world, place, |lower_turn| lower_turn)
    }

    /// `end_turn` computes the rotation of the end from that of the lower bone.
    fn bend(&self, pose: &mut LocalPose, world: &WorldPose, place: Vec3, end_turn: fn(Quat) -> Quat) -> Vec3 {
        let [root, middle, end] = self.joints.map(|joint| world.positions[joint]);
        let line = (end - root).normalize_or(Vec3::NEG_Y);
        let off = (middle - root) - line * (middle - root).dot(line);
        let front = if off.length() > STRAIGHT_M { off } else { world.rotations[0] * self.folds_to };
        let fold = ik::IkSettings { min_fold_rad: MIN_FOLD_RAD, ..ik::IkSettings::default() };
        let bent = two_bone(&Limb { root, middle, end, front }, place, front, &fold);
        let parent = [Quat::IDENTITY, bent.upper_turn, bent.lower_turn];
        let own = [bent.upper_turn, bent.lower_turn, end_turn(bent.lower_turn)];
        for (i, &joint) in self.joints.iter().enumerate() {
            let hangs_on =
                world.skeleton().joints()[joint].parent.map_or(Quat::IDENTITY, |p| world.rotations[p]);
            let turned = own[i] * world.rotations[joint];
            pose.rotations[joint] = ((parent[i] * hangs_on).conjugate() * turned).normalize();
        }
        bent.end
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use marey_motion::Joint;

    use super::*;

    #[test]
    fn put_keeps_the_world_rotation_and_carry_the_local_one() {
        let arm = [(Role::LeftUpperArm, Vec3::Y), (Role::LeftLowerArm, Vec3::NEG_Y * 0.3)];
        let hand = (Role::LeftHand, Vec3::new(0.0, -0.2, 0.1));
        let mut joints = vec![Joint::new("hips", None, Vec3::ZERO).with_role(Role::Hips)];
        for (role, offset) in arm.into_iter().chain([hand]) {
            joints.push(Joint::new(format!("{role:?}"), Some(joints.len() - 1), offset).with_role(role));
        }
        let skeleton = Arc::new(Skeleton::new(joints, vec![]).unwrap());
        let limb = Reach::of(&skeleton, Role::LeftHand).unwrap();
        let mut pose = LocalPose::rest(&skeleton);
        pose.rotations[3] = Quat::from_rotation_z(0.4);
        let world = WorldPose::of(&skeleton, pose.view());
        let place = Vec3::new(0.15, 0.7, 0.2);
        let moved = |by: fn(&Reach, &mut LocalPose, &WorldPose, Vec3) -> Vec3| {
            let mut pose = pose.clone();
            assert!(by(&limb, &mut pose, &world, place).distance(place) < 1e-4);
            let after = WorldPose::of(&skeleton, pose.view());
            assert!(after.positions[limb.end()].distance(place) < 1e-4);
            (pose.rotations[3], after.rotations[3])
        };
        let (local, heading) = moved(Reach::put);
        assert!(heading.angle_between(world.rotations[3]) < 1e-3);
        assert!(local.angle_between(pose.rotations[3]) > 0.2);
        let (local, heading) = moved(Reach::carry);
        assert!(local.angle_between(pose.rotations[3]) < 1e-3);
        assert!(heading.angle_between(world.rotations[3]) > 0.2);
        assert!(Reach::of(&skeleton, Role::Head).is_err() && Reach::of(&skeleton, Role::RightHand).is_err());
    }
}
