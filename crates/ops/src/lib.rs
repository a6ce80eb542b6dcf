//! What is done to motion, and what is found in it: pure functions of clips and poses.
//!
//! | module | what it does |
//! |---|---|
//! | [`contacts`] | finds when heels and balls of feet stand on the floor |
//! | [`floor`] | finds where the floor is |
//! | [`ik`] | puts the end of a two-bone limb where it is wanted |
//! | [`retarget`] | moves a motion to another body, feet kept on the floor |
//! | [`root`] | puts the travel of a figure on a bone of its own |
//! | [`sole`] | the points of a foot that stand on the floor |

pub mod contacts;
mod error;
pub mod floor;
pub mod ik;
mod level;
mod range;
pub mod retarget;
pub mod root;
mod smooth;
pub mod sole;

pub use error::{Error, codes};
pub use range::OutOfRange;

/// What a fallible function of this crate returns.
pub type Result<T> = std::result::Result<T, Error>;
