//! Drawn paths as CSV, JSON or SVG: points on the ground, with or without times and speeds.
//!
//! `docs/paths.md` describes the supported forms. Lengths are metres, times seconds; the ground is x and z. The result is a
//! clip of one point, `path`: the points themselves if they are uniform in time, otherwise the line through them, resampled at
//! a uniform rate (see `resample.rs`). [`read_waypoints`] returns the points as they are written instead.

pub mod codes;
mod csv;
mod json;
mod path_points;
mod resample;
mod waypoints;

use marey_conventions::{DeclaredConventions, FindingSource, RawPoints, Unit, UpAxis};
use marey_motion::{PointClip, Report};

use crate::text::{Notes, Text};
use crate::{Format, FormatsError, Limits};

pub use waypoints::{PathWaypoints, read_waypoints};

/// The label of the point.
const LABEL: &str = "path";

/// The content of a path file, before conversion to Marey's conventions.
#[derive(Debug)]
pub struct PathFile {
    /// One point, in file units and axes.
    pub points: RawPoints,
    /// The declared unit, up axis and source of the rate.
    pub declared: DeclaredConventions,
    /// Warnings of the reader.
    pub report: Report,
}

/// Settings of the path reader.
#[derive(Debug, Clone, Copy, Default)]
pub struct PathSettings {
    /// Bounds on the size of the content.
    pub limits: Limits,
    /// Frame rate in Hz to resample the path at. If `None`, the path's own or 60.
    pub rate_hz: Option<f64>,
}

/// Recognises the two forms of a path.
pub fn sniff(bytes: &[u8]) -> Option<Format> {
    let text = Text::of(bytes.get(..bytes.len().min(4096)).unwrap_or_default());
    if text.zero_byte().is_some() {
        None
    } else if json::sniff(&text.bytes) {
        Some(Format::Json)
    } else {
        csv::sniff(&text.bytes).then_some(Format::Csv)
    }
}

/// Reads a path from CSV, with or without column names.
pub fn read_csv(bytes: &[u8], settings: &PathSettings) -> Result<PathFile, FormatsError> {
    read(bytes, settings, |text, notes| csv::read(text, settings.limits, notes))
}

/// Reads a path from JSON.
pub fn read_json(bytes: &[u8], settings: &PathSettings) -> Result<PathFile, FormatsError> {
    read(bytes, settings, |text, notes| json::read(text, settings.limits, &mut notes.report))
}

fn read(
    bytes: &[u8],
    settings: &PathSettings,
    points: impl FnOnce(&[u8], &mut Notes<'_>) -> Result<path_points::PathPoints, FormatsError>,
) -> Result<PathFile, FormatsError> {
    let (path_points, mut report) = read_points(bytes, points)?;
    let path = path_points.timed(&mut report)?;
    let resampled = resample::resample(&path, settings.rate_hz, settings.limits, &mut report)?;
    let clip = PointClip::new(vec![LABEL.into()], resampled.rate_hz, resampled.points)?;
    // A map has x and y, like the floor of a world with Z up.
    let up = if path.is_map { UpAxis::Z } else { UpAxis::Y };
    let rate_source = if resampled.is_own_rate { FindingSource::File } else { FindingSource::Assumed };
    let declared = DeclaredConventions { rate_source, unit: Some(Unit::Metre), up: Some(up) };
    Ok(PathFile { points: RawPoints { clip, residuals: Vec::new(), analog: None }, declared, report })
}

/// Reads the points of a text, with the warnings about it.
fn read_points(
    bytes: &[u8],
    points: impl FnOnce(&[u8], &mut Notes<'_>) -> Result<path_points::PathPoints, FormatsError>,
) -> Result<(path_points::PathPoints, Report), FormatsError> {
    let text = Text::of(bytes);
    let mut notes = Notes::on(&text.bytes);
    if let Some(zero) = text.zero_byte() {
        return notes.refuse(&codes::NOT_TEXT, zero, "the file has zero bytes");
    }
    if text.was_utf16 {
        notes.warn(&codes::ENCODING, 0, || "the text is UTF-16".into());
    }
    let path_points = points(&text.bytes, &mut notes)?;
    Ok((path_points, notes.report))
}
