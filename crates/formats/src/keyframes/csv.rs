//! Keyframes as tables: one keyframe per line, after a line of column names.

use marey_motion::Place;

use super::fields::{Field, KeyframeFields};
use super::{check_count, codes};
use crate::separator::Separator;
use crate::text::{Notes, is_comment, is_line_end};
use crate::unique_labels::{decoded, short};
use crate::{FormatsError, Limits};

/// The separator of a table and the field of each column; `None` if it is unknown.
type Columns = (Separator, Vec<Option<Field>>);

/// Reads keyframes, one per line.
pub(super) fn read(
    text: &[u8],
    limits: Limits,
    notes: &mut Notes<'_>,
) -> Result<Vec<KeyframeFields>, FormatsError> {
    let mut rows = Vec::new();
    let mut shape: Option<Columns> = None;
    let (mut at, mut number) = (0, 1);
    for whole in text.split_inclusive(|byte| is_line_end(*byte)) {
        let (start, place) = (at, Place::at(number, 1));
        at += whole.len();
        // The CR of a CR LF pair does not end the line by itself.
        number += usize::from(!(whole.ends_with(b"\r") && text.get(at) == Some(&b'\n')));
        if whole.len() > limits.line_bytes {
            let message = format!("a line of more than {} bytes", limits.line_bytes);
            return Err(FormatsError::refused(&codes::LIMIT, place, message));
        }
        let line = whole.trim_ascii();
        if line.is_empty() || is_comment(line) {
            continue;
        }
        let Some((separator, columns)) = &shape else {
            shape = Some(columns(line, start, notes)?);
            continue;
        };
        check_count(rows.len() + 1, || place.clone())?;
        rows.push(row(line, place, *separator, columns)?);
    }
    Ok(rows)
}

/// The columns that the first line names.
fn columns(line: &[u8], at: usize, notes: &mut Notes<'_>) -> Result<Columns, FormatsError> {
    let separator = Separator::of(line);
    let mut columns: Vec<Option<Field>> = Vec::new();
    for field in separator.split(line) {
        let name = unquoted(field);
        let column = Field::from_name(&name).filter(|field| !columns.contains(&Some(*field)));
        if column.is_none() {
            notes.warn(&codes::UNKNOWN_COLUMN, at, || format!("{:?}", short(&name)));
        }
        columns.push(column);
    }
    match columns.contains(&Some(Field::Pose)) {
        true => Ok((separator, columns)),
        false => notes.refuse(&codes::COLUMNS, at, "no column is called pose"),
    }
}

/// A keyframe. Fields that are empty, or missing at the end, are not set.
fn row(
    line: &[u8],
    place: Place,
    separator: Separator,
    columns: &[Option<Field>],
) -> Result<KeyframeFields, FormatsError> {
    let fields = separator.split(line);
    if fields.len() > columns.len() {
        let message = format!("{} fields in {} columns", fields.len(), columns.len());
        return Err(FormatsError::refused(&codes::COLUMNS, place, message));
    }
    let mut row = KeyframeFields::at(place);
    for (field, column) in fields.into_iter().zip(columns) {
        match column {
            Some(Field::Pose) => row.pose = unquoted(field),
            Some(Field::Number(number)) if !field.is_empty() => {
                row.set(*number, separator.number(field), &decoded(field).0)?;
            }
            Some(Field::Number(_)) | None => {}
        }
    }
    row.with_pose()
}

/// A field as text, without quotation marks around it.
fn unquoted(field: &[u8]) -> String {
    let text = decoded(field).0;
    let inside = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    inside.unwrap_or(&text).trim().to_owned()
}
