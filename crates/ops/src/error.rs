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
    /// No part of a motion can be a cycle.
    #[error("{frames} frames are too short for a cycle")]
    #[code(codes::NO_CYCLE)]
    NoCycle {
        /// Number of frames.
        frames: usize,
    },
    /// The observer cancelled the work.
    #[error("cancelled")]
    #[code(codes::CANCELLED)]
    Cancelled,
    /// The motion is invalid.
    #[error(transparent)]
    #[code(transparent)]
    Motion(#[from] marey_motion::MotionError),
}

/// Fails if the observer cancels.
pub(crate) fn check_cancelled(
    observer: marey_motion::Observer<'_>,
    stage: &'static str,
    done: usize,
    total: usize,
) -> Result<(), OpsError> {
    match observer.report(stage, done, total).is_continue() {
        true => Ok(()),
        false => Err(OpsError::Cancelled),
    }
}

/// The codes that errors of this crate carry.
pub mod codes {
    marey_motion::codes! {
        SETTING = "ops/setting":
            "A setting of an operation is outside its range."
            => "Give a value within the range that the message names.";
        CANCELLED = "ops/cancelled":
            "The work was cancelled."
            => "Run it again.";
        NO_CYCLE = "ops/no-cycle":
            "The motion is too short to contain a cycle."
            => "Use a longer motion, with at least two steps.";
    }
}
