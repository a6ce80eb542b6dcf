//! Motion from a plan, and the quality of motion: `realise` and `check`.

use marey::check::CheckRequest;
use marey::realise::{self, RealiseRequest};
use marey::{Context, Error};
use pyo3::prelude::*;
use serde::Deserialize;
use serde_json::{Map, Value};

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

/// Measures motion; `request` is a [`CheckRequest`] with the plan as an object.
#[pyfunction]
pub(crate) fn check(py: Python<'_>, motion: Source, request: &str) -> PyResult<String> {
    let mut request: Map<String, Value> = settings(py, request)?;
    if let Some(plan) = request.get_mut("plan").filter(|plan| !plan.is_null()) {
        *plan = Value::String(plan.to_string());
    }
    run(py, None, Ending::Left, move |_| {
        let mut request = CheckRequest::deserialize(Value::Object(request)).map_err(Error::settings)?;
        match motion {
            Source::File(path) => request.clips.push(path),
            given => request.takes.push(given.take()?),
        }
        let mut cards = Vec::new();
        for judged in marey::check::run(&request, &Context::new())? {
            cards.extend(judged.result?);
        }
        to_json(&cards)
    })
}
