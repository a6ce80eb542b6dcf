//! From a plan to motion: one streaming machine, offline and live.
//!
//! ```text
//! Placement ──push──▶ place · stretch ──▶ join ──▶ plant ──advance──▶ pose ─┐
//!                                      the same for every other actor ──▶ pose ─┴▶ constrain
//! ```
//!
//! | module or type | what it does |
//! |---|---|
//! | [`Machine`] | one actor: placements in, poses out, one after another |
//! | [`realise`](fn@realise) | a whole plan: every placement of every actor is pushed, every pose taken out |
//! | [`Sources`], [`Example`] | where examples come from |
//! | [`Chain`] | makes placements that follow each other on the floor |
//! | [`scramble`](fn@scramble) | the hardest plan there is, to try the rest on |
//! | [`join`] | how pieces of motion are made one |
//! | [`plant`] | how feet that stand are kept standing |
//! | [`constrain`] | how hands hold and reach, and heads look |
//! | [`Settings`] | every pass, and how to switch it off |
//!
//! Offline is live with everything pushed at once: both give the same bits. What a pass needs to know of the future makes
//! [`Machine::advance`] wait; [`Machine::look_ahead_frames`] says for how long.

mod batch;
mod chain;
pub mod constrain;
mod copy;
mod error;
pub mod join;
mod machine;
mod piece;
pub mod plant;
mod scramble;
mod settings;
mod sources;
mod touch;

pub use batch::{Realised, realise};
pub use chain::Chain;
pub use error::{Error, codes};
pub use machine::{Machine, Moment, Step};
pub use scramble::scramble;
pub use settings::Settings;
pub use sources::{Example, Sources};
pub use touch::Touch;

/// What a fallible function of this crate returns.
pub type Result<T> = std::result::Result<T, Error>;
