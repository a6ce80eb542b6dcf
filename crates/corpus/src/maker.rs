//! Makers of annotations and segments.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Whether a person or a method made an annotation. The text form is `person` or `method NAME`.
///
/// ```
/// use marey_corpus::Maker;
/// assert_eq!("method steps".parse(), Ok(Maker::Method("steps".into())));
/// assert_eq!(Maker::Person.to_string(), "person");
/// assert!("machine".parse::<Maker>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Maker {
    /// A person.
    Person,
    /// A method: its name, with its settings if they matter.
    Method(String),
}

impl Maker {
    /// Creates a method.
    pub fn method(name: impl Into<String>) -> Self {
        Self::Method(name.into())
    }
}

impl fmt::Display for Maker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Maker::Person => f.pad("person"),
            Maker::Method(name) => write!(f, "method {name}"),
        }
    }
}

impl FromStr for Maker {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once(' ') {
            None if text == "person" => Ok(Maker::Person),
            Some(("method", name)) if !name.trim().is_empty() => Ok(Maker::Method(name.trim().to_owned())),
            _ => Err(format!("{text:?} is neither `person` nor `method NAME`")),
        }
    }
}

impl TryFrom<String> for Maker {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Maker> for String {
    fn from(maker: Maker) -> Self {
        maker.to_string()
    }
}
