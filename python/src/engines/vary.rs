//! `vary`: chaotic variation.

use marey::motion::Take;
use marey::vary::{VaryJob, VaryRequest, read_dance};
use marey::{Context, Error};
use pyo3::prelude::*;
use serde_json::json;

use super::{OutcomeParts, Source, open_to_read, outcome_parts};
use crate::corpus::PyCorpus;
use crate::error::settings;
use crate::work::{OnCancel, run};

#[pyfunction]
#[pyo3(signature = (corpus, takes, request, count, progress))]
pub(crate) fn vary(
    py: Python<'_>,
    corpus: Option<&PyCorpus>,
    takes: Vec<Source>,
    request: &str,
    count: u64,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<OutcomeParts>> {
    let request: VaryRequest = settings(py, request)?;
    let corpus = corpus.map(|corpus| open_to_read(py, corpus)).transpose()?;
    run(py, progress, OnCancel::Detach, move |observer| {
        let motion = takes.into_iter().map(take).collect::<Result<Vec<Take>, _>>()?;
        let request = VaryRequest { motion, ..request };
        let (context, file) = match corpus {
            Some((corpus, file)) => (Context::with_corpus(corpus), Some(file)),
            None => (Context::new(), None),
        };
        let context = context.observed_by(observer);
        let job = VaryJob::new(&request, &context).map_err(|error| match &file {
            Some(file) => error.in_file(file),
            None => error,
        })?;
        let mut results = Vec::new();
        for index in 0..count {
            context.report("variations", index as usize, count as usize)?;
            let seed = request.seed.wrapping_add(index);
            let outcome = job.run(seed, &request.name)?;
            let details = &outcome.details;
            let summary =
                json!({ "seed": seed, "chunks": details.chunks.len(), "statistics": details.statistics });
            results.push(outcome_parts(outcome.take, outcome.plan.as_ref(), None, &outcome.report, summary)?);
        }
        Ok(results)
    })
}

/// Returns the take of a source; that of a file without its calibration pose.
fn take(source: Source) -> Result<Take, Error> {
    match source {
        Source::File(path) => read_dance(&path, Default::default()).map(|(take, _)| take),
        other => other.take(),
    }
}
