//! The output of a verb that works on many files or takes.

use std::path::PathBuf;

use marey::Error;
use marey::corpus::BatchItem;
use marey::motion::Report;
use serde::Serialize;

use crate::batch;
use crate::console::Console;
use crate::flags::JsonFlag;
use crate::json::{self, Row};
use crate::verdict::Verdict;

/// Prints a JSON row per item; or the warnings, the failures, and a summary of what succeeded.
pub(super) fn print_batch<T: Serialize + Default + Clone>(
    console: &Console,
    json: &JsonFlag,
    items: Vec<BatchItem<T>>,
    report: impl Fn(&T) -> Option<&Report>,
    summary: impl FnOnce(&[T]) -> String,
) -> Result<Verdict, Error> {
    let (names, results): (Vec<PathBuf>, Vec<Result<T, Error>>) =
        items.into_iter().map(|item| (item.name.into(), item.result.map_err(Error::from))).unzip();
    if json.json {
        let row = |(name, result): (&PathBuf, &Result<T, Error>)| {
            Row::new(name, result.as_ref().err(), result.as_ref().cloned().unwrap_or_default())
        };
        console.print(&json::array(names.iter().zip(&results).map(row)))?;
    } else {
        let no_warnings = Report::default();
        let report = |item| report(item).unwrap_or(&no_warnings);
        let reports = names.iter().zip(&results);
        let reports = reports.map(|(name, result)| (name.as_path(), result.as_ref().map(report)));
        batch::tell(console, &reports.collect::<Vec<_>>());
        let done: Vec<T> = results.iter().flatten().cloned().collect();
        console.note(&(summary(&done) + "\n"));
    }
    Ok(Verdict::of(&results))
}
