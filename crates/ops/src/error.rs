//! What can be wrong with what is handed to an operation.

use marey_motion::{Code, Coded, Place};

use crate::OutOfRange;

/// Why an operation refused.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// A setting is outside its range.
    #[error(transparent)]
    Setting(#[from] OutOfRange),
    /// Motion was refused.
    #[error(transparent)]
    Motion(#[from] marey_motion::Error),
}

/// The codes that errors of this crate carry.
pub mod codes {
    marey_motion::codes! {
        SETTING = "ops/setting":
            "A setting of an operation is outside its range."
            => "Give a value within the range that the message names.";
    }
}

impl Coded for Error {
    fn code(&self) -> &'static Code {
        match self {
            Error::Setting(_) => &codes::SETTING,
            Error::Motion(error) => error.code(),
        }
    }

    fn place(&self) -> Place {
        match self {
            Error::Setting(_) => Place::default(),
            Error::Motion(error) => error.place(),
        }
    }
}
