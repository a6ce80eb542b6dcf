//! `marey.load`: reading motion files.

use std::path::PathBuf;

use marey::Error;
use marey::formats::file::read_file;
use marey::formats::{FileTake, MotionFile, ReadRequest};
use marey::motion::Take;
use pyo3::prelude::*;

use crate::error::{from_json, raised, report_json};
use crate::points::PyPoints;
use crate::take::PyTake;
use crate::work::{OnCancel, run};

/// Reads a motion file.
fn import(py: Python<'_>, path: PathBuf, options: &str) -> PyResult<MotionFile> {
    let options = options.to_owned();
    run(py, None, OnCancel::Detach, move |_| {
        let options = from_json::<ReadRequest>(&options)?.options()?;
        Ok(read_file(&path, &options)?)
    })
}

/// Reads a file that holds exactly one take.
pub(crate) fn one_take(py: Python<'_>, path: PathBuf, options: &str) -> PyResult<Take> {
    let import = import(py, path.clone(), options)?;
    let in_file = |error: Error| raised(py, error.in_file(&path));
    match <[FileTake; 1]>::try_from(import.into_takes().map_err(|error| in_file(error.into()))?) {
        Ok([reading]) => Ok(reading.take),
        Err(several) => Err(in_file(Error::several_takes(&several))),
    }
}

/// Reads a motion file. Returns its takes or its points, and the warnings as JSON.
#[pyfunction]
pub(crate) fn load(
    py: Python<'_>,
    path: PathBuf,
    options: &str,
) -> PyResult<(Vec<PyTake>, Option<PyPoints>, String)> {
    let import = import(py, path, options)?;
    let report = report_json(&import.report);
    let points = import.points().map(|points| PyPoints(points.clip.clone()));
    let takes = import.takes().iter().map(|reading| PyTake(reading.take.clone())).collect();
    Ok((takes, points, report))
}
