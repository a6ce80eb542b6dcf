//! Long calls: they release the interpreter, report progress and stop on Ctrl-C.

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

/// The interval at which the calling thread checks for signals and reports progress.
const TICK: Duration = Duration::from_millis(50);
/// The usual stack size of a main thread.
const STACK_BYTES: usize = 8 << 20;

/// What a call does after Ctrl-C.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnCancel {
    /// It waits for the work, which changes a file and stops between two changes.
    Wait,
    /// It returns at once. The work changes nothing, and its result is dropped.
    Detach,
}

/// The state that the worker thread shares with the calling thread.
#[derive(Default)]
struct Shared {
    is_cancelled: AtomicBool,
    progress: Mutex<Option<Progress>>,
}

/// Runs work on a new thread and waits for it with the interpreter released.
///
/// The calling thread calls `progress(stage, done, total)`. An exception from it cancels the work, as Ctrl-C does.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    progress: Option<Py<PyAny>>,
    on_cancel: OnCancel,
    work: impl FnOnce(Observer<'_>) -> Result<T, Error> + Send + 'static,
) -> PyResult<T> {
    let shared = Arc::new(Shared::default());
    let (send, receive) = channel();
    let worker = shared.clone();
    let thread = thread::Builder::new().name("marey".into()).stack_size(STACK_BYTES).spawn(move || {
        let observe = |progress: Progress| {
            *worker.progress.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress);
            if worker.is_cancelled.load(Ordering::Relaxed) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        // The receiver is gone if the call has returned before the work.
        let _ = send.send(work(Observer::new(&observe)));
    });
    thread.map_err(|error| refused(py, &codes::PYTHON_THREAD, error.to_string()))?;
    let receive = Mutex::new(receive);
    let mut reported = None;
    loop {
        match wait(py, &receive, TICK) {
            Ok(result) => {
                report_progress(py, progress.as_ref(), &shared, &mut reported)?;
                return result.map_err(|error| raised(py, error));
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(raised(py, bug()));
            }
            Err(RecvTimeoutError::Timeout) => {
                let checked = py
                    .check_signals()
                    .and_then(|()| report_progress(py, progress.as_ref(), &shared, &mut reported));
                if let Err(error) = checked {
                    shared.is_cancelled.store(true, Ordering::Relaxed);
                    while on_cancel == OnCancel::Wait
                        && matches!(wait(py, &receive, TICK), Err(RecvTimeoutError::Timeout))
                    {
                    }
                    return Err(error);
                }
            }
        }
    }
}

/// Runs short work on the calling thread, with the interpreter released.
pub(crate) fn quick<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T, Error> + Send) -> PyResult<T> {
    // Unwind safe: the work owns what it changes, so nothing reads a value that a panic left incomplete.
    let done = py.detach(|| catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(bug())));
    done.map_err(|error| raised(py, error))
}

/// The error for a panic in Marey.
fn bug() -> Error {
    Error::new(&codes::PYTHON_BUG, "the call panicked; the message above has the details")
}

fn wait<T: Send>(
    py: Python<'_>,
    receive: &Mutex<Receiver<T>>,
    timeout: Duration,
) -> Result<T, RecvTimeoutError> {
    py.detach(|| receive.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(timeout))
}

/// Calls the callback if the progress has changed since the last call.
fn report_progress(
    py: Python<'_>,
    callback: Option<&Py<PyAny>>,
    shared: &Shared,
    reported: &mut Option<Progress>,
) -> PyResult<()> {
    let now = *shared.progress.lock().unwrap_or_else(PoisonError::into_inner);
    if let (Some(callback), Some(Progress { stage, done, total })) = (callback, now)
        && now != *reported
    {
        *reported = now;
        callback.call1(py, (stage, done, total))?;
    }
    Ok(())
}
