//! What is done to motion, and what is found in it: pure functions of clips and poses.
//!
//! | module | what it does |
//! |---|---|
//! | [`ik`] | puts the end of a two-bone limb where it is wanted |

mod error;
pub mod ik;
mod range;

pub use error::{Error, codes};
pub use range::OutOfRange;

/// What a fallible function of this crate returns.
pub type Result<T> = std::result::Result<T, Error>;
