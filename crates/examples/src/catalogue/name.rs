//! The names of the examples.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// An example by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExampleName {
    /// [`crate::ballet`].
    Ballet,
    /// [`crate::lindy`].
    Lindy,
    /// [`mod@crate::luxo`].
    #[cfg(feature = "luxo")]
    Luxo,
    /// [`crate::playground`].
    Playground,
    /// [`crate::taekwondo`].
    Taekwondo,
    /// [`crate::walk`].
    Walk,
    /// [`crate::waltz`].
    Waltz,
}

impl ExampleName {
    /// Every example.
    pub const ALL: &[ExampleName] = &[
        ExampleName::Ballet,
        ExampleName::Lindy,
        #[cfg(feature = "luxo")]
        ExampleName::Luxo,
        ExampleName::Playground,
        ExampleName::Taekwondo,
        ExampleName::Walk,
        ExampleName::Waltz,
    ];

    /// The name, as in `ballet`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ballet => "ballet",
            Self::Lindy => "lindy",
            #[cfg(feature = "luxo")]
            Self::Luxo => "luxo",
            Self::Playground => "playground",
            Self::Taekwondo => "taekwondo",
            Self::Walk => "walk",
            Self::Waltz => "waltz",
        }
    }

    /// A one-line description.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Ballet => "38 short phrases of ballet, from a vocabulary of thirteen words",
            Self::Lindy => {
                "A couple dances Lindy Hop: twelve dances of seven patterns, three improvised ones"
            }
            #[cfg(feature = "luxo")]
            Self::Luxo => "A lamp hops over uneven ground: two recordings, each with its terrain",
            Self::Playground => {
                "Six performers imitate a bar, a rope, water, with markers; and the motions they imitate"
            }
            Self::Taekwondo => "Two fighters: footwork, punches, kicks, blocks, dodges and hits",
            Self::Walk => "Walking: starts, stops, curves, sharp turns, backwards, sidesteps, changing speed",
            Self::Waltz => "A couple waltzes around a floor",
        }
    }

    /// Whether its duration can be chosen.
    pub fn has_duration(self) -> bool {
        matches!(self, Self::Taekwondo | Self::Walk | Self::Waltz)
    }

    /// Whether it consists of several motions.
    pub fn has_several(self) -> bool {
        !self.has_duration()
    }

    /// Whether the height of its people can be chosen.
    pub(super) fn has_height(self) -> bool {
        !matches!(self.name(), "luxo" | "playground")
    }

    /// Whether noise can be added.
    pub(super) fn has_noise(self) -> bool {
        self.name() != "luxo"
    }
}

impl fmt::Display for ExampleName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for ExampleName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.iter().find(|example| example.name() == text);
        found.copied().ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|example| example.name()).collect();
            format!("{text:?} is not an example; examples are {}", names.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for name in ExampleName::ALL {
            assert_eq!(name.to_string().parse(), Ok(*name));
        }
        assert!("tango".parse::<ExampleName>().unwrap_err().contains("walk, waltz"));
    }
}
