//! The rows of a TRC: frame number, time, and three coordinates for each marker.

use glam::{DVec3, Vec3};
use marey_motion::Code;

use super::table::{Line, fields};
use super::{codes, number};
use crate::text::Notes;
use crate::unique_labels::{decoded, short};
use crate::{FormatsError, Limits};

/// Largest plausible coordinate in file units: a hundred kilometres in millimetres.
const MAX_COORDINATE: f64 = 1e8;

/// Bytes of memory per position while reading.
const POSITION_BYTES: usize = 40;

/// Number of positions that may be missing at the ends of short rows. Beyond it, a file needs at least one field for every
/// [`MAX_SHORT_PER_FIELD`] of them, so that a few bytes do not become gigabytes of gaps.
const MAX_SHORT: usize = 1_000_000;
const MAX_SHORT_PER_FIELD: usize = 20;

/// The content of the rows.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// Frames × markers.
    pub(super) points: Vec<Option<Vec3>>,
    pub(super) frames: usize,
    /// Index and time of the first and the last row with a time.
    pub(super) times: Option<[(usize, f64); 2]>,
    last_number: Option<f64>,
    /// Number of fields, and of positions missing at the ends of rows.
    fields: usize,
    short: usize,
}

/// Reads all rows. Lines before the first one that starts with a number are column titles.
pub(super) fn read<'a>(
    lines: &mut dyn Iterator<Item = Line<'a>>,
    labels: &[String],
    limits: Limits,
    notes: &mut Notes<'_>,
) -> Result<Rows, FormatsError> {
    let mut rows = Rows::default();
    let room = limits.memory_bytes / (labels.len() * POSITION_BYTES).max(1);
    for line in lines {
        let values = fields(line.text);
        let Some(frame_number) = values.first().and_then(|field| number(field)) else {
            if rows.frames == 0 {
                continue;
            }
            return notes.refuse(&codes::BAD_NUMBER, line.at, "the row has no frame number");
        };
        if rows.frames >= limits.frames || rows.frames >= room {
            let message = format!("more than {} frames", rows.frames);
            return notes.refuse(&codes::LIMIT, line.at, message);
        }
        rows.count(frame_number, values.get(1).and_then(|field| number(field)), &line, notes);
        rows.positions(&values, labels, &line, notes)?;
        rows.frames += 1;
        if rows.short > MAX_SHORT.max(MAX_SHORT_PER_FIELD.saturating_mul(rows.fields)) {
            return notes.refuse(&codes::LIMIT, line.at, "rows are much too short for the number of markers");
        }
    }
    Ok(rows)
}

impl Rows {
    fn count(&mut self, frame_number: f64, time: Option<f64>, line: &Line<'_>, notes: &mut Notes<'_>) {
        let frame = self.frames;
        if let Some(last) = self.last_number.filter(|last| frame_number - last != 1.0) {
            let message = || format!("frame {frame_number} follows {last}");
            notes.warn_in_frame(&codes::FRAME_NUMBER, line.at, frame, message);
        }
        self.last_number = Some(frame_number);
        if let Some(time) = time.filter(|time| time.is_finite()) {
            let [first, _] = self.times.unwrap_or([(frame, time); 2]);
            self.times = Some([first, (frame, time)]);
        }
    }

    fn positions(
        &mut self,
        values: &[&[u8]],
        labels: &[String],
        line: &Line<'_>,
        notes: &mut Notes<'_>,
    ) -> Result<(), FormatsError> {
        let frame = self.frames;
        let coordinates = values.get(2..).unwrap_or_default();
        self.fields += values.len();
        self.short += labels.len().saturating_sub(coordinates.len().div_ceil(3));
        let mut triples = coordinates.chunks(3);
        for label in labels {
            let triple = triples.next();
            let (at, warning) = position(triple, line, notes)?;
            if let Some((code, message)) = warning {
                let is_first = !notes.report.has(code);
                let place = if is_first { notes.place(line.at) } else { Default::default() };
                notes.report.warn(code, place.frame(frame).joint(label.as_str()), message);
            }
            self.points.push(at);
        }
        if triples.flatten().any(|field| !field.is_empty()) {
            notes.warn_in_frame(&codes::EXTRA_VALUES, line.at, frame, || format!("{} fields", values.len()));
        }
        Ok(())
    }
}

type PositionWarning = (&'static Code, &'static str);

/// A position, if it is present and valid, and a warning about it.
fn position(
    triple: Option<&[&[u8]]>,
    line: &Line<'_>,
    notes: &Notes<'_>,
) -> Result<(Option<Vec3>, Option<PositionWarning>), FormatsError> {
    let Some([x, y, z]) = triple else {
        return Ok((None, Some((&codes::SHORT_ROW, "the row ends before this marker"))));
    };
    let mut coordinates = [f64::NAN; 3];
    for (slot, field) in coordinates.iter_mut().zip([x, y, z]) {
        if field.is_empty() {
            continue;
        }
        match number(field) {
            Some(value) => *slot = value,
            None => {
                let message = format!("{:?} is not a number", short(&decoded(field).0));
                return notes.refuse(&codes::BAD_NUMBER, line.at, message);
            }
        }
    }
    let at = DVec3::from_array(coordinates);
    Ok(match coordinates.iter().filter(|value| value.is_nan()).count() {
        3 => (None, None),
        0 if at.abs().max_element() > MAX_COORDINATE => {
            (None, Some((&codes::BAD_POSITION, "the position is invalid")))
        }
        0 if at == DVec3::ZERO => (None, Some((&codes::AT_ORIGIN, "exactly at the origin"))),
        0 => (Some(at.as_vec3()), None),
        _ => (None, Some((&codes::PARTIAL_POSITION, "a coordinate is missing"))),
    })
}
