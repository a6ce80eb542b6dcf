//! Two who interact: `duet.label`, on one machine or as islands, `duet.train` and `duet.run`.

use std::ops::ControlFlow;
use std::sync::Mutex;

use marey::bouts::{self, command, fittest, island, islands, put_labels};
use marey::codes;
use marey::duet::{LabelSettings, Labelling, ModelSettings, RunSettings};
use marey::failure::Failure;
use marey::pairs::Pairs;
use marey::plan::Seed;
use pyo3::prelude::*;
use serde::Deserialize;
use serde_json::json;

use super::{Made, Source, look, made};
use crate::corpus::PyCorpus;
use crate::error::{from_json, settings, to_json};
use crate::work::{Ending, run};

#[pyfunction]
#[pyo3(signature = (corpus, takes, label, seed, count, progress))]
pub(crate) fn duet_label(
    py: Python<'_>,
    corpus: &PyCorpus,
    takes: Vec<String>,
    label: &str,
    seed: u64,
    count: u64,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let label: LabelSettings = settings(py, label)?;
    corpus.with(py, progress, move |corpus, watch| {
        let pairs = Pairs::of_corpus(corpus, &takes)?;
        let stopped = Mutex::new(None);
        let total = label.iterations as usize;
        let told =
            |generations: u32, _: [f64; 2]| match watch.tell("generations", generations as usize, total) {
                Ok(()) => ControlFlow::Continue(()),
                Err(failure) => {
                    if let Ok(mut stopped) = stopped.lock() {
                        *stopped = Some(failure);
                    }
                    ControlFlow::Break(())
                }
            };
        let labels = islands(&pairs, &label, Seed(seed), count, &told)?;
        // A search that was ended is thrown away: what it had found by then is chance.
        if let Ok(Some(failure)) = stopped.into_inner() {
            return Err(failure);
        }
        to_json(&put_labels(corpus, &pairs, &labels)?)
    })
}

#[pyfunction]
pub(crate) fn duet_train(
    py: Python<'_>,
    corpus: &PyCorpus,
    takes: Vec<String>,
    model: String,
    learn: &str,
) -> PyResult<String> {
    let learn: ModelSettings = settings(py, learn)?;
    corpus.with(py, None, move |corpus, _| to_json(&bouts::train(corpus, &takes, &model, &learn)?))
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
    let label: LabelSettings = settings(py, label)?;
    let (corpus, _) = look(py, corpus)?;
    run(py, None, Ending::Left, move |_| {
        let pairs = Pairs::of_corpus(&corpus, &takes)?;
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
    corpus.with(py, None, move |corpus, _| {
        let found = islands.iter().map(|text| from_json(text));
        let labels = fittest(found.collect::<Result<Vec<Labelling>, Failure>>()?)?;
        let pairs = Pairs::of_corpus(corpus, &takes)?;
        to_json(&put_labels(corpus, &pairs, &labels)?)
    })
}

/// How a pair goes on, but for the path.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Going {
    model: String,
    secs: f64,
    seed: u64,
    who: Option<String>,
    commands: Vec<String>,
    settings: RunSettings,
}

#[pyfunction]
#[pyo3(signature = (corpus, name, path, going, progress))]
pub(crate) fn duet_run(
    py: Python<'_>,
    corpus: &PyCorpus,
    name: String,
    path: Option<Source>,
    going: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<Made> {
    let going: Going = settings(py, going)?;
    let (corpus, file) = look(py, corpus)?;
    run(py, progress, Ending::Left, move |watch| {
        let Going { model, secs, seed, who, commands, settings } = going;
        let unclear = |line: &String| Failure::usage(&codes::COMMANDS, format!("{line:?}"));
        let commands = commands.iter().map(|line| command(line).ok_or_else(|| unclear(line)));
        let wish = bouts::Wish {
            model,
            secs,
            seed,
            who,
            path: path.map(Source::points).transpose()?,
            commands: commands.collect::<Result<_, _>>()?,
            settings,
        };
        let bout = wish.run(&corpus, &name, watch).map_err(|failure| failure.in_file(&file))?;
        let about = json!({ "movements": bout.run.played.len(), "attacks": bout.attacks() });
        made(bout.take.clone(), Some(&bout.run.plan), &bout.report, about)
    })
}
