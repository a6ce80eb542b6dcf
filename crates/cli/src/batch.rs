//! Many files at once: in parallel, in the order given, past the bad ones, to a summary of what failed.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use marey::motion::{Code, Report, Warning};
use rayon::prelude::*;

use crate::console::Console;
use crate::{notice, table};
use marey::Error;
use marey::inputs::Input;

/// Does the same work for every input. The results are in the order of the inputs.
pub(crate) fn run<T: Send>(
    console: &Console,
    inputs: &[Input],
    work: impl Fn(&Input) -> Result<T, Error> + Sync,
) -> Vec<Result<T, Error>> {
    let bar = console.progress(inputs.len());
    let one = |input: &Input| {
        let result = match &input.refused {
            None => work(input).map_err(|failure| failure.in_file(&input.path)),
            Some(failure) => Err(failure.clone()),
        };
        bar.inc(1);
        result
    };
    // One file at a time: they differ too much in size to be shared out in advance.
    let results = inputs.par_iter().with_max_len(1).map(one).collect();
    bar.finish_and_clear();
    results
}

/// Ends a batch: every warning in full for one file, counted for several; then what failed.
pub(crate) fn tell(console: &Console, inputs: &[Input], reports: &[Result<&Report, &Error>]) {
    match (inputs, reports) {
        ([input], [Ok(report)]) => {
            report.warnings().iter().for_each(|warning| console.warning(warning, &input.path));
        }
        ([_], [Err(failure)]) => console.error(failure),
        _ => {
            tell_warnings(console, reports.iter().flatten().flat_map(|report| report.warnings()));
            let failures = reports.iter().filter_map(|report| report.as_ref().err().copied());
            tell_failures(console, failures.collect(), reports.len());
        }
    }
}

/// Says how many files each kind of warning was met in; a file has each at most once.
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
    // Coloured only now: columns are measured by what is seen.
    for (_, code) in counts {
        text = text.replace(&title(code), &console.err.warning(&title(code)));
    }
    console.note(&text);
}

/// A table of what failed, then what to do about it, each hint once. Errors are told even in quiet.
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
