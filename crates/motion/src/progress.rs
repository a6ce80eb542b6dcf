//! Progress reports and cancellation.

use std::fmt;
use std::ops::ControlFlow;

/// Progress of a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Name of the stage, in lower case, e.g. `"search"`.
    pub stage: &'static str,
    /// Number of steps that are done.
    pub done: usize,
    /// Number of steps of the stage; 0 if unknown.
    pub total: usize,
}

/// Receives [`Progress`] from any thread, and decides whether the work continues.
///
/// ```
/// use std::ops::ControlFlow;
/// use marey_motion::Observer;
///
/// fn sum(numbers: &[u64], observer: Observer<'_>) -> Option<u64> {
///     let mut sum = 0;
///     for (done, number) in numbers.iter().enumerate() {
///         if observer.report("sum", done, numbers.len()).is_break() {
///             return None;
///         }
///         sum += number;
///     }
///     Some(sum)
/// }
///
/// assert_eq!(sum(&[1, 2, 3], Observer::ignore()), Some(6));
/// let cancel = |_| ControlFlow::Break(());
/// assert_eq!(sum(&[1, 2, 3], Observer::new(&cancel)), None);
/// ```
#[derive(Clone, Copy)]
pub struct Observer<'a> {
    callback: &'a (dyn Fn(Progress) -> ControlFlow<()> + Sync),
}

impl<'a> Observer<'a> {
    /// An observer that calls `callback` for each report. `ControlFlow::Break` cancels the work.
    pub fn new(callback: &'a (dyn Fn(Progress) -> ControlFlow<()> + Sync)) -> Self {
        Self { callback }
    }

    /// An observer that ignores progress and never cancels.
    pub fn ignore() -> Self {
        Self { callback: &|_| ControlFlow::Continue(()) }
    }

    /// Reports that `done` of `total` steps of a stage are done. After `ControlFlow::Break`, the caller stops working and
    /// returns its `Cancelled` error.
    pub fn report(&self, stage: &'static str, done: usize, total: usize) -> ControlFlow<()> {
        (self.callback)(Progress { stage, done, total })
    }
}

impl Default for Observer<'_> {
    fn default() -> Self {
        Self::ignore()
    }
}

impl fmt::Debug for Observer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Observer").finish_non_exhaustive()
    }
}
