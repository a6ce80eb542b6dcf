//! What can be wrong with what is to be measured.

use marey_motion::{Code, Coded, Place};

/// Why nothing was measured.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// Two motions cannot be compared.
    #[error("{0}")]
    NotComparable(String),
    /// The motion was refused.
    #[error(transparent)]
    Motion(#[from] marey_motion::Error),
    /// An operation refused.
    #[error(transparent)]
    Ops(#[from] marey_ops::Error),
}

/// The codes that errors of this crate carry.
pub mod codes {
    marey_motion::codes! {
        NOT_COMPARABLE = "measure/not-comparable":
            "Two motions have too little in common to be compared."
            => "Compare motions of the same length and rate, on bodies that share roles; resample or cut one of them first.";
    }
}

impl Coded for Error {
    fn code(&self) -> &'static Code {
        match self {
            Error::NotComparable(_) => &codes::NOT_COMPARABLE,
            Error::Motion(error) => error.code(),
            Error::Ops(error) => error.code(),
        }
    }

    fn place(&self) -> Place {
        match self {
            Error::NotComparable(_) => Place::default(),
            Error::Motion(error) => error.place(),
            Error::Ops(error) => error.place(),
        }
    }
}
