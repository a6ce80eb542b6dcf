//! Numbers about motion: what a person would call sliding, sinking, jerking, stretching, straying, or the same again.
//!
//! | module | what it measures |
//! |---|---|
//! | [`skate`] | how far feet slide while they stand |
//! | [`sink`] | how deep a figure is in the floor |
//! | [`jolt`] | how suddenly joints change their velocity: accelerations and jerk |
//! | [`knees`] | whether knees lock or flip |
//! | [`stretch`] | how much bones change their length |
//! | [`bounds`] | how far joints turn beyond what they were seen to |
//! | [`path`] | how far a figure is from the path it was to follow |
//! | [`hold`] | how far hands are from what they hold |
//! | [`likeness`] | how far a motion is from another |
//! | [`variety`] | how much of the examples is used, and how different results are |
//! | [`tween`] | L2P, L2Q and NPSS, the usual numbers for in-betweening |
//! | [`card`] | all that applies to one clip, each number beside its threshold |
//!
//! Every number has its unit in its name, and where it can, where and when it was worst.

pub mod bounds;
pub mod card;
mod error;
pub mod hold;
pub mod jolt;
pub mod knees;
pub mod likeness;
pub mod path;
pub mod sink;
pub mod skate;
pub mod stretch;
pub mod tween;
pub mod variety;

pub use error::{Error, codes};

/// What a fallible function of this crate returns.
pub type Result<T> = std::result::Result<T, Error>;

/// Where and when something was worst.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Worst {
    /// The joint, by its name; or what else it is about.
    pub what: String,
    /// The frame.
    pub frame: usize,
}
