//! JSON output: an array with one object per line.

use std::path::Path;

use marey::motion::Place;
use serde::Serialize;

use marey::{Error, FileOutcome};

/// The outcome of one file, followed by what is known about it.
#[derive(Debug, Serialize)]
pub(crate) struct Row<T> {
    file: String,
    ok: bool,
    code: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'static str>,
    #[serde(flatten)]
    body: T,
}

impl<T> Row<T> {
    pub(crate) fn new(file: &Path, failure: Option<&Error>, body: T) -> Self {
        Self {
            file: file.display().to_string(),
            ok: failure.is_none(),
            code: failure.map(|failure| failure.code.id),
            message: failure.map(|failure| failure.message.clone()),
            place: failure.map(|failure| (*failure.place).clone()),
            hint: failure.map(|failure| failure.code.hint),
            body,
        }
    }
}

/// A row for each file. `body` gets `None` for a file that failed.
pub(crate) fn files<'a, T, B: Serialize>(
    files: &'a [FileOutcome<T>],
    body: impl Fn(Option<&'a T>) -> B,
) -> String {
    array(files.iter().map(|each| Row::new(&each.file, each.error(), body(each.result.as_ref().ok()))))
}

/// An array of rows.
pub(crate) fn array<T: Serialize>(rows: impl Iterator<Item = T>) -> String {
    let line = |row: T| serde_json::to_string(&row).expect("rows are text, numbers and maps with text keys");
    let lines: Vec<String> = rows.map(line).collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

/// One object over several lines, for a file.
pub(crate) fn object<T: Serialize>(value: &T) -> String {
    serde_json::to_string_pretty(value).expect("values are text and numbers") + "\n"
}
