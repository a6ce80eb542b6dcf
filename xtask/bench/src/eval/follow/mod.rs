//! Control by example: does it answer as it should?

mod lindy;
mod salsa;
mod walk;

use crate::args::Args;
use crate::row::Row;

type Failure = Box<dyn std::error::Error>;

/// Measures one kind of control.
type Part = fn(&Args) -> Result<Vec<Row>, Failure>;

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    let parts: [(&str, Part); 3] = [("lindy", lindy::rows), ("walk", walk::rows), ("salsa", salsa::rows)];
    let mut rows = Vec::new();
    for (name, measure) in parts {
        match measure(args) {
            Ok(found) => rows.extend(found),
            Err(error) => eprintln!("{name} is left out: {error}"),
        }
    }
    rows
}
