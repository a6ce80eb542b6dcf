//! The body of a performer, measured by markers.
//!
//! Bones between two visible joints get the median of their measured lengths, whatever the pose. The rest keeps the proportions of a
//! default body. If no leg is visible as a whole, the height of the waist above the ankles gives the size.

use std::sync::Arc;

use glam::{Quat, Vec3};
use marey_body::RestSkeleton;
use marey_motion::{Joint, Role, Side, Skeleton};

use crate::marker_trunk::{hips_turn, upper_trunk_turn};
use crate::markers::Markers;
use crate::{PerformError, Result};

/// The bones whose length does not depend on the pose, from the hips outwards.
const BONES: [[Role; 2]; 10] = [
    [Role::Hips, Role::Spine],
    [Role::Spine, Role::Chest],
    [Role::Chest, Role::UpperChest],
    [Role::UpperChest, Role::Neck],
    [Role::Neck, Role::Head],
    [Role::LeftUpperLeg, Role::LeftLowerLeg],
    [Role::LeftLowerLeg, Role::LeftFoot],
    [Role::LeftFoot, Role::LeftToes],
    [Role::LeftUpperArm, Role::LeftLowerArm],
    [Role::LeftLowerArm, Role::LeftHand],
];
/// The least number of frames that measure a bone.
const MIN_FRAMES: usize = 5;
/// The factor by which a bone may differ from that of a default body.
const MAX_FACTOR: f32 = 1.6;

/// The skeleton of a performer whom these frames show, with the joints of a default skeleton.
pub(crate) fn measured_skeleton(skeleton: &Skeleton, frames: &[Markers]) -> Result<Arc<Skeleton>> {
    // Rotations do not show the size.
    let is_turned = frames.iter().any(|frame| frame.rotation(Role::Hips).is_some());
    let seen = leg_scale(skeleton, frames).or_else(|| waist_scale(skeleton, frames));
    let scale = seen.or(is_turned.then_some(1.0)).ok_or_else(|| {
        let problem = "no frame shows the waist and both feet of the performer".into();
        PerformError::Calibration { problem }
    })?;
    let scaled = skeleton.scaled(scale)?;
    let positions = positions(&scaled, frames);
    let rest = RestSkeleton::of(&scaled);
    let joints = scaled.joints().iter().enumerate().map(|(index, joint)| {
        let offset = match joint.parent {
            Some(parent) => rest.rotations[parent].inverse() * (positions[index] - positions[parent]),
            None => joint.offset,
        };
        // A bone that was not measured stays the same to the bit.
        let is_same = joint.parent.is_none_or(|parent| {
            positions[index] - positions[parent] == rest.positions[index] - rest.positions[parent]
        });
        Joint { offset: if is_same { joint.offset } else { offset }, ..joint.clone() }
    });
    Ok(Arc::new(Skeleton::new(joints.collect(), scaled.tips().to_vec())?))
}

/// The performer's waist above the ankles over that of a skeleton, in the median frame.
pub(crate) fn waist_scale(skeleton: &Skeleton, frames: &[Markers]) -> Option<f32> {
    let rest = skeleton.rest_positions();
    let at = |role| skeleton.joint_of(role).map(|joint| rest[joint].y);
    let default_m = at(Role::Hips)? - 0.5 * (at(Role::LeftFoot)? + at(Role::RightFoot)?);
    let heights_m =
        frames.iter().filter_map(|frame| Some(frame.waist()?.y - frame.middle(Role::LeftFoot)?.y));
    let height_m = median(heights_m.collect())?;
    (0.2..3.0).contains(&height_m).then(|| height_m / default_m.max(1e-3))
}

/// The length of the performer's legs over those of a skeleton.
fn leg_scale(skeleton: &Skeleton, frames: &[Markers]) -> Option<f32> {
    let rest = skeleton.rest_positions();
    let mut lengths = [0.0, 0.0];
    for bone in [[Role::LeftUpperLeg, Role::LeftLowerLeg], [Role::LeftLowerLeg, Role::LeftFoot]] {
        let [from, to] = [skeleton.joint_of(bone[0])?, skeleton.joint_of(bone[1])?];
        lengths[0] += bone_length(frames, bone)?;
        lengths[1] += rest[from].distance(rest[to]);
    }
    (0.2..3.0).contains(&lengths[0]).then(|| lengths[0] / lengths[1].max(1e-3))
}

/// The positions of the joints at rest: measured where both ends of a bone are visible, else those of the skeleton.
fn positions(skeleton: &Skeleton, frames: &[Markers]) -> Vec<Vec3> {
    let rest = RestSkeleton::of(skeleton);
    let mut positions = rest.positions.clone();
    let turns: Vec<Option<Quat>> = frames.iter().map(|frame| hips_turn(&rest, frame)).collect();
    let hips = skeleton.joint_of(Role::Hips).unwrap_or(0);
    for (joint, parent) in skeleton.parents().iter().enumerate().skip(1) {
        positions[joint] = positions[*parent] + rest.positions[joint] - rest.positions[*parent];
        let Some(role) = skeleton.joints()[joint].role else { continue };
        let left = role.on(Side::Left);
        let measured = if left == Role::LeftUpperLeg {
            // Both hip joints, in the frame of the pelvis.
            let offset = mirrored(frames, role, |frame, index, role| {
                Some(turns[index]?.inverse() * (frame.point(role)? - frame.point(Role::Hips)?))
            });
            offset.map(|offset| positions[hips] + offset)
        } else if left == Role::LeftUpperArm {
            shoulder(skeleton, &rest, frames, role, &positions)
        } else {
            let bone = BONES.iter().find(|bone| bone[1] == left || bone[1] == role);
            bone.and_then(|bone| {
                let from = skeleton.joint_of(side_of(bone[0], role))?;
                let length_m = bone_length(frames, *bone)?;
                let along = rest.positions[joint] - rest.positions[from];
                let factor = length_m / along.length().max(1e-3);
                let is_plausible = (1.0 / MAX_FACTOR..MAX_FACTOR).contains(&factor);
                is_plausible.then(|| positions[from] + along * factor)
            })
        };
        positions[joint] = measured.filter(|at| at.is_finite()).unwrap_or(positions[joint]);
    }
    positions
}

/// The position of a shoulder at rest, relative to the highest visible joint of the trunk below the neck.
fn shoulder(
    skeleton: &Skeleton,
    rest: &RestSkeleton<'_>,
    frames: &[Markers],
    role: Role,
    positions: &[Vec3],
) -> Option<Vec3> {
    let is_often_visible = |below: &Role| {
        frames.iter().filter(|frame| frame.point(*below).is_some()).count() >= MIN_FRAMES.min(frames.len())
    };
    let below = [Role::UpperChest, Role::Chest, Role::Spine].into_iter().find(is_often_visible)?;
    let offset = mirrored(frames, role, |frame, _, role| {
        let turn = upper_trunk_turn(rest, frame)?;
        Some(turn.inverse() * (frame.point(role)? - frame.point(below)?))
    })?;
    Some(positions[skeleton.joint_of(below)?] + offset)
}

/// The median of a vector to a paired joint, averaged over both sides of a symmetric body.
fn mirrored(
    frames: &[Markers],
    role: Role,
    vector: impl Fn(&Markers, usize, Role) -> Option<Vec3>,
) -> Option<Vec3> {
    let mut all = Vec::new();
    for (role, mirror) in [(role, Vec3::ONE), (role.mirrored(), Vec3::new(-1.0, 1.0, 1.0))] {
        let frames = frames.iter().enumerate();
        all.extend(frames.filter_map(|(index, frame)| Some(vector(frame, index, role)? * mirror)));
    }
    let axis = |axis: usize| median(all.iter().map(|vector| vector[axis]).collect());
    (all.len() >= 2 * MIN_FRAMES.min(frames.len())).then_some(())?;
    Some(Vec3::new(axis(0)?, axis(1)?, axis(2)?))
}

/// The median length of a bone, on both sides of a symmetric body.
fn bone_length(frames: &[Markers], [from, to]: [Role; 2]) -> Option<f32> {
    let lengths = frames.iter().flat_map(|frame| {
        Side::BOTH
            .into_iter()
            .filter_map(|side| Some(frame.point(from.on(side))?.distance(frame.point(to.on(side))?)))
    });
    let lengths: Vec<f32> = lengths.collect();
    (lengths.len() >= MIN_FRAMES.min(frames.len())).then(|| median(lengths)).flatten()
}

/// A role on the side of another.
fn side_of(role: Role, other: Role) -> Role {
    other.side().map_or(role, |side| role.on(side))
}

fn median(mut values: Vec<f32>) -> Option<f32> {
    values.sort_by(f32::total_cmp);
    values.get(values.len() / 2).copied()
}
