//! Paths as tables: one point per line.

use super::codes;
use super::path_points::{Field, PathPoint, PathPoints, max_points};
use crate::number::{Comma, Token, general};
use crate::separator::Separator;
use crate::text::{Notes, is_comment, is_line_end};
use crate::unique_labels::{decoded, short};
use crate::{FormatsError, Limits};

/// The field of each column. `None` if it is unknown.
type Columns = Vec<Option<Field>>;

/// Whether a text looks like a path: the first line with content has two to four numbers, or column names x and z or y.
pub(super) fn sniff(text: &[u8]) -> bool {
    let lines = text.split(|byte| is_line_end(*byte)).map(<[u8]>::trim_ascii);
    let Some(line) = lines.into_iter().find(|line| !line.is_empty() && !is_comment(line)) else {
        return false;
    };
    let separator = Separator::of(line);
    let fields = separator.split(line);
    if fields.iter().all(|field| separator.number(field).is_some()) {
        return (2..=4).contains(&fields.len()) && separator != Separator::Blanks;
    }
    let names: Vec<Option<Field>> = fields.iter().map(|field| Field::from_name(&decoded(field).0)).collect();
    names.contains(&Some(Field::X)) && (names.contains(&Some(Field::Z)) || names.contains(&Some(Field::Y)))
}

/// Reads points, one per line.
pub(super) fn read(text: &[u8], limits: Limits, notes: &mut Notes<'_>) -> Result<PathPoints, FormatsError> {
    let mut drawn = PathPoints::default();
    let mut shape: Option<(Separator, Columns)> = None;
    let mut at = 0;
    for whole in text.split_inclusive(|byte| is_line_end(*byte)) {
        let start = at;
        at += whole.len();
        let line = whole.trim_ascii();
        if whole.len() > limits.line_bytes {
            return notes.refuse(
                &codes::LIMIT,
                start,
                format!("a line of more than {} bytes", limits.line_bytes),
            );
        }
        if line.is_empty() {
            continue;
        }
        if is_comment(line) {
            drawn.speed = speed_in(line).or(drawn.speed);
            continue;
        }
        let (separator, columns) = match &shape {
            Some(shape) => shape,
            None => {
                let (found, is_names) = columns(line, start, notes)?;
                let shape = shape.insert(found);
                if is_names {
                    continue;
                }
                shape
            }
        };
        let fields = separator.split(line);
        if fields.len() != columns.len() {
            let message = format!("{} fields; {} expected", fields.len(), columns.len());
            return notes.refuse(&codes::COLUMNS, start, message);
        }
        let mut point = PathPoint::at(place(notes, start, drawn.points.len()));
        for (field, column) in fields.iter().zip(columns) {
            let Some(column) = column else { continue };
            match separator.number(field) {
                Some(value) => point.set(*column, value),
                None => {
                    let message = format!("{:?} is not a number", short(&decoded(field).0));
                    return notes.refuse(&codes::BAD_NUMBER, start, message);
                }
            }
        }
        if drawn.points.len() >= max_points(limits) {
            return notes.refuse(&codes::LIMIT, start, format!("more than {} points", max_points(limits)));
        }
        drawn.points.push(point);
    }
    Ok(drawn)
}

/// The place of a point. Counting lines scans the text, so only points near the start get a line.
fn place(notes: &Notes<'_>, at: usize, index: usize) -> marey_motion::Place {
    if at < 4096 { notes.place(at).frame(index) } else { marey_motion::Place::default().frame(index) }
}

/// The fields of the columns, from names in the first line or from their number, and whether there are names.
fn columns(
    line: &[u8],
    at: usize,
    notes: &mut Notes<'_>,
) -> Result<((Separator, Columns), bool), FormatsError> {
    let separator = Separator::of(line);
    let fields = separator.split(line);
    if fields.iter().all(|field| separator.number(field).is_some()) {
        return match Field::unnamed(fields.len()) {
            Some(unnamed) => Ok(((separator, unnamed.iter().copied().map(Some).collect()), false)),
            None => notes.refuse(&codes::COLUMNS, at, format!("{} columns without names", fields.len())),
        };
    }
    let mut columns: Columns = Vec::new();
    for field in fields {
        let name = decoded(field).0;
        let column = Field::from_name(&name).filter(|field| !columns.contains(&Some(*field)));
        if column.is_none() {
            notes.warn(&codes::UNKNOWN_COLUMN, at, || format!("{:?}", short(&name)));
        }
        columns.push(column);
    }
    let has = |field: Field| columns.contains(&Some(field));
    if !(has(Field::X) && (has(Field::Y) || has(Field::Z))) {
        return notes.refuse(&codes::COLUMNS, at, "no columns called x and z");
    }
    Ok(((separator, columns), true))
}

/// The speed in a comment: `# speed 1.4`, `# speed: 1.4`.
fn speed_in(comment: &[u8]) -> Option<f64> {
    let text = decoded(comment).0.to_ascii_lowercase();
    let behind = text.trim_start_matches(['#', '/', ' ', '\t']).strip_prefix("speed")?;
    let number = behind.trim_start_matches([' ', '\t', ':', '=']);
    match general(number.as_bytes(), Comma::Decimal) {
        Token::Number(value, _) => Some(value),
        Token::Other => None,
    }
}
