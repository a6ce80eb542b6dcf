//! `Style`, with `tween` and `wander`: motion in the style of a corpus.

use std::sync::Arc;

use marey::tween::{PoseSelector, StyleSettings, TweenRequest};
use marey::wander::WanderRequest;
use marey::{Cache, Context};
use pyo3::prelude::*;
use serde_json::json;

use super::{OutcomeParts, open_to_read, outcome_parts};
use crate::cast::PyCast;
use crate::corpus::PyCorpus;
use crate::error::settings;
use crate::take::PyTake;
use crate::work::{OnCancel, run};

/// The style of a corpus. The first call learns it; later calls reuse it.
#[pyclass(name = "Style", module = "marey._native", frozen)]
pub(crate) struct PyStyle(Arc<StyleHandle>);

struct StyleHandle {
    context: Context<'static>,
    cache: Cache,
    only: Vec<String>,
    style: StyleSettings,
    cast: PyCast,
}

/// A pose: a frame of a take, or text such as `walk@120`.
#[derive(FromPyObject)]
pub(crate) enum PoseArgument {
    Frame(PyTake, Option<usize>),
    Text(String),
}

impl From<PoseArgument> for PoseSelector {
    fn from(argument: PoseArgument) -> Self {
        match argument {
            PoseArgument::Frame(take, frame) => Self::Frame(take.0, frame),
            PoseArgument::Text(text) => Self::Text(text),
        }
    }
}

#[pymethods]
impl PyStyle {
    #[new]
    fn new(
        py: Python<'_>,
        corpus: &PyCorpus,
        only: Vec<String>,
        style: &str,
        cast: PyCast,
    ) -> PyResult<Self> {
        let style: StyleSettings = settings(py, style)?;
        let (corpus, _) = open_to_read(py, corpus)?;
        let context = cast.context(Context::with_corpus(corpus));
        Ok(Self(Arc::new(StyleHandle { context, cache: Cache::default(), only, style, cast })))
    }

    fn tween(&self, py: Python<'_>, poses: Vec<PoseArgument>, request: &str) -> PyResult<OutcomeParts> {
        let request: TweenRequest = settings(py, request)?;
        let handle = self.0.clone();
        run(py, None, OnCancel::Detach, move |_| {
            let request = TweenRequest {
                only: handle.only.clone(),
                style: handle.style,
                poses: poses.into_iter().map(PoseSelector::from).collect(),
                ..request
            };
            let context = handle.context.clone().cached_in(&handle.cache, 0);
            let outcome = marey::tween::run(&request, &context)?;
            let summary = json!({ "mode": outcome.details.mode, "gaps": outcome.details.gaps });
            outcome_parts(&handle.cast, outcome.take, outcome.plan.as_ref(), None, &outcome.report, summary)
        })
    }

    #[pyo3(signature = (start, request))]
    fn wander(&self, py: Python<'_>, start: Option<PoseArgument>, request: &str) -> PyResult<OutcomeParts> {
        let request: WanderRequest = settings(py, request)?;
        let handle = self.0.clone();
        run(py, None, OnCancel::Detach, move |_| {
            let request =
                WanderRequest { only: handle.only.clone(), from: start.map(PoseSelector::from), ..request };
            let context = handle.context.clone().cached_in(&handle.cache, 0);
            let outcome = marey::wander::run(&request, &context)?;
            let summary = json!({ "jumps": outcome.details.jumps });
            outcome_parts(&handle.cast, outcome.take, outcome.plan.as_ref(), None, &outcome.report, summary)
        })
    }
}
