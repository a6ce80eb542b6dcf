//! TRC, Motion Analysis's table of marker positions, which OpenSim and most capture programs read and write.
//!
//! After the description in OpenSim's user guide ("Marker (.trc) files"). Fields are separated by tabs. An empty field or `nan` is a
//! missing coordinate. The header contains the unit and the rate but not the up axis, which [`marey_conventions`] detects: OpenSim
//! has Y up, capture systems mostly Z.

pub mod codes;
mod header;
mod rows;
mod table;
mod write;

use marey_conventions::{DeclaredConventions, FindingSource, RawPoints};
use marey_motion::{Place, PointClip, Report};

use crate::number::{Comma, Token, general};
use crate::text::{Notes, Text};
use crate::{FormatsError, Limits};
use header::Header;
use rows::Rows;
pub use write::write;

/// The content of a TRC file, before conversion to Marey's conventions.
#[derive(Debug)]
pub struct TrcFile {
    /// Markers, in file units and axes.
    pub points: RawPoints,
    /// The unit in the file, and the source of the rate.
    pub declared: DeclaredConventions,
    /// Warnings of the reader.
    pub report: Report,
}

/// Settings of the TRC reader.
#[derive(Debug, Clone, Copy, Default)]
pub struct TrcSettings {
    /// Bounds on the size of the content.
    pub limits: Limits,
    /// Frame rate in Hz, overriding the file's.
    pub rate_hz: Option<f64>,
}

/// Whether bytes look like a TRC: the first word is PathFileType.
pub fn sniff(bytes: &[u8]) -> bool {
    let text = Text::of(bytes.get(..bytes.len().min(4096)).unwrap_or_default());
    header::starts_with_key(&text.bytes)
}

/// Reads a TRC, in its own units and axes.
pub fn read(bytes: &[u8], settings: &TrcSettings) -> Result<TrcFile, FormatsError> {
    let text = Text::of(bytes);
    let mut notes = Notes::on(&text.bytes);
    if let Some(zero) = text.zero_byte() {
        return notes.refuse(&codes::NOT_TEXT, zero, "the file has zero bytes");
    }
    if text.was_utf16 {
        notes.warn(&codes::ENCODING, 0, || "the text is UTF-16".into());
    }
    let limit = settings.limits.line_bytes;
    if let Some(line) = table::lines(&text.bytes).find(|line| line.text.len() > limit) {
        return notes.refuse(&codes::LIMIT, line.at, format!("a line of more than {limit} bytes"));
    }
    let mut lines = table::lines(&text.bytes);
    let header = header::read(&mut lines, &mut notes)?;
    let rows = rows::read(&mut lines, &header.labels, settings.limits, &mut notes)?;
    if rows.frames == 0 {
        return notes.refuse(&codes::NO_FRAMES, text.bytes.len(), "no row starts with a number");
    }
    if let Some(announced) = header.frames.filter(|announced| *announced != rows.frames as f64) {
        let message = format!("{announced} frames announced, {} found", rows.frames);
        notes.report.warn(&codes::FRAME_COUNT, Place::default(), message);
    }
    let (rate_hz, rate_source) = rate(settings.rate_hz, &header, &rows, &mut notes)?;
    let clip = PointClip::new(header.labels, rate_hz, rows.points)?;
    let declared = DeclaredConventions { rate_source, unit: header.unit, up: None };
    let points = RawPoints { clip, residuals: Vec::new(), analog: None };
    Ok(TrcFile { points, declared, report: notes.report })
}

/// The rate set by the user, that of the header, or that of the times in the rows.
fn rate(
    override_hz: Option<f64>,
    header: &Header,
    rows: &Rows,
    notes: &mut Notes<'_>,
) -> Result<(f64, FindingSource), FormatsError> {
    if let Some(override_hz) = override_hz {
        return Ok((override_hz, FindingSource::User));
    }
    let by_times = rows.times.and_then(|[(first, from), (last, to)]| {
        let rate_hz = (last - first) as f64 / (to - from);
        (1e-3..=1e6).contains(&rate_hz).then_some(rate_hz)
    });
    let place = Place::default();
    match (header.rate_hz, by_times) {
        (Some(rate_hz), Some(by_times)) if (by_times / rate_hz - 1.0).abs() > 0.01 => {
            let message = format!("{rate_hz} Hz by the header, {by_times:.3} Hz by the times");
            notes.report.warn(&codes::TIME, place, message);
            Ok((rate_hz, FindingSource::File))
        }
        (Some(rate_hz), _) => Ok((rate_hz, FindingSource::File)),
        (None, Some(by_times)) => {
            // Times with few digits give a rate that is almost an integer.
            let whole = by_times.round();
            let rate_hz = if (by_times / whole - 1.0).abs() < 1e-3 { whole } else { by_times };
            notes.report.warn(&codes::RATE_BY_TIME, place, format!("{rate_hz} Hz"));
            Ok((rate_hz, FindingSource::File))
        }
        (None, None) => notes.refuse(&codes::RATE, 0, "no valid DataRate, and no times to compute it from"),
    }
}

/// A field as a number in any notation, with decimal commas. `None` if it is not a number.
fn number(field: &[u8]) -> Option<f64> {
    match general(field, Comma::Decimal) {
        Token::Number(value, length) if length == field.len() => Some(value),
        _ => None,
    }
}
