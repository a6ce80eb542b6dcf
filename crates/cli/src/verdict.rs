//! How a run of the command ends.

use marey::Error;

/// How a run over its inputs ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    AllDone,
    SomeFailed,
    /// Another program refused its arguments and printed why.
    WronglyAsked,
}

impl Verdict {
    pub(crate) fn of<T>(results: &[Result<T, Error>]) -> Self {
        if results.iter().all(Result::is_ok) { Self::AllDone } else { Self::SomeFailed }
    }
}
