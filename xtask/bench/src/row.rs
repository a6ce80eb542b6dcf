//! One measured figure, beside the figure it is compared with.

use marey_capture::Half;
use serde::{Deserialize, Serialize};

/// The target of a figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Aim {
    /// The least value.
    AtLeast(f64),
    /// The largest value.
    AtMost(f64),
    /// The least ratio of the value to the baseline's.
    RatioAtLeast(f64),
    /// The largest ratio of the value to the baseline's.
    RatioAtMost(f64),
}

/// Which of two values of a figure is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Direction {
    #[serde(rename = "lower")]
    LowerIsBetter,
    #[serde(rename = "higher")]
    HigherIsBetter,
}

/// A figure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) subject: String,
    /// The half of the captured takes that the figure is of; `None` for generated motion.
    pub(crate) half: Option<String>,
    pub(crate) value: f64,
    pub(crate) unit: &'static str,
    pub(crate) baseline: Option<String>,
    pub(crate) baseline_value: Option<f64>,
    pub(crate) ratio: Option<f64>,
    pub(crate) aim: Option<String>,
    pub(crate) ok: Option<bool>,
    /// `None` for a figure that is neither good nor bad, or that a clock measured: the gate ignores it.
    #[serde(skip)]
    pub(crate) direction: Option<Direction>,
}

impl Row {
    pub(crate) fn new(name: &str, subject: impl Into<String>, value: f64, unit: &'static str) -> Self {
        Self {
            name: name.into(),
            subject: subject.into(),
            half: None,
            value,
            unit,
            baseline: None,
            baseline_value: None,
            ratio: None,
            aim: None,
            ok: None,
            direction: None,
        }
    }

    /// Sets the half of the captured takes that the figure is of.
    pub(crate) fn of_half(mut self, half: Half) -> Self {
        self.half = Some(half.to_string());
        self
    }

    /// Includes a figure without an aim in the gate.
    pub(crate) fn lower_is_better(mut self) -> Self {
        self.direction = Some(Direction::LowerIsBetter);
        self
    }

    /// Excludes a figure from the gate, because it depends on the machine.
    pub(crate) fn by_clock(mut self) -> Self {
        self.direction = None;
        self
    }

    /// Adds the figure to compare with, in the same unit.
    pub(crate) fn against(mut self, baseline: &str, value: f64) -> Self {
        self.baseline = Some(baseline.into());
        self.baseline_value = Some(value);
        self.ratio = (value != 0.0).then(|| self.value / value);
        self
    }

    /// Sets the aim. An aim about a ratio needs the baseline first.
    pub(crate) fn aim(mut self, aim: Aim) -> Self {
        let (sign, bound, unit) = match aim {
            Aim::AtLeast(least) => ("≥", least, ""),
            Aim::AtMost(most) => ("≤", most, ""),
            Aim::RatioAtLeast(least) => ("≥", least, "×"),
            Aim::RatioAtMost(most) => ("≤", most, "×"),
        };
        self.aim = Some(format!("{sign} {}{unit}", rounded(bound)));
        self.ok = Some(match aim {
            Aim::AtLeast(least) => self.value >= least,
            Aim::AtMost(most) => self.value <= most,
            Aim::RatioAtLeast(least) => self.ratio.is_some_and(|ratio| ratio >= least),
            Aim::RatioAtMost(most) => self.ratio.is_some_and(|ratio| ratio <= most),
        });
        self.direction = Some(match aim {
            Aim::AtLeast(_) | Aim::RatioAtLeast(_) => Direction::HigherIsBetter,
            Aim::AtMost(_) | Aim::RatioAtMost(_) => Direction::LowerIsBetter,
        });
        self
    }
}

/// A bound with at most two decimals, unless it is small.
fn rounded(bound: f64) -> f64 {
    if bound.abs() < 1.0 { bound } else { (100.0 * bound).round() / 100.0 }
}

/// The rows as a table.
pub(crate) fn table(rows: &[&Row]) -> comfy_table::Table {
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_header([
        "name",
        "subject",
        "half",
        "value",
        "unit",
        "baseline",
        "its value",
        "ratio",
        "aim",
        "",
    ]);
    for row in rows {
        let number = |value: Option<f64>| value.map_or_else(String::new, short);
        table.add_row([
            row.name.clone(),
            row.subject.clone(),
            row.half.clone().unwrap_or_default(),
            short(row.value),
            row.unit.to_owned(),
            row.baseline.clone().unwrap_or_default(),
            number(row.baseline_value),
            row.ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}×")),
            row.aim.clone().unwrap_or_default(),
            match row.ok {
                Some(true) => "met".into(),
                Some(false) => "missed".into(),
                None => String::new(),
            },
        ]);
    }
    table
}

/// A number with about four significant digits.
fn short(value: f64) -> String {
    match value.abs() {
        v if v >= 1000.0 => {
            let digits = format!("{value:.0}");
            let (sign, digits) = digits.strip_prefix('-').map_or(("", digits.as_str()), |rest| ("-", rest));
            let groups: Vec<&str> = digits
                .as_bytes()
                .rchunks(3)
                .rev()
                .filter_map(|group| std::str::from_utf8(group).ok())
                .collect();
            format!("{sign}{}", groups.join(","))
        }
        v if v >= 10.0 => format!("{value:.1}"),
        v if v == 0.0 || v >= 0.01 => format!("{value:.3}"),
        _ => format!("{value:.2e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aims_are_met_or_missed() {
        let row = Row::new("speed", "all", 12.0, "MB/s").against("other", 4.0);
        assert_eq!(row.ratio, Some(3.0));
        assert_eq!(row.clone().aim(Aim::RatioAtLeast(3.0)).ok, Some(true));
        assert_eq!(row.clone().aim(Aim::AtMost(11.0)).ok, Some(false));
        assert_eq!(row.aim(Aim::AtLeast(12.5)).ok, Some(false));
    }

    #[test]
    fn numbers_stay_short() {
        for (value, text) in [
            (1234567.8, "1,234,568"),
            (-1234.0, "-1,234"),
            (99.95, "100.0"),
            (0.5, "0.500"),
            (0.0, "0.000"),
            (1e-5, "1.00e-5"),
        ] {
            assert_eq!(short(value), text);
        }
    }
}
