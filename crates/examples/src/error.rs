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
}

/// The codes that errors of this crate carry.
pub mod codes {
    marey_motion::codes! {
        SETTING = "examples/setting":
            "A setting of an example is outside its range."
            => "Give a value within the range that the message names.";
        TRUTH = "examples/truth":
            "A truth names frames that its motion does not have, or contacts that overlap."
            => "Make the example again, or correct the frames in the file.";
    }
}

impl Coded for Error {
    fn code(&self) -> &'static Code {
        match self {
            Error::Setting(_) => &codes::SETTING,
            Error::Truth(_) => &codes::TRUTH,
        }
    }

    fn place(&self) -> Place {
        match self {
            Error::Setting(_) => Place::default(),
            Error::Truth(error) => error.place(),
        }
    }
}
