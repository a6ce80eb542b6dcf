//! Chaotic variation: `vary`.

use marey::motion::Take;
use marey::vary::{VaryJob, VaryRequest, read_dance};
use marey::{Context, Error};
use pyo3::prelude::*;
use serde_json::json;

use super::{Made, Source, look, made};
use crate::corpus::PyCorpus;
use crate::error::settings;
use crate::work::{Ending, run};

/// Varies takes of a corpus, or takes.
#[pyfunction]
#[pyo3(signature = (corpus, takes, request, seeds, progress))]
pub(crate) fn vary(
    py: Python<'_>,
    corpus: Option<&PyCorpus>,
    takes: Vec<Source>,
    request: &str,
    seeds: Vec<u64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<Made>> {
    let request: VaryRequest = settings(py, request)?;
    let corpus = corpus.map(|corpus| look(py, corpus)).transpose()?;
    run(py, progress, Ending::Left, move |observer| {
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
        for (number, seed) in seeds.iter().enumerate() {
            context.report("variations", number, seeds.len())?;
            let outcome = job.run(*seed, &request.name)?;
            let details = &outcome.details;
            let about =
                json!({ "seed": seed, "chunks": details.chunks.len(), "statistics": details.statistics });
            results.push(made(outcome.take, outcome.plan.as_ref(), &outcome.report, about)?);
        }
        Ok(results)
    })
}

/// The take of a source. The take of a file has no calibration pose.
fn take(source: Source) -> Result<Take, Error> {
    match source {
        Source::File(path) => read_dance(&path, Default::default()).map(|(take, _)| take),
        other => other.take(),
    }
}
