//! `realise`: motion from a plan.

use marey::Context;
use marey::realise::{self as verb, RealiseRequest};
use pyo3::prelude::*;

use super::{OutcomeParts, Source, open_to_read, outcome_parts};
use crate::cast::PyCast;
use crate::corpus::PyCorpus;
use crate::error::settings;
use crate::work::{OnCancel, run};

#[pyfunction]
#[pyo3(signature = (corpus, plan, passes, keep_holds, against, name, cast))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword of the package's own function")]
pub(crate) fn realise(
    py: Python<'_>,
    corpus: &PyCorpus,
    plan: String,
    passes: &str,
    keep_holds: bool,
    against: Option<Source>,
    name: Option<String>,
    cast: PyCast,
) -> PyResult<OutcomeParts> {
    let passes = settings(py, passes)?;
    let (corpus, _) = open_to_read(py, corpus)?;
    run(py, None, OnCancel::Detach, move |_| {
        let reference = against.map(Source::take).transpose()?;
        let name = name.unwrap_or_else(|| RealiseRequest::default().name);
        let request = RealiseRequest { plan, passes, keep_holds, name, reference };
        let outcome = verb::run(&request, &cast.context(Context::with_corpus(corpus)))?;
        outcome_parts(&cast, outcome.take, outcome.plan.as_ref(), None, &outcome.report, outcome.details)
    })
}
