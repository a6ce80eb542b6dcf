//! A person of 1.70 m to draw in tests: facing +Z, standing on the floor, able to walk.

use std::sync::Arc;

use marey_motion::{Clip, ClipParts, Joint, LocalPose, Quat, Role, Skeleton, Tip, Vec3};

/// Height of the hips when standing, in metres.
const HIPS_M: f32 = 0.901;

/// Joints with roles: name by role, index of the parent, offset in metres.
const JOINTS: [(Role, usize, [f32; 3]); 19] = [
    (Role::Hips, 0, [0.0, HIPS_M, 0.0]),
    (Role::Spine, 0, [0.0, 0.20, 0.0]),
    (Role::Neck, 1, [0.0, 0.31, 0.0]),
    (Role::Head, 2, [0.0, 0.12, 0.0]),
    (Role::LeftUpperArm, 1, [0.18, 0.289, 0.0]),
    (Role::LeftLowerArm, 4, [0.0, -0.316, 0.0]),
    (Role::LeftHand, 5, [0.0, -0.248, 0.0]),
    (Role::RightUpperArm, 1, [-0.18, 0.289, 0.0]),
    (Role::RightLowerArm, 7, [0.0, -0.316, 0.0]),
    (Role::RightHand, 8, [0.0, -0.248, 0.0]),
    (Role::LeftUpperLeg, 0, [0.09, 0.0, 0.0]),
    (Role::LeftLowerLeg, 10, [0.0, -0.417, 0.0]),
    (Role::LeftFoot, 11, [0.0, -0.418, 0.0]),
    (Role::LeftToes, 12, [0.0, -0.066, 0.13]),
    (Role::RightUpperLeg, 0, [-0.09, 0.0, 0.0]),
    (Role::RightLowerLeg, 14, [0.0, -0.417, 0.0]),
    (Role::RightFoot, 15, [0.0, -0.418, 0.0]),
    (Role::RightToes, 16, [0.0, -0.066, 0.13]),
    (Role::Jaw, 3, [0.0, 0.02, 0.05]),
];

/// The ends of head, hands and toes.
const TIPS: [(usize, [f32; 3]); 5] = [
    (3, [0.0, 0.169, 0.0]),
    (6, [0.0, -0.17, 0.0]),
    (9, [0.0, -0.17, 0.0]),
    (13, [0.0, 0.0, 0.07]),
    (17, [0.0, 0.0, 0.07]),
];

/// The body.
pub(crate) fn skeleton() -> Arc<Skeleton> {
    let joints = JOINTS.iter().enumerate().map(|(i, &(role, parent, offset))| {
        Joint::new(role.name(), (i > 0).then_some(parent), offset.into()).with_role(role)
    });
    let tips = TIPS.iter().map(|&(parent, offset)| Tip { parent, offset: offset.into() });
    Arc::new(Skeleton::new(joints.collect(), tips.collect()).unwrap())
}

/// A person who stands still for a number of frames.
pub(crate) fn standing(frames: usize) -> Clip {
    let skeleton = skeleton();
    let rest = LocalPose::rest(&skeleton);
    let mut parts = ClipParts::default();
    for _ in 0..frames {
        parts.push(rest.view());
    }
    Clip::new(skeleton, 30.0, parts).unwrap()
}

/// A person who walks forward at 1.2 m/s, swinging legs and arms.
pub(crate) fn walking(frames: usize, rate_hz: f64) -> Clip {
    let skeleton = skeleton();
    let mut parts = ClipParts::default();
    for frame in 0..frames {
        let time = (frame as f64 / rate_hz) as f32;
        let swing = 0.45 * (6.0 * time).sin();
        let mut pose = LocalPose::rest(&skeleton);
        for (joint, angle) in [(10, -swing), (14, swing), (4, swing), (7, -swing), (11, 0.3), (15, 0.3)] {
            pose.rotations[joint] = Quat::from_rotation_x(angle);
        }
        pose.positions[0] = Vec3::new(0.0, HIPS_M, 1.2 * time);
        parts.push(pose.view());
    }
    Clip::new(skeleton, rate_hz, parts).unwrap()
}
