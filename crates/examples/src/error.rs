//! What can be wrong with what an example is asked to be.

use marey_motion::{Code, Coded, Place};
use marey_ops::OutOfRange;

/// Why an example could not be made, or its truth not be read.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// A setting is outside its range.
    #[error(transparent)]
    Setting(#[from] OutOfRange),
    /// A truth says of its motion what cannot be.
    #[error("the truth does not fit its motion: {0}")]
    Truth(#[from] marey_motion::Error),
    /// A hold of a truth cannot be.
    #[error("the truth has a hold {0}")]
    Hold(String),
    /// A truth names an actor that its motion does not have.
    #[error("the truth names actor {actor}, but there are {actors}")]
    Actor {
        /// Which, from 0.
        actor: usize,
        /// How many there are.
        actors: usize,
    },
    /// A pattern of a dance starts in another stance than the one before it ends in.
    #[error("pattern {index} starts in {starts}, but the one before it ends in {ends}")]
    Stance {
        /// Which pattern, from 0.
        index: usize,
        /// Where it starts.
        starts: &'static str,
        /// Where the one before ends.
        ends: &'static str,
    },
    /// A lamp fell on every terrain that was drawn for it.
    #[error("the lamp fell on each of {terrains} terrains")]
    Fell {
        /// How many were drawn.
        terrains: u64,
    },
}

/// The codes that errors of this crate carry.
pub mod codes {
    marey_motion::codes! {
        SETTING = "examples/setting":
            "A setting of an example is outside its range."
            => "Give a value within the range that the message names.";
        TRUTH = "examples/truth":
            "A truth names frames or actors that its motion does not have, or contacts that overlap."
            => "Make the example again, or correct the file.";
        STANCE = "examples/stance":
            "The patterns of a dance do not follow on each other: one starts in another stance than the last ends in."
            => "Put a pattern between them that leads from the one stance to the other.";
        FELL = "examples/fell":
            "A lamp fell on every terrain that was drawn for it."
            => "Let it look farther ahead, or draw smoother ground.";
    }
}

impl Error {
    /// Refuses an actor that is not there.
    pub(crate) fn check_actor(actor: usize, actors: usize) -> crate::Result<()> {
        if actor < actors { Ok(()) } else { Err(Error::Actor { actor, actors }) }
    }
}

impl Coded for Error {
    fn code(&self) -> &'static Code {
        match self {
            Error::Setting(_) => &codes::SETTING,
            Error::Truth(_) | Error::Hold(_) | Error::Actor { .. } => &codes::TRUTH,
            Error::Stance { .. } => &codes::STANCE,
            Error::Fell { .. } => &codes::FELL,
        }
    }

    fn place(&self) -> Place {
        match self {
            Error::Setting(_)
            | Error::Hold(_)
            | Error::Actor { .. }
            | Error::Stance { .. }
            | Error::Fell { .. } => Place::default(),
            Error::Truth(error) => error.place(),
        }
    }
}
