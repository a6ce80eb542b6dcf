//! `marey.load`: reading motion files.

use std::path::PathBuf;

use marey::Error;
use marey::conventions::roles::RoleMap;
use marey::conventions::{ConventionOverrides, FloorHeight, RestPoseSource};
use marey::formats::bvh::PositionChannels;
use marey::formats::file::read_file;
use marey::formats::{Companion, FileTake, MotionFile, ReadOptions};
use marey::inputs;
use marey::motion::Take;
use pyo3::prelude::*;
use serde::Deserialize;

use crate::error::{from_json, raised, report_json};
use crate::points::PyPoints;
use crate::take::PyTake;
use crate::work::{Ending, run};

/// The keyword arguments of `marey.load`: conventions that override the detected ones.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ReadArguments {
    unit: Option<String>,
    up: Option<String>,
    facing_deg: Option<f32>,
    rate_hz: Option<f64>,
    positions: Option<String>,
    roles: Option<PathBuf>,
    asf: Option<PathBuf>,
    take: Option<String>,
    rest: Option<RestArgument>,
    floor: Option<FloorArgument>,
    trim_rest: bool,
}

/// `"file"`, or the index of a frame.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum RestArgument {
    Frame(usize),
    Keyword(String),
}

/// `"found"`, or a height in metres.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum FloorArgument {
    Metres(f32),
    Keyword(String),
}

impl ReadArguments {
    /// Converts the arguments to options of the reader. Reads the files that `roles` and `asf` name.
    pub(crate) fn options(self) -> Result<ReadOptions, Error> {
        let unit = self.unit.map(|name| name.parse().map_err(Error::settings)).transpose()?;
        let up = self.up.map(|name| name.parse().map_err(Error::settings)).transpose()?;
        let positions = match self.positions.as_deref() {
            None => None,
            Some("replace") => Some(PositionChannels::Replace),
            Some("add") => Some(PositionChannels::Add),
            Some(other) => {
                return Err(Error::settings(format!("positions must be replace or add, not {other:?}")));
            }
        };
        let rest_pose = match self.rest {
            None => None,
            Some(RestArgument::Frame(frame)) => Some(RestPoseSource::Frame(frame)),
            Some(RestArgument::Keyword(name)) if name == "file" => Some(RestPoseSource::File),
            Some(RestArgument::Keyword(name)) => {
                return Err(Error::settings(format!("rest must be file or a frame, not {name:?}")));
            }
        };
        let floor = match self.floor {
            None => None,
            Some(FloorArgument::Metres(height_m)) => Some(FloorHeight::Metres(height_m)),
            Some(FloorArgument::Keyword(name)) if name == "found" => Some(FloorHeight::Detected),
            Some(FloorArgument::Keyword(name)) => {
                return Err(Error::settings(format!(
                    "floor must be found or a height in metres, not {name:?}"
                )));
            }
        };
        let roles = self.roles.map(|path| {
            let text = inputs::text(&path)?;
            RoleMap::from_toml(&text).map_err(|error| Error::from(error).in_file(&path))
        });
        let skeleton = self.asf.map(|path| {
            let bytes = std::fs::read(&path);
            let bytes = bytes.map_err(|error| {
                Error::from(marey::formats::FormatsError::file(&path, error)).in_file(&path)
            })?;
            Ok::<_, Error>(Companion::new(path.display().to_string(), bytes))
        });
        let conventions = ConventionOverrides {
            unit,
            up,
            facing_deg: self.facing_deg,
            rate_hz: self.rate_hz,
            roles: roles.transpose()?,
            rest_pose,
            floor,
            trim_rest_frame: self.trim_rest,
        };
        Ok(ReadOptions {
            conventions,
            positions,
            skeleton: skeleton.transpose()?,
            take: self.take,
            ..ReadOptions::default()
        })
    }
}

/// Reads a motion file.
fn import(py: Python<'_>, path: PathBuf, options: &str) -> PyResult<MotionFile> {
    let options = options.to_owned();
    run(py, None, Ending::Left, move |_| {
        let options = from_json::<ReadArguments>(&options)?.options()?;
        read_file(&path, &options).map_err(|error| Error::from(error).in_file(&path))
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
