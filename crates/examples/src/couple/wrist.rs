//! Inverse kinematics of an arm whose wrist has a target.

use marey_motion::{LocalPose, Quat, Role, Side, Vec3, WorldPose};
use marey_ops::ik::{IkSettings, Limb, two_bone};

use crate::figure::{Figure, sign};

/// The range of the elbow's fold, in radians.
pub(crate) const ELBOW: IkSettings = IkSettings { min_fold_rad: 0.12, max_fold_rad: 2.65 };

/// Poses an arm on a body that is posed except for its arms.
///
/// `lift` is the raise of the elbow to the side, from 0, hanging, to 1, as in ballroom dancing. `points_to` is the target of the
/// fingers, if any.
pub(crate) fn pose_arm(
    figure: &Figure,
    side: Side,
    body: &WorldPose,
    target: Vec3,
    lift: f32,
    points_to: Option<Vec3>,
    pose: &mut LocalPose,
) {
    let skeleton = &figure.skeleton;
    let joint = |role: Role| skeleton.joint_of(role.on(side)).unwrap_or(0);
    let [collar, upper, lower, hand] =
        [Role::LeftShoulder, Role::LeftUpperArm, Role::LeftLowerArm, Role::LeftHand].map(joint);
    let root = body.positions[upper];
    let above = body.rotations[collar];
    let (upper_bone, lower_bone) = (skeleton.offsets()[lower], skeleton.offsets()[hand]);
    let limb = Limb {
        root,
        middle: root + upper_bone,
        end: root + upper_bone + lower_bone,
        // From the T-pose, forearms fold forward and elbows point back.
        front: Vec3::NEG_Z,
    };
    let bent = two_bone(&limb, target, elbow_pole(side, above, target - root, lift), &ELBOW);
    let (first, second) = (bent.upper_turn, bent.lower_turn);
    figure.rotate(pose, Role::LeftUpperArm.on(side), above.inverse() * first);
    figure.rotate(pose, Role::LeftLowerArm.on(side), first.inverse() * second);
    let along = second * (sign(side) * Vec3::X);
    let bend = points_to.map_or(Quat::IDENTITY, |point| bend_towards(along, point - bent.end));
    figure.rotate(pose, Role::LeftHand.on(side), second.inverse() * bend * second);
    let curl = if points_to.is_some() { 0.9 } else { 0.45 };
    figure.rotate(pose, Role::LeftMiddleProximal.on(side), Quat::from_rotation_z(-sign(side) * curl));
}

/// The direction of the elbow. In a relaxed arm it points down, out and back. From there it rotates with the arm along the shortest
/// arc, so that it is discontinuous only behind the back, out of the arm's reach.
fn elbow_pole(side: Side, chest: Quat, direction: Vec3, lift: f32) -> Vec3 {
    let out = sign(side);
    let relaxed = Vec3::new(0.25 * out, -0.25, 0.93).normalize();
    let elbow = Vec3::new((0.6 + 0.6 * lift) * out, -1.0 + 0.5 * lift, -0.2);
    let arm = (chest.inverse() * direction).normalize_or(relaxed);
    chest * (Quat::from_rotation_arc(relaxed, arm) * (elbow - relaxed * elbow.dot(relaxed)))
}

/// The rotation of the hand towards its target: almost complete for a near target, none for one behind.
fn bend_towards(along: Vec3, target: Vec3) -> Quat {
    let Some(target) = target.try_normalize() else { return Quat::IDENTITY };
    let near = 0.5 + 0.5 * along.dot(target);
    Quat::from_scaled_axis(0.9 * near * near * along.cross(target))
}
