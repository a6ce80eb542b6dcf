//! A body made ready to be posed: its skeleton, where its joints are, and how long its legs and feet are.

use std::sync::Arc;

use marey_motion::{LocalPose, Quat, Role, Side, Skeleton, Vec3};
use marey_ops::ik;

use crate::{Body, Result};

/// A skeleton of [`Body`] with what poses need of it at hand.
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
    /// The joint at the ball, which the foot turns about when the heel rises.
    pub(crate) ball: Vec3,
    /// The point of the toes, when they are straight.
    pub(crate) toe: Vec3,
}

impl Sole {
    /// How high the ankle is when the foot stands flat.
    pub(crate) fn ankle_height_m(self) -> f32 {
        -self.heel.y
    }

    /// How high the joint at the ball is when the foot stands flat.
    pub(crate) fn ball_height_m(self) -> f32 {
        self.ball.y - self.heel.y
    }
}

impl Leg {
    /// The distance from hip to ankle at a fold of the knee.
    pub(crate) fn reach_m(&self, fold_rad: f32) -> f32 {
        ik::reach_m(self.thigh.length(), self.shank.length(), fold_rad)
    }
}

impl Figure {
    pub(crate) fn new(body: &Body) -> Result<Self> {
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

    /// How far the collar is over the joint that carries it.
    pub(crate) fn collar_over_chest_m(&self) -> f32 {
        self.skeleton.joint_of(Role::LeftShoulder).map_or(0.0, |collar| self.skeleton.offsets()[collar].y)
    }

    pub(crate) fn leg(&self, side: Side) -> &Leg {
        &self.legs[side as usize]
    }

    /// Turns the spine, evenly, so that a chest on a pelvis is turned as it should be in the world.
    pub(crate) fn turn_spine(&self, pose: &mut LocalPose, pelvis: Quat, chest: Quat) {
        let third = Quat::IDENTITY.slerp(pelvis.inverse() * chest, 1.0 / 3.0);
        for role in [Role::Spine, Role::Chest, Role::UpperChest] {
            self.turn(pose, role, third);
        }
    }

    /// Turns neck and head so that a head over a chest is turned as it should be in the world.
    pub(crate) fn turn_head(&self, pose: &mut LocalPose, chest: Quat, head: Quat) {
        let neck = chest.slerp(head, 0.45);
        self.turn(pose, Role::Neck, chest.inverse() * neck);
        self.turn(pose, Role::Head, neck.inverse() * head);
    }

    /// Turns the joint with a role in a pose.
    pub(crate) fn turn(&self, pose: &mut LocalPose, role: Role, rotation: Quat) {
        if let Some(joint) = self.skeleton.joint_of(role) {
            pose.rotations[joint] = rotation;
        }
    }
}
