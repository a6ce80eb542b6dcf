//! Quality of `follow`: generated Lindy Hop and walks with known answers, and captured salsa.

mod lindy;
mod salsa;
mod walk;

use crate::BoxError;
use crate::args::Args;
use crate::row::Row;

/// Measures one kind of control.
type Part = fn(&Args) -> Result<Vec<Row>, BoxError>;

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    let parts: [(&str, Part); 3] = [("lindy", lindy::rows), ("walk", walk::rows), ("salsa", salsa::rows)];
    let mut rows = Vec::new();
    for (name, measure) in parts {
        match measure(args) {
            Ok(found) => rows.extend(found),
            Err(error) => eprintln!("{name} is not measured: {error}"),
        }
    }
    rows
}
