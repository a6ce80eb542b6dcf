//! Control by example: `follow` and `transcribe`.

use marey::answers::{Manner, Question};
use pyo3::prelude::*;
use serde_json::json;

use super::{Made, Source, look, made};
use crate::corpus::PyCorpus;
use crate::error::{settings, to_json};
use crate::work::{Ending, run};

#[pyfunction]
#[pyo3(signature = (corpus, control, question, manner, progress))]
pub(crate) fn follow(
    py: Python<'_>,
    corpus: &PyCorpus,
    control: Source,
    question: &str,
    manner: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<Made> {
    let question: Question = settings(py, question)?;
    let (corpus, file) = look(py, corpus)?;
    let manner = match manner {
        "live" => Manner::Live,
        "explained" => Manner::Explained,
        _ => Manner::Best,
    };
    run(py, progress, Ending::Left, move |watch| {
        question.settings.validate()?;
        let led = question.led(control.given()?)?;
        let asked = question.asked(&corpus, led).map_err(|failure| failure.in_file(&file))?;
        let answer = asked.answer(manner, watch)?;
        let (interpretation, continuity) = answer.interpretation.parts();
        let about = json!({
            "pieces": answer.interpretation.pieces.len(),
            "score": answer.interpretation.score,
            "interpretation": interpretation,
            "continuity": continuity,
        });
        let trace = answer.trace.as_ref().map(to_json).transpose()?;
        let (take, plan, _, report, about) = made(answer.take, Some(&answer.plan), &answer.report, about)?;
        Ok((take, plan, trace, report, about))
    })
}

#[pyfunction]
#[pyo3(signature = (corpus, control, question, progress))]
pub(crate) fn transcribe(
    py: Python<'_>,
    corpus: &PyCorpus,
    control: Source,
    question: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let question: Question = settings(py, question)?;
    let (corpus, file) = look(py, corpus)?;
    run(py, progress, Ending::Left, move |watch| {
        question.settings.validate()?;
        let led = question.led(control.given()?)?;
        let asked = question.asked(&corpus, led).map_err(|failure| failure.in_file(&file))?;
        to_json(&asked.transcript(watch)?)
    })
}
