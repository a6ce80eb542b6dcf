//! What the user would rather see: d_user.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{Error, Primitive, Result};

/// How much of something.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Amount {
    /// As little as the examples have: what a tenth of them does not exceed.
    Little,
    /// As much as they have: what a tenth of them exceeds.
    Much,
    /// So many metres.
    Metres(f32),
}

/// What the user would rather see. As text, preferences with commas between: `length=short`, `length=0.2`, `height=high`,
/// `style=nudge`.
///
/// ```
/// use marey_traverse::{Amount, Taste};
/// let taste: Taste = "length=short,style=long hop".parse()?;
/// assert_eq!(taste.length, Some(Amount::Little));
/// assert_eq!(taste.style.as_deref(), Some("long hop"));
/// assert!("length=NaN".parse::<Taste>().is_err());
/// # Ok::<(), marey_traverse::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Taste {
    /// How far a hop leads.
    pub length: Option<Amount>,
    /// How high the sole is carried above the higher of its two places.
    pub height: Option<Amount>,
    /// What hops are called.
    pub style: Option<String>,
}

/// What an example of another style costs, in m²: as one that leads 30 cm too far.
const STYLE_M2: f32 = 0.09;
/// What a hop costs for every metre that another leads farther, where nothing is wished of lengths, in m².
const DAWDLE_M2: f32 = 0.002;
/// No hop leads farther, in metres.
const FARTHEST_M: f32 = 100.0;

impl FromStr for Taste {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut taste = Self::default();
        for part in text.split(',') {
            let refused = |problem| Error::Taste { text: part.trim().to_owned(), problem };
            let (name, wish) = part.split_once('=').ok_or_else(|| refused("is no NAME=WISH"))?;
            let metres = || {
                let metres =
                    wish.trim().parse::<f32>().ok().filter(|metres| (0.0..=FARTHEST_M).contains(metres));
                metres.map(Amount::Metres).ok_or_else(|| refused("is neither a word for it nor 0 to 100 m"))
            };
            match (name.trim(), wish.trim()) {
                ("length", "short") => taste.length = Some(Amount::Little),
                ("length", "long") => taste.length = Some(Amount::Much),
                ("length", _) => taste.length = Some(metres()?),
                ("height", "low") => taste.height = Some(Amount::Little),
                ("height", "high") => taste.height = Some(Amount::Much),
                ("height", _) => taste.height = Some(metres()?),
                ("style", "") => return Err(refused("names no style")),
                ("style", style) => taste.style = Some(style.to_owned()),
                _ => return Err(refused("is about neither length, height nor style")),
            }
        }
        Ok(taste)
    }
}

impl Taste {
    /// Refuses what means nothing.
    pub(crate) fn validate(&self) -> Result<()> {
        for amount in [self.length, self.height].into_iter().flatten() {
            if let Amount::Metres(metres) = amount
                && !(0.0..=FARTHEST_M).contains(&metres)
            {
                return Err(Error::Taste { text: metres.to_string(), problem: "is not 0 to 100 m" });
            }
        }
        Ok(())
    }

    /// d_user of every example, in m². Where nothing is wished of lengths, hops that lead farther are liked a little: looking so many ahead, those that go
    /// nowhere would else be the cheapest before anything hard. Strides all go somewhere.
    pub(crate) fn costs(&self, primitives: &[Primitive]) -> Vec<f32> {
        let longest_m = primitives.iter().map(|primitive| primitive.length_m).fold(0.0, f32::max);
        let wanted = |amount: Option<Amount>, of: fn(&Primitive) -> f32| {
            amount.map(|amount| (amount.metres(primitives.iter().map(of).collect()), of))
        };
        let lengths = wanted(self.length, |primitive| primitive.length_m);
        let heights = wanted(self.height, |primitive| primitive.clearance_m);
        let cost = |primitive: &Primitive| {
            let off: f32 = [lengths, heights]
                .into_iter()
                .flatten()
                .map(|(wanted, of)| (of(primitive) - wanted).powi(2))
                .sum();
            let other = self.style.as_ref().is_some_and(|style| *style != primitive.style);
            let dawdles = self.length.is_none() && primitive.foot.is_none();
            let late_m = if dawdles { longest_m - primitive.length_m } else { 0.0 };
            off + DAWDLE_M2 * late_m + if other { STYLE_M2 } else { 0.0 }
        };
        primitives.iter().map(cost).collect()
    }
}

impl Amount {
    /// In metres, among what there is.
    fn metres(self, mut all: Vec<f32>) -> f32 {
        all.sort_by(f32::total_cmp);
        let rank = |share: f32| (share * all.len().saturating_sub(1) as f32).round() as usize;
        match self {
            Amount::Metres(metres) => metres,
            Amount::Little => all.get(rank(0.1)).copied().unwrap_or(0.0),
            Amount::Much => all.get(rank(0.9)).copied().unwrap_or(0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use marey_motion::Coded;

    use super::*;

    #[test]
    fn what_means_nothing_is_refused() {
        for text in ["", "length", "length=far", "length=-1", "height=inf", "style=", "speed=fast"] {
            assert_eq!(text.parse::<Taste>().unwrap_err().code().id, "traverse/taste", "{text}");
        }
        let nowhere = Taste { length: Some(Amount::Metres(f32::NAN)), ..Taste::default() };
        assert!(nowhere.validate().is_err());
    }

    #[test]
    fn little_and_much_are_what_the_examples_have() {
        let all: Vec<f32> = (0..=10).map(|i| i as f32).collect();
        assert_eq!(
            [Amount::Little, Amount::Much, Amount::Metres(0.5)].map(|a| a.metres(all.clone())),
            [1.0, 9.0, 0.5]
        );
        assert_eq!(Amount::Much.metres(vec![]), 0.0);
    }
}
