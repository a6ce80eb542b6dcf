//! `check`: the quality cards of motion.

use std::path::{Path, PathBuf};

use marey::Error;
use marey::check::{Named, Witness, judge};
use marey::inputs;
use marey::measure::card::Thresholds;
use marey::motion::Take;
use marey::plan::Plan;
use pyo3::prelude::*;
use serde::Deserialize;
use serde_json::Value;

use super::Source;
use crate::error::{settings, to_json};
use crate::work::{Ending, run};

/// The keyword arguments of `marey.check`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct CheckArguments {
    against: Option<PathBuf>,
    path: Option<PathBuf>,
    examples: Vec<PathBuf>,
    plan: Option<Value>,
    truth: Option<PathBuf>,
    terrain: Option<PathBuf>,
    thresholds: Thresholds,
}

#[pyfunction]
pub(crate) fn check(py: Python<'_>, motion: Source, request: &str) -> PyResult<String> {
    let arguments: CheckArguments = settings(py, request)?;
    run(py, None, Ending::Left, move |_| {
        let plan = arguments.plan.map(|plan| Plan::from_json(&plan.to_string())).transpose()?;
        let witness = Witness::gather(&Named {
            against: arguments.against.as_deref(),
            path: arguments.path.as_deref(),
            examples: &arguments.examples,
            plan,
            truth: arguments.truth.as_deref(),
            terrain: arguments.terrain.as_deref(),
        })?;
        let (take, first) = match motion {
            Source::File(path) => read_without_calibration(&path)?,
            other => (other.take()?, 0),
        };
        to_json(&judge(&take, first, &witness, &arguments.thresholds)?)
    })
}

/// Returns the first take of a file, and the index of its first frame that is not a calibration pose.
fn read_without_calibration(path: &Path) -> Result<(Take, usize), Error> {
    let reading = inputs::import(path)?.into_first().map_err(|error| Error::from(error).in_file(path))?;
    let has_rest_frame = reading.detected.iter().any(|found| found.rest_frame.value);
    Ok((reading.take, usize::from(has_rest_frame)))
}
