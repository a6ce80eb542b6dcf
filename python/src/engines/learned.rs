//! Ways in the style of a corpus: `Style`, `tween` and `wander`.

use std::sync::Arc;

use marey::failure::Failure;
use marey::learned::{Learned, Pose, WanderWish, WayWish, pose_clip};
use marey::motion::{Report, Take};
use marey::tween::{StyleSettings, Tween};
use pyo3::prelude::*;
use serde_json::json;

use super::{Made, look, made};
use crate::corpus::PyCorpus;
use crate::error::settings;
use crate::take::PyTake;
use crate::work::{Ending, run};

/// A style that was learned, to be asked any number of times.
#[pyclass(name = "Style", module = "marey._native", frozen)]
pub(crate) struct PyStyle(Arc<Learned>);

/// A pose: a name as in `walk@120`, or a frame of a take.
#[derive(FromPyObject)]
pub(crate) enum PoseSource {
    Frame(PyTake, Option<usize>),
    Name(String),
}

impl PoseSource {
    fn pose(self, learned: &Learned, is_last: bool) -> Result<Pose, Failure> {
        match self {
            PoseSource::Name(name) => learned.pose(&name, is_last),
            PoseSource::Frame(take, frame) => {
                let clip = pose_clip(&take.0)?;
                let frame = frame.unwrap_or(if is_last { clip.frames() - 1 } else { 0 });
                Ok((clip, frame))
            }
        }
    }
}

fn between(tween: &Tween, name: &str) -> Result<Made, Failure> {
    let about = json!({
        "steps": tween.way.postures.len() - 1,
        "unlikeliness": tween.way.cost,
        "proven": tween.way.proven,
    });
    made(Take::solo(name, tween.clip.clone()), None, &Report::default(), about)
}

#[pymethods]
impl PyStyle {
    #[staticmethod]
    fn learn(py: Python<'_>, corpus: &PyCorpus, takes: Vec<String>, style: &str) -> PyResult<Self> {
        let style: StyleSettings = settings(py, style)?;
        let (corpus, file) = look(py, corpus)?;
        run(py, None, Ending::Left, move |_| {
            let learned = Learned::of(corpus, &takes, &style).map_err(|failure| failure.in_file(&file))?;
            Ok(Self(Arc::new(learned)))
        })
    }

    fn tween(
        &self,
        py: Python<'_>,
        start: PoseSource,
        end: PoseSource,
        wish: &str,
        name: String,
    ) -> PyResult<Made> {
        let wish: WayWish = settings(py, wish)?;
        let learned = self.0.clone();
        run(py, None, Ending::Left, move |_| {
            let (from, to) = (start.pose(&learned, true)?, end.pose(&learned, false)?);
            between(&learned.way(&from, &to, &wish)?, &name)
        })
    }

    #[pyo3(signature = (start, wish, name))]
    fn wander(&self, py: Python<'_>, start: Option<PoseSource>, wish: &str, name: String) -> PyResult<Made> {
        let wish: WanderWish = settings(py, wish)?;
        let learned = self.0.clone();
        run(py, None, Ending::Left, move |_| {
            let from = match start {
                Some(start) => start.pose(&learned, false)?,
                None => learned.first_pose()?,
            };
            between(&learned.wander(&from, &wish)?, &name)
        })
    }
}
