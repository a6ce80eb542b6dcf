//! Errors of this crate.

use marey_body::BodyError;
use marey_motion::Coded;
use marey_ops::OutOfRange;

/// The reason why an example could not be generated, or its ground truth could not be read.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, thiserror::Error, Coded)]
pub enum ExamplesError {
    /// A setting is outside its range.
    #[error(transparent)]
    #[code(codes::SETTING)]
    Setting(#[from] OutOfRange),
    /// A body could not be generated.
    #[error(transparent)]
    #[code(transparent)]
    Body(#[from] BodyError),
    /// A ground truth does not match its motion.
    #[error("the ground truth does not match its motion: {0}")]
    #[code(codes::TRUTH, place = _0.place())]
    Truth(#[from] marey_motion::MotionError),
    /// A hold of a ground truth is invalid.
    #[error("the ground truth has an invalid hold: {0}")]
    #[code(codes::TRUTH)]
    Hold(String),
    /// A ground truth names an actor that its motion does not have.
    #[error("the ground truth names actor {actor}, but the motion has {actors}")]
    #[code(codes::TRUTH)]
    Actor {
        /// The actor, from 0.
        actor: usize,
        /// The number of actors.
        actors: usize,
    },
    /// A pattern of a dance starts in another stance than the previous one ends in.
    #[error("pattern {index} starts in {starts}, but the previous one ends in {ends}")]
    #[code(codes::STANCE)]
    Stance {
        /// The pattern, from 0.
        index: usize,
        /// The stance it starts in.
        starts: &'static str,
        /// The stance in which the previous pattern ends.
        ends: &'static str,
    },
    /// A lamp fell on every generated terrain.
    #[error("the lamp fell on each of {terrains} terrains")]
    #[code(codes::FELL)]
    Fell {
        /// The number of terrains.
        terrains: u64,
    },
}

/// Codes of the errors of this crate.
pub mod codes {
    marey_motion::codes! {
        SETTING = "examples/setting":
            "A setting of an example is outside its range."
            => "Give a value within the range that the message names.";
        TRUTH = "examples/truth":
            "A ground truth names frames or actors that its motion does not have, or has contacts that overlap."
            => "Generate the example again, or correct the file.";
        STANCE = "examples/stance":
            "A pattern of a dance starts in another stance than the previous one ends in."
            => "Insert a pattern that leads from one stance to the other.";
        FELL = "examples/fell":
            "A lamp fell on every generated terrain."
            => "Increase the lookahead of the planner, or reduce the roughness.";
    }
}

impl ExamplesError {
    /// Checks that an actor exists.
    pub(crate) fn check_actor(actor: usize, actors: usize) -> crate::Result<()> {
        if actor < actors { Ok(()) } else { Err(ExamplesError::Actor { actor, actors }) }
    }
}
