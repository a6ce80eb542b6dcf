//! A body with the measures that posing it needs.

use std::sync::Arc;

use marey_body::BodyProportions;
use marey_motion::{LocalPose, Quat, Role, Side, Skeleton, Vec3};
use marey_ops::ik;

use crate::Result;

/// A skeleton of [`BodyProportions`] with the measures of its legs and feet.
#[derive(Debug, Clone)]
pub(crate) struct Figure {
    pub(crate) skeleton: Arc<Skeleton>,
    pub(crate) height_m: f32,
    pub(crate) legs: [Leg; 2],
    pub(crate) sole: Sole,
}

/// A leg's bones at rest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Leg {
    /// From the root to the hip joint.
    pub(crate) hip: Vec3,
    /// From hip to knee.
    pub(crate) thigh: Vec3,
    /// From knee to ankle.
    pub(crate) shank: Vec3,
}

/// The points of a foot that touch the floor, in the foot's frame, whose origin is the ankle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sole {
    /// The end of the heel.
    pub(crate) heel: Vec3,
    /// The joint at the ball, about which the foot rotates when the heel rises.
    pub(crate) ball: Vec3,
    /// The tip of the straight toes.
    pub(crate) toe: Vec3,
}

/// +1 on the left, −1 on the right: the direction of x.
pub(crate) fn sign(side: Side) -> f32 {
    match side {
        Side::Left => 1.0,
        Side::Right => -1.0,
    }
}

impl Sole {
    /// The height of the ankle when the foot is flat on the floor.
    pub(crate) fn ankle_height_m(self) -> f32 {
        -self.heel.y
    }

    /// The height of the ball joint when the foot is flat on the floor.
    pub(crate) fn ball_height_m(self) -> f32 {
        self.ball.y - self.heel.y
    }
}

impl Leg {
    /// The distance from hip to ankle at a knee angle.
    pub(crate) fn reach_m(&self, fold_rad: f32) -> f32 {
        ik::reach_m(self.thigh.length(), self.shank.length(), fold_rad)
    }
}

impl Figure {
    pub(crate) fn new(body: &BodyProportions) -> Result<Self> {
        body.validate()?;
        let skeleton = body.skeleton()?;
        let offset = |role| skeleton.require(role).map(|joint| skeleton.offsets()[joint]);
        let leg = |side: Side| -> Result<Leg> {
            Ok(Leg {
                hip: offset(Role::LeftUpperLeg.on(side))?,
                thigh: offset(Role::LeftLowerLeg.on(side))?,
                shank: offset(Role::LeftFoot.on(side))?,
            })
        };
        let tip = |role| -> Result<Vec3> {
            let joint = skeleton.require(role)?;
            Ok(skeleton.tips().iter().find(|tip| tip.parent == joint).map_or(Vec3::ZERO, |tip| tip.offset))
        };
        let ball = offset(Role::LeftToes)?;
        let sole = Sole { heel: tip(Role::LeftFoot)?, ball, toe: ball + tip(Role::LeftToes)? };
        let legs = [leg(Side::Left)?, leg(Side::Right)?];
        Ok(Self { skeleton, height_m: body.height_m, legs, sole })
    }

    /// The height of the collar bone above its parent joint.
    pub(crate) fn collar_over_chest_m(&self) -> f32 {
        self.skeleton.joint_of(Role::LeftShoulder).map_or(0.0, |collar| self.skeleton.offsets()[collar].y)
    }

    pub(crate) fn leg(&self, side: Side) -> &Leg {
        &self.legs[side as usize]
    }

    /// Distributes the rotation from pelvis to chest, both in the world, evenly over the spine.
    pub(crate) fn rotate_spine(&self, pose: &mut LocalPose, pelvis: Quat, chest: Quat) {
        let third = Quat::IDENTITY.slerp(pelvis.inverse() * chest, 1.0 / 3.0);
        for role in [Role::Spine, Role::Chest, Role::UpperChest] {
            self.rotate(pose, role, third);
        }
    }

    /// Distributes the rotation from chest to head, both in the world, over neck and head.
    pub(crate) fn rotate_head(&self, pose: &mut LocalPose, chest: Quat, head: Quat) {
        let neck = chest.slerp(head, 0.45);
        self.rotate(pose, Role::Neck, chest.inverse() * neck);
        self.rotate(pose, Role::Head, neck.inverse() * head);
    }

    /// Sets the rotation of the joint with a role.
    pub(crate) fn rotate(&self, pose: &mut LocalPose, role: Role, rotation: Quat) {
        if let Some(joint) = self.skeleton.joint_of(role) {
            pose.rotations[joint] = rotation;
        }
    }
}
