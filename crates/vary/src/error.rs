//! What can be wrong with what is to be varied, or with what is to vary it.

use marey_motion::{Code, Coded, Place};
use marey_ops::OutOfRange;

/// Why a variation was refused.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// A setting is out of its range.
    #[error(transparent)]
    Setting(#[from] OutOfRange),
    /// Too little to vary.
    #[error("{elements} elements, and {least} are needed")]
    Short {
        /// How many there are.
        elements: usize,
        /// How many are needed.
        least: usize,
    },
    /// An expression cannot be read.
    #[error("{text:?}: {problem}")]
    Expression {
        /// What was to be read.
        text: String,
        /// Where in it, from 1.
        column: usize,
        /// What is wrong.
        problem: String,
    },
    /// The name of a system is not known, or there are not three expressions.
    #[error("{text:?} is no system")]
    System {
        /// What was given.
        text: String,
    },
    /// A trajectory leaves for infinity.
    #[error("after {time:.3} units of time the trajectory is beyond {bound:e}, or cannot go on")]
    Escapes {
        /// When, in the system's own time.
        time: f64,
        /// Beyond what.
        bound: f64,
    },
    /// A trajectory comes to rest, so there is nothing to wrap around.
    #[error("the system comes to rest, or goes around only {turns} times in {time} units of time")]
    Still {
        /// How often it goes around.
        turns: usize,
        /// In how long a time.
        time: f64,
    },
    /// A phrase has no frames in its take, or takes do not fit each other.
    #[error("{problem}")]
    Phrase {
        /// What is wrong.
        problem: String,
    },
}

/// The codes that errors of this crate carry.
pub mod codes {
    marey_motion::codes! {
        SETTING = "vary/setting":
            "A setting of a variation is out of its range." => "The message names the range.";
        SHORT = "vary/short":
            "There is too little to vary."
            => "Give a longer clip, wider tags, or fewer frames to a cell.";
        EXPRESSION = "vary/expression":
            "An expression of a system cannot be read."
            => "Known are numbers, x, y, z, pi, + - * / ^, parentheses, and sin, cos, tan, exp, ln, sqrt, abs, sign, tanh.";
        SYSTEM = "vary/system":
            "The system is not known."
            => "Give lorenz, rossler, chua, or three expressions: \"10*(y-x); x*(28-z)-y; x*y-8/3*z\".";
        ESCAPES = "vary/escapes":
            "A trajectory of the system leaves for infinity."
            => "Start elsewhere, move the start less, or choose another system.";
        STILL = "vary/still":
            "The system comes to rest or does not go around, so that nothing can be wrapped around it."
            => "Choose constants for which it is chaotic.";
        PHRASE = "vary/phrase":
            "A phrase to be varied has no frames in its take, or takes to be varied together do not fit each other."
            => "Give frames inside the take, and takes of one rate with as many actors.";
    }
}

impl Coded for Error {
    fn code(&self) -> &'static Code {
        match self {
            Error::Setting(_) => &codes::SETTING,
            Error::Short { .. } => &codes::SHORT,
            Error::Expression { .. } => &codes::EXPRESSION,
            Error::System { .. } => &codes::SYSTEM,
            Error::Escapes { .. } => &codes::ESCAPES,
            Error::Still { .. } => &codes::STILL,
            Error::Phrase { .. } => &codes::PHRASE,
        }
    }

    fn place(&self) -> Place {
        match self {
            Error::Expression { column, .. } => Place::at(1, *column),
            _ => Place::default(),
        }
    }
}
