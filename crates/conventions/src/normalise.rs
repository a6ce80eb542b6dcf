//! Converts a take to Marey's conventions and reports what was found.

use std::sync::Arc;

use marey_motion::{Actor, Clip, Place, Report, Role, Skeleton, Take};

use crate::frame_rate::RateEvidence;
use crate::roles::{RoleGuess, RoleMap, SURE_CONFIDENCE, detect};
use crate::transform::{
    move_floor_to_zero, rotate_rest_to_face_z, rotate_to_y_up, share_rate, with_rest_rotations, with_roles,
};
use crate::unit_detection::{self, UnitGuess};
use crate::{
    ConventionOverrides, DeclaredConventions, DetectedConventions, Finding, FindingSource, RestPoseSource,
    Result, Unit, UpAxis, body_measurements, codes, frame_rate, rest_pose, up_axis_detection,
};

/// The largest angle from a multiple of 90° that is attributed to the shape of the body, in degrees.
const FACING_TOLERANCE_DEG: f32 = 12.0;

/// Converts a take to metres, Y up, facing +Z at rest, with roles; returns what was found for each actor.
///
/// Overrides come first, then what the file declares, then detection. The declared unit is replaced if it makes the body
/// impossibly tall or small. The unit and up axis of the first actor apply to all, so that actors keep their relative
/// positions.
pub fn normalise_take(
    take: Take,
    declared: &DeclaredConventions,
    overrides: &ConventionOverrides,
    report: &mut Report,
) -> Result<(Take, Vec<DetectedConventions>)> {
    let name = take.name().to_owned();
    let mut actors = Vec::new();
    let mut all_detected: Vec<DetectedConventions> = Vec::new();
    for Actor { name, clip } in take.into_actors() {
        let mut overrides = overrides.clone();
        if let Some(first) = all_detected.first() {
            overrides.unit = Some(first.unit.value);
            overrides.up = Some(first.up_axis.value);
        }
        let (clip, mut detected) = normalise_clip(clip, declared, &overrides, report)?;
        if let Some(first) = all_detected.first() {
            detected.unit = first.unit.shared();
            detected.up_axis = first.up_axis.shared();
        }
        actors.push(Actor { name, clip });
        all_detected.push(detected);
    }
    share_rate(&mut actors, &mut all_detected)?;
    if overrides.trim_rest_frame && all_detected.iter().any(|d| d.rest_frame.value) {
        for actor in &mut actors {
            actor.clip = actor.clip.slice(1..actor.clip.frames())?;
        }
    }
    if let Some(floor) = overrides.floor {
        move_floor_to_zero(&mut actors, floor)?;
    }
    Ok((Take::new(name, actors)?, all_detected))
}

fn normalise_clip(
    clip: Clip,
    declared: &DeclaredConventions,
    overrides: &ConventionOverrides,
    report: &mut Report,
) -> Result<(Clip, DetectedConventions)> {
    let role_guess = detect(clip.skeleton());
    let roles = find_roles(&clip, &role_guess, overrides, report)?;
    let clip = with_roles(clip, &roles.value)?;
    let up_axis = find_up_axis(&clip, declared.up, overrides, report);
    let clip = rotate_to_y_up(clip, up_axis.value)?;
    let clip = with_user_rest_pose(clip, overrides)?;
    let facing_deg = find_facing(clip.skeleton(), overrides, report);
    let clip = rotate_rest_to_face_z(clip, facing_deg.value)?;
    let (clip, rest_pose) = set_rest_pose(clip, overrides, report)?;
    let unit = find_unit(clip.skeleton(), declared.unit, overrides, report);
    let clip = clip.scaled(unit.value.metres() as f32)?;
    let rest_frame = find_rest_frame(&clip, report);
    let is_unit_known = unit.source != FindingSource::Assumed;
    let motion = clip.slice(usize::from(rest_frame.value)..clip.frames())?;
    let rate_hz = find_rate(&motion, declared.rate_source, is_unit_known, overrides, report);
    let clip = clip.with_rate(rate_hz.value)?;
    let height_m = body_measurements::BodyMeasurements::new(clip.skeleton()).map(|body| body.height);
    let detected = DetectedConventions {
        unit,
        up_axis,
        facing_deg,
        rate_hz,
        roles,
        role_guess,
        rest_pose,
        rest_frame,
        height_m,
    };
    Ok((clip, detected))
}

fn find_roles(
    clip: &Clip,
    guess: &RoleGuess,
    overrides: &ConventionOverrides,
    report: &mut Report,
) -> Result<Finding<Vec<Option<Role>>>> {
    if let Some(map) = &overrides.roles {
        let roles = map.apply(clip.skeleton(), guess)?;
        let reason = format!("set by the user; the others by {}", guess.reason);
        return Ok(Finding::new(roles, FindingSource::User, reason));
    }
    if clip.skeleton().roles().next().is_some() {
        let roles = RoleMap::from_skeleton(clip.skeleton()).apply(clip.skeleton(), guess)?;
        let reason = format!("declared by the file; the others by {}", guess.reason);
        return Ok(Finding::new(roles, FindingSource::File, reason));
    }
    if guess.confidence < SURE_CONFIDENCE {
        let message = format!("{} (confidence {:.2})", guess.reason, guess.confidence);
        report.warn(&codes::ROLES_UNSURE, Place::default(), message);
    }
    Ok(Finding::new(guess.roles.clone(), FindingSource::Evidence, guess.reason.clone()))
}

/// A declared axis wins over the pose of the body, because a person may lie down.
fn find_up_axis(
    clip: &Clip,
    declared: Option<UpAxis>,
    overrides: &ConventionOverrides,
    report: &mut Report,
) -> Finding<UpAxis> {
    if let Some(axis) = overrides.up {
        return Finding::from_user(axis);
    }
    resolve_up_axis(declared, up_axis_detection::detect(clip), || None, report)
}

/// Chooses between the declared up axis, the one that the body stands along, and a fallback.
pub(crate) fn resolve_up_axis(
    declared: Option<UpAxis>,
    from_body: Option<(UpAxis, String)>,
    fallback: impl FnOnce() -> Option<(UpAxis, String)>,
    report: &mut Report,
) -> Finding<UpAxis> {
    if let Some(axis) = declared {
        if let Some((other, reason)) = from_body.filter(|(other, _)| *other != axis) {
            let message = format!("the file declares {axis} as up, but {other} seems to be: {reason}");
            report.warn(&codes::UP_AXIS_DOUBTFUL, Place::default(), message);
        }
        return Finding::from_file(axis);
    }
    match from_body.or_else(fallback) {
        Some((axis, reason)) => {
            if axis != UpAxis::Y {
                report.warn(&codes::UP_AXIS, Place::default(), format!("{axis} is up: {reason}"));
            }
            Finding::new(axis, FindingSource::Evidence, reason)
        }
        None => Finding::new(UpAxis::Y, FindingSource::Assumed, "no person to detect it from"),
    }
}

fn find_facing(skeleton: &Skeleton, overrides: &ConventionOverrides, report: &mut Report) -> Finding<f32> {
    if let Some(degrees) = overrides.facing_deg {
        return Finding::from_user(degrees);
    }
    if overrides.rest_pose.is_none() && !body_measurements::is_standing(skeleton) {
        return Finding::new(0.0, FindingSource::Assumed, "the rest pose is built to face +Z");
    }
    let Some(forward) = body_measurements::facing(skeleton) else {
        return Finding::new(0.0, FindingSource::Assumed, "left and right cannot be distinguished");
    };
    if body_measurements::toe_direction(skeleton).is_some_and(|toes| toes.dot(forward) < -0.5) {
        let message =
            "the toes point backwards: left and right may be swapped, or the file may be left-handed";
        report.warn(&codes::MIRRORED, Place::default(), message);
    }
    let degrees = forward.x.atan2(forward.z).to_degrees();
    let reason = format!("at rest the body faces {degrees:.0}° to the left of +Z");
    if let Some(RestPoseSource::Frame(_)) = overrides.rest_pose {
        // A frame of the motion may face any direction, so it is neither rounded nor reported.
        return Finding::new(degrees, FindingSource::Evidence, reason);
    }
    // Files differ by multiples of 90°, and a few degrees more come from the shape of the body. But a figure below other
    // nodes (as in FBX) may face any direction. Adding 0 turns −0 into 0.
    let quarter = (degrees / 90.0).round() * 90.0 + 0.0;
    let value = if (degrees - quarter).abs() > FACING_TOLERANCE_DEG { degrees } else { quarter };
    if value != 0.0 {
        report.warn(&codes::FACING, Place::default(), reason.clone());
    }
    Finding::new(value, FindingSource::Evidence, reason)
}

fn find_unit(
    skeleton: &Skeleton,
    declared: Option<Unit>,
    overrides: &ConventionOverrides,
    report: &mut Report,
) -> Finding<Unit> {
    if let Some(unit) = overrides.unit {
        return user_unit(unit);
    }
    if let Some(unit) = declared {
        match unit_detection::doubt(skeleton, unit) {
            None => return Finding::from_file(unit),
            Some(reason) => report.warn(&codes::UNIT_DOUBTFUL, Place::default(), reason),
        }
    }
    match unit_detection::detect(skeleton) {
        UnitGuess::Fits(value, reason) => Finding::new(value, FindingSource::Evidence, reason),
        UnitGuess::Scaled(value, reason) => {
            report.warn(&codes::UNIT_UNKNOWN, Place::default(), reason.clone());
            Finding::new(value, FindingSource::Assumed, reason)
        }
        UnitGuess::Assumed(value, reason) => {
            report.warn(&codes::UNIT_ASSUMED, Place::default(), reason.clone());
            Finding::new(value, FindingSource::Assumed, reason)
        }
    }
}

pub(crate) fn user_unit(unit: Unit) -> Finding<Unit> {
    Finding::new(unit, FindingSource::User, format!("set by the user: {}", unit.description()))
}

fn find_rest_frame(clip: &Clip, report: &mut Report) -> Finding<bool> {
    match rest_pose::starts_in_t_pose(clip) {
        Some(reason) => {
            report.warn(&codes::REST_FRAME, Place::default().frame(0), reason.clone());
            Finding::new(true, FindingSource::Evidence, reason)
        }
        None => Finding::new(false, FindingSource::Evidence, "frame 0 is part of the motion"),
    }
}

/// `motion` excludes a calibration pose. Physical evidence needs a known unit.
fn find_rate(
    motion: &Clip,
    source: FindingSource,
    is_unit_known: bool,
    overrides: &ConventionOverrides,
    report: &mut Report,
) -> Finding<f64> {
    let value = motion.rate_hz();
    if overrides.rate_hz.is_some() {
        return Finding::from_user(value);
    }
    let origin =
        if source == FindingSource::File { "the file's frame time" } else { "the file has no frame rate" };
    match is_unit_known.then(|| frame_rate::evidence(motion)).flatten() {
        None => Finding::new(value, source, origin),
        Some(RateEvidence::Agrees(reason)) => Finding::new(value, source, format!("{origin}; {reason}")),
        Some(RateEvidence::Contradicts { reason, true_hz }) if overrides.fix_rate => {
            let message = format!("{true_hz} Hz instead of {value}: {reason}");
            report.warn(&codes::RATE_CORRECTED, Place::default(), message);
            Finding::new(true_hz, FindingSource::Evidence, reason)
        }
        Some(RateEvidence::Contradicts { reason, .. }) => {
            report.warn(&codes::RATE_DOUBTFUL, Place::default(), reason.clone());
            Finding::new(value, source, format!("{origin}; doubtful: {reason}"))
        }
    }
}

/// Replaces the rest pose by a frame of the motion if the user asks for it.
fn with_user_rest_pose(clip: Clip, overrides: &ConventionOverrides) -> Result<Clip> {
    let Some(RestPoseSource::Frame(frame)) = overrides.rest_pose else { return Ok(clip) };
    let rotations = clip.pose(frame.min(clip.frames() - 1)).rotations.to_vec();
    with_rest_rotations(clip, |joint, _| rotations.get(joint).copied())
}

/// Replaces the rest pose of a person by the T-pose, unless the user asks for another.
fn set_rest_pose(
    clip: Clip,
    overrides: &ConventionOverrides,
    report: &mut Report,
) -> Result<(Clip, Finding<RestPoseSource>)> {
    if let Some(value @ (RestPoseSource::File | RestPoseSource::Frame(_))) = overrides.rest_pose {
        return Ok((clip, Finding::from_user(value)));
    }
    let Some(pose) = rest_pose::t_pose(&clip) else {
        let finding = Finding::new(RestPoseSource::File, FindingSource::File, "not a person");
        return Ok((clip, finding));
    };
    let finding = if pose.from_standing {
        Finding::new(
            RestPoseSource::TPose,
            FindingSource::File,
            "the rest pose with arms and legs straightened",
        )
    } else {
        report.warn(&codes::REST_POSE, Place::default(), rest_pose::BUILT_REASON);
        Finding::new(RestPoseSource::TPose, FindingSource::Evidence, rest_pose::BUILT_REASON)
    };
    let skeleton = pose.apply(clip.skeleton())?;
    Ok((clip.with_skeleton(Arc::new(skeleton))?, finding))
}
