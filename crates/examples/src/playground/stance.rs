//! A pose described by pelvis, lean, wrists and feet.

use marey_motion::{LocalPose, Quat, Role, Side, Vec3, WorldPose};

use crate::couple::pose_arm;
use crate::figure::{Figure, sign};
use crate::gait::{FootPose, PelvisPose, pose_leg};

/// A pose of a body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stance {
    pub(super) pelvis: PelvisPose,
    /// Rotation of the chest against the pelvis, in radians: forward, and to the left.
    pub(super) lean_rad: f32,
    pub(super) twist_rad: f32,
    /// Pitch of the head against the chest, in radians; positive looks up.
    pub(super) look_up_rad: f32,
    /// Positions of the wrists relative to the rest position of the shoulders, outwards, up and forward, in arm lengths.
    pub(super) wrists: [Vec3; 2],
    /// Raise of the elbows to the side, from 0 to 1.
    pub(super) elbows_out: f32,
    /// Whether the hands are closed.
    pub(super) closed: [bool; 2],
    pub(super) feet: [FootPose; 2],
}

/// Distance from shoulder to wrist, in metres.
pub(super) fn arm_m(figure: &Figure) -> f32 {
    let bone =
        |role| figure.skeleton.joint_of(role).map_or(0.0, |joint| figure.skeleton.offsets()[joint].length());
    bone(Role::LeftLowerArm) + bone(Role::LeftHand)
}

/// The rest position of the shoulder relative to the upper chest. Wrist positions are relative to it, independent of the collar bone.
fn shoulder(figure: &Figure, side: Side) -> Vec3 {
    let joints = [Role::LeftShoulder, Role::LeftUpperArm].map(|role| figure.skeleton.joint_of(role.on(side)));
    joints.into_iter().flatten().map(|joint| figure.skeleton.offsets()[joint]).sum()
}

/// Poses a figure.
pub(super) fn pose_stance(figure: &Figure, stance: &Stance, world: &mut WorldPose, pose: &mut LocalPose) {
    pose.positions[0] = stance.pelvis.position;
    figure.rotate(pose, Role::Hips, stance.pelvis.rotation);
    let third = Quat::from_rotation_y(stance.twist_rad / 3.0) * Quat::from_rotation_x(stance.lean_rad / 3.0);
    for role in [Role::Spine, Role::Chest, Role::UpperChest] {
        figure.rotate(pose, role, third);
    }
    for role in [Role::Neck, Role::Head] {
        figure.rotate(pose, role, Quat::from_rotation_x(-0.5 * stance.look_up_rad));
    }
    for side in Side::BOTH {
        // The collar bone rises with the arm.
        let raised = (0.45 * stance.wrists[side as usize].y).clamp(-0.04, 0.4);
        figure.rotate(pose, Role::LeftShoulder.on(side), Quat::from_rotation_z(sign(side) * raised));
        pose_leg(figure, side, &stance.pelvis, &stance.feet[side as usize], pose);
    }
    world.set(pose.view());
    let chest = figure.skeleton.joint_of(Role::UpperChest).unwrap_or(0);
    for side in Side::BOTH {
        let place = stance.wrists[side as usize] * Vec3::new(sign(side), 1.0, 1.0);
        let target = world.positions[chest]
            + world.rotations[chest] * (shoulder(figure, side) + arm_m(figure) * place);
        pose_arm(figure, side, world, target, stance.elbows_out, None, pose);
        let curl = if stance.closed[side as usize] { 1.6 } else { 0.35 };
        figure.rotate(pose, Role::LeftMiddleProximal.on(side), Quat::from_rotation_z(-sign(side) * curl));
    }
}

/// Height of the ball at which the toes are aligned with the foot, in metres. The alignment is slow enough that the toes do not touch
/// the floor.
const TOES_LIFT_M: f32 = 0.15;

/// The position of a foot relative to its foothold.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Footing {
    /// Raise of the heel about the ball, in radians.
    pub(super) heel_up_rad: f32,
    /// Height of the ball above the floor, in metres.
    pub(super) ball_up_m: f32,
    /// Forward offset, in metres.
    pub(super) ahead_m: f32,
}

impl Footing {
    /// Whether heel and ball are on the floor.
    pub(super) fn touches(&self) -> [bool; 2] {
        let ball = self.ball_up_m <= 0.0;
        [ball && self.heel_up_rad <= 0.0, ball]
    }

    /// Interpolates linearly.
    pub(super) fn lerp(&self, other: &Footing, share: f32) -> Footing {
        let mix = |a: f32, b: f32| a + share * (b - a);
        Footing {
            heel_up_rad: mix(self.heel_up_rad, other.heel_up_rad),
            ball_up_m: mix(self.ball_up_m, other.ball_up_m),
            ahead_m: mix(self.ahead_m, other.ahead_m),
        }
    }

    /// The pose of a foot with the foothold below the ankle and a direction.
    pub(super) fn pose(&self, figure: &Figure, place: Vec3, yaw_rad: f32) -> FootPose {
        let yaw = Quat::from_rotation_y(yaw_rad);
        let rotation = yaw * Quat::from_rotation_x(self.heel_up_rad);
        let sole = figure.sole;
        let ball =
            place + yaw * Vec3::new(0.0, sole.ball_height_m() + self.ball_up_m, sole.ball.z + self.ahead_m);
        // On the floor the toes stay flat. In the air they follow the foot.
        let toes_up_rad = self.heel_up_rad * (1.0 - self.ball_up_m / TOES_LIFT_M).clamp(0.0, 1.0);
        FootPose { ankle: ball - rotation * sole.ball, rotation, yaw_rad, toes_up_rad }
    }
}
