//! `duet.label` (on one machine, or as islands), `duet.train` and `duet.run`: two interacting people.

use marey::duet::label::{self, DuetLabelRequest};
use marey::duet::train::{self, DuetTrainRequest};
use marey::duet::{self, DuetRequest, Labelling, parse_command};
use marey::motion::Report;
use marey::{Context, Error};
use pyo3::prelude::*;
use serde::Serialize;
use serde_json::json;

use super::{OutcomeParts, Source, open_to_read, outcome_parts};
use crate::cast::PyCast;
use crate::corpus::PyCorpus;
use crate::error::{from_json, settings, to_json, warn};
use crate::work::{OnCancel, run};

/// Runs a step that changes the corpus. Returns its result as JSON and raises its report as Python warnings.
fn run_step<T: Serialize>(
    py: Python<'_>,
    corpus: &PyCorpus,
    progress: Option<Py<PyAny>>,
    step: impl FnOnce(&Context<'_>) -> Result<(T, Report), Error> + Send + 'static,
) -> PyResult<String> {
    let (result, report) = corpus.with_owned(py, progress, move |corpus, observer| {
        let context = Context::with_corpus(corpus).observed_by(observer);
        let result = step(&context).and_then(|(result, report)| Ok((to_json(&result)?, report)));
        (context.into_corpus(), result)
    })?;
    warn(py, &report)?;
    Ok(result)
}

#[pyfunction]
#[pyo3(signature = (corpus, request, progress))]
pub(crate) fn duet_label(
    py: Python<'_>,
    corpus: &PyCorpus,
    request: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let request: DuetLabelRequest = settings(py, request)?;
    run_step(py, corpus, progress, move |context| {
        let mut outcome = label::run(&request, context)?;
        let report = std::mem::take(&mut outcome.report);
        Ok((outcome, report))
    })
}

#[pyfunction]
pub(crate) fn duet_train(py: Python<'_>, corpus: &PyCorpus, request: &str) -> PyResult<String> {
    let request: DuetTrainRequest = settings(py, request)?;
    run_step(py, corpus, None, move |context| {
        let outcome = train::run(&request, context)?;
        Ok((outcome.groups, outcome.report))
    })
}

/// Searches one island. Returns its labels as JSON.
#[pyfunction]
pub(crate) fn duet_island(py: Python<'_>, corpus: &PyCorpus, request: &str, island: u64) -> PyResult<String> {
    let request: DuetLabelRequest = settings(py, request)?;
    let (corpus, _) = open_to_read(py, corpus)?;
    run(py, None, OnCancel::Detach, move |_| {
        to_json(&label::run_island(&request, island, &Context::with_corpus(corpus))?)
    })
}

/// Stores the best labels of several islands in the corpus. Returns a summary as JSON.
#[pyfunction]
pub(crate) fn duet_settle(
    py: Python<'_>,
    corpus: &PyCorpus,
    request: &str,
    islands: Vec<String>,
) -> PyResult<String> {
    let request: DuetLabelRequest = settings(py, request)?;
    run_step(py, corpus, None, move |context| {
        let islands =
            islands.iter().map(|text| from_json(text)).collect::<Result<Vec<Labelling>, Error>>()?;
        let mut outcome = label::store_best(&request, &islands, context)?;
        let report = std::mem::take(&mut outcome.report);
        Ok((outcome, report))
    })
}

#[pyfunction]
#[pyo3(signature = (corpus, path, commands, request, cast, progress))]
pub(crate) fn duet_run(
    py: Python<'_>,
    corpus: &PyCorpus,
    path: Option<Source>,
    commands: Vec<String>,
    request: &str,
    cast: PyCast,
    progress: Option<Py<PyAny>>,
) -> PyResult<OutcomeParts> {
    let request: DuetRequest = settings(py, request)?;
    let (corpus, file) = open_to_read(py, corpus)?;
    run(py, progress, OnCancel::Detach, move |observer| {
        let path = path.map(Source::points).transpose()?;
        let request = DuetRequest {
            path: path.as_ref().map(DuetRequest::path_from).unwrap_or_default(),
            commands: commands.iter().map(|line| parse_command(line)).collect::<Result<_, _>>()?,
            ..request
        };
        let context = cast.context(Context::with_corpus(corpus).observed_by(observer));
        let outcome = duet::run(&request, &context).map_err(|error| error.in_file(&file))?;
        let details = &outcome.details;
        let summary = json!({ "movements": details.movements.len(), "attacks": details.attacks() });
        outcome_parts(&cast, outcome.take, outcome.plan.as_ref(), None, &outcome.report, summary)
    })
}
