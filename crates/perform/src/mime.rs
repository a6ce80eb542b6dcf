//! A scripted performer, described by the positions of its waist, hands and feet; for demonstrations and tests.

use std::f32::consts::PI;

use glam::{Quat, Vec3};
use marey_motion::{Role, Side, Skeleton};

use crate::Result;
use crate::puppet::Markers;

/// A scripted performer of some proportions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mime {
    waist: Vec3,
    /// Hips, shoulders and ankles at rest.
    hips: [Vec3; 2],
    shoulders: [Vec3; 2],
    ankles: [Vec3; 2],
    arm_m: f32,
}

/// A pose of a mime.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MimePose {
    /// The offset of the waist from standing, in the frame of the body, in metres.
    pub shift: Vec3,
    /// The heading: rotation about +Y, in radians.
    pub yaw_rad: f32,
    /// Each wrist relative to its shoulder (outwards, up, ahead), in arm lengths.
    pub arms: [Vec3; 2],
    /// The offset of each foot from standing (outwards, up, ahead), in metres.
    pub feet: [Vec3; 2],
    /// Whether each hand is closed.
    pub closed: [bool; 2],
}

impl Default for MimePose {
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

impl MimePose {
    /// An almost straight arm at an angle: 0 hangs, a quarter turn points ahead, half a turn points up.
    pub fn arm(angle_rad: f32) -> Vec3 {
        Vec3::new(0.08, -0.95 * angle_rad.cos(), 0.95 * angle_rad.sin())
    }

    /// Both arms up with closed hands, tilted back by an angle, in radians.
    pub fn hang(back_rad: f32) -> Self {
        Self { arms: [Self::arm(PI - 0.1 + back_rad); 2], closed: [true; 2], ..Self::default() }
    }

    /// Interpolates between two poses. Hands are closed as in the nearer pose.
    pub fn lerp(&self, other: &MimePose, share: f32) -> MimePose {
        let mix = |a: [Vec3; 2], b: [Vec3; 2]| [a[0].lerp(b[0], share), a[1].lerp(b[1], share)];
        MimePose {
            shift: self.shift.lerp(other.shift, share),
            yaw_rad: self.yaw_rad + share * (other.yaw_rad - self.yaw_rad),
            arms: mix(self.arms, other.arms),
            feet: mix(self.feet, other.feet),
            closed: if share < 0.5 { self.closed } else { other.closed },
        }
    }
}

/// Drop of the waist below its height with straight legs, in leg lengths.
const SOFT: f32 = 0.03;

impl Mime {
    /// A mime with the proportions of a human skeleton.
    pub fn of(skeleton: &Skeleton) -> Result<Self> {
        let rest = skeleton.rest_positions();
        let at = |role: Role| Ok::<Vec3, crate::PerformError>(rest[skeleton.require(role)?]);
        let both = |role: Role| Ok::<[Vec3; 2], crate::PerformError>([at(role)?, at(role.on(Side::Right))?]);
        let bones = [Role::LeftLowerArm, Role::LeftHand];
        let bones = bones.map(|role| skeleton.joint_of(role).map_or(0.0, |j| skeleton.offsets()[j].length()));
        let (waist, hips, ankles) = (at(Role::Hips)?, both(Role::LeftUpperLeg)?, both(Role::LeftFoot)?);
        let soft = Vec3::Y * SOFT * (hips[0].y - ankles[0].y);
        let shoulders = both(Role::LeftUpperArm)?;
        Ok(Self {
            waist: waist - soft,
            hips: hips.map(|at| at - soft),
            shoulders: shoulders.map(|at| at - soft),
            ankles,
            arm_m: bones.iter().sum(),
        })
    }

    /// The markers of a pose.
    pub fn markers(&self, act: &MimePose) -> Markers {
        let turn = Quat::from_rotation_y(act.yaw_rad);
        let facing = |at: Vec3| turn * at;
        let sides = [Vec3::ONE, Vec3::new(-1.0, 1.0, 1.0)];
        let wrist = |side: usize| {
            Some(facing(self.shoulders[side] + act.shift + self.arm_m * act.arms[side] * sides[side]))
        };
        let ankle = |side: usize| Some(facing(self.ankles[side] + act.feet[side] * sides[side]));
        Markers {
            waist: Some(facing(self.waist + act.shift)),
            belt: self.hips.map(|at| Some(facing(at + act.shift))),
            hands: [wrist(0), wrist(1)],
            feet: [ankle(0), ankle(1)],
        }
    }
}
