//! Two characters that interact: movements found, the model learnt, and what is made of it.

mod agreement;
mod automatic;
mod captured;
mod chain;
mod labels;
mod led;
mod runs;

use crate::args::Args;
use crate::row::Row;

/// What a part of the measurements comes to.
type Measured = Result<Vec<Row>, Box<dyn std::error::Error>>;

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    let mut rows = Vec::new();
    for part in [labels::rows, runs::rows, captured::rows] {
        match part(args) {
            Ok(some) => rows.extend(some),
            Err(error) => eprintln!("not measured: {error}"),
        }
    }
    rows
}
