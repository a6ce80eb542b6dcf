//! The user's preferences: d_user.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{MotionPrimitive, Result, TraverseError};

/// A preferred length or height.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PreferredAmount {
    /// The 10th percentile of the examples.
    Low,
    /// The 90th percentile of the examples.
    High,
    /// A distance in metres.
    Metres(f32),
}

/// Which hops or strides the user prefers. The text form is a comma-separated list: `length=short`, `length=0.2`,
/// `height=high`, `style=nudge`.
///
/// ```
/// use marey_traverse::{PreferredAmount, TraversePreferences};
/// let preferences: TraversePreferences = "length=short,style=long hop".parse()?;
/// assert_eq!(preferences.length, Some(PreferredAmount::Low));
/// assert_eq!(preferences.style.as_deref(), Some("long hop"));
/// assert_eq!(preferences.to_string(), "length=short,style=long hop");
/// assert!("length=NaN".parse::<TraversePreferences>().is_err());
/// # Ok::<(), marey_traverse::TraverseError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TraversePreferences {
    /// Length of a hop or stride.
    pub length: Option<PreferredAmount>,
    /// Height of the sole above the higher of its two footings.
    pub height: Option<PreferredAmount>,
    /// The tag that the hop or stride should have.
    pub style: Option<String>,
}

/// Cost of a primitive of another style, in m²: as much as a landing that is 30 cm off.
const OTHER_STYLE_M2: f32 = 0.09;
/// Cost per metre that a hop is shorter than the longest one, if no length is preferred, in m².
const SHORT_HOP_M2: f32 = 0.002;
/// Largest preferred length or height, in metres.
const MAX_AMOUNT_M: f32 = 100.0;

/// Names of the low and the high amount in the text form.
const LENGTHS: [&str; 2] = ["short", "long"];
const HEIGHTS: [&str; 2] = ["low", "high"];

impl FromStr for TraversePreferences {
    type Err = TraverseError;

    fn from_str(text: &str) -> Result<Self> {
        let mut preferences = Self::default();
        for part in text.split(',') {
            let invalid = |problem| TraverseError::Preference { text: part.trim().to_owned(), problem };
            let (name, value) =
                part.split_once('=').ok_or_else(|| invalid("is not of the form NAME=VALUE"))?;
            let amount = |[low, high]: [&str; 2]| match value.trim() {
                word if word == low => Ok(PreferredAmount::Low),
                word if word == high => Ok(PreferredAmount::High),
                number => {
                    let metres = number.parse().ok().filter(|metres| (0.0..=MAX_AMOUNT_M).contains(metres));
                    metres.map(PreferredAmount::Metres).ok_or_else(|| {
                        invalid("is neither short, long, low or high, nor a number of metres from 0 to 100")
                    })
                }
            };
            match (name.trim(), value.trim()) {
                ("length", _) => preferences.length = Some(amount(LENGTHS)?),
                ("height", _) => preferences.height = Some(amount(HEIGHTS)?),
                ("style", "") => return Err(invalid("names no style")),
                ("style", style) => preferences.style = Some(style.to_owned()),
                _ => return Err(invalid("is not about length, height or style")),
            }
        }
        Ok(preferences)
    }
}

impl fmt::Display for TraversePreferences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |name: &str, amount: Option<PreferredAmount>, [low, high]: [&str; 2]| {
            amount.map(|amount| match amount {
                PreferredAmount::Low => format!("{name}={low}"),
                PreferredAmount::High => format!("{name}={high}"),
                PreferredAmount::Metres(metres) => format!("{name}={metres}"),
            })
        };
        let length = text("length", self.length, LENGTHS);
        let height = text("height", self.height, HEIGHTS);
        let style = self.style.as_ref().map(|style| format!("style={style}"));
        f.write_str(&[length, height, style].into_iter().flatten().collect::<Vec<_>>().join(","))
    }
}

impl TraversePreferences {
    /// Checks that preferred amounts are within their range.
    pub fn validate(&self) -> Result<()> {
        for amount in [self.length, self.height].into_iter().flatten() {
            if let PreferredAmount::Metres(metres) = amount
                && !(0.0..=MAX_AMOUNT_M).contains(&metres)
            {
                let problem = "is not between 0 and 100 m";
                return Err(TraverseError::Preference { text: metres.to_string(), problem });
            }
        }
        Ok(())
    }

    /// d_user of every primitive, in m².
    ///
    /// If no length is preferred, longer hops are slightly cheaper. Otherwise a search that looks a fixed number of
    /// hops ahead would prefer hops on the spot to any difficult terrain. Strides always move ahead.
    pub(crate) fn costs(&self, primitives: &[MotionPrimitive]) -> Vec<f32> {
        let max_length_m = primitives.iter().map(|primitive| primitive.length_m).fold(0.0, f32::max);
        let target = |amount: Option<PreferredAmount>, measure: fn(&MotionPrimitive) -> f32| {
            amount.map(|amount| (amount.metres(primitives.iter().map(measure).collect()), measure))
        };
        let targets = [
            target(self.length, |primitive| primitive.length_m),
            target(self.height, |primitive| primitive.clearance_m),
        ];
        let cost = |primitive: &MotionPrimitive| {
            let deviation: f32 = targets
                .into_iter()
                .flatten()
                .map(|(target_m, measure)| (measure(primitive) - target_m).powi(2))
                .sum();
            let has_other_style = self.style.as_ref().is_some_and(|style| *style != primitive.style);
            let prefers_long = self.length.is_none() && primitive.foot.is_none();
            let shorter_m = if prefers_long { max_length_m - primitive.length_m } else { 0.0 };
            deviation + SHORT_HOP_M2 * shorter_m + if has_other_style { OTHER_STYLE_M2 } else { 0.0 }
        };
        primitives.iter().map(cost).collect()
    }
}

impl PreferredAmount {
    /// The amount in metres, given the values of all examples.
    fn metres(self, mut values: Vec<f32>) -> f32 {
        values.sort_by(f32::total_cmp);
        let percentile = |fraction: f32| {
            let rank = (fraction * values.len().saturating_sub(1) as f32).round() as usize;
            values.get(rank).copied().unwrap_or(0.0)
        };
        match self {
            PreferredAmount::Metres(metres) => metres,
            PreferredAmount::Low => percentile(0.1),
            PreferredAmount::High => percentile(0.9),
        }
    }
}

#[cfg(test)]
mod tests {
    use marey_motion::Coded;

    use super::*;

    #[test]
    fn invalid_preferences_are_rejected() {
        for text in ["", "length", "length=far", "length=-1", "height=inf", "style=", "speed=fast"] {
            let error = text.parse::<TraversePreferences>().unwrap_err();
            assert_eq!(error.code().id, "traverse/preference", "{text}");
        }
        let nan = TraversePreferences {
            length: Some(PreferredAmount::Metres(f32::NAN)),
            ..TraversePreferences::default()
        };
        assert!(nan.validate().is_err());
    }

    #[test]
    fn text_form_round_trips() {
        for text in ["length=short", "length=0.2,height=high,style=nudge", "height=low"] {
            assert_eq!(text.parse::<TraversePreferences>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn low_and_high_are_percentiles_of_the_examples() {
        let values: Vec<f32> = (0..=10).map(|i| i as f32).collect();
        let amounts = [PreferredAmount::Low, PreferredAmount::High, PreferredAmount::Metres(0.5)];
        assert_eq!(amounts.map(|amount| amount.metres(values.clone())), [1.0, 9.0, 0.5]);
        assert_eq!(PreferredAmount::High.metres(vec![]), 0.0);
    }
}
