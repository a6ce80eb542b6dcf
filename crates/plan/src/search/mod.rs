//! Searches for cheapest covers and paths.
//!
//! Costs may be any finite numbers; positive infinity forbids a step. NaN and negative infinity are errors.
//! Ties are broken by lower indices, so that results are deterministic.

mod a_star;
mod beam;
mod lattice;
mod viterbi;

pub use a_star::{FoundPath, Space, a_star};
pub use beam::beam;
pub use lattice::{CandidateSpan, Cover};
pub use viterbi::viterbi;

use crate::{PlanError, Result};

/// Rejects invalid costs.
fn check(cost: f64, what: impl FnOnce() -> String) -> Result<f64> {
    if cost.is_nan() || cost == f64::NEG_INFINITY {
        return Err(PlanError::Cost { what: what(), cost });
    }
    Ok(cost)
}
