//! `follow`: motion that follows a control, made of the segments of a corpus.
//!
//! [`run`] turns a [`FollowRequest`] into motion, a plan and a trace. The engine's own types, from [`Mapping`] to
//! [`LiveFollower`], are re-exported from `marey-follow`.
//!
//! ```no_run
//! use marey::Context;
//! use marey::follow::{ControlInput, FollowRequest, run};
//! let input = ControlInput::Path { points: vec![[0.0, 0.0], [0.0, 3.0], [2.0, 5.0]], rate_hz: None };
//! let outcome = run(&FollowRequest { input, ..FollowRequest::default() }, &Context::open("walks.marey")?)?;
//! println!("{} frames", outcome.take.frames());
//! # Ok::<(), marey::Error>(())
//! ```

mod actor_name;
mod compared_points;
mod control;
mod example_set;
mod explanation;
mod grow_segments;
mod leader;
mod request;
mod run;

pub use marey_follow::*;

pub(crate) use control::ControlSignal;
pub use control::{ControlInput, ControlKind, ControlPoints};
pub(crate) use example_set::{ExampleChoice, ExampleSet};
pub use explanation::Explanation;
pub(crate) use grow_segments::grow_segments;
pub use request::{FollowRequest, MetricChoice, PathPace, SearchMode};
pub(crate) use run::prepare;
pub use run::{FollowDetails, run};
