//! The local web server behind the browser studio: motion, corpus and engines for one page, on this machine only.
//!
//! | module or type | what it is for |
//! |---|---|
//! | [`guard`] | every security check; `SECURITY.md` says what it promises |
//! | [`Studio`] | a corpus that is open, what was made and read in this session, and the engines |
//! | [`Panel`], [`PanelRequest`], [`StudioResult`] | how an engine is plugged in: what the page asks, what comes of it |
//! | [`Work`] | how far long work is, and whether it is still wanted |
//! | [`Live`] | motion that is made while it is watched: its clock, its viewers, what they say |
//! | [`message`] | poses as bytes: the layout that `docs/studio.md` describes |
//! | [`serve`], [`Listening`] | the server |
//! | [`StudioError`] | what goes wrong, with its status, code, place and hint |
//!
//! The studio knows no engine: `marey studio` plugs them in, each a [`Panel`] of its own. A result is a plan and the examples that
//! it uses, so that the page can swap a piece and have it realised again whichever engine made it.
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
mod command;
mod error;
pub mod guard;
mod imports;
mod jobs;
mod live;
pub mod message;
mod motion;
mod page;
mod panel;
mod panels;
mod server;
mod shelf;
mod studio;
mod survey;
mod swap;

pub use command::quoted;
pub use error::{StudioError, codes};
pub use imports::{ImportOverrides, Imported};
pub use jobs::Work;
pub use live::Live;
pub use motion::{Motion, MotionId};
pub use panel::{Floor, Panel, PanelRequest, Planned, StudioResult};
pub use panels::{engine_panels, fill_with_examples};
pub use server::{Listening, serve};
pub use studio::{Opened, Studio};

/// What a fallible function of this crate returns.
pub(crate) type Result<T, E = StudioError> = std::result::Result<T, E>;
