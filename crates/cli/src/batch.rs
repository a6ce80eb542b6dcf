//! Reports about many files: warnings are counted, failures listed.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::Path;

use marey::motion::{Code, Report, Warning};
use marey::{Error, FileOutcome};

use crate::console::Console;
use crate::{notice, table};

/// Reports the warnings and failures of files.
pub(crate) fn tell_files<T>(console: &Console, files: &[FileOutcome<T>], report: impl Fn(&T) -> &Report) {
    let reports: Vec<_> =
        files.iter().map(|each| (each.file.as_path(), each.result.as_ref().map(&report))).collect();
    tell(console, &reports);
}

/// Reports every warning of a single file, or counts the warnings of several; then lists failures.
pub(crate) fn tell(console: &Console, files: &[(&Path, Result<&Report, &Error>)]) {
    match files {
        [(file, Ok(report))] => console.warnings(report, file),
        [(_, Err(error))] => console.error(error),
        _ => {
            let reports = files.iter().filter_map(|(file, report)| Some((*file, *report.as_ref().ok()?)));
            tell_warnings(console, reports.flat_map(|(file, report)| with_file(file, report.warnings())));
            let errors = files.iter().filter_map(|(_, report)| report.err());
            tell_failures(console, errors.collect(), files.len());
        }
    }
}

/// The warnings about a file, as [`tell_warnings`] takes them.
pub(crate) fn with_file<'a>(
    file: &'a Path,
    warnings: &'a [Warning],
) -> impl Iterator<Item = (&'a Path, &'a Warning)> {
    warnings.iter().map(move |warning| (file, warning))
}

/// Files with a warning are named if they are no more than this.
const MOST_NAMES: usize = 3;

/// Prints the files with each warning. A report contains a warning at most once.
pub(crate) fn tell_warnings<'a>(console: &Console, warnings: impl Iterator<Item = (&'a Path, &'a Warning)>) {
    let mut by_code: BTreeMap<&str, (&Code, Vec<&Path>)> = BTreeMap::new();
    for (file, warning) in warnings {
        by_code.entry(warning.code.id).or_insert((warning.code, Vec::new())).1.push(file);
    }
    let mut by_code: Vec<(&Code, Vec<&Path>)> = by_code.into_values().collect();
    by_code.sort_by_key(|(_, files)| Reverse(files.len()));
    let title = |code: &Code| format!("warning[{}]", code.id);
    let rows = by_code.iter().map(|(code, files)| vec![title(code), named(files), code.summary.to_owned()]);
    let mut text = table::plain_columns(rows.collect());
    // Colour codes would count as width, so they are added to the finished table.
    for (code, _) in by_code {
        text = text.replace(&title(code), &console.err.warning(&title(code)));
    }
    console.note(&text);
}

/// Where a warning occurs: the names of a few files, or the number of many and the name of the first.
fn named(files: &[&Path]) -> String {
    let name = |file: &&Path| file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
    match files {
        [first, ..] if files.len() > MOST_NAMES => format!("in {} files, first {}", files.len(), name(first)),
        _ => format!("in {}", files.iter().map(name).collect::<Vec<_>>().join(", ")),
    }
}

/// Prints a table of failures, then each hint once. Errors are printed even if the console is quiet.
pub(crate) fn tell_failures(console: &Console, failures: Vec<&Error>, files: usize) {
    if failures.is_empty() {
        return;
    }
    let rows = failures.iter().map(|failure| {
        let file = failure.file.as_ref().map(|file| file.display().to_string()).unwrap_or_default();
        vec![file, failure.code.id.to_owned(), failure.place.to_string(), failure.message.clone()]
    });
    let title = format!("{} of {files} files failed", failures.len());
    let mut text = format!("{}\n", console.err.error(&title));
    text += &table::columns(console.err, ["file", "error", "place", "what"], rows.collect());
    let codes: BTreeMap<&str, &Code> =
        failures.iter().map(|failure| (failure.code.id, failure.code)).collect();
    for code in codes.into_values() {
        text += &notice::hint(console.err, code);
    }
    console.tell(&text);
}
