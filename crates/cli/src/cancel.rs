//! Ctrl-C: the first cancels work that can be cancelled, so that it ends cleanly; the second ends the program at once.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The exit code of a program that Ctrl-C ended.
const ENDED_BY_SIGNAL: i32 = 130;

static WATCHED: Once = Once::new();
static IS_CANCELLED: AtomicBool = AtomicBool::new(false);
/// Number of pieces of work that check [`is_cancelled`].
static ACTIVE: AtomicUsize = AtomicUsize::new(0);

/// Work that checks [`is_cancelled`] while this value exists.
#[derive(Debug)]
pub(crate) struct Cancellable;

impl Cancellable {
    /// Starts work that checks [`is_cancelled`].
    pub(crate) fn start() -> Self {
        ACTIVE.fetch_add(1, Ordering::Relaxed);
        WATCHED.call_once(|| drop(std::thread::spawn(watch)));
        Self
    }
}

impl Drop for Cancellable {
    fn drop(&mut self) {
        ACTIVE.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Whether the work is to stop.
pub(crate) fn is_cancelled() -> bool {
    IS_CANCELLED.load(Ordering::Relaxed)
}

/// Waits for Ctrl-C. If that is not possible, Ctrl-C ends the program as usual.
fn watch() {
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
    while runtime.block_on(tokio::signal::ctrl_c()).is_ok() {
        if ACTIVE.load(Ordering::Relaxed) == 0 || IS_CANCELLED.swap(true, Ordering::Relaxed) {
            std::process::exit(ENDED_BY_SIGNAL);
        }
    }
}
