//! Plans, which place source clips in time and on the floor, and the searches that engines share.
//!
//! | concept | type | meaning |
//! |---|---|---|
//! | use of a source clip | [`Placement`] | source frames, frames in the plan, position on the floor |
//! | plan | [`Plan`] | the placements of each actor, without gaps; a JSON file that can be edited by hand |
//! | motion that no corpus holds | [`PlanClip`] | saved with the plan, exact to the bit |
//! | body of an actor | [`PlanBody`] | what sources of other bodies are retargeted onto |
//! | contacts and gaze | [`Meeting`], [`Target`] | between actors, and with positions in the world |
//! | random seed | [`Seed`] | one number, many independent streams |
//! | explanation | [`Trace`] | the candidates of each choice and their costs; never changes a result |
//!
//! | search | purpose |
//! |---|---|
//! | [`search::viterbi`] | the cheapest cover of a range of frames by candidates of any length, exactly |
//! | [`search::beam`] | the same, keeping only the best few at every boundary |
//! | [`search::a_star`] | the cheapest path through any state space, in bounded memory |
//!
//! `docs/plan.md` describes the JSON of a plan. The crate is pure: it uses no files, clocks or environment.
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

mod body;
mod clip;
mod error;
mod locate;
mod meeting;
mod placement;
mod plan;
pub mod search;
mod seed;
mod trace;

pub use body::PlanBody;
pub use clip::{Hold, PlanClip};
pub use error::{PlanError, codes};
pub use locate::placement_in;
pub use meeting::{ActorJoint, Meeting, Target, TargetGoal};
pub use placement::{KeyTime, Placement, SourceRef};
pub use plan::{ActorPlan, Cost, Plan};
pub use seed::Seed;
pub use trace::{Candidate, Choice, Trace};

/// Result of a fallible function of this crate.
pub(crate) type Result<T> = std::result::Result<T, PlanError>;
