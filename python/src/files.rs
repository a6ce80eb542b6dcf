//! Motion files, read.

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

/// What a file means, instead of what is found in it.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Meaning {
    unit: Option<String>,
    up: Option<String>,
    facing_deg: Option<f32>,
    rate_hz: Option<f64>,
    positions: Option<String>,
    roles: Option<PathBuf>,
    asf: Option<PathBuf>,
    take: Option<String>,
    rest: Option<RestWord>,
    floor: Option<FloorWord>,
    trim_rest: bool,
}

/// `"file"`, or the number of a frame.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum RestWord {
    Frame(usize),
    Word(String),
}

/// `"found"`, or metres.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum FloorWord {
    Metres(f32),
    Word(String),
}

impl Meaning {
    /// The same for the reader.
    pub(crate) fn options(self) -> Result<ReadOptions, Error> {
        let unit = self.unit.map(|word| word.parse().map_err(Error::settings)).transpose()?;
        let up = self.up.map(|word| word.parse().map_err(Error::settings)).transpose()?;
        let positions = match self.positions.as_deref() {
            None => None,
            Some("replace") => Some(PositionChannels::Replace),
            Some("add") => Some(PositionChannels::Add),
            Some(other) => {
                return Err(Error::settings(format!("positions: {other:?} is not replace or add")));
            }
        };
        let rest_pose = match self.rest {
            None => None,
            Some(RestWord::Frame(frame)) => Some(RestPoseSource::Frame(frame)),
            Some(RestWord::Word(word)) if word == "file" => Some(RestPoseSource::File),
            Some(RestWord::Word(word)) => {
                return Err(Error::settings(format!("rest: {word:?} is not file")));
            }
        };
        let floor = match self.floor {
            None => None,
            Some(FloorWord::Metres(height_m)) => Some(FloorHeight::Metres(height_m)),
            Some(FloorWord::Word(word)) if word == "found" => Some(FloorHeight::Detected),
            Some(FloorWord::Word(word)) => {
                return Err(Error::settings(format!("floor: {word:?} is not found")));
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

/// Reads a file.
fn import(py: Python<'_>, path: PathBuf, options: &str) -> PyResult<MotionFile> {
    let options = options.to_owned();
    run(py, None, Ending::Left, move |_| {
        let options = from_json::<Meaning>(&options)?.options()?;
        read_file(&path, &options).map_err(|error| Error::from(error).in_file(&path))
    })
}

/// The one take of a file with figures.
pub(crate) fn one_take(py: Python<'_>, path: PathBuf, options: &str) -> PyResult<Take> {
    let import = import(py, path.clone(), options)?;
    let failed = |failure: Error| raised(py, failure.in_file(&path));
    match <[FileTake; 1]>::try_from(import.into_takes().map_err(|error| failed(error.into()))?) {
        Ok([reading]) => Ok(reading.take),
        Err(several) => Err(failed(Error::several_takes(&several))),
    }
}

/// What a file holds: its takes, or its points; and what was met in reading it, as JSON.
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
