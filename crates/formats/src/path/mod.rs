//! Drawn paths, as CSV or JSON: points on the ground with times, or with speeds, for engines that follow them.
//!
//! The forms that are read are in `docs/paths.md`. Lengths are metres, times seconds, the ground is x and z. The result is a clip of
//! one point, `path`: the points themselves where they are uniform in time, else the line through them, followed at a uniform rate
//! (see `follow.rs`).

pub mod codes;
mod csv;
mod drawn;
mod follow;
mod json;

use marey_motion::{PointClip, Report};

use crate::door::{By, RawPoints, Stated, UpAxis};
use crate::text::{Notes, Text};
use crate::{Error, Format, Limits, Unit};

/// What the one point is called.
const LABEL: &str = "path";

/// What is read from a path before conventions are settled.
#[derive(Debug)]
pub struct PathFile {
    /// One point, in file units and axes.
    pub points: RawPoints,
    /// Metres, and the axis that points up; how the rate was come by.
    pub stated: Stated,
    /// What the reader had to live with.
    pub report: Report,
}

/// How a path is read.
#[derive(Debug, Clone, Copy, Default)]
pub struct PathSettings {
    /// How much is taken in.
    pub limits: Limits,
    /// Frames a second that the path is followed at, instead of its own or the usual 60.
    pub rate_hz: Option<f64>,
}

/// Which of the two forms bytes look like.
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

/// Reads a path from lines of numbers, with or without names of columns.
pub fn read_csv(bytes: &[u8], settings: &PathSettings) -> Result<PathFile, Error> {
    read(bytes, settings, |text, notes| csv::read(text, settings.limits, notes))
}

/// Reads a path from JSON.
pub fn read_json(bytes: &[u8], settings: &PathSettings) -> Result<PathFile, Error> {
    read(bytes, settings, |text, notes| json::read(text, settings.limits, &mut notes.report))
}

fn read(
    bytes: &[u8],
    settings: &PathSettings,
    points: impl FnOnce(&[u8], &mut Notes<'_>) -> Result<drawn::Drawn, Error>,
) -> Result<PathFile, Error> {
    let text = Text::of(bytes);
    let mut notes = Notes::on(&text.bytes);
    if let Some(zero) = text.zero_byte() {
        return notes.refuse(&codes::NOT_TEXT, zero, "the file has zero bytes");
    }
    if text.was_utf16 {
        notes.warn(&codes::ENCODING, 0, || "the text is UTF-16".into());
    }
    let drawn = points(&text.bytes, &mut notes)?;
    let mut report = notes.report;
    let path = drawn.timed(&mut report)?;
    let followed = follow::follow(&path, settings.rate_hz, settings.limits, &mut report)?;
    let clip = PointClip::new(vec![LABEL.into()], followed.rate_hz, followed.points)?;
    // A map has y away from the viewer, as the floor of a world with Z up does.
    let up = if path.is_map { UpAxis::Z } else { UpAxis::Y };
    let rate_by = if followed.is_own_rate { By::File } else { By::Assumed };
    let stated = Stated { rate_by, unit: Some(Unit::Metre), up: Some(up) };
    Ok(PathFile { points: RawPoints { clip, residuals: Vec::new(), analog: None }, stated, report })
}
