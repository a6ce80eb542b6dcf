//! What an engine decides: which example is used when, where, and how stretched. And the searches by which it does.
//!
//! | word | type | in short |
//! |---|---|---|
//! | what the user asks for, and who answers | [`Brief`], [`Engine`], [`answer`] | a wish that can be checked; a plan that is what was wished |
//! | one use of an example | [`Placement`] | which frames of whose motion, for how long, where on the floor |
//! | the whole decision | [`Plan`] | placements of each actor, without gaps; a short JSON file that can be edited by hand |
//! | hands that hold, eyes that look | [`Meeting`], [`Target`] | between actors, and with places |
//! | where chance starts | [`Seed`] | one number, many streams |
//! | why this? | [`Trace`] | the candidates of each choice and what each would have cost; never changes a result |
//!
//! | search | in short |
//! |---|---|
//! | [`search::viterbi`] | the cheapest way to cover a stretch of time with candidates of any length, exactly |
//! | [`search::beam`] | the same, with only the best few kept at every boundary |
//! | [`search::a_star`] | the cheapest way through any space of states, in memory that is told beforehand |
//!
//! The schema of a plan's JSON is in `docs/plan.md`. The crate is pure: it touches no files, clocks or environment.

mod engine;
mod error;
mod locate;
mod meeting;
mod placement;
mod plan;
pub mod search;
mod seed;
mod trace;

pub use engine::{Brief, Engine, answer};
pub use error::{Error, codes};
pub use locate::placement_in;
pub use meeting::{End, Goal, Meeting, Target};
pub use placement::{KeyTime, Placement, SourceRef};
pub use plan::{ActorPlan, Cost, Plan};
pub use seed::Seed;
pub use trace::{Candidate, Choice, Trace};

/// What a fallible function of this crate returns.
pub type Result<T> = std::result::Result<T, Error>;
