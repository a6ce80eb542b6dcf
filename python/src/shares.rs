//! Shares of large work, as `marey.cluster` hands them out.

use std::ops::ControlFlow;
use std::path::PathBuf;

use marey::bouts::{fittest, island, put_labels};
use marey::duet::{LabelSettings, Labelling};
use marey::failure::Failure;
use marey::intake::Wish;
use marey::ops::features::{self, DIMS};
use marey::pairs::Pairs;
use marey::plan::Seed;
use marey::shards::{self, Errand};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::clip::PyClip;
use crate::corpus::PyCorpus;
use crate::error::{coded, from_json, raised, to_json};
use crate::files::Meaning;
use crate::view::owned;
use crate::work::{Ending, run};

/// Reads files, each with where it comes from, and cuts their takes where a method is named: a shard.
#[pyfunction]
#[pyo3(signature = (errands, meaning, licence, credit, by, every))]
pub(crate) fn shard<'py>(
    py: Python<'py>,
    errands: Vec<(Vec<PathBuf>, Vec<String>)>,
    meaning: &str,
    licence: String,
    credit: String,
    by: Option<String>,
    every: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let meaning: Meaning = from_json(meaning).map_err(|failure| raised(py, failure))?;
    let bytes = run(py, None, Ending::Left, move |_| {
        let errands: Vec<Errand> =
            errands.into_iter().map(|(files, sources)| Errand { files, sources }).collect();
        let method = by.map(|name| shards::method(&name, every)).transpose()?;
        shards::read(&errands, &Wish { options: meaning.options()?, licence, credit }, method)
    })?;
    Ok(PyBytes::new(py, &bytes))
}

/// Whether bytes are a whole shard.
#[pyfunction]
pub(crate) fn is_whole(py: Python<'_>, shard: &[u8]) -> bool {
    py.detach(|| shards::is_whole(shard))
}

/// What moments of a clip are compared by: frames × 27.
#[pyfunction]
pub(crate) fn moments(py: Python<'_>, clip: PyClip) -> PyResult<Bound<'_, PyAny>> {
    let found = py.detach(|| features::features(&clip.0, &features::Settings::default()));
    owned(py, found.map_err(|error| coded(py, error))?, &[clip.0.frames(), DIMS])
}

/// What one island finds, as JSON.
#[pyfunction]
pub(crate) fn duet_island(
    py: Python<'_>,
    corpus: &PyCorpus,
    takes: Vec<String>,
    label: &str,
    seed: u64,
    number: u64,
) -> PyResult<String> {
    let label: LabelSettings = from_json(label).map_err(|failure| raised(py, failure))?;
    let opened = py.detach(|| corpus.look()).map_err(|failure| raised(py, failure))?;
    run(py, None, Ending::Left, move |_| {
        let pairs = Pairs::of_corpus(&opened, &takes)?;
        to_json(&island(&pairs, &label, Seed(seed), number, &|_, _| ControlFlow::Continue(()))?)
    })
}

/// Puts the fittest movements of islands into a corpus; what was found, as JSON.
#[pyfunction]
pub(crate) fn duet_settle(
    py: Python<'_>,
    corpus: &PyCorpus,
    takes: Vec<String>,
    islands: Vec<String>,
) -> PyResult<String> {
    corpus.change(py, None, move |corpus, _| {
        let found = islands.iter().map(|text| from_json(text));
        let labels = fittest(found.collect::<Result<Vec<Labelling>, Failure>>()?)?;
        let pairs = Pairs::of_corpus(corpus, &takes)?;
        to_json(&put_labels(corpus, &pairs, &labels)?)
    })
}
