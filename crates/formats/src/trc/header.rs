//! The lines before the rows of a TRC: rate, unit, counts and names.

use marey_conventions::Unit;

use super::table::{Line, fields};
use super::{codes, number};
use crate::FormatsError;
use crate::text::Notes;
use crate::unique_labels::{Labels, decoded, short};

/// The content of the header.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) labels: Vec<String>,
    pub(super) rate_hz: Option<f64>,
    pub(super) frames: Option<f64>,
    pub(super) unit: Option<Unit>,
}

/// Reads the header from a file's lines that are not blank.
pub(super) fn read<'a>(
    lines: &mut dyn Iterator<Item = Line<'a>>,
    notes: &mut Notes<'_>,
) -> Result<Header, FormatsError> {
    let first = lines.next().filter(|line| starts_with_key(line.text));
    let (Some(_), Some(keys), Some(values)) = (first, lines.next(), lines.next()) else {
        return notes.refuse(&codes::NO_HEADER, 0, "no PathFileType, or nothing after it");
    };
    let (keys, values) = (fields(keys.text), fields(values.text));
    let value = |key: &str| {
        let index = keys.iter().position(|other| other.eq_ignore_ascii_case(key.as_bytes()))?;
        values.get(index).copied().filter(|value| !value.is_empty())
    };
    let Some(names) = lines.next() else {
        return notes.refuse(&codes::NO_HEADER, 0, "the line of marker names is missing");
    };
    let labels = labels(&names, notes)?;
    if let Some(announced) =
        value("NumMarkers").and_then(number).filter(|count| *count != labels.len() as f64)
    {
        let count = labels.len();
        notes
            .warn(&codes::MARKER_COUNT, names.at, || format!("{announced} markers announced, {count} named"));
    }
    let unit_text = value("Units").map(|text| decoded(text).0).unwrap_or_default();
    let unit = Unit::from_file_text(&unit_text);
    if unit.is_none() {
        notes.warn(&codes::UNIT, 0, || format!("{:?}", short(&unit_text)));
    }
    Ok(Header {
        labels,
        rate_hz: value("DataRate").and_then(number).filter(|rate_hz| (1e-3..=1e6).contains(rate_hz)),
        frames: value("NumFrames").and_then(number),
        unit,
    })
}

/// Whether a text starts like a TRC.
pub(super) fn starts_with_key(text: &[u8]) -> bool {
    let key = b"PathFileType";
    text.trim_ascii_start().get(..key.len()).is_some_and(|start| start.eq_ignore_ascii_case(key))
}

/// The marker names. Each is above the first of the marker's three columns, after the columns of frame and time.
fn labels(line: &Line<'_>, notes: &mut Notes<'_>) -> Result<Vec<String>, FormatsError> {
    let named = fields(line.text);
    let has_tabs = line.text.contains(&b'\t');
    let last = named.iter().rposition(|name| !name.is_empty()).unwrap_or(0);
    let step = if has_tabs { 3 } else { 1 };
    let mut given = Vec::new();
    for name in named.get(2..=last).unwrap_or_default().iter().step_by(step) {
        let (name, was_latin) = decoded(name);
        if was_latin {
            notes.warn(&codes::ENCODING, line.at, || format!("{:?}", short(&name)));
        }
        given.push(name);
    }
    if given.is_empty() {
        return notes.refuse(&codes::NO_MARKERS, line.at, "no names after Frame# and Time");
    }
    let count = given.len();
    let Labels { names, unnamed, repeated } = Labels::new(given, count, "marker");
    for (code, (times, first)) in [(&codes::UNLABELLED, unnamed), (&codes::DUPLICATE_LABEL, repeated)] {
        if let Some(name) = first.and_then(|index| names.get(index)) {
            let message = format!("renamed {:?}", short(name));
            notes.report.warn_many(code, notes.place(line.at).joint(name.as_str()), times, message);
        }
    }
    Ok(names)
}
