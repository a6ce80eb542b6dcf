//! The rotations of thigh, shank, foot and toes of a bent leg.

use marey_motion::{LocalPose, Quat, Role, Side, Vec3};
use marey_ops::ik::{IkSettings, Limb, two_bone};

use super::pelvis::PelvisPose;
use super::swing::FootPose;
use crate::figure::{Figure, Leg};

/// The world rotations of a leg's joints, and the bend of its toes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LegPose {
    pub(crate) upper: Quat,
    pub(crate) lower: Quat,
    pub(crate) foot: Quat,
    /// Upward bend of the toes against the foot, in radians.
    pub(crate) toes_up_rad: f32,
}

impl LegPose {
    /// Bends a leg so that its ankle is at a position, or as close as the knee allows, with the foot at a right angle to the shank.
    pub(crate) fn folded(leg: &Leg, hip: Vec3, ankle: Vec3, pole: Vec3, knee: &IkSettings) -> Self {
        let limb =
            Limb { root: hip, middle: hip + leg.thigh, end: hip + leg.thigh + leg.shank, front: Vec3::Z };
        let bent = two_bone(&limb, ankle, pole, knee);
        Self { upper: bent.upper_turn, lower: bent.lower_turn, foot: bent.lower_turn, toes_up_rad: 0.0 }
    }

    /// The same pose with the foot stretched by an angle, in radians.
    pub(crate) fn stretched(self, stretch_rad: f32) -> Self {
        Self { foot: self.lower * Quat::from_rotation_x(stretch_rad), ..self }
    }

    /// Sets the joints of the leg in a pose with this pelvis.
    pub(crate) fn put(&self, figure: &Figure, side: Side, pelvis: &PelvisPose, pose: &mut LocalPose) {
        figure.rotate(pose, Role::LeftUpperLeg.on(side), pelvis.rotation.inverse() * self.upper);
        figure.rotate(pose, Role::LeftLowerLeg.on(side), self.upper.inverse() * self.lower);
        figure.rotate(pose, Role::LeftFoot.on(side), self.lower.inverse() * self.foot);
        figure.rotate(pose, Role::LeftToes.on(side), Quat::from_rotation_x(-self.toes_up_rad));
    }
}

/// Bends a leg so that its foot is at its target. The knee points halfway between the directions of foot and body.
pub(crate) fn pose_leg(
    figure: &Figure,
    side: Side,
    pelvis: &PelvisPose,
    foot: &FootPose,
    pose: &mut LocalPose,
) {
    let leg = figure.leg(side);
    let pole = 1.5 * (Quat::from_rotation_y(foot.yaw_rad) * Vec3::Z) + pelvis.rotation * Vec3::Z;
    let folded = LegPose::folded(leg, pelvis.hip(leg), foot.ankle, pole, &IkSettings::default());
    let leg = LegPose { foot: foot.rotation, toes_up_rad: foot.toes_up_rad, ..folded };
    leg.put(figure, side, pelvis, pose);
}
