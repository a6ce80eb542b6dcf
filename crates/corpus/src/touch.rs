//! Contacts in a corpus: a foot that stands, a hand that holds another hand or a thing.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use marey_motion::Role;
use serde::{Deserialize, Serialize};

/// What is touched. As text: empty for the floor, `1 LeftHand` for a part of another actor, else the name of a thing.
///
/// ```
/// use marey_corpus::Touched;
/// use marey_motion::Role;
/// assert_eq!("1 LeftHand".parse(), Ok(Touched::Actor { actor: 1, role: Role::LeftHand }));
/// assert_eq!("".parse(), Ok(Touched::Floor));
/// assert_eq!("door handle".parse(), Ok(Touched::Thing("door handle".into())));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Touched {
    /// A foot is planted.
    Floor,
    /// A part of an actor of the take.
    Actor {
        /// Which actor, from 0.
        actor: usize,
        /// Which part.
        role: Role,
    },
    /// A thing, by name.
    Thing(String),
}

impl fmt::Display for Touched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Touched::Floor => Ok(()),
            Touched::Actor { actor, role } => write!(f, "{actor} {role}"),
            Touched::Thing(name) => f.write_str(name),
        }
    }
}

impl From<String> for Touched {
    fn from(text: String) -> Self {
        let text = text.trim();
        let part = text.split_once(' ').and_then(|(actor, role)| {
            Some(Touched::Actor { actor: actor.parse().ok()?, role: role.trim().parse().ok()? })
        });
        match part {
            Some(part) => part,
            None if text.is_empty() => Touched::Floor,
            None => Touched::Thing(text.to_owned()),
        }
    }
}

impl From<Touched> for String {
    fn from(touched: Touched) -> Self {
        touched.to_string()
    }
}

impl FromStr for Touched {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(text.to_owned().into())
    }
}

/// A stretch of frames in which a part of an actor touches something.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Touch {
    /// First frame.
    pub start: usize,
    /// One past the last.
    pub end: usize,
    /// Whose part, from 0.
    pub actor: usize,
    /// Which part.
    pub role: Role,
    /// What it touches.
    pub on: Touched,
}

impl Touch {
    /// The frames in which it touches.
    pub fn frames(&self) -> Range<usize> {
        self.start..self.end
    }
}
