//! What can be put on the stage, wherever it comes from, and how the page names it.

use std::fmt;
use std::str::FromStr;

use marey_corpus::{Corpus, TakeId};
use marey_motion::{Contacts, Take};
use marey_ops::contacts::{self, DetectedContacts};

use crate::{Result, StudioError, codes};

/// How the page names a motion: `t12` a take of the corpus, `m3` something made, `i2` a file that was dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MotionId {
    /// A take of the corpus.
    Take(i64),
    /// What an engine made in this session.
    Made(u64),
    /// A file that was read and not yet kept.
    Import(u64),
}

impl fmt::Display for MotionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MotionId::Take(number) => write!(f, "t{number}"),
            MotionId::Made(number) => write!(f, "m{number}"),
            MotionId::Import(number) => write!(f, "i{number}"),
        }
    }
}

impl FromStr for MotionId {
    type Err = StudioError;

    fn from_str(text: &str) -> Result<Self> {
        let unknown = || StudioError::new(&codes::NO_MOTION, "motions are named by a letter and a number");
        let (kind, number) = text.split_at_checked(1).ok_or_else(unknown)?;
        // Only what is written back alike: no sign, no leading zeros.
        let number: i64 = number.parse().map_err(|_| unknown())?;
        let id = match (kind, u64::try_from(number)) {
            ("t", Ok(_)) => MotionId::Take(number),
            ("m", Ok(number)) => MotionId::Made(number),
            ("i", Ok(number)) => MotionId::Import(number),
            _ => return Err(unknown()),
        };
        if id.to_string() == text { Ok(id) } else { Err(unknown()) }
    }
}

/// A motion with what is seen in it.
#[derive(Debug, Clone)]
pub struct Motion {
    /// All figures.
    pub take: Take,
    /// What of each stands when.
    pub contacts: Vec<Contacts>,
    /// The height of the floor that they rest on, in metres.
    pub floor_m: f32,
}

impl Motion {
    /// A take of a corpus. Contacts are as they were said, else as they are seen.
    pub fn of_corpus(corpus: &Corpus, id: TakeId) -> Result<Self> {
        let mut motion = Self::seen(corpus.take(id)?)?;
        for (actor, contacts) in motion.contacts.iter_mut().enumerate() {
            let told = corpus.floor_contacts(id, actor)?;
            if !told.all().is_empty() {
                *contacts = told;
            }
        }
        Ok(motion)
    }

    /// A take of which nothing is known but what is seen in it.
    pub fn seen(take: Take) -> Result<Self> {
        let settings = contacts::ContactSettings::default();
        let found = take.actors().iter().map(|actor| contacts::detect(&actor.clip, &settings));
        let found = found.collect::<std::result::Result<Vec<DetectedContacts>, marey_ops::OpsError>>()?;
        let floors = found.iter().map(|found| found.floor);
        let floor_m = marey_ops::floor::shared_height_m(floors).unwrap_or(0.0);
        Ok(Self { take, contacts: found.into_iter().map(|found| found.contacts).collect(), floor_m })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for text in ["t1", "m0", "i9223372036854775807"] {
            assert_eq!(text.parse::<MotionId>().unwrap().to_string(), text);
        }
        for bad in ["", "t", "x1", "t-1", "t01", "t+1", "t1 ", "t1.5", "t99999999999999999999", "é1", "t/1"]
        {
            assert_eq!(bad.parse::<MotionId>().unwrap_err().code.id, "studio/no-motion", "{bad}");
        }
    }
}
