//! Quality of `duet`: labels, model and generated motion.

mod agreement;
mod automatic;
mod captured;
mod chain;
mod controlled;
mod labels;
mod relative_positions;
mod runs;

use crate::BoxError;
use crate::args::Args;
use crate::row::Row;

/// The rows of a part of the evaluation.
type Measured = Result<Vec<Row>, BoxError>;

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    measure(args, &[labels::rows, runs::rows])
}

/// Evaluates captured pairs.
pub(crate) fn captured_alone(args: &Args) -> Vec<Row> {
    measure(args, &[captured::rows])
}

/// Evaluates runs of a model trained on one generated bout.
pub(crate) fn runs_alone(args: &Args) -> Vec<Row> {
    measure(args, &[runs::rows])
}

fn measure(args: &Args, parts: &[fn(&Args) -> Measured]) -> Vec<Row> {
    let mut rows = Vec::new();
    for part in parts {
        match part(args) {
            Ok(some) => rows.extend(some),
            Err(error) => eprintln!("a part of duet is not measured: {error}"),
        }
    }
    rows
}
