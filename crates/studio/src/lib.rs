//! The local web server of the browser studio: motion, corpus and engines for one page, on this machine only.
//!
//! | module or type | purpose |
//! |---|---|
//! | [`guard`] | every security check; `SECURITY.md` describes the guarantees |
//! | [`Studio`] | the open corpus, the results and imported files of this session, and the panels |
//! | [`Panel`], [`PanelRequest`], [`StudioResult`] | one engine on the page: its request and its result |
//! | [`Work`] | progress and cancellation of a job |
//! | [`LiveOutput`] | the clock, viewers and messages of a live session |
//! | [`message`] | poses as bytes, in the layout that `docs/studio.md` describes |
//! | [`serve`], [`Listening`] | the server |
//! | [`RatingServer`], [`serve_raters`] | the page of raters of a study |
//! | [`StudioError`] | an error with its HTTP status, code, place and hint |
//!
//! [`engine_panels`] lists the panels of the engines. A result carries its plan, so that the page can swap a piece of it and
//! realise it again, whichever engine made it.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unreachable
    )
)]

mod api;
mod characters;
mod command_line;
mod connections;
mod error;
mod example_corpus;
pub mod guard;
mod imports;
mod jobs;
mod live_session;
pub mod message;
mod motion;
mod page;
mod panel;
mod panels;
mod rating;
mod server;
mod session_store;
mod studio;
mod travel_speeds;
mod work;

use std::sync::{Mutex, MutexGuard, PoisonError};

pub use command_line::CommandLine;
pub use error::{StudioError, codes};
pub use example_corpus::fill_with_examples;
pub use imports::{ImportOverrides, Imported};
pub use live_session::LiveOutput;
pub use motion::{Motion, MotionId};
pub use panel::{Floor, Panel, PanelRequest, StudioResult};
pub use panels::engine_panels;
pub use rating::{RatingServer, serve_raters};
pub use server::{Listening, serve};
pub use studio::{Studio, StudioCorpus};
pub use work::Work;

/// Result of a fallible function of this crate.
pub(crate) type Result<T, E = StudioError> = std::result::Result<T, E>;

/// Locks a mutex. Values stay usable after a panic in another thread, because no change leaves them incomplete.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
