//! Control by example: a control motion is interpreted by synchronised examples of control and target, and answered with what
//! their targets did.
//!
//! E. Hsu, S. Gentry and J. Popović, *Example-Based Control of Human Motion*, Eurographics / ACM SIGGRAPH Symposium on Computer
//! Animation 2004. All of it is here; the search is exact and fast at once, and there is a live one.
//!
//! | type or module | what it is |
//! |---|---|
//! | [`Mapping`], [`Example`], [`Instance`] | the examples, and how they are cut (section 3); fewer of them by clusters (4.4) |
//! | [`Control`] | which points of a figure are compared |
//! | [`Problem`], [`Watch`], [`Settings`], [`Transform`], [`Wish`] | what is asked (4.1, 4.2), and constraints (4.4) |
//! | [`Interpretation`], [`Piece`] | the answer: which instances, when, how stretched, where |
//! | [`exact`] | the search, by default |
//! | [`recurrence`] | equations 6 to 8 as they are written, and with a beam (4.3, 4.4) |
//! | [`follow`](fn@follow) | all of it, with the second pass (4.4); [`Interpretation::plan`] for `marey-realise` (5) |
//! | [`Live`] | the same with a fixed lag, frame by frame |
//! | [`Interpretation::transcript`], [`grow`] | what was done when; many instances out of few (7) |
//! | [`path_control`], [`too_fast`] | drawn paths (6.1) |

mod carry;
mod cells;
mod control;
mod error;
pub mod exact;
mod fits;
mod follow;
mod index;
mod interpretation;
#[cfg(test)]
mod kit;
mod live;
mod mapping;
mod path;
mod problem;
pub mod recurrence;
mod refine;
mod settings;
mod sift;
mod tails;
mod transcript;
mod transform;
mod wish;

pub use control::Control;
pub use error::{Error, codes};
pub use follow::{follow, follow_explained, follow_watched};
pub use interpretation::{Interpretation, Piece};
pub use live::Live;
pub use mapping::{AlikeBy, Example, Instance, Mapping};
pub use path::{PathSettings, path_control, too_fast};
pub use problem::{Problem, Watch};
pub use settings::Settings;
pub use transcript::{GrowSettings, Heard, grow};
pub use transform::{Motion, Transform};
pub use wish::Wish;

/// What a fallible function of this crate returns.
pub type Result<T> = std::result::Result<T, Error>;
