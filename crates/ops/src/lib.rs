//! What is done to motion, and what is found in it: pure functions of clips and poses.
//!
//! | module | what it does |
//! |---|---|
//! | [`align`] | brings a sequence of points nearest to another by a motion of the floor |
//! | [`cloud`] | makes a segment of motion a cloud of points of a common length |
//! | [`contacts`] | finds when heels and balls of feet stand on the floor |
//! | [`cut`] | says where motion is cut, and by whom |
//! | [`distances`] | measures the distance of every two segments |
//! | [`features`] | says what a frame is like in 27 numbers |
//! | [`floor`] | finds where the floor is |
//! | [`ik`] | puts the end of a two-bone limb where it is wanted |
//! | [`nearest`] | finds the rows of a large table nearest to a query, exactly |

pub mod align;
pub mod cloud;
pub mod contacts;
pub mod cut;
pub mod distances;
mod error;
pub mod features;
pub mod floor;
pub mod ik;
mod level;
pub mod nearest;
mod range;
mod smooth;

pub use error::{Error, codes};
pub use range::OutOfRange;

/// What a fallible function of this crate returns.
pub type Result<T> = std::result::Result<T, Error>;
