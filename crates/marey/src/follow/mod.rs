//! `follow`: motion that follows a control, made of the segments of a corpus.
//!
//! [`run`] turns a [`FollowRequest`] into motion, a plan and a trace. The engine's own types, from [`Mapping`] to
//! [`LiveFollower`], are re-exported from `marey-follow`.
//!
//! ```no_run
//! use marey::Context;
//! use marey::follow::{ControlInput, FollowRequest, run};
//! let input = ControlInput::Path { points: vec![[0.0, 0.0], [0.0, 1.2], [0.3, 2.4]], rate_hz: 1.0 };
//! let outcome = run(&FollowRequest { input, ..FollowRequest::default() }, &Context::open("walks.marey")?)?;
//! println!("{} frames", outcome.take.frames());
//! # Ok::<(), marey::Error>(())
//! ```

mod actor_name;
mod control;
mod example_set;
mod grow_segments;
mod leader;
mod request;
mod run;

pub use marey_follow::*;

pub(crate) use control::ControlSignal;
pub use control::{ControlInput, ControlKind};
pub(crate) use example_set::{ExampleChoice, ExampleSet};
pub(crate) use grow_segments::grow_segments;
pub use request::{FollowRequest, SearchMode};
pub(crate) use run::prepare;
pub use run::{FollowDetails, run};
