//! Making a set of examples smaller: leaving out what is there already.
//!
//! | module | which examples stay |
//! |---|---|
//! | [`linkage`] | one of each cluster whose members are all near each other (Hsu, Gentry and Popović 2004, section 4.4) |
//! | [`grouping`] | groups of at most a radius, at least a distance apart (Park, Kwon, Shin and Shin 2004, section 3.4.2) |
//! | [`movement`] | what the groups are made by: ends of limbs, warped to a common length |
//! | [`Keep`] | which one of several that are alike |
//! | [`redundancy`] | whatever is not near one that is there already (Lamouret and van de Panne 1996, section 2, question 4) |

pub mod grouping;
mod keep;
pub mod linkage;
pub mod movement;
pub mod redundancy;

pub use keep::Keep;
