//! What is done to motion, and what is found in it: pure functions of clips and poses.
//!
//! | module | what it does |
//! |---|---|
//! | [`align`] | brings a sequence of points nearest to another by a motion of the floor |
//! | [`beats`] | finds the beats of a dance and its tempo |
//! | [`blend`] | blends segments that are aligned by key times |
//! | [`chain_ik`] | puts several ends of a figure where they are wanted, by damped least squares |
//! | [`cloud`] | makes a segment of motion a cloud of points of a common length |
//! | [`contacts`] | finds when heels and balls of feet stand on the floor |
//! | [`cut`] | says where motion is cut, and by whom |
//! | [`distances`] | measures the distance of every two segments |
//! | [`dtw`] | says which moment of one motion goes with which of another |
//! | [`features`] | says what a frame is like in 27 numbers |
//! | [`floor`] | finds where the floor is |
//! | [`gait`] | finds plants of feet, steps and gait cycles |
//! | [`ik`] | puts the end of a two-bone limb where it is wanted |
//! | [`instants`] | finds the instants at which feet have settled |
//! | [`kd_tree`] | finds the nearest of many points in a space of few dimensions |
//! | [`limit`] | learns from examples how far joints turn |
//! | [`nearest`] | finds the rows of a large table nearest to a query, exactly |
//! | [`reach`] | bends an arm or a leg of a pose so that its hand or foot is at a place |
//! | [`reduction`] | leaves out examples that are there already |
//! | [`retarget`] | moves a motion to another body, feet kept on the floor |
//! | [`root`] | puts the travel of a figure on a bone of its own |
//! | [`mod@rotation_mean`] | the mean of rotations, right for large spreads |
//! | [`scatter`] | says how much of each example there is at a place among them |
//! | [`sole`] | says which points of a foot stand on the floor |
//! | [`state`] | measures how far poses are apart by where their mass is |
//! | [`summary`] | says in a few numbers how a segment goes |

pub mod align;
pub mod beats;
pub mod blend;
pub mod chain_ik;
pub mod cloud;
pub mod contacts;
pub mod cut;
pub mod distances;
pub mod dtw;
mod error;
pub mod features;
pub mod floor;
pub mod gait;
pub mod ik;
pub mod instants;
pub mod kd_tree;
mod level;
pub mod limit;
pub mod nearest;
mod range;
pub mod reach;
pub mod reduction;
pub mod retarget;
pub mod root;
pub mod rotation_mean;
pub mod scatter;
mod smooth;
pub mod sole;
pub mod state;
pub mod summary;

pub use error::{Error, codes};
pub use range::OutOfRange;

/// What a fallible function of this crate returns.
pub type Result<T> = std::result::Result<T, Error>;
