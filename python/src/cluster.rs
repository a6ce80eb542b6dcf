//! The parts of large jobs that workers of `marey.cluster` run.

use std::ops::Range;
use std::path::PathBuf;

use marey::Error;
use marey::codes;
use marey::corpus::import::{FileGroup, PairPattern, group_files};
use marey::corpus::shard;
use marey::corpus::{CutMethod, ImportRequest};
use marey::formats::FoundFile;
use marey::motion::Vec3;
use marey::ops::cloud::{self, Cloud};
use marey::ops::distances::{Level, block};
use marey::ops::features::{self, DIMS};
use marey::segment::SegmentRequest;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arrays::{numbers, owned};
use crate::clip::PyClip;
use crate::corpus::{PyCorpus, maker};
use crate::error::{refused, settings, to_json};
use crate::work::{OnCancel, quick, run};

/// Groups the files that belong to one take. Returns the groups as JSON.
#[pyfunction]
#[pyo3(signature = (files, pairs, table))]
pub(crate) fn file_groups(
    py: Python<'_>,
    files: Vec<PathBuf>,
    pairs: Vec<String>,
    table: Option<PathBuf>,
) -> PyResult<String> {
    quick(py, || {
        let pairs = pairs.iter().map(|text| text.parse().map_err(Error::settings));
        let pairs = pairs.collect::<Result<Vec<PairPattern>, Error>>()?;
        let found = files.into_iter().map(|path| FoundFile { relative: path.clone(), path, error: None });
        let groups = group_files(found.collect(), &pairs, table.as_deref())?;
        let groups = groups.into_iter().map(|group| group.map_err(|unreadable| unreadable.1));
        to_json(&groups.collect::<Result<Vec<FileGroup>, _>>()?)
    })
}

/// Reads groups of files, and detects cuts if a method is named. Returns a shard.
#[pyfunction]
#[pyo3(signature = (groups, import, by, every))]
pub(crate) fn read_shard<'py>(
    py: Python<'py>,
    groups: &str,
    import: &str,
    by: Option<String>,
    every: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let groups: Vec<FileGroup> = settings(py, groups)?;
    let import: ImportRequest = settings(py, import)?;
    let bytes = run(py, None, OnCancel::Detach, move |_| {
        let method = |name: String| {
            let unknown = || Error::settings(format!("by: {name:?} is not steps, instants or beats"));
            CutMethod::from_name(&name, every).ok_or_else(unknown)
        };
        let lengths = SegmentRequest::default().lengths;
        Ok(shard::read(&groups, &import.settings()?, by.map(method).transpose()?, &lengths)?)
    })?;
    Ok(PyBytes::new(py, &bytes))
}

/// Whether bytes are a complete shard.
#[pyfunction]
pub(crate) fn is_whole(py: Python<'_>, shard: &[u8]) -> PyResult<bool> {
    quick(py, || Ok(shard::is_whole(shard)))
}

/// Computes the features of each frame of a clip: frames × 27.
#[pyfunction]
pub(crate) fn moments(py: Python<'_>, clip: PyClip) -> PyResult<Bound<'_, PyAny>> {
    let found = quick(py, || Ok(features::features(&clip.0, &features::FeatureSettings::default())?))?;
    owned(py, found, &[clip.0.frames(), DIMS])
}

/// Computes the point clouds of a range of segments: segments × points × 3.
#[pyfunction]
#[pyo3(signature = (corpus, made_by, start, end))]
pub(crate) fn clouds<'py>(
    py: Python<'py>,
    corpus: &PyCorpus,
    made_by: Option<String>,
    start: usize,
    end: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let made_by = maker(py, made_by)?;
    let corpus = quick(py, || corpus.open_to_read())?;
    let found = run(py, None, OnCancel::Detach, move |_| {
        let segments = corpus.segments_by(made_by.as_ref())?;
        let Range { start, end } = start.min(segments.len())..end.min(segments.len());
        let selected = segments.get(start..end).unwrap_or_default();
        Ok(corpus.clouds(selected, &cloud::CloudSettings::default())?)
    })?;
    let flat: Vec<f32> = found.iter().flat_map(Cloud::points).flat_map(|point| point.to_array()).collect();
    let points = found.first().map_or(0, |cloud| cloud.points().len());
    owned(py, flat, &[found.len(), points, 3])
}

/// Converts an array to point clouds.
fn clouds_from(what: &str, object: &Bound<'_, PyAny>) -> PyResult<Vec<Cloud>> {
    let (flat, shape) = numbers(what, object, &[None, None, Some(3)])?;
    let settings = cloud::CloudSettings::default();
    let (points, weights) = (shape[1], settings.weights.len());
    if points != weights * usize::from(settings.frames) {
        let message = format!("{what} must have {} × {weights} points, not {points}", settings.frames);
        return Err(refused(object.py(), &codes::PYTHON_ARRAY, message));
    }
    quick(object.py(), || {
        let cloud = |flat: &[f32]| {
            let points = flat.chunks_exact(3).map(Vec3::from_slice).collect();
            Ok(Cloud::new(points, settings.weights.iter().map(|weight| weight.1).collect())?)
        };
        flat.chunks_exact(3 * points).map(cloud).collect::<Result<_, Error>>()
    })
}

/// Computes the mean height of each point over all clouds, in metres. Distances measure heights from it.
#[pyfunction]
pub(crate) fn level(clouds: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    Ok(Level::of(&clouds_from("clouds", clouds)?).heights_m().to_vec())
}

/// Computes a block of the distance matrix between clouds, in metres: rows × columns.
#[pyfunction]
pub(crate) fn distance_block<'py>(
    py: Python<'py>,
    rows: &Bound<'py, PyAny>,
    columns: &Bound<'py, PyAny>,
    level: Vec<f64>,
) -> PyResult<Bound<'py, PyAny>> {
    let (rows, columns) = (clouds_from("rows", rows)?, clouds_from("columns", columns)?);
    let shape = [rows.len(), columns.len()];
    let metres = run(py, None, OnCancel::Detach, move |_| Ok(block(&rows, &columns, &Level::new(level)?)?))?;
    owned(py, metres, &shape)
}
