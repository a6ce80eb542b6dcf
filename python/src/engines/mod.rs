//! The verbs. Each takes a request as JSON and returns the outcome with its plan as JSON.

pub(crate) mod check;
pub(crate) mod duet;
pub(crate) mod follow;
pub(crate) mod perform;
pub(crate) mod realise;
pub(crate) mod traverse;
pub(crate) mod tween;
pub(crate) mod vary;

use std::path::PathBuf;

use marey::Error;
use marey::codes;
use marey::corpus::Corpus;
use marey::follow::ControlInput;
use marey::formats::{FileContent, ReadOptions};
use marey::inputs;
use marey::motion::{PointClip, Report, Take};
use marey::plan::Plan;
use pyo3::prelude::*;
use serde::Serialize;

use crate::cast::PyCast;
use crate::corpus::PyCorpus;
use crate::error::{report_json, to_json};
use crate::points::PyPoints;
use crate::take::PyTake;
use crate::work::quick;

/// The parts of `marey.Outcome`: the take; then plan, trace, warnings and details as JSON.
type OutcomeParts = (PyTake, Option<String>, Option<String>, String, String);

/// Serialises the parts of an outcome, whose motion is put on the characters.
fn outcome_parts(
    cast: &PyCast,
    take: Take,
    plan: Option<&Plan>,
    trace: Option<String>,
    report: &Report,
    details: impl Serialize,
) -> Result<OutcomeParts, Error> {
    let plan = plan.map(Plan::to_json).transpose()?;
    Ok((PyTake(cast.fit(take)?), plan, trace, report_json(report), to_json(&details)?))
}

/// An argument that is a take, points or a file.
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
    /// Returns the motion or points; reads a file.
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

    /// Returns the control of `follow` and `transcribe`.
    fn control_input(self) -> Result<ControlInput, Error> {
        Ok(match self {
            Source::Take(take) => ControlInput::Take(take.0),
            Source::Points(points) => ControlInput::Points(points.0),
            Source::File(path) => ControlInput::read_file(&path, &ReadOptions::default())?.0,
        })
    }

    /// Returns the take, or an error for points.
    fn take(self) -> Result<Take, Error> {
        match self.read()? {
            MotionInput::Take(take) => Ok(take),
            MotionInput::Points(_) => {
                Err(Error::usage(&codes::PYTHON_VALUE, "expected motion of figures, got points"))
            }
        }
    }

    /// Returns the points, or an error for a take.
    fn points(self) -> Result<PointClip, Error> {
        match self.read()? {
            MotionInput::Points(points) => Ok(points),
            MotionInput::Take(_) => {
                Err(Error::new(&codes::NOT_A_PATH, "expected a path, got motion of figures"))
            }
        }
    }
}

/// Opens another read-only handle to a corpus. Returns it with the corpus's path.
fn open_to_read(py: Python<'_>, corpus: &PyCorpus) -> PyResult<(Corpus, PathBuf)> {
    Ok((quick(py, || corpus.open_to_read())?, corpus.file().to_owned()))
}
