//! Errors of measuring.

use marey_motion::{Coded, Observer};

/// Error of measuring.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, thiserror::Error, Coded)]
pub enum MeasureError {
    /// Two motions cannot be compared.
    #[error("{0}")]
    #[code(codes::NOT_COMPARABLE)]
    NotComparable(String),
    /// The motion is invalid.
    #[error(transparent)]
    #[code(transparent)]
    Motion(#[from] marey_motion::MotionError),
    /// An operation failed.
    #[error(transparent)]
    #[code(transparent)]
    Ops(#[from] marey_ops::OpsError),
}

/// Fails if the observer cancels.
pub(crate) fn check_cancelled(observer: Observer<'_>, done: usize, total: usize) -> crate::Result<()> {
    match observer.report("measuring", done, total).is_continue() {
        true => Ok(()),
        false => Err(marey_ops::OpsError::Cancelled.into()),
    }
}

/// The codes that errors of this crate carry.
pub mod codes {
    marey_motion::codes! {
        NOT_COMPARABLE = "measure/not-comparable":
            "Two motions have too little in common to be compared."
            => "Compare motions of the same length and rate, on bodies that share roles; resample or cut one of them first.";
    }
}
