//! Errors of operations.

use marey_motion::Coded;

use crate::OutOfRange;

/// Error of an operation.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, thiserror::Error, Coded)]
pub enum OpsError {
    /// A setting is outside its range.
    #[error(transparent)]
    #[code(codes::SETTING)]
    Setting(#[from] OutOfRange),
    /// The motion is invalid.
    #[error(transparent)]
    #[code(transparent)]
    Motion(#[from] marey_motion::MotionError),
}

/// The codes that errors of this crate carry.
pub mod codes {
    marey_motion::codes! {
        SETTING = "ops/setting":
            "A setting of an operation is outside its range."
            => "Give a value within the range that the message names.";
    }
}
