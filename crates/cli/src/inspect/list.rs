//! Many files as a table, and what they come to.

use marey::conventions::Unit;

use super::facts::Facts;
use crate::ink::Ink;
use crate::table;
use marey::Error;
use marey::inputs::Input;

/// One row a file.
pub(super) fn table(ink: Ink, inputs: &[Input], results: &[Result<Facts, Error>]) -> String {
    let heading =
        ["file", "format", "joints", "frames", "rate Hz", "secs", "height m", "unit", "up", "warnings"];
    let rows = inputs.iter().zip(results).map(|(input, result)| {
        let file = input.path.display().to_string();
        match result {
            Ok(facts) => row(file, facts),
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

fn row(file: String, facts: &Facts) -> Vec<String> {
    let first = facts.figures.first().map(|figure| &figure.detected);
    let (conventions, points) = (facts.unit_and_up(), facts.points.as_ref());
    vec![
        file,
        facts.format.to_string(),
        points.map_or_else(|| facts.joints.to_string(), |points| format!("{} points", points.labels.len())),
        facts.frames.to_string(),
        short(facts.rate_hz),
        format!("{:.2}", facts.duration_secs),
        first.and_then(|found| found.height_m).map_or_else(|| "-".into(), |height| format!("{height:.2}")),
        conventions.map(|(value, _)| unit(value)).unwrap_or_default(),
        conventions.map(|(_, up)| up.to_string()).unwrap_or_default(),
        facts.codes().join(" "),
    ]
}

/// How many files were read, and how much motion that is.
pub(super) fn summary(ink: Ink, results: &[Result<Facts, Error>]) -> String {
    let read: Vec<&Facts> = results.iter().flatten().collect();
    let frames: usize = read.iter().map(|facts| facts.frames).sum();
    let secs: f64 = read.iter().map(|facts| facts.duration_secs).sum();
    let title = ink.heading(&format!("{} of {} files read", read.len(), results.len()));
    format!("{title}: {frames} frames, {secs:.0} s of motion\n")
}

/// The name of a unit; one without a name by how many metres it is.
pub(super) fn unit(unit: Unit) -> String {
    match unit {
        Unit::Metres(metres) => format!("{metres:.4} m"),
        named => named.to_string(),
    }
}

/// A number with at most three decimals, and no zeros that say nothing.
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
