//! The engines, as the package's own functions call them: settings come as JSON, and what was made goes back with its plan as JSON.

mod duet;
mod follow_verbs;
mod making;
mod performance;
mod terrain;
mod tween;
mod vary_verb;

use std::path::PathBuf;

use marey::Error;
use marey::codes;
use marey::corpus::Corpus;
use marey::follow::ControlInput;
use marey::formats::FileContent;
use marey::inputs;
use marey::motion::{PointClip, Report, Take};
use marey::plan::Plan;
use pyo3::prelude::*;
use serde::Serialize;

pub(crate) use self::duet::{duet_island, duet_label, duet_run, duet_settle, duet_train};
pub(crate) use self::follow_verbs::{follow, transcribe};
pub(crate) use self::making::{check, realised};
pub(crate) use self::performance::perform;
pub(crate) use self::terrain::traverse;
pub(crate) use self::tween::PyStyle;
pub(crate) use self::vary_verb::vary;
use crate::corpus::PyCorpus;
use crate::error::{report_json, to_json};
use crate::points::PyPoints;
use crate::take::PyTake;
use crate::work::quick;

/// What an engine made: the motion; then, as JSON, its plan, why, what was met on the way, and what else is known of it.
type Made = (PyTake, Option<String>, Option<String>, String, String);

fn made(take: Take, plan: Option<&Plan>, report: &Report, about: impl Serialize) -> Result<Made, Error> {
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

/// The motion or points of a [`Source`].
pub(crate) enum MotionInput {
    Points(PointClip),
    Take(Take),
}

impl Source {
    /// Reads the file if it is one.
    pub(crate) fn read(self) -> Result<MotionInput, Error> {
        Ok(match self {
            Source::Take(take) => MotionInput::Take(take.0),
            Source::Points(points) => MotionInput::Points(points.0),
            Source::File(path) => {
                let import = inputs::import(&path)?;
                match &import.content {
                    FileContent::Points(points) => MotionInput::Points(points.clip.clone()),
                    FileContent::Figures(_) => {
                        let first = import.into_first().map_err(|error| Error::from(error).in_file(&path))?;
                        MotionInput::Take(first.take)
                    }
                }
            }
        })
    }

    /// The control of `follow` and `transcribe`.
    fn control_input(self) -> Result<ControlInput, Error> {
        Ok(match self.read()? {
            MotionInput::Points(points) => ControlInput::Points(points),
            MotionInput::Take(take) => ControlInput::Take(take),
        })
    }

    /// The take of a file, or the one that is given.
    fn take(self) -> Result<Take, Error> {
        match self.read()? {
            MotionInput::Take(take) => Ok(take),
            MotionInput::Points(_) => {
                Err(Error::usage(&codes::PYTHON_VALUE, "points, where figures are wanted"))
            }
        }
    }

    /// The points of a file, or those that are given.
    fn points(self) -> Result<PointClip, Error> {
        match self.read()? {
            MotionInput::Points(points) => Ok(points),
            MotionInput::Take(_) => Err(Error::new(&codes::NOT_A_PATH, "figures, where a path is wanted")),
        }
    }
}

/// A corpus to be read, with what went wrong raised.
fn look(py: Python<'_>, corpus: &PyCorpus) -> PyResult<(Corpus, PathBuf)> {
    Ok((quick(py, || corpus.look())?, corpus.file().to_owned()))
}
