//! A plan as motion, and how good motion is: `realise` and `check`.

use std::path::{Path, PathBuf};

use marey::check::{Named, Witness, judge};
use marey::inputs;
use marey::measure::card::Thresholds;
use marey::motion::Take;
use marey::plan::Plan;
use marey::realise::{self, RealiseRequest};
use marey::{Context, Error};
use pyo3::prelude::*;
use serde::Deserialize;
use serde_json::Value;

use super::{Made, Source, look, made};
use crate::corpus::PyCorpus;
use crate::error::{settings, to_json};
use crate::work::{Ending, run};

#[pyfunction]
#[pyo3(signature = (corpus, plan, passes, keep_holds, against, name))]
pub(crate) fn realised(
    py: Python<'_>,
    corpus: &PyCorpus,
    plan: String,
    passes: &str,
    keep_holds: bool,
    against: Option<Source>,
    name: String,
) -> PyResult<Made> {
    let passes = settings(py, passes)?;
    let (corpus, _) = look(py, corpus)?;
    run(py, None, Ending::Left, move |_| {
        let reference = against.map(Source::take).transpose()?;
        let request = RealiseRequest { plan, passes, keep_holds, name, reference };
        let outcome = realise::run(&request, &Context::with_corpus(corpus))?;
        made(outcome.take, outcome.plan.as_ref(), &outcome.report, outcome.details)
    })
}

/// The names of what motion is judged by.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Judging {
    against: Option<PathBuf>,
    path: Option<PathBuf>,
    examples: Vec<PathBuf>,
    plan: Option<Value>,
    truth: Option<PathBuf>,
    terrain: Option<PathBuf>,
    thresholds: Thresholds,
}

#[pyfunction]
pub(crate) fn check(py: Python<'_>, motion: Source, judging: &str) -> PyResult<String> {
    let judging: Judging = settings(py, judging)?;
    run(py, None, Ending::Left, move |_| {
        let plan = judging.plan.map(|plan| Plan::from_json(&plan.to_string())).transpose()?;
        let witness = Witness::gather(&Named {
            against: judging.against.as_deref(),
            path: judging.path.as_deref(),
            examples: &judging.examples,
            plan,
            truth: judging.truth.as_deref(),
            terrain: judging.terrain.as_deref(),
        })?;
        let (take, first) = match motion {
            Source::File(path) => uncalibrated(&path)?,
            given => (given.take()?, 0),
        };
        to_json(&judge(&take, first, &witness, &judging.thresholds)?)
    })
}

/// The first take of a file, and its first frame that is not a calibration pose.
fn uncalibrated(path: &Path) -> Result<(Take, usize), Error> {
    let reading = inputs::import(path)?.into_first().map_err(|error| Error::from(error).in_file(path))?;
    let calibrated = reading.detected.iter().any(|found| found.rest_frame.value);
    Ok((reading.take, usize::from(calibrated)))
}
