//! `eval --gate`: compares the rows of a run with the committed baseline.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::args::Suite;
use crate::row::{Direction, Row};

/// The tolerance of a row that is new in the baseline, as a share of its value.
const RELATIVE_TOLERANCE: f64 = 0.05;
/// The least tolerance of such a row, in the row's unit: results differ in the last bits between processors.
const ABSOLUTE_TOLERANCE: f64 = 1e-3;

/// A figure that later runs are compared with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct BaselineRow {
    pub(crate) suite: Suite,
    /// The part of `eval` that prints the row, as in `cargo xtask eval PART`.
    pub(crate) part: String,
    pub(crate) name: String,
    pub(crate) subject: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) half: Option<String>,
    pub(crate) value: f64,
    pub(crate) unit: String,
    pub(crate) direction: Direction,
    /// How much worse than `value` a figure may be, in the row's unit.
    pub(crate) tolerance: f64,
}

/// A measured row, and the part of `eval` that printed it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Measured {
    pub(crate) part: &'static str,
    pub(crate) row: Row,
}

/// What identifies a row within a suite.
type Key<'a> = (&'a str, &'a str, &'a str, Option<&'a str>);

impl BaselineRow {
    fn key(&self) -> Key<'_> {
        (&self.part, &self.name, &self.subject, self.half.as_deref())
    }

    /// How much worse a value is than this row; negative if it is better. A value that is not a number is infinitely worse.
    fn worse_by(&self, value: f64) -> f64 {
        let worse_by = match self.direction {
            Direction::LowerIsBetter => value - self.value,
            Direction::HigherIsBetter => self.value - value,
        };
        if worse_by.is_nan() { f64::INFINITY } else { worse_by }
    }
}

impl Measured {
    fn key(&self) -> Key<'_> {
        (self.part, &self.row.name, &self.row.subject, self.row.half.as_deref())
    }
}

/// The scope of a run: a suite, and the parts of `eval` that ran.
pub(crate) struct Scope<'a> {
    pub(crate) suite: Suite,
    pub(crate) parts: &'a [&'static str],
}

impl Scope<'_> {
    fn contains(&self, row: &BaselineRow) -> bool {
        row.suite == self.suite && self.parts.contains(&row.part.as_str())
    }
}

/// A row that differs from the baseline by more than its tolerance.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Change {
    pub(crate) baseline: BaselineRow,
    pub(crate) value: f64,
}

/// How a run compares with the baseline.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Comparison {
    /// How many rows are within their tolerance.
    pub(crate) unchanged: usize,
    pub(crate) worse: Vec<Change>,
    pub(crate) better: Vec<Change>,
    /// Rows that the run should have printed.
    pub(crate) missing: Vec<BaselineRow>,
    /// Rows that the baseline does not have.
    pub(crate) new: Vec<Measured>,
}

impl Comparison {
    /// Compares the rows that a run measured with those that the baseline has for its scope.
    pub(crate) fn of(baseline: &[BaselineRow], measured: &[Measured], scope: &Scope<'_>) -> Self {
        let mut measured = by_key(measured);
        let mut comparison = Self::default();
        for row in baseline.iter().filter(|row| scope.contains(row)) {
            let Some(found) = measured.remove(&row.key()) else {
                comparison.missing.push(row.clone());
                continue;
            };
            let value = found.row.value;
            let worse_by = row.worse_by(value);
            let change = Change { baseline: row.clone(), value };
            if worse_by > row.tolerance {
                comparison.worse.push(change);
            } else if worse_by < -row.tolerance {
                comparison.better.push(change);
            } else {
                comparison.unchanged += 1;
            }
        }
        comparison.new = measured.into_values().cloned().collect();
        comparison
    }

    /// Whether no row is worse or missing.
    pub(crate) fn passes(&self) -> bool {
        self.worse.is_empty() && self.missing.is_empty()
    }
}

/// The rows that can be compared, by key. Rows that differ only in what they are compared with are the same figure.
fn by_key(measured: &[Measured]) -> BTreeMap<Key<'_>, &Measured> {
    let gated = measured.iter().filter(|measured| measured.row.direction.is_some());
    gated.map(|measured| (measured.key(), measured)).collect()
}

impl fmt::Display for Comparison {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (word, changes) in [("worse", &self.worse), ("better", &self.better)] {
            for Change { baseline, value } in changes {
                let BaselineRow { part, name, subject, value: before, unit, tolerance, .. } = baseline;
                writeln!(
                    formatter,
                    "{word}: {part}: {name} ({subject}): {value:.4} {unit}, baseline {before:.4}, tolerance {tolerance:.4}"
                )?;
            }
        }
        for BaselineRow { part, name, subject, .. } in &self.missing {
            writeln!(formatter, "missing: {part}: {name} ({subject})")?;
        }
        for Measured { part, row } in &self.new {
            writeln!(
                formatter,
                "new: {part}: {} ({}): {:.4} {}",
                row.name, row.subject, row.value, row.unit
            )?;
        }
        let [worse, better, missing, new] =
            [self.worse.len(), self.better.len(), self.missing.len(), self.new.len()];
        let unchanged = self.unchanged;
        write!(
            formatter,
            "gate: {unchanged} unchanged, {worse} worse, {better} better, {missing} missing, {new} new"
        )?;
        if better + new > 0 {
            write!(formatter, " (--write-baseline records better and new rows)")?;
        }
        Ok(())
    }
}

/// The baseline after a run: the rows of its scope are replaced by the measured ones, the others are kept.
///
/// A row that the baseline had keeps its tolerance, so that one that was set by hand stays.
pub(crate) fn updated(
    baseline: &[BaselineRow],
    measured: &[Measured],
    scope: &Scope<'_>,
) -> Vec<BaselineRow> {
    let (before, mut rows): (Vec<BaselineRow>, Vec<BaselineRow>) =
        baseline.iter().cloned().partition(|row| scope.contains(row));
    for Measured { part, row } in by_key(measured).into_values() {
        let (Some(direction), true) = (row.direction, row.value.is_finite()) else { continue };
        let mut new = BaselineRow {
            suite: scope.suite,
            part: (*part).to_owned(),
            name: row.name.clone(),
            subject: row.subject.clone(),
            half: row.half.clone(),
            value: rounded(row.value, 6),
            unit: row.unit.to_owned(),
            direction,
            tolerance: rounded((RELATIVE_TOLERANCE * row.value.abs()).max(ABSOLUTE_TOLERANCE), 2),
        };
        if let Some(old) = before.iter().find(|old| old.key() == new.key()) {
            new.tolerance = old.tolerance;
        }
        rows.push(new);
    }
    rows.sort_by(|a, b| (a.suite, a.key()).cmp(&(b.suite, b.key())));
    rows
}

/// A number with this many significant digits.
fn rounded(value: f64, digits: usize) -> f64 {
    format!("{value:.*e}", digits - 1).parse().unwrap_or(value)
}

/// The path of the committed baseline.
fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("baseline.json")
}

/// Reads the committed baseline.
pub(crate) fn read() -> Result<Vec<BaselineRow>, String> {
    let path = path();
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Overwrites the committed baseline.
pub(crate) fn write(rows: &[BaselineRow]) -> Result<(), String> {
    let path = path();
    let text = serde_json::to_string_pretty(rows).map_err(|error| error.to_string())?;
    fs::write(&path, text + "\n").map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::Aim;

    const SCOPE: Scope<'static> = Scope { suite: Suite::Ci, parts: &["follow"] };

    fn measured(name: &str, value: f64) -> Measured {
        Measured { part: "follow", row: Row::new(name, "all", value, "cm").aim(Aim::AtMost(9.0)) }
    }

    /// A baseline in which a row has the value 10 and the tolerance 0.5.
    fn baseline(name: &str) -> Vec<BaselineRow> {
        updated(&[], &[measured(name, 10.0)], &SCOPE)
    }

    fn compare(value: f64) -> Comparison {
        Comparison::of(&baseline("skate"), &[measured("skate", value)], &SCOPE)
    }

    #[test]
    fn a_row_within_its_tolerance_passes() {
        for value in [10.5, 10.0, 9.5] {
            let comparison = compare(value);
            assert!(comparison.passes(), "{comparison}");
            assert_eq!((comparison.unchanged, comparison.better.len()), (1, 0), "{comparison}");
        }
    }

    #[test]
    fn a_row_that_is_worse_than_its_tolerance_fails() {
        for value in [10.6, f64::NAN, f64::INFINITY] {
            let comparison = compare(value);
            assert!(!comparison.passes(), "{comparison}");
            assert_eq!(comparison.worse.len(), 1);
        }
    }

    #[test]
    fn a_row_that_is_better_passes_and_is_listed() {
        let comparison = compare(9.4);
        assert!(comparison.passes());
        assert_eq!((comparison.unchanged, comparison.better.len()), (0, 1));
        assert!(comparison.to_string().contains("better: follow: skate (all): 9.4000 cm"), "{comparison}");
    }

    #[test]
    fn the_direction_says_which_values_are_worse() {
        let score = |value| Measured {
            part: "follow",
            row: Row::new("recall", "all", value, "share").aim(Aim::AtLeast(0.9)),
        };
        let baseline = updated(&[], &[score(0.96)], &SCOPE);
        assert!(!Comparison::of(&baseline, &[score(0.9)], &SCOPE).passes());
        assert!(Comparison::of(&baseline, &[score(1.0)], &SCOPE).passes());
    }

    #[test]
    fn a_missing_row_fails_if_the_run_asked_for_it() {
        let baseline = baseline("skate");
        let comparison = Comparison::of(&baseline, &[], &SCOPE);
        assert_eq!((comparison.passes(), comparison.missing.len()), (false, 1));
        for scope in [
            Scope { suite: Suite::Ci, parts: &["duet", "vary"] },
            Scope { suite: Suite::Full, parts: &["follow"] },
        ] {
            assert_eq!(Comparison::of(&baseline, &[], &scope), Comparison::default());
        }
    }

    #[test]
    fn a_new_row_passes_and_is_listed() {
        let rows = [measured("skate", 10.0), measured("jerk", 3.0)];
        let comparison = Comparison::of(&baseline("skate"), &rows, &SCOPE);
        assert!(comparison.passes());
        assert_eq!(comparison.new, [measured("jerk", 3.0)]);
        assert!(comparison.to_string().contains("new: follow: jerk (all): 3.0000 cm"), "{comparison}");
    }

    #[test]
    fn rows_without_a_direction_are_not_compared() {
        let plain = Measured { part: "follow", row: Row::new("count", "all", 3.0, "steps") };
        assert_eq!(Comparison::of(&[], std::slice::from_ref(&plain), &SCOPE), Comparison::default());
        assert!(updated(&[], &[plain], &SCOPE).is_empty());
    }

    #[test]
    fn writing_keeps_tolerances_and_the_rows_of_other_runs() {
        let mut before = baseline("skate");
        before[0].tolerance = 2.0;
        before.push(BaselineRow { suite: Suite::Full, ..before[0].clone() });
        before.push(BaselineRow { name: "gone".into(), ..before[0].clone() });
        let after = updated(&before, &[measured("skate", 8.0), measured("jerk", 0.0)], &SCOPE);
        let values: Vec<_> =
            after.iter().map(|row| (row.suite, row.name.as_str(), row.value, row.tolerance)).collect();
        let wanted = [
            (Suite::Ci, "jerk", 0.0, ABSOLUTE_TOLERANCE),
            (Suite::Ci, "skate", 8.0, 2.0),
            (Suite::Full, "skate", 10.0, 2.0),
        ];
        assert_eq!(values, wanted);
    }

    #[test]
    fn halves_are_separate_rows() {
        let of_half =
            |half, value| Measured { row: measured("skate", value).row.of_half(half), part: "follow" };
        let rows = [of_half(marey_capture::Half::Report, 1.0), of_half(marey_capture::Half::Tuning, 2.0)];
        assert_eq!(updated(&[], &rows, &SCOPE).len(), 2);
    }

    #[test]
    fn the_committed_baseline_is_sorted_and_can_be_compared() {
        let rows = read().unwrap();
        assert!(
            rows.is_sorted_by(|a, b| (a.suite, a.key()) < (b.suite, b.key())),
            "sorted, and no row twice"
        );
        assert!(rows.iter().all(|row| row.value.is_finite() && row.tolerance >= 0.0));
    }
}
