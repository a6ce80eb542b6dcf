//! A summary of one file as a page.

use std::path::Path;

use marey::conventions::{Finding, FindingSource, RestPoseSource};
use marey::inspect::{FigureSummary, FileSummary, PointSummary, TakeSummary};
use marey::motion::{Role, Side};

use super::list::{short, unit};
use crate::ink::{Ink, plain};
use crate::{notice, table};

pub(super) fn text(ink: Ink, file: &Path, summary: &FileSummary) -> String {
    let mut page = format!(
        "{}: {}, {}, {} frames at {} Hz, {:.2} s\n",
        ink.heading(&plain(&file.display().to_string())),
        summary.format,
        summary.points.as_ref().map_or_else(
            || format!("{} joints", summary.joints),
            |points| format!("{} points", points.labels.len())
        ),
        summary.frames,
        short(summary.rate_hz),
        summary.duration_secs,
    );
    if !summary.takes.is_empty() {
        page += &format!("\n{}", takes(ink, &summary.takes));
    }
    if let Some(points) = &summary.points {
        page += &format!("\n{}", about_points(points));
    }
    for figure in &summary.figures {
        page += "\n";
        if summary.figures.len() > 1 {
            page += &format!("{}, {} joints\n", ink.heading(&plain(&figure.name)), figure.joints);
        }
        page += &findings(figure);
        page += &format!("\n{}", roles(ink, figure));
    }
    if !summary.warnings.is_empty() {
        page += &format!("\n{}\n", ink.heading("warnings, the most severe first"));
    }
    for warning in &summary.warnings {
        page += &notice::warning(ink, warning, None);
    }
    page
}

/// A table of several takes. The rest of the page describes the first.
fn takes(ink: Ink, takes: &[TakeSummary]) -> String {
    let rows = takes.iter().enumerate().map(|(index, take)| {
        vec![
            (index + 1).to_string(),
            plain(&take.name),
            take.actors.to_string(),
            take.frames.to_string(),
            short(take.rate_hz),
            format!("{:.2}", take.duration_secs),
        ]
    });
    table::columns(ink, ["take", "name", "actors", "frames", "rate Hz", "secs"], rows.collect())
}

/// The conventions and labels of points.
fn about_points(points: &PointSummary) -> String {
    let found = &points.detected;
    let mut rows = vec![
        fact("unit", unit(found.unit.value), &found.unit),
        fact("up axis", found.up_axis.value.to_string(), &found.up_axis),
        fact("rate", format!("{} Hz", short(found.rate_hz.value)), &found.rate_hz),
    ];
    let mut add =
        |name: &str, value: String| rows.push(vec![name.into(), value, String::new(), String::new()]);
    add("missing", format!("{} positions", points.missing));
    if let Some(residual_m) = points.residual_m {
        add("residual", format!("{:.2} mm (median)", 1000.0 * residual_m));
    }
    if let Some((channels, rate_hz)) = points.analog {
        add("analog", format!("{channels} channels at {} Hz", short(rate_hz)));
    }
    format!("{}\n{}\n", table::plain_columns(rows), plain(&points.labels.join(", ")))
}

/// The conventions of a figure, each with its source and reason.
fn findings(figure: &FigureSummary) -> String {
    let found = &figure.detected;
    let height = found.height_m.map_or_else(|| "unknown".into(), |height| format!("{height:.2} m"));
    let rest_pose = match found.rest_pose.value {
        RestPoseSource::TPose => "T-pose".into(),
        RestPoseSource::File => "the file's".into(),
        RestPoseSource::Frame(frame) => format!("frame {frame}"),
    };
    let rest_frame = if found.rest_frame.value { "frame 0" } else { "none" };
    let sure = format!(
        "{} of {}, {:.0} % sure",
        figure.roles.len(),
        figure.joints,
        100.0 * found.role_guess.confidence
    );
    let height_why = if found.height_m.is_some() { "standing" } else { "no person to measure" };
    let rows = vec![
        vec!["height".into(), height, String::new(), height_why.into()],
        fact("unit", unit(found.unit.value), &found.unit),
        fact("up axis", found.up_axis.value.to_string(), &found.up_axis),
        fact("facing", format!("{:.0}°", found.facing_deg.value), &found.facing_deg),
        fact("rate", format!("{} Hz", short(found.rate_hz.value)), &found.rate_hz),
        fact("rest pose", rest_pose, &found.rest_pose),
        fact("rest frame", rest_frame.into(), &found.rest_frame),
        fact("roles", sure, &found.roles),
        floor(figure),
        contacts(figure),
    ];
    table::plain_columns(rows)
}

fn floor(figure: &FigureSummary) -> Vec<String> {
    let floor = &figure.floor;
    let (by, why) = if floor.support > 0.0 {
        (
            FindingSource::Evidence,
            format!(
                "{:.0} % of the frames rest on it, within {:.0} mm",
                100.0 * floor.support,
                1000.0 * floor.spread_m
            ),
        )
    } else {
        (FindingSource::Assumed, "the lowest position; the figure never rests".into())
    };
    vec!["floor".into(), format!("{:.3} m", floor.height_m), by.to_string(), why]
}

/// The number of contacts of each part of each foot.
fn contacts(figure: &FigureSummary) -> Vec<String> {
    let count = |role: Role| figure.contacts.of(role).count();
    let parts = [
        ("left heel", Role::LeftFoot),
        ("ball", Role::LeftToes),
        ("right heel", Role::RightFoot),
        ("ball", Role::RightToes),
    ];
    let counted: Vec<String> = parts.iter().map(|(name, role)| format!("{name} {}", count(*role))).collect();
    vec![
        "contacts".into(),
        figure.contacts.all().len().to_string(),
        FindingSource::Evidence.to_string(),
        counted.join(", "),
    ]
}

fn fact<T>(name: &str, value: String, finding: &Finding<T>) -> Vec<String> {
    let reason = if finding.source == FindingSource::User { String::new() } else { finding.reason.clone() };
    vec![name.into(), value, finding.source.to_string(), reason]
}

/// The joints by role, left and right side by side.
fn roles(ink: Ink, figure: &FigureSummary) -> String {
    let joint =
        |role: Role| figure.roles.iter().find(|(taken, _)| *taken == role).map(|(_, name)| name.clone());
    let rows = Role::ALL.iter().filter(|role| role.side() != Some(Side::Right)).filter_map(|&role| {
        let (here, there) = (joint(role), joint(role.mirrored()));
        if role.side().is_none() {
            return Some(vec![role.name().to_owned(), here?]);
        }
        (here.is_some() || there.is_some()).then(|| {
            let name = role.name().trim_start_matches("Left").to_owned();
            vec![name, here.unwrap_or_else(|| "-".into()), there.unwrap_or_else(|| "-".into())]
        })
    });
    let rows: Vec<Vec<String>> = rows.collect();
    if rows.is_empty() {
        String::new()
    } else {
        table::columns(ink, ["role", "joint or left", "right"], rows)
    }
}
