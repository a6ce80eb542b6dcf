//! A motion that the stage shows, and its identifier on the page.

use std::fmt;
use std::str::FromStr;

use marey_corpus::{Corpus, TakeId};
use marey_motion::{Contacts, Take};
use marey_ops::contacts::{self, DetectedContacts};

use crate::{Result, StudioError, codes};

/// The identifier of a motion on the page: `t12` is a take of the corpus, `m3` a result, `i2` an imported file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MotionId {
    /// A take of the corpus.
    Take(i64),
    /// A result of an engine in this session.
    Result(u64),
    /// A file that was imported and not yet added to the corpus.
    Import(u64),
}

impl MotionId {
    /// The take of the corpus that this identifies.
    ///
    /// # Errors
    /// If it is a result or an imported file, which is not in the corpus yet.
    pub fn take_id(self) -> Result<TakeId> {
        match self {
            MotionId::Take(number) => Ok(TakeId(number)),
            _ => {
                Err(StudioError::new(&codes::NO_MOTION, format!("{self} is not in the corpus; add it first")))
            }
        }
    }
}

impl fmt::Display for MotionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MotionId::Take(number) => write!(f, "t{number}"),
            MotionId::Result(number) => write!(f, "m{number}"),
            MotionId::Import(number) => write!(f, "i{number}"),
        }
    }
}

impl FromStr for MotionId {
    type Err = StudioError;

    fn from_str(text: &str) -> Result<Self> {
        let unknown = || StudioError::new(&codes::NO_MOTION, "a motion id is a letter and a number");
        let (kind, number) = text.split_at_checked(1).ok_or_else(unknown)?;
        // An id has one spelling: no sign, no leading zeros.
        let number: i64 = number.parse().map_err(|_| unknown())?;
        let id = match (kind, u64::try_from(number)) {
            ("t", Ok(_)) => MotionId::Take(number),
            ("m", Ok(number)) => MotionId::Result(number),
            ("i", Ok(number)) => MotionId::Import(number),
            _ => return Err(unknown()),
        };
        if id.to_string() == text { Ok(id) } else { Err(unknown()) }
    }
}

/// A take with its foot contacts and its floor.
#[derive(Debug, Clone)]
pub struct Motion {
    /// The motion of every actor.
    pub take: Take,
    /// When each actor's feet touch the ground.
    pub contacts: Vec<Contacts>,
    /// The height of the floor, in metres.
    pub floor_m: f32,
}

impl Motion {
    /// A take of a corpus. Contacts that are not annotated are detected.
    pub fn from_corpus(corpus: &Corpus, id: TakeId) -> Result<Self> {
        let mut motion = Self::from_take(corpus.take(id)?)?;
        for (actor, contacts) in motion.contacts.iter_mut().enumerate() {
            let annotated = corpus.floor_contacts(id, actor)?;
            if !annotated.all().is_empty() {
                *contacts = annotated;
            }
        }
        Ok(motion)
    }

    /// A take whose contacts and floor are detected.
    pub fn from_take(take: Take) -> Result<Self> {
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
    fn ids_are_parsed_as_they_are_printed() {
        for text in ["t1", "m0", "i9223372036854775807"] {
            assert_eq!(text.parse::<MotionId>().unwrap().to_string(), text);
        }
        for bad in ["", "t", "x1", "t-1", "t01", "t+1", "t1 ", "t1.5", "t99999999999999999999", "é1", "t/1"]
        {
            assert_eq!(bad.parse::<MotionId>().unwrap_err().code.id, "studio/no-motion", "{bad}");
        }
    }
}
