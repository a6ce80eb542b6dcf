//! Chaotic variation: `vary`.

use marey::failure::Failure;
use marey::motion::Take;
use marey::phrases::Phrases;
use marey::plan::Seed;
use marey::variations::{self, Variations};
use pyo3::prelude::*;
use serde_json::json;

use super::{Made, Source, look, made};
use crate::corpus::PyCorpus;
use crate::error::settings;
use crate::work::{Ending, run};

/// What is varied: takes of a corpus, or takes.
#[pyfunction]
#[pyo3(signature = (corpus, takes, only, tags, wish, seeds, name, progress))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword of the package's own function")]
pub(crate) fn vary(
    py: Python<'_>,
    corpus: Option<&PyCorpus>,
    takes: Vec<Source>,
    only: Vec<String>,
    tags: Vec<String>,
    wish: &str,
    seeds: Vec<u64>,
    name: String,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<Made>> {
    let wish: variations::Wish = settings(py, wish)?;
    let corpus = corpus.map(|corpus| look(py, corpus)).transpose()?;
    run(py, progress, Ending::Left, move |watch| {
        let phrases = match corpus {
            Some((corpus, file)) => Phrases::of_corpus(corpus, &only, &tags)
                .map_err(|error| Failure::from(error).in_file(&file))?,
            None => Phrases::of_takes(&takes.into_iter().map(danced).collect::<Result<Vec<Take>, _>>()?)?,
        };
        let variations = Variations::of(phrases, wish)?;
        let mut all = Vec::new();
        for (number, seed) in seeds.iter().enumerate() {
            watch.tell("variations", number, seeds.len())?;
            let varied = variations.vary(Seed(*seed), &name)?;
            let statistics = variations::statistics(variations.wrapped().points().len(), &varied.chunks);
            let about = json!({ "seed": seed, "chunks": varied.chunks.len(), "statistics": statistics });
            all.push(made(varied.take, Some(&varied.plan), &varied.report, about)?);
        }
        Ok(all)
    })
}

/// A take to be varied; of a file, without a pose that was taken to calibrate, which is no part of a dance.
fn danced(source: Source) -> Result<Take, Failure> {
    match source {
        Source::File(path) => variations::dance_of(&path, Default::default()).map(|(take, _)| take),
        given => given.take(),
    }
}
