//! The door: where a file's unit, axes, rate and names become Marey's, once, and where it is said what was found.
//!
//! Files do not say what they mean by a number, so the body is asked: a person is between 1.2 and 2.2 m tall, stands
//! along the up axis, falls at 9.81 m/s². Every finding says how it was come by, and an option overrides each.

mod axis;
mod body;
mod change;
pub mod codes;
mod finding;
mod markers;
mod mass;
mod points;
mod rate;
mod rest;
mod scale;
#[cfg(test)]
mod tests;
mod upright;

use marey_motion::{Actor, Clip, Place, Report, Role, Skeleton, Take};

pub use axis::UpAxis;
pub(crate) use body::stands;
use change::{face_ahead, put_on_floor, turn_up, with_rest_rotations, with_roles};
pub use finding::{By, Detected, Finding, PointsDetected, RestPose};
pub use points::{RawPoints, settle_points};
use scale::UnitGuess;

use crate::roles::{RoleGuess, RoleMap, detect};
use crate::{Error, Unit};

/// How far a body at rest may be turned from a quarter by its own shape, in degrees.
const BODYS_OWN_DEG: f32 = 12.0;

/// The height that the user wants at y = 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FloorWish {
    /// The floor that the motion rests on.
    Found,
    /// This height, in metres.
    AtMetres(f32),
}

/// What the user says about a file's conventions, instead of what would be found.
#[derive(Debug, Clone, Default)]
pub struct Conventions {
    /// Unit of length.
    pub unit: Option<Unit>,
    /// Up axis.
    pub up: Option<UpAxis>,
    /// Which way the body faces at rest, once Y is up: degrees to its left of +Z.
    pub facing_deg: Option<f32>,
    /// Frames a second.
    pub rate_hz: Option<f64>,
    /// Roles of joints; the rest are found.
    pub roles: Option<RoleMap>,
    /// Where the rest pose comes from. A frame that is not there is the last.
    pub rest_pose: Option<RestPose>,
    /// Which height becomes y = 0. Without it, heights stay as they are.
    pub floor: Option<FloorWish>,
    /// Whether a calibration pose in the first frame is taken off.
    pub trim_rest_frame: bool,
}

/// What a file or its format says about itself; the rest is found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stated {
    /// How the take's rate was come by: from the file, or assumed for want of one.
    pub rate_by: By,
    /// Unit of length.
    pub unit: Option<Unit>,
    /// Up axis.
    pub up: Option<UpAxis>,
}

impl Default for Stated {
    /// A file that says its rate and nothing else.
    fn default() -> Self {
        Self { rate_by: By::File, unit: None, up: None }
    }
}

/// Settles the conventions of a take: gives it in metres, Y up, facing +Z at rest, with roles; and says for each actor what was found.
///
/// What the file states goes, unless the user says otherwise or the body contradicts it beyond doubt.
/// Actors keep their places towards each other: what is found for the first one's unit and up axis goes for all.
pub fn settle(
    take: Take,
    stated: &Stated,
    wishes: &Conventions,
    report: &mut Report,
) -> Result<(Take, Vec<Detected>), Error> {
    let name = take.name().to_owned();
    let mut actors = Vec::new();
    let mut all_detected: Vec<Detected> = Vec::new();
    for Actor { name, clip } in take.into_actors() {
        let mut wishes = wishes.clone();
        if let Some(first) = all_detected.first() {
            wishes.unit = Some(first.unit.value);
            wishes.up = Some(first.up_axis.value);
        }
        let (clip, mut detected) = settle_clip(clip, stated, &wishes, report)?;
        if let Some(first) = all_detected.first() {
            detected.unit = first.unit.shared();
            detected.up_axis = first.up_axis.shared();
        }
        actors.push(Actor { name, clip });
        all_detected.push(detected);
    }
    if wishes.trim_rest_frame && all_detected.iter().any(|d| d.rest_frame.value) {
        for actor in &mut actors {
            actor.clip = actor.clip.slice(1..actor.clip.frames())?;
        }
    }
    if let Some(wish) = wishes.floor {
        put_on_floor(&mut actors, wish)?;
    }
    Ok((Take::new(name, actors)?, all_detected))
}

fn settle_clip(
    clip: Clip,
    stated: &Stated,
    wishes: &Conventions,
    report: &mut Report,
) -> Result<(Clip, Detected), Error> {
    let guess = detect(clip.skeleton());
    let roles = settle_roles(&clip, &guess, wishes, report)?;
    let clip = with_roles(clip, &roles.value)?;
    let up_axis = settle_up(&clip, stated.up, wishes, report);
    let clip = turn_up(clip, up_axis.value)?;
    let (clip, rest_pose) = settle_rest_pose(clip, wishes, report)?;
    let facing_deg = settle_facing(clip.skeleton(), rest_pose.value, wishes, report);
    let clip = face_ahead(clip, facing_deg.value)?;
    let unit = settle_unit(clip.skeleton(), stated.unit, wishes, report);
    let clip = clip.scaled(unit.value.metres() as f32)?;
    let rest_frame = settle_rest_frame(&clip, report);
    let metres_known = unit.by != By::Assumed;
    let motion = clip.slice(usize::from(rest_frame.value)..clip.frames())?;
    let rate_hz = settle_rate(&motion, stated.rate_by, metres_known, wishes, report);
    let height_m = body::Body::of(clip.skeleton()).map(|body| body.height);
    let found = Detected {
        unit,
        up_axis,
        facing_deg,
        rate_hz,
        roles,
        role_guess: guess,
        rest_pose,
        rest_frame,
        height_m,
    };
    Ok((clip, found))
}

fn settle_roles(
    clip: &Clip,
    guess: &RoleGuess,
    wishes: &Conventions,
    report: &mut Report,
) -> Result<Finding<Vec<Option<Role>>>, Error> {
    if let Some(map) = &wishes.roles {
        let roles = map.apply(clip.skeleton(), guess)?;
        return Ok(Finding { value: roles, by: By::Flag, why: format!("told; the rest by {}", guess.why) });
    }
    if clip.skeleton().roles().next().is_some() {
        // The reader found roles in the file.
        let roles = RoleMap::of(clip.skeleton()).apply(clip.skeleton(), guess)?;
        let why = format!("the file says so; the rest by {}", guess.why);
        return Ok(Finding { value: roles, by: By::File, why });
    }
    if guess.confidence < 0.5 {
        let place = Place::default();
        let message = format!("{} (confidence {:.2})", guess.why, guess.confidence);
        report.warn(&codes::ROLES_UNSURE, place, message);
    }
    Ok(Finding { value: guess.roles.clone(), by: By::Evidence, why: guess.why.clone() })
}

/// A file that says its axis is believed: people lie down, and the ground does not.
fn settle_up(
    clip: &Clip,
    stated: Option<UpAxis>,
    wishes: &Conventions,
    report: &mut Report,
) -> Finding<UpAxis> {
    if let Some(axis) = wishes.up {
        return Finding { value: axis, by: By::Flag, why: "told".into() };
    }
    let found = upright::detect(clip);
    if let Some(axis) = stated {
        if let Some((other, why)) = found.filter(|(other, _)| *other != axis) {
            let message = format!("{axis} is up by the file, but {other} seems to be: {why}");
            report.warn(&codes::UP_AXIS_DOUBTFUL, Place::default(), message);
        }
        return Finding { value: axis, by: By::File, why: "the file says so".into() };
    }
    match found {
        Some((axis, why)) => {
            if axis != UpAxis::Y {
                report.warn(&codes::UP_AXIS, Place::default(), format!("{axis} is up: {why}"));
            }
            Finding { value: axis, by: By::Evidence, why }
        }
        None => Finding { value: UpAxis::Y, by: By::Assumed, why: "no person to tell by".into() },
    }
}

fn settle_facing(
    skeleton: &Skeleton,
    rest: RestPose,
    wishes: &Conventions,
    report: &mut Report,
) -> Finding<f32> {
    if let Some(degrees) = wishes.facing_deg {
        return Finding { value: degrees, by: By::Flag, why: "told".into() };
    }
    let Some(forward) = body::facing(skeleton) else {
        return Finding { value: 0.0, by: By::Assumed, why: "left and right cannot be told apart".into() };
    };
    if body::toes(skeleton).is_some_and(|toes| toes.dot(forward) < -0.5) {
        let message = "the toes point backwards: left and right may be exchanged, or the file left-handed";
        report.warn(&codes::MIRRORED, Place::default(), message);
    }
    let degrees = forward.x.atan2(forward.z).to_degrees();
    let why = format!("left and right sides at rest face {degrees:.0}° to the left of +Z");
    if let RestPose::Frame(_) = rest {
        // A pose of the motion faces wherever it goes.
        return Finding { value: degrees, by: By::Evidence, why };
    }
    // Files are turned by whole quarters, and a few degrees are the body's own; but a figure that hangs below others (as in FBX)
    // may be left facing anywhere. (Adding 0 makes −0 plain.)
    let quarter = (degrees / 90.0).round() * 90.0 + 0.0;
    let value = if (degrees - quarter).abs() > BODYS_OWN_DEG { degrees } else { quarter };
    if value != 0.0 {
        report.warn(&codes::FACING, Place::default(), why.clone());
    }
    Finding { value, by: By::Evidence, why }
}

fn settle_unit(
    skeleton: &Skeleton,
    stated: Option<Unit>,
    wishes: &Conventions,
    report: &mut Report,
) -> Finding<Unit> {
    if let Some(unit) = wishes.unit {
        return Finding { value: unit, by: By::Flag, why: format!("told: {}", unit.in_words()) };
    }
    if let Some(value) = stated {
        match scale::doubt(skeleton, value) {
            None => return Finding { value, by: By::File, why: "the file says so".into() },
            Some(why) => report.warn(&codes::UNIT_DOUBTFUL, Place::default(), why),
        }
    }
    match scale::detect(skeleton) {
        UnitGuess::Fits(value, why) => Finding { value, by: By::Evidence, why },
        UnitGuess::MadeUp(value, why) => {
            report.warn(&codes::UNIT_UNKNOWN, Place::default(), why.clone());
            Finding { value, by: By::Assumed, why }
        }
        UnitGuess::Assumed(value, why) => {
            report.warn(&codes::UNIT_ASSUMED, Place::default(), why.clone());
            Finding { value, by: By::Assumed, why }
        }
    }
}

fn settle_rest_frame(clip: &Clip, report: &mut Report) -> Finding<bool> {
    match rest::starts_in_t_pose(clip) {
        Some(why) => {
            report.warn(&codes::REST_FRAME, Place::default().frame(0), why.clone());
            Finding { value: true, by: By::Evidence, why }
        }
        None => Finding { value: false, by: By::Evidence, why: "frame 0 is part of the motion".into() },
    }
}

/// The motion is without a calibration pose.
fn settle_rate(
    motion: &Clip,
    by: By,
    metres_known: bool,
    wishes: &Conventions,
    report: &mut Report,
) -> Finding<f64> {
    let value = motion.rate_hz();
    if wishes.rate_hz.is_some() {
        return Finding { value, by: By::Flag, why: "told".into() };
    }
    let said = if by == By::File { "the file's frame time" } else { "the file does not say" };
    // Without metres, nothing can be said about how fast things fall.
    let evidence = if metres_known { rate::evidence(motion, report) } else { None };
    let why = evidence.map_or_else(|| said.to_owned(), |evidence| format!("{said}; {evidence}"));
    Finding { value, by, why }
}

/// Gives a body whose joints at rest do not make a person the pose it stands straightest in.
fn settle_rest_pose(
    clip: Clip,
    wishes: &Conventions,
    report: &mut Report,
) -> Result<(Clip, Finding<RestPose>), Error> {
    if let Some(value) = wishes.rest_pose {
        let clip = match value {
            RestPose::File => clip,
            RestPose::Frame(frame) => {
                let rotations = clip.pose(frame.min(clip.frames() - 1)).rotations.to_vec();
                with_rest_rotations(clip, |joint, _| rotations.get(joint).copied())?
            }
        };
        return Ok((clip, Finding { value, by: By::Flag, why: "told".into() }));
    }
    let Some((rotations, frame)) = rest::straightest(&clip) else {
        let why = "joints without rotation".into();
        return Ok((clip, Finding { value: RestPose::File, by: By::File, why }));
    };
    let why = format!(
        "joints without rotation do not make a person; frame {frame}, where it stands straightest, does"
    );
    report.warn(&codes::REST_POSE, Place::default().frame(frame), why.clone());
    let clip = with_rest_rotations(clip, |joint, _| rotations.get(joint).copied())?;
    Ok((clip, Finding { value: RestPose::Frame(frame), by: By::Evidence, why }))
}
