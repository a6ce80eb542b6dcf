//! `vary`: chaotic variation.

use marey::formats::ReadOptions;
use marey::motion::Report;
use marey::vary::{DanceRecording, VaryJob, VaryRequest, read_dance};
use marey::{Context, Error};
use pyo3::prelude::*;
use serde_json::json;

use super::{OutcomeParts, Source, open_to_read, outcome_parts};
use crate::cast::PyCast;
use crate::corpus::PyCorpus;
use crate::error::settings;
use crate::work::{OnCancel, run};

#[pyfunction]
#[pyo3(signature = (corpus, takes, request, count, cast, progress))]
pub(crate) fn vary(
    py: Python<'_>,
    corpus: Option<&PyCorpus>,
    takes: Vec<Source>,
    request: &str,
    count: u64,
    cast: PyCast,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<OutcomeParts>> {
    let request: VaryRequest = settings(py, request)?;
    let corpus = corpus.map(|corpus| open_to_read(py, corpus)).transpose()?;
    run(py, progress, OnCancel::Detach, move |observer| {
        let mut prepared = Report::default();
        let motion = takes.into_iter().map(|source| recording(source, &mut prepared));
        let motion = motion.collect::<Result<Vec<DanceRecording>, _>>()?;
        let request = VaryRequest { motion, ..request };
        let (context, file) = match corpus {
            Some((corpus, file)) => (Context::with_corpus(corpus), Some(file)),
            None => (Context::new(), None),
        };
        let context = cast.context(context.observed_by(observer));
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
            let mut report = prepared.clone();
            report.absorb(outcome.report);
            results.push(outcome_parts(&cast, outcome.take, outcome.plan.as_ref(), None, &report, summary)?);
        }
        Ok(results)
    })
}

/// Returns the take of a source; that of a file prepared as an import does.
fn recording(source: Source, prepared: &mut Report) -> Result<DanceRecording, Error> {
    match source {
        Source::File(path) => {
            let (recording, report) = read_dance(&path, &ReadOptions::default())?;
            prepared.absorb(report);
            Ok(recording)
        }
        other => Ok(other.take()?.into()),
    }
}
