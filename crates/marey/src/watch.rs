//! Long work that tells how far it is, and can be ended.

use std::ops::ControlFlow;

use crate::codes;
use crate::failure::Failure;

/// How far some work is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// What is counted, as in `files` or `generations`.
    pub what: &'static str,
    /// How many are done.
    pub done: usize,
    /// How many there are.
    pub total: usize,
}

/// Somebody who is told of progress, from any thread, and may end the work.
///
/// ```
/// use std::ops::ControlFlow;
/// use marey::watch::Watch;
/// let patient = Watch::new(&|_| ControlFlow::Continue(()));
/// assert!(patient.tell("files", 1, 3).is_ok());
/// let impatient = Watch::new(&|progress| {
///     if progress.done < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
/// });
/// assert!(impatient.tell("files", 1, 3).is_ok());
/// assert_eq!(impatient.tell("files", 2, 3).unwrap_err().code.id, "command/stopped");
/// ```
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    told: &'a (dyn Fn(Progress) -> ControlFlow<()> + Sync),
}

impl std::fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watch").finish_non_exhaustive()
    }
}

impl<'a> Watch<'a> {
    /// Tells somebody.
    pub fn new(told: &'a (dyn Fn(Progress) -> ControlFlow<()> + Sync)) -> Self {
        Self { told }
    }

    /// Says how far the work is; a failure where it is to end.
    pub fn tell(&self, what: &'static str, done: usize, total: usize) -> Result<(), Failure> {
        match (self.told)(Progress { what, done, total }) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => {
                let message = format!("{done} of {total} {what} were done");
                Err(Failure::new(&codes::STOPPED, message))
            }
        }
    }
}

impl Watch<'static> {
    /// Nobody is told.
    pub fn nobody() -> Self {
        Self::new(&|_| ControlFlow::Continue(()))
    }
}
