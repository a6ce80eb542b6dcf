//! Knees that lock or bend backwards.

use marey_motion::{Clip, Role, Side, Vec3, WorldPose};
use serde::Serialize;

/// How straight knees get, and whether they bend backwards.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Knees {
    /// The smallest fold of any knee, in radians: 0 is straight.
    pub least_fold_rad: f32,
    /// The largest distance of a knee behind the line from hip to ankle, in centimetres; 0 if it never is.
    pub farthest_back_cm: f64,
}

/// Measures both knees of a clip; `None` for a body without complete legs.
///
/// ```
/// use std::sync::Arc;
/// use marey_motion::{Clip, ClipParts, Joint, Quat, Role, Skeleton, Vec3};
/// let joints = vec![
///     Joint::new("hip", None, Vec3::Y).with_role(Role::LeftUpperLeg),
///     Joint::new("knee", Some(0), Vec3::Y * -0.5).with_role(Role::LeftLowerLeg),
///     Joint::new("ankle", Some(1), Vec3::Y * -0.5).with_role(Role::LeftFoot),
/// ];
/// let skeleton = Arc::new(Skeleton::new(joints, vec![])?);
/// let bent = |radians: f32| {
///     let rotations = vec![Quat::IDENTITY, Quat::from_rotation_x(radians), Quat::IDENTITY];
///     Clip::new(skeleton.clone(), 30.0, ClipParts { rotations, positions: vec![Vec3::Y] })
/// };
/// // Bent by half a radian, the shank swings back; bent the other way, the knee is behind.
/// let knees = marey_measure::knees::knees(&bent(0.5)?).unwrap();
/// assert!((knees.least_fold_rad - 0.5).abs() < 1e-6 && knees.farthest_back_cm == 0.0);
/// let flipped = marey_measure::knees::knees(&bent(-0.5)?).unwrap();
/// assert!((flipped.farthest_back_cm - 50.0 * 0.25f64.sin() * 0.25f64.cos()).abs() < 1e-4);
/// # Ok::<(), marey_motion::MotionError>(())
/// ```
pub fn knees(clip: &Clip) -> Option<Knees> {
    let skeleton = clip.skeleton();
    let rest = skeleton.rest_world_rotations();
    let leg = |side: Side| {
        let joint = |role: Role| skeleton.joint_of(role.on(side));
        Some([joint(Role::LeftUpperLeg)?, joint(Role::LeftLowerLeg)?, joint(Role::LeftFoot)?])
    };
    let legs: Vec<[usize; 3]> = Side::BOTH.into_iter().filter_map(leg).collect();
    let mut world = WorldPose::scratch(skeleton);
    let (mut least_fold_rad, mut back_m) = (f32::INFINITY, 0f32);
    for pose in clip.poses() {
        world.set(pose);
        for &[hip, knee, ankle] in &legs {
            let at = |joint: usize| world.positions.get(joint).copied();
            let (hip_at, knee_at, ankle_at) = (at(hip)?, at(knee)?, at(ankle)?);
            let (thigh, shank) = (knee_at - hip_at, ankle_at - knee_at);
            least_fold_rad = least_fold_rad.min(thigh.cross(shank).length().atan2(thigh.dot(shank)));
            let line = (ankle_at - hip_at).normalize_or(Vec3::NEG_Y);
            let front = *world.rotations.get(hip)? * rest.get(hip)?.inverse() * Vec3::Z;
            back_m = back_m.max(-(thigh - line * thigh.dot(line)).dot(front));
        }
    }
    (!legs.is_empty()).then_some(Knees { least_fold_rad, farthest_back_cm: 100.0 * f64::from(back_m) })
}
