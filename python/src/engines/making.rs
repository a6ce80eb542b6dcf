//! A plan as motion, and how good motion is: `realise` and `check`.

use std::path::{Path, PathBuf};

use marey::failure::Failure;
use marey::inputs;
use marey::making;
use marey::measure::card::Thresholds;
use marey::motion::Take;
use marey::plan::Plan;
use marey::quality::{Named, Witness, judge};
use marey::realise::Settings;
use pyo3::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Made, Source, look, made};
use crate::corpus::PyCorpus;
use crate::error::{settings, to_json};
use crate::work::{Ending, run};

#[pyfunction]
#[pyo3(signature = (corpus, plan, passes, keeps_holds, against, name))]
pub(crate) fn realised(
    py: Python<'_>,
    corpus: &PyCorpus,
    plan: String,
    passes: &str,
    keeps_holds: bool,
    against: Option<Source>,
    name: String,
) -> PyResult<Made> {
    let passes: Settings = settings(py, passes)?;
    let (corpus, _) = look(py, corpus)?;
    run(py, None, Ending::Left, move |_| {
        passes.validate().map_err(Failure::settings)?;
        let reference = against.map(Source::take).transpose()?;
        let wish = making::Wish { settings: passes, keeps_holds, reference };
        let done = making::make(corpus, &plan, &wish, &name)?;
        made(done.take, Some(&done.plan), &done.report, json!({ "cards": done.cards }))
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
fn uncalibrated(path: &Path) -> Result<(Take, usize), Failure> {
    let reading = inputs::import(path)?.into_first().map_err(|error| Failure::from(error).in_file(path))?;
    let calibrated = reading.detected.iter().any(|found| found.rest_frame.value);
    Ok((reading.take, usize::from(calibrated)))
}
