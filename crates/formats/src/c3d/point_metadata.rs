//! Metadata of the points of a C3D: labels, unit, up axis, and which points are not positions.

use std::collections::BTreeSet;

use marey_conventions::{Unit, UpAxis};
use marey_motion::{Place, Report};

use super::parameters::Parameters;
use super::{codes, report_encoding};
use crate::unique_labels::{Labels, decoded, short};

/// Parameters that list points which are not positions.
const NON_POSITIONS: [&str; 6] = ["ANGLES", "FORCES", "MOMENTS", "POWERS", "SCALARS", "REACTIONS"];

/// Groups that the reader uses.
const USED_GROUPS: [&str; 5] = ["POINT", "ANALOG", "TRIAL", "EVENT", "EVENT_CONTEXT"];

/// Number of groups that a message lists.
const LISTED: usize = 12;

/// Metadata of the points of a file.
#[derive(Debug)]
pub(super) struct PointMetadata {
    /// Whether each point is a position.
    pub(super) is_position: Vec<bool>,
    /// Labels of the positions.
    pub(super) labels: Vec<String>,
    pub(super) unit: Option<Unit>,
    pub(super) up: Option<UpAxis>,
}

impl PointMetadata {
    pub(super) fn of(parameters: &Parameters<'_>, points: usize, report: &mut Report) -> Self {
        let labels = labels(parameters, points, report);
        let others = non_positions(parameters);
        let is_position: Vec<bool> = labels.iter().map(|label| !others.contains(label.as_str())).collect();
        let left_out: Vec<&str> = labels.iter().map(String::as_str).filter(|l| others.contains(*l)).collect();
        if let Some(first) = left_out.first() {
            let message = format!("{first} is the first of {}", left_out.len());
            report.warn_many(&codes::NOT_POSITIONS, Place::default(), left_out.len(), message);
        }
        let kept = labels.into_iter().zip(&is_position).filter(|(_, is_position)| **is_position);
        let labels = kept.map(|(label, _)| label).collect();
        Self { is_position, labels, unit: unit(parameters, report), up: up(parameters, report) }
    }
}

fn labels(parameters: &Parameters<'_>, points: usize, report: &mut Report) -> Vec<String> {
    let mut given = Vec::new();
    for label in parameters.texts("POINT", "LABELS") {
        let (label, was_latin) = decoded(label);
        report_encoding(&label, was_latin, report);
        given.push(label);
    }
    // Space for more labels than markers is common, but labels in it are not.
    let spare: Vec<String> = given.iter().skip(points).filter(|label| !label.is_empty()).cloned().collect();
    if let Some(first) = spare.first() {
        let message = format!("{:?} is the first of {} labels without a marker", short(first), spare.len());
        report.warn_many(&codes::SPARE_LABELS, Place::default(), spare.len(), message);
    }
    let Labels { names, unnamed, repeated } = Labels::new(given, points, "marker");
    for (code, (count, first)) in [(&codes::UNLABELLED, unnamed), (&codes::DUPLICATE_LABEL, repeated)] {
        if let Some(name) = first.and_then(|index| names.get(index)) {
            let message = format!("renamed {:?}", short(name));
            report.warn_many(code, Place::default().joint(name.as_str()), count, message);
        }
    }
    names
}

/// The labels of points that are not positions.
fn non_positions(parameters: &Parameters<'_>) -> BTreeSet<String> {
    let names = NON_POSITIONS.into_iter().flat_map(|group| parameters.texts("POINT", group));
    names.map(|name| decoded(name).0).filter(|name| !name.is_empty()).collect()
}

fn unit(parameters: &Parameters<'_>, report: &mut Report) -> Option<Unit> {
    let text = decoded(parameters.text("POINT", "UNITS")?).0;
    if text.is_empty() {
        return None;
    }
    let unit = Unit::from_file_text(&text);
    if unit.is_none() {
        report.warn(&codes::UNIT, Place::default(), format!("{:?}", short(&text)));
    }
    unit
}

fn up(parameters: &Parameters<'_>, report: &mut Report) -> Option<UpAxis> {
    let text = decoded(parameters.text("POINT", "Y_SCREEN")?).0;
    if text.is_empty() {
        return None;
    }
    let unsigned = text.trim_start_matches(['+', '-']);
    let up = unsigned.parse::<UpAxis>().ok();
    if up.is_none() || text.starts_with('-') {
        let used = up.map_or_else(|| "it was not used".into(), |up| format!("{up} was used"));
        let message = format!("Y_SCREEN is {:?}; {used}", short(&text));
        report.warn(&codes::SCREEN_AXES, Place::default(), message);
    }
    up
}

/// Reports what was dropped: unused groups, descriptions, and the cameras that saw a point.
pub(super) fn report_not_kept(parameters: &Parameters<'_>, has_cameras: bool, report: &mut Report) {
    let groups = parameters.groups_except(&USED_GROUPS);
    let mut dropped: Vec<String> = groups.into_iter().map(|name| short(&decoded(name).0)).collect();
    for group in ["POINT", "ANALOG"] {
        if parameters.texts(group, "DESCRIPTIONS").iter().any(|text| !text.is_empty()) {
            dropped.push(format!("{group}:DESCRIPTIONS"));
        }
    }
    if has_cameras {
        dropped.push("which cameras saw a marker".into());
    }
    let count = dropped.len();
    let mut message = dropped.into_iter().take(LISTED).collect::<Vec<_>>().join(", ");
    if count > LISTED {
        message += &format!(" and {} more", count - LISTED);
    }
    report.warn_many(&codes::NOT_KEPT, Place::default(), count, message);
}
