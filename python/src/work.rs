//! Long calls: the interpreter is free meanwhile, progress is told, and Ctrl-C ends them.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use marey::Error;
use marey::codes;
use marey::motion::{Observer, Progress};
use pyo3::prelude::*;

use crate::error::{raised, refused};

/// How often signals are looked for and progress is told.
const TICK: Duration = Duration::from_millis(50);
/// As large as the stack of a program's own thread.
const STACK_BYTES: usize = 8 << 20;

/// What becomes of work that is to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// It is waited for: it changes a file, and ends between two changes.
    Awaited,
    /// It is not waited for: it changes nothing, and what it finds is thrown away.
    Left,
}

/// What the thread that works and the one that waits know of each other.
#[derive(Default)]
struct Shared {
    is_to_end: AtomicBool,
    progress: Mutex<Option<Progress>>,
}

/// Runs work on a thread of its own, and waits for it with the interpreter free. `progress` is called as `progress(stage, done, total)`
/// on the thread that called; what it raises ends the work, as Ctrl-C does.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    progress: Option<Py<PyAny>>,
    ending: Ending,
    work: impl FnOnce(Observer<'_>) -> Result<T, Error> + Send + 'static,
) -> PyResult<T> {
    let shared = Arc::new(Shared::default());
    let (send, receive) = channel();
    let theirs = shared.clone();
    let begun = thread::Builder::new().name("marey".into()).stack_size(STACK_BYTES).spawn(move || {
        let told = |progress: Progress| {
            *theirs.progress.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress);
            if theirs.is_to_end.load(Ordering::Relaxed) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        // Nobody listens any more where the work was left.
        let _ = send.send(work(Observer::new(&told)));
    });
    begun.map_err(|error| refused(py, &codes::PYTHON_THREAD, error.to_string()))?;
    let receive = Mutex::new(receive);
    let mut told = None;
    loop {
        match wait(py, &receive, TICK) {
            Ok(result) => {
                tell(py, progress.as_ref(), &shared, &mut told)?;
                return result.map_err(|failure| raised(py, failure));
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(raised(py, bug()));
            }
            Err(RecvTimeoutError::Timeout) => {
                let stopped =
                    py.check_signals().and_then(|()| tell(py, progress.as_ref(), &shared, &mut told));
                if let Err(error) = stopped {
                    shared.is_to_end.store(true, Ordering::Relaxed);
                    while ending == Ending::Awaited
                        && matches!(wait(py, &receive, TICK), Err(RecvTimeoutError::Timeout))
                    {
                    }
                    return Err(error);
                }
            }
        }
    }
}

/// Does something short on the thread that called, with the interpreter free.
pub(crate) fn quick<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T, Error> + Send) -> PyResult<T> {
    // What was left half done is never looked at again: work owns what it changes.
    let done = py.detach(|| catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(bug())));
    done.map_err(|failure| raised(py, failure))
}

/// A panic, which is a fault of Marey's own.
fn bug() -> Error {
    Error::new(&codes::PYTHON_BUG, "see what was printed before")
}

fn wait<T: Send>(
    py: Python<'_>,
    receive: &Mutex<Receiver<T>>,
    most: Duration,
) -> Result<T, RecvTimeoutError> {
    py.detach(|| receive.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(most))
}

/// Calls the callback where there is news.
fn tell(
    py: Python<'_>,
    callback: Option<&Py<PyAny>>,
    shared: &Shared,
    told: &mut Option<Progress>,
) -> PyResult<()> {
    let now = *shared.progress.lock().unwrap_or_else(PoisonError::into_inner);
    if let (Some(callback), Some(Progress { stage, done, total })) = (callback, now)
        && now != *told
    {
        *told = now;
        callback.call1(py, (stage, done, total))?;
    }
    Ok(())
}
