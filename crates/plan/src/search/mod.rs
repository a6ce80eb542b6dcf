//! Searching for the cheapest of many ways.
//!
//! Costs may be any finite numbers; positive infinity forbids. What is not a number, or is below any number, is refused.
//! Of ways that cost the same, the one found from lower numbers is taken, so that results never depend on chance.

mod a_star;
mod beam;
mod lattice;
mod viterbi;

pub use a_star::{Found, Space, a_star};
pub use beam::beam;
pub use lattice::{Cover, Span};
pub use viterbi::viterbi;

use crate::{Error, Result};

/// Refuses what is no cost.
fn check(cost: f64, what: impl FnOnce() -> String) -> Result<f64> {
    if cost.is_nan() || cost == f64::NEG_INFINITY {
        return Err(Error::Cost { what: what(), cost });
    }
    Ok(cost)
}
