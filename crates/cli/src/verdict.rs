//! The exit status of the command.

use marey::{Error, FileOutcome};

/// The result of a command over its inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    AllDone,
    SomeFailed,
    /// Another program rejected its arguments and printed why.
    WronglyAsked,
}

impl Verdict {
    pub(crate) fn of<T>(results: &[Result<T, Error>]) -> Self {
        Self::passed(results.iter().all(Result::is_ok))
    }

    pub(crate) fn of_files<T>(files: &[FileOutcome<T>]) -> Self {
        Self::passed(files.iter().all(|each| each.result.is_ok()))
    }

    pub(crate) fn passed(passed: bool) -> Self {
        if passed { Self::AllDone } else { Self::SomeFailed }
    }
}
