//! Contacts: a foot that stands, a hand that holds another hand or an object.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use marey_motion::Role;
use serde::{Deserialize, Serialize};

/// The target of a contact. The text form is empty for the floor, `1 LeftHand` for a part of another actor, and
/// otherwise the name of an object.
///
/// ```
/// use marey_corpus::ContactTarget;
/// use marey_motion::Role;
/// assert_eq!("1 LeftHand".parse(), Ok(ContactTarget::Actor { actor: 1, role: Role::LeftHand }));
/// assert_eq!("".parse(), Ok(ContactTarget::Floor));
/// assert_eq!("door handle".parse(), Ok(ContactTarget::Thing("door handle".into())));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum ContactTarget {
    /// The floor.
    Floor,
    /// A part of an actor of the take.
    Actor {
        /// Index of the actor.
        actor: usize,
        /// The part.
        role: Role,
    },
    /// An object, by name.
    Thing(String),
}

impl fmt::Display for ContactTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ContactTarget::Floor => Ok(()),
            ContactTarget::Actor { actor, role } => write!(f, "{actor} {role}"),
            ContactTarget::Thing(name) => f.write_str(name),
        }
    }
}

impl From<String> for ContactTarget {
    fn from(text: String) -> Self {
        let text = text.trim();
        let part = text.split_once(' ').and_then(|(actor, role)| {
            Some(ContactTarget::Actor { actor: actor.parse().ok()?, role: role.trim().parse().ok()? })
        });
        match part {
            Some(part) => part,
            None if text.is_empty() => ContactTarget::Floor,
            None => ContactTarget::Thing(text.to_owned()),
        }
    }
}

impl From<ContactTarget> for String {
    fn from(touched: ContactTarget) -> Self {
        touched.to_string()
    }
}

impl FromStr for ContactTarget {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(text.to_owned().into())
    }
}

/// A range of frames in which a part of an actor touches something.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ContactInterval {
    /// First frame.
    pub start: usize,
    /// One past the last frame.
    pub end: usize,
    /// Index of the actor.
    pub actor: usize,
    /// The part.
    pub role: Role,
    /// The target.
    pub on: ContactTarget,
}

impl ContactInterval {
    /// The frames of the contact.
    pub fn frames(&self) -> Range<usize> {
        self.start..self.end
    }
}
