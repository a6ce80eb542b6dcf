//! Errors of this crate.

use marey_motion::{Coded, OutOfRange};

/// Why a body could not be made.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, thiserror::Error, Coded)]
pub enum BodyError {
    /// A proportion is outside its range.
    #[error(transparent)]
    #[code(codes::SETTING)]
    Setting(#[from] OutOfRange),
    /// The skeleton cannot be used.
    #[error(transparent)]
    #[code(transparent)]
    Motion(#[from] marey_motion::MotionError),
}

/// Codes of the errors of this crate.
pub mod codes {
    marey_motion::codes! {
        SETTING = "body/setting":
            "A proportion of a body is outside its range."
            => "Give a value within the range that the message names.";
    }
}
