//! One file as JSON.

use std::collections::BTreeMap;
use std::path::Path;

use marey::conventions::{Finding, RestPoseSource};
use marey::motion::{Place, Role, Warning};
use marey::ops::floor::FloorEstimate;
use serde::Serialize;
use serde_json::{Value, json};

use super::facts::{Facts, Figure, PointFacts, TakeFacts};
use crate::json::Row;
use marey::Error;

/// What is known about a file; numbers are null and lists empty where it could not be read.
#[derive(Debug, Default, Serialize)]
pub(super) struct Body<'a> {
    format: Option<String>,
    joints: Option<usize>,
    frames: Option<usize>,
    rate_hz: Option<f64>,
    duration_secs: Option<f64>,
    /// Of the first figure, as is all below but warnings and oddities.
    height_m: Option<f32>,
    unit: Option<String>,
    up_axis: Option<String>,
    roles: BTreeMap<Role, &'a str>,
    warnings: Vec<&'static str>,
    findings: BTreeMap<&'static str, Why<'a>>,
    contacts: BTreeMap<Role, Vec<[usize; 2]>>,
    floor: Option<FloorEstimate>,
    oddities: Vec<Oddity<'a>>,
    /// Of the first take, where there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    actors: Vec<Actor<'a>>,
    /// Where there are several.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    takes: &'a [TakeFacts],
    /// Where there are points without a skeleton.
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<Points<'a>>,
}

/// Points without a skeleton.
#[derive(Debug, Serialize)]
struct Points<'a> {
    labels: &'a [String],
    missing: usize,
    residual_m: Option<f32>,
    analog_channels: Option<usize>,
    analog_rate_hz: Option<f64>,
}

/// One figure of several.
#[derive(Debug, Serialize)]
struct Actor<'a> {
    name: &'a str,
    joints: usize,
    height_m: Option<f32>,
    roles: BTreeMap<Role, &'a str>,
    findings: BTreeMap<&'static str, Why<'a>>,
    contacts: BTreeMap<Role, Vec<[usize; 2]>>,
    floor: FloorEstimate,
}

/// A finding.
#[derive(Debug, Serialize)]
struct Why<'a> {
    value: Value,
    by: String,
    why: &'a str,
}

/// A warning.
#[derive(Debug, Serialize)]
struct Oddity<'a> {
    code: &'static str,
    message: &'a str,
    place: &'a Place,
    count: usize,
}

pub(super) fn of<'a>(file: &Path, result: &'a Result<Facts, Error>) -> Row<Body<'a>> {
    match result {
        Ok(facts) => Row::new(file, None, body(facts)),
        Err(failure) => Row::new(file, Some(failure), Body::default()),
    }
}

fn body(facts: &Facts) -> Body<'_> {
    let (first, points) = (facts.figures.first(), facts.points.as_ref());
    let found = facts.unit_and_up();
    let several = if facts.figures.len() > 1 { facts.figures.as_slice() } else { &[] };
    Body {
        format: Some(facts.format.to_string()),
        joints: Some(facts.joints),
        frames: Some(facts.frames),
        rate_hz: Some(facts.rate_hz),
        duration_secs: Some(facts.duration_secs),
        height_m: first.and_then(|figure| figure.detected.height_m),
        unit: found.map(|(unit, _)| unit.to_string()),
        up_axis: found.map(|(_, up)| up.to_string()),
        roles: first.map(roles).unwrap_or_default(),
        warnings: facts.codes(),
        findings: first.map(findings).or_else(|| points.map(findings_of_points)).unwrap_or_default(),
        contacts: first.map(contacts).unwrap_or_default(),
        floor: first.map(|figure| figure.floor),
        oddities: facts.oddities.iter().map(Oddity::of).collect(),
        actors: several.iter().map(Actor::of).collect(),
        takes: &facts.takes,
        points: points.map(Points::of),
    }
}

impl<'a> Oddity<'a> {
    fn of(warning: &'a Warning) -> Self {
        let (message, place) = (warning.message.as_str(), &warning.place);
        Self { code: warning.code.id, message, place, count: warning.count }
    }
}

impl<'a> Points<'a> {
    fn of(facts: &'a PointFacts) -> Self {
        Self {
            labels: &facts.labels,
            missing: facts.missing,
            residual_m: facts.residual_m,
            analog_channels: facts.analog.map(|(channels, _)| channels),
            analog_rate_hz: facts.analog.map(|(_, rate_hz)| rate_hz),
        }
    }
}

impl<'a> Actor<'a> {
    fn of(figure: &'a Figure) -> Self {
        Self {
            name: &figure.name,
            joints: figure.joints,
            height_m: figure.detected.height_m,
            roles: roles(figure),
            findings: findings(figure),
            contacts: contacts(figure),
            floor: figure.floor,
        }
    }
}

fn roles(figure: &Figure) -> BTreeMap<Role, &str> {
    figure.roles.iter().map(|(role, joint)| (*role, joint.as_str())).collect()
}

/// First frame and one past the last of each contact.
fn contacts(figure: &Figure) -> BTreeMap<Role, Vec<[usize; 2]>> {
    let mut by_role: BTreeMap<Role, Vec<[usize; 2]>> = BTreeMap::new();
    for contact in figure.contacts.all() {
        by_role.entry(contact.role).or_default().push([contact.frames.start, contact.frames.end]);
    }
    by_role
}

fn findings(figure: &Figure) -> BTreeMap<&'static str, Why<'_>> {
    let found = &figure.detected;
    let rest_pose = match found.rest_pose.value {
        RestPoseSource::File => json!("file"),
        RestPoseSource::Frame(frame) => json!({ "frame": frame }),
    };
    BTreeMap::from([
        ("unit", why(&found.unit, json!(found.unit.value.to_string()))),
        ("up_axis", why(&found.up_axis, json!(found.up_axis.value.to_string()))),
        ("facing_deg", why(&found.facing_deg, json!(found.facing_deg.value))),
        ("rate_hz", why(&found.rate_hz, json!(found.rate_hz.value))),
        ("rest_pose", why(&found.rest_pose, rest_pose)),
        ("rest_frame", why(&found.rest_frame, json!(found.rest_frame.value))),
        ("roles", why(&found.roles, json!({ "confidence": found.role_guess.confidence }))),
    ])
}

fn findings_of_points(points: &PointFacts) -> BTreeMap<&'static str, Why<'_>> {
    let found = &points.detected;
    BTreeMap::from([
        ("unit", why(&found.unit, json!(found.unit.value.to_string()))),
        ("up_axis", why(&found.up_axis, json!(found.up_axis.value.to_string()))),
        ("rate_hz", why(&found.rate_hz, json!(found.rate_hz.value))),
    ])
}

fn why<T>(finding: &Finding<T>, value: Value) -> Why<'_> {
    Why { value, by: finding.source.to_string(), why: &finding.reason }
}
