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
            let reports = files.iter().filter_map(|(_, report)| report.as_ref().ok());
            tell_warnings(console, reports.flat_map(|report| report.warnings()));
            let errors = files.iter().filter_map(|(_, report)| report.err());
            tell_failures(console, errors.collect(), files.len());
        }
    }
}

/// Prints the number of files with each warning. A report contains a warning at most once.
pub(crate) fn tell_warnings<'a>(console: &Console, warnings: impl Iterator<Item = &'a Warning>) {
    let mut counts: BTreeMap<&str, (usize, &Code)> = BTreeMap::new();
    for warning in warnings {
        counts.entry(warning.code.id).or_insert((0, warning.code)).0 += 1;
    }
    let mut counts: Vec<(usize, &Code)> = counts.into_values().collect();
    counts.sort_by_key(|(files, _)| Reverse(*files));
    let title = |code: &Code| format!("warning[{}]", code.id);
    let rows = counts.iter().map(|(files, code)| {
        let files = if *files == 1 { "in 1 file".to_owned() } else { format!("in {files} files") };
        vec![title(code), files, code.summary.to_owned()]
    });
    let mut text = table::plain_columns(rows.collect());
    // Colour codes would count as width, so they are added to the finished table.
    for (_, code) in counts {
        text = text.replace(&title(code), &console.err.warning(&title(code)));
    }
    console.note(&text);
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
