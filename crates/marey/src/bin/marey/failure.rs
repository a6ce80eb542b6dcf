//! What a whole run comes to.

pub(crate) use marey::failure::Failure;

/// What a run over its inputs comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    AllDone,
    SomeFailed,
    /// Another program was asked wrongly, and has said so.
    WronglyAsked,
}

impl Verdict {
    pub(crate) fn of<T>(results: &[Result<T, Failure>]) -> Self {
        if results.iter().all(Result::is_ok) { Self::AllDone } else { Self::SomeFailed }
    }
}
