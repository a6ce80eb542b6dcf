//! Orientations of pelvis and chest from markers.

use glam::{Mat3, Quat, Vec3};
use marey_body::RestSkeleton;
use marey_motion::Role;

use crate::markers::Markers;

/// The joints of the trunk above the hips, from bottom to top.
pub(crate) const TRUNK: [Role; 5] = [Role::Spine, Role::Chest, Role::UpperChest, Role::Neck, Role::Head];
/// The points that a joint of the trunk can point at, from bottom to top; `None` is the middle of the shoulders.
const ABOVE: [Option<Role>; 6] =
    [Some(Role::Spine), Some(Role::Chest), Some(Role::UpperChest), Some(Role::Neck), None, Some(Role::Head)];
/// Two joints that are nearer to each other show no direction, in metres.
const MIN_DISTANCE_M: f32 = 0.03;

/// The rotation of the pelvis from the T-pose: from the belt and the next visible joint above, or `None` if these are not visible.
pub(crate) fn hips_turn(rest: &RestSkeleton<'_>, markers: &Markers) -> Option<Quat> {
    let (up, rest_up) = upwards(rest, markers, Role::Hips)?;
    let across = direction(markers.pair(Role::LeftUpperLeg))?;
    let rest_across = rest_direction(rest, Role::LeftUpperLeg)?;
    turn([rest_across, rest_up], [across, up])
}

/// The rotation of the chest from the T-pose: from both shoulders and the spine below or the neck above.
pub(crate) fn upper_trunk_turn(rest: &RestSkeleton<'_>, markers: &Markers) -> Option<Quat> {
    let across = direction(markers.pair(Role::LeftUpperArm))?;
    let rest_across = rest_direction(rest, Role::LeftUpperArm)?;
    let visible = |role: &Role| Some((*role, markers.point(*role)?));
    let below = [Role::Spine, Role::Hips].iter().find_map(visible);
    let (below, from) = below.or_else(|| Some((Role::Hips, markers.waist()?)))?;
    let (above, to) = [Role::Neck, Role::UpperChest].iter().find_map(visible).map_or_else(
        || Some((None, markers.middle(Role::LeftUpperArm)?)),
        |(role, at)| Some((Some(role), at)),
    )?;
    let rest_from = rest.at(rest.skeleton.joint_of(below)?);
    let rest_to = match above {
        Some(role) => rest.at(rest.skeleton.joint_of(role)?),
        None => rest_middle(rest, Role::LeftUpperArm)?,
    };
    turn([rest_across, rest_to - rest_from], [across, to - from])
}

/// The direction from a joint of the trunk to the next visible point above it, and the same at rest.
pub(crate) fn upwards(rest: &RestSkeleton<'_>, markers: &Markers, from: Role) -> Option<(Vec3, Vec3)> {
    let at = if from == Role::Hips { markers.waist()? } else { markers.point(from)? };
    let (to, rest_to) = next_above(rest, markers, from)?;
    let rest_at = rest.at(rest.skeleton.joint_of(from)?);
    (at.distance(to) > MIN_DISTANCE_M).then_some((to - at, rest_to - rest_at))
}

/// The next visible point above a joint of the trunk, and its position at rest.
pub(crate) fn next_above(rest: &RestSkeleton<'_>, markers: &Markers, from: Role) -> Option<(Vec3, Vec3)> {
    let index = ABOVE.iter().position(|role| *role == Some(from)).map_or(0, |index| index + 1);
    ABOVE.get(index..)?.iter().find_map(|role| match role {
        Some(role) => Some((markers.point(*role)?, rest.at(rest.skeleton.joint_of(*role)?))),
        None => Some((markers.middle(Role::LeftUpperArm)?, rest_middle(rest, Role::LeftUpperArm)?)),
    })
}

/// The rotation that maps an axis to another, and a second axis as near as possible to its image.
fn turn(from: [Vec3; 2], to: [Vec3; 2]) -> Option<Quat> {
    let frame = |[across, up]: [Vec3; 2]| {
        let x = across.try_normalize()?;
        let y = (up - x * up.dot(x)).try_normalize()?;
        Some(Quat::from_mat3(&Mat3::from_cols(x, y, x.cross(y))))
    };
    Some((frame(to)? * frame(from)?.inverse()).normalize())
}

fn direction([left, right]: [Option<Vec3>; 2]) -> Option<Vec3> {
    let across = left? - right?;
    (across.length() > MIN_DISTANCE_M).then_some(across)
}

fn rest_direction(rest: &RestSkeleton<'_>, role: Role) -> Option<Vec3> {
    let at = |role| Some(rest.at(rest.skeleton.joint_of(role)?));
    Some(at(role)? - at(role.mirrored())?)
}

fn rest_middle(rest: &RestSkeleton<'_>, role: Role) -> Option<Vec3> {
    let at = |role| Some(rest.at(rest.skeleton.joint_of(role)?));
    Some(at(role)?.midpoint(at(role.mirrored())?))
}
