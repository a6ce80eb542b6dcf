//! Summaries of many files as a table.

use marey::FileOutcome;
use marey::conventions::Unit;
use marey::inspect::FileSummary;

use crate::ink::Ink;
use crate::table;

/// One row per file.
pub(super) fn table(ink: Ink, files: &[FileOutcome<FileSummary>]) -> String {
    let heading =
        ["file", "format", "joints", "frames", "rate Hz", "secs", "height m", "unit", "up", "warnings"];
    let rows = files.iter().map(|each| {
        let file = each.file.display().to_string();
        match &each.result {
            Ok(summary) => row(file, summary),
            Err(failure) => {
                let mut row = vec![file];
                row.resize(heading.len() - 1, "-".into());
                row.push(format!("error[{}]", failure.code.id));
                row
            }
        }
    });
    table::columns(ink, heading, rows.collect())
}

fn row(file: String, summary: &FileSummary) -> Vec<String> {
    let first = summary.figures.first().map(|figure| &figure.detected);
    let (conventions, points) = (summary.unit_and_up(), summary.points.as_ref());
    vec![
        file,
        summary.format.to_string(),
        points.map_or_else(|| summary.joints.to_string(), |points| format!("{} points", points.labels.len())),
        summary.frames.to_string(),
        short(summary.rate_hz),
        format!("{:.2}", summary.duration_secs),
        first.and_then(|found| found.height_m).map_or_else(|| "-".into(), |height| format!("{height:.2}")),
        conventions.map(|(value, _)| unit(value)).unwrap_or_default(),
        conventions.map(|(_, up)| up.to_string()).unwrap_or_default(),
        summary.codes().join(" "),
    ]
}

/// The number of files that were read, and the amount of motion in them.
pub(super) fn summary(ink: Ink, files: &[FileOutcome<FileSummary>]) -> String {
    let read: Vec<&FileSummary> = files.iter().filter_map(|each| each.result.as_ref().ok()).collect();
    let frames: usize = read.iter().map(|summary| summary.frames).sum();
    // The sum of no numbers is -0.
    let secs = read.iter().fold(0.0, |secs, summary| secs + summary.duration_secs);
    let title = ink.heading(&format!("{} of {} files read", read.len(), files.len()));
    format!("{title}: {frames} frames, {secs:.0} s of motion\n")
}

/// The name of a unit, or its length in metres.
pub(super) fn unit(unit: Unit) -> String {
    match unit {
        Unit::Metres(metres) => format!("{metres:.4} m"),
        named => named.to_string(),
    }
}

/// A number with at most three decimals, without trailing zeros.
pub(super) fn short(number: f64) -> String {
    let text = format!("{number:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let shown: Vec<String> = [120.0, 29.97, 0.3333333, 1000.0].into_iter().map(short).collect();
        assert_eq!(shown, ["120", "29.97", "0.333", "1000"]);
    }
}
