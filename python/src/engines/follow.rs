//! `follow` and `transcribe`: control by example.

use marey::Context;
use marey::follow::FollowRequest;
use pyo3::prelude::*;
use serde_json::json;

use super::{OutcomeParts, Source, open_to_read, outcome_parts};
use crate::cast::PyCast;
use crate::corpus::PyCorpus;
use crate::error::{settings, to_json};
use crate::work::{OnCancel, run};

#[pyfunction]
#[pyo3(signature = (corpus, control, request, cast, progress))]
pub(crate) fn follow(
    py: Python<'_>,
    corpus: &PyCorpus,
    control: Source,
    request: &str,
    cast: PyCast,
    progress: Option<Py<PyAny>>,
) -> PyResult<OutcomeParts> {
    let request: FollowRequest = settings(py, request)?;
    let (corpus, _) = open_to_read(py, corpus)?;
    run(py, progress, OnCancel::Detach, move |observer| {
        let request = FollowRequest { input: control.control_input()?, ..request };
        let context = cast.context(Context::with_corpus(corpus).observed_by(observer));
        let outcome = marey::follow::run(&request, &context)?;
        let found = &outcome.details.interpretation;
        let (interpretation, continuity, stretch) = found.parts();
        let summary = json!({
            "pieces": found.pieces.len(),
            "score": found.score,
            "interpretation": interpretation,
            "continuity": continuity,
            "stretch": stretch,
            "gap": found.gap,
        });
        let trace = (request.mode == marey::follow::SearchMode::Explained)
            .then(|| to_json(&outcome.trace))
            .transpose()?;
        outcome_parts(&cast, outcome.take, outcome.plan.as_ref(), trace, &outcome.report, summary)
    })
}

#[pyfunction]
#[pyo3(signature = (corpus, control, request, progress))]
pub(crate) fn transcribe(
    py: Python<'_>,
    corpus: &PyCorpus,
    control: Source,
    request: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let request: FollowRequest = settings(py, request)?;
    let (corpus, _) = open_to_read(py, corpus)?;
    run(py, progress, OnCancel::Detach, move |observer| {
        let request = FollowRequest { input: control.control_input()?, ..request };
        let context = Context::with_corpus(corpus).observed_by(observer);
        to_json(&marey::transcribe::run(&request, &context)?.entries)
    })
}
