//! The JSON of a summary.

use std::collections::BTreeMap;

use marey_conventions::{DetectedPointConventions, Finding, RestPoseSource};
use marey_motion::{Place, Role, Warning};
use marey_ops::floor::FloorEstimate;
use serde::Serialize;
use serde_json::{Value, json};

use super::{FigureSummary, FileSummary, PointSummary, TakeSummary};

/// The JSON of a summary. In the default, for a file that cannot be read, values are null and lists empty.
#[derive(Debug, Default, Serialize)]
pub struct SummaryRow<'a> {
    format: Option<String>,
    joints: Option<usize>,
    frames: Option<usize>,
    rate_hz: Option<f64>,
    duration_secs: Option<f64>,
    /// Of the first figure, like the following fields except warnings and oddities.
    height_m: Option<f32>,
    unit: Option<String>,
    up_axis: Option<String>,
    roles: BTreeMap<Role, &'a str>,
    warnings: Vec<&'static str>,
    findings: BTreeMap<&'static str, FindingRow<'a>>,
    contacts: BTreeMap<Role, Vec<[usize; 2]>>,
    floor: Option<FloorEstimate>,
    oddities: Vec<OddityRow<'a>>,
    /// The figures of the first take, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    actors: Vec<ActorRow<'a>>,
    /// If there are several.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    takes: &'a [TakeSummary],
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<PointRow<'a>>,
}

/// Points without a skeleton.
#[derive(Debug, Serialize)]
struct PointRow<'a> {
    labels: &'a [String],
    missing: usize,
    residual_m: Option<f32>,
    analog_channels: Option<usize>,
    analog_rate_hz: Option<f64>,
}

/// One figure of several.
#[derive(Debug, Serialize)]
struct ActorRow<'a> {
    name: &'a str,
    joints: usize,
    height_m: Option<f32>,
    roles: BTreeMap<Role, &'a str>,
    findings: BTreeMap<&'static str, FindingRow<'a>>,
    contacts: BTreeMap<Role, Vec<[usize; 2]>>,
    floor: FloorEstimate,
}

/// A convention with its source and reason.
#[derive(Debug, Serialize)]
struct FindingRow<'a> {
    value: Value,
    by: String,
    why: &'a str,
}

/// A warning.
#[derive(Debug, Serialize)]
struct OddityRow<'a> {
    code: &'static str,
    message: &'a str,
    place: &'a Place,
    count: usize,
}

impl<'a> From<&'a FileSummary> for SummaryRow<'a> {
    fn from(summary: &'a FileSummary) -> Self {
        let (first, points) = (summary.figures.first(), summary.points.as_ref());
        let found = summary.unit_and_up();
        let several = if summary.figures.len() > 1 { summary.figures.as_slice() } else { &[] };
        Self {
            format: Some(summary.format.to_string()),
            joints: Some(summary.joints),
            frames: Some(summary.frames),
            rate_hz: Some(summary.rate_hz),
            duration_secs: Some(summary.duration_secs),
            height_m: first.and_then(|figure| figure.detected.height_m),
            unit: found.map(|(unit, _)| unit.to_string()),
            up_axis: found.map(|(_, up)| up.to_string()),
            roles: first.map(roles).unwrap_or_default(),
            warnings: summary.codes(),
            findings: first
                .map(findings)
                .or_else(|| points.map(|points| point_findings(&points.detected)))
                .unwrap_or_default(),
            contacts: first.map(contacts).unwrap_or_default(),
            floor: first.map(|figure| figure.floor),
            oddities: summary.warnings.iter().map(OddityRow::from).collect(),
            actors: several.iter().map(ActorRow::from).collect(),
            takes: &summary.takes,
            points: points.map(PointRow::from),
        }
    }
}

impl<'a> From<&'a Warning> for OddityRow<'a> {
    fn from(warning: &'a Warning) -> Self {
        let (message, place) = (warning.message.as_str(), &warning.place);
        Self { code: warning.code.id, message, place, count: warning.count }
    }
}

impl<'a> From<&'a PointSummary> for PointRow<'a> {
    fn from(points: &'a PointSummary) -> Self {
        Self {
            labels: &points.labels,
            missing: points.missing,
            residual_m: points.residual_m,
            analog_channels: points.analog.map(|(channels, _)| channels),
            analog_rate_hz: points.analog.map(|(_, rate_hz)| rate_hz),
        }
    }
}

impl<'a> From<&'a FigureSummary> for ActorRow<'a> {
    fn from(figure: &'a FigureSummary) -> Self {
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

fn roles(figure: &FigureSummary) -> BTreeMap<Role, &str> {
    figure.roles.iter().map(|(role, joint)| (*role, joint.as_str())).collect()
}

/// The first frame of each contact, and the one after its last.
fn contacts(figure: &FigureSummary) -> BTreeMap<Role, Vec<[usize; 2]>> {
    let mut by_role: BTreeMap<Role, Vec<[usize; 2]>> = BTreeMap::new();
    for contact in figure.contacts.all() {
        by_role.entry(contact.role).or_default().push([contact.frames.start, contact.frames.end]);
    }
    by_role
}

fn findings(figure: &FigureSummary) -> BTreeMap<&'static str, FindingRow<'_>> {
    let found = &figure.detected;
    let rest_pose = match found.rest_pose.value {
        RestPoseSource::TPose => json!("t-pose"),
        RestPoseSource::File => json!("file"),
        RestPoseSource::Frame(frame) => json!({ "frame": frame }),
    };
    BTreeMap::from([
        ("unit", row(&found.unit, json!(found.unit.value.to_string()))),
        ("up_axis", row(&found.up_axis, json!(found.up_axis.value.to_string()))),
        ("facing_deg", row(&found.facing_deg, json!(found.facing_deg.value))),
        ("rate_hz", row(&found.rate_hz, json!(found.rate_hz.value))),
        ("rest_pose", row(&found.rest_pose, rest_pose)),
        ("rest_frame", row(&found.rest_frame, json!(found.rest_frame.value))),
        ("roles", row(&found.roles, json!({ "confidence": found.role_guess.confidence }))),
    ])
}

fn point_findings(found: &DetectedPointConventions) -> BTreeMap<&'static str, FindingRow<'_>> {
    BTreeMap::from([
        ("unit", row(&found.unit, json!(found.unit.value.to_string()))),
        ("up_axis", row(&found.up_axis, json!(found.up_axis.value.to_string()))),
        ("rate_hz", row(&found.rate_hz, json!(found.rate_hz.value))),
    ])
}

fn row<T>(finding: &Finding<T>, value: Value) -> FindingRow<'_> {
    FindingRow { value, by: finding.source.to_string(), why: &finding.reason }
}
