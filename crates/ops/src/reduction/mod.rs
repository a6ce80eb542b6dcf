//! Removal of redundant examples.
//!
//! | module | method |
//! |---|---|
//! | [`linkage`] | complete-linkage clusters (Hsu, Gentry and Popović 2004, section 4.4) |
//! | [`grouping`] | clusters of limited radius and minimum distance (Park, Kwon, Shin and Shin 2004, section 3.4.2) |
//! | [`movement`] | the features that are grouped: ends of limbs, warped to a common length |
//! | [`Keep`] | the member of a cluster that is kept |
//! | [`redundancy`] | adds an example only if none is close to it (Lamouret and van de Panne 1996, section 2, question 4) |

pub mod grouping;
mod keep;
pub mod linkage;
pub mod movement;
mod projection;
pub mod redundancy;

pub use keep::Keep;
