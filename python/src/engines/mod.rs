//! The engines, as the package's own functions call them: settings come as JSON, and what was made goes back with its plan as JSON.

mod answers;
mod bouts;
mod crossings;
mod learned;
mod making;
mod performances;
mod variations;

use std::path::PathBuf;

use marey::answers::Given;
use marey::codes;
use marey::corpus::Corpus;
use marey::failure::Failure;
use marey::inputs;
use marey::motion::{PointClip, Report, Take};
use marey::plan::Plan;
use pyo3::prelude::*;
use serde::Serialize;

pub(crate) use self::answers::{follow, transcribe};
pub(crate) use self::bouts::{duet_island, duet_label, duet_run, duet_settle, duet_train};
pub(crate) use self::crossings::traverse;
pub(crate) use self::learned::PyStyle;
pub(crate) use self::making::{check, realised};
pub(crate) use self::performances::perform;
pub(crate) use self::variations::vary;
use crate::corpus::PyCorpus;
use crate::error::{report_json, to_json};
use crate::points::PyPoints;
use crate::take::PyTake;
use crate::work::quick;

/// What an engine made: the motion; then, as JSON, its plan, why, what was met on the way, and what else is known of it.
type Made = (PyTake, Option<String>, Option<String>, String, String);

fn made(take: Take, plan: Option<&Plan>, report: &Report, about: impl Serialize) -> Result<Made, Failure> {
    let plan = plan.map(Plan::to_json).transpose()?;
    Ok((PyTake(take), plan, None, report_json(report), to_json(&about)?))
}

/// Something that is given as a file, a take or points.
#[derive(FromPyObject)]
pub(crate) enum Source {
    Take(PyTake),
    Points(PyPoints),
    File(PathBuf),
}

impl Source {
    /// What leads.
    pub(crate) fn given(self) -> Result<Given, Failure> {
        match self {
            Source::Take(take) => Ok(Given::Take(take.0)),
            Source::Points(points) => Ok(Given::Points(points.0)),
            Source::File(path) => Given::of(inputs::import(&path)?).map_err(|failure| failure.in_file(&path)),
        }
    }

    /// The take of a file, or the one that is given.
    fn take(self) -> Result<Take, Failure> {
        match self.given()? {
            Given::Take(take) => Ok(take),
            Given::Points(_) => Err(Failure::usage(&codes::PYTHON_VALUE, "points, where figures are wanted")),
        }
    }

    /// The points of a file, or those that are given.
    fn points(self) -> Result<PointClip, Failure> {
        match self.given()? {
            Given::Points(points) => Ok(points),
            Given::Take(_) => Err(Failure::new(&codes::NOT_A_PATH, "figures, where a path is wanted")),
        }
    }
}

/// A corpus to be read, with what went wrong raised.
fn look(py: Python<'_>, corpus: &PyCorpus) -> PyResult<(Corpus, PathBuf)> {
    Ok((quick(py, || corpus.look())?, corpus.file().to_owned()))
}
