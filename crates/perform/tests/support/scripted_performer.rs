//! A scripted performer, posed by the positions of its waist, hands and feet.

use std::f32::consts::PI;

use marey_motion::{Quat, Role, Side, Skeleton, Vec3};
use marey_perform::Markers;

/// A scripted performer of some proportions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ScriptedPerformer {
    waist: Vec3,
    /// Hips, shoulders and ankles at rest.
    hips: [Vec3; 2],
    shoulders: [Vec3; 2],
    ankles: [Vec3; 2],
    arm_m: f32,
}

/// A pose of a scripted performer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ScriptedPose {
    /// The offset of the waist from standing, in the frame of the body, in metres.
    pub(crate) shift: Vec3,
    /// The heading: rotation about +Y, in radians.
    pub(crate) yaw_rad: f32,
    /// Each wrist relative to its shoulder (outwards, up, ahead), in arm lengths.
    pub(crate) arms: [Vec3; 2],
    /// The offset of each foot from standing (outwards, up, ahead), in metres.
    pub(crate) feet: [Vec3; 2],
    /// Whether each hand is closed.
    pub(crate) closed: [bool; 2],
}

impl Default for ScriptedPose {
    /// Standing.
    fn default() -> Self {
        Self {
            shift: Vec3::ZERO,
            yaw_rad: 0.0,
            arms: [Self::arm(0.1); 2],
            feet: [Vec3::ZERO; 2],
            closed: [false; 2],
        }
    }
}

impl ScriptedPose {
    /// An almost straight arm at an angle: 0 hangs, a quarter turn points ahead, half a turn points up.
    pub(crate) fn arm(angle_rad: f32) -> Vec3 {
        Vec3::new(0.08, -0.95 * angle_rad.cos(), 0.95 * angle_rad.sin())
    }

    /// Both arms up with closed hands, tilted back by an angle, in radians.
    pub(crate) fn hang(back_rad: f32) -> Self {
        Self { arms: [Self::arm(PI - 0.1 + back_rad); 2], closed: [true; 2], ..Self::default() }
    }

    /// Interpolates between two poses. Hands are closed as in the nearer pose.
    pub(crate) fn lerp(&self, other: &ScriptedPose, share: f32) -> ScriptedPose {
        let mix = |a: [Vec3; 2], b: [Vec3; 2]| [a[0].lerp(b[0], share), a[1].lerp(b[1], share)];
        ScriptedPose {
            shift: self.shift.lerp(other.shift, share),
            yaw_rad: self.yaw_rad + share * (other.yaw_rad - self.yaw_rad),
            arms: mix(self.arms, other.arms),
            feet: mix(self.feet, other.feet),
            closed: if share < 0.5 { self.closed } else { other.closed },
        }
    }
}

/// How far the waist of a standing performer is below its height with straight legs, in leg lengths.
const KNEE_BEND: f32 = 0.03;

impl ScriptedPerformer {
    /// A performer with the proportions of a human skeleton.
    pub(crate) fn new(skeleton: &Skeleton) -> Self {
        let rest = skeleton.rest_positions();
        let at = |role: Role| rest[skeleton.require(role).unwrap()];
        let both = |role: Role| [at(role), at(role.on(Side::Right))];
        let bone_m = |role: Role| skeleton.offsets()[skeleton.require(role).unwrap()].length();
        let (waist, hips, ankles) = (at(Role::Hips), both(Role::LeftUpperLeg), both(Role::LeftFoot));
        let drop = Vec3::Y * KNEE_BEND * (hips[0].y - ankles[0].y);
        Self {
            waist: waist - drop,
            hips: hips.map(|at| at - drop),
            shoulders: both(Role::LeftUpperArm).map(|at| at - drop),
            ankles,
            arm_m: bone_m(Role::LeftLowerArm) + bone_m(Role::LeftHand),
        }
    }

    /// The markers of a pose.
    pub(crate) fn markers(&self, pose: &ScriptedPose) -> Markers {
        let turn = Quat::from_rotation_y(pose.yaw_rad);
        let facing = |at: Vec3| turn * at;
        let sides = [Vec3::ONE, Vec3::new(-1.0, 1.0, 1.0)];
        let mut markers = Markers::default();
        markers.set_point(Role::Hips, facing(self.waist + pose.shift));
        for (side, sign) in Side::BOTH.into_iter().zip(sides) {
            let index = usize::from(side == Side::Right);
            let wrist = self.shoulders[index] + pose.shift + self.arm_m * pose.arms[index] * sign;
            let points = [
                (Role::LeftUpperLeg, self.hips[index] + pose.shift),
                (Role::LeftHand, wrist),
                (Role::LeftFoot, self.ankles[index] + pose.feet[index] * sign),
            ];
            for (role, at) in points {
                markers.set_point(role.on(side), facing(at));
            }
        }
        markers
    }
}
