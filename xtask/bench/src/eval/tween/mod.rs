//! In-betweening: on generated ballet, whose grammar is known, and on captured motion.
//!
//! It calls the engine, because it learns a style once for many pairs of poses and measures the paths of its search.

mod ballet;
mod capture;
mod captured_sets;
mod feet;
mod gaps;
mod salsa;
mod siblings;
mod slerp;

use crate::BoxError;
use crate::args::Args;
use crate::row::Row;

/// Measures one part.
type Part = fn(&Args) -> Result<Vec<Row>, BoxError>;

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    let parts: [Part; 4] = [ballet::rows, feet::rows, capture::rows, gaps::rows];
    let mut rows = Vec::new();
    for part in parts {
        match part(args) {
            Ok(some) => rows.extend(some),
            Err(error) => eprintln!("a part of tween is not measured: {error}"),
        }
    }
    rows
}
