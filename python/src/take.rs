//! `marey.Take`.

use std::path::{Path, PathBuf};

use marey::Error;
use marey::codes;
use marey::convert::write_options;
use marey::formats::file::write_file;
use marey::formats::{Format, WriteOptions, write};
use marey::motion::{Actor, Take};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::clip::PyClip;
use crate::error::{coded, refused};
use crate::work::quick;

/// One or more figures that moved together, in one world and at one frame rate.
#[pyclass(name = "Take", module = "marey", frozen, eq, from_py_object)]
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PyTake(pub(crate) Take);

impl PyTake {
    /// Returns the take to display.
    pub(crate) fn to_take(&self) -> Take {
        self.0.clone()
    }
}

#[pymethods]
impl PyTake {
    /// Creates a take from the names and clips of its actors. All clips must have the same frame rate and length.
    #[new]
    fn new(py: Python<'_>, name: String, actors: Vec<(String, PyClip)>) -> PyResult<Self> {
        let actors = actors.into_iter().map(|(name, clip)| Actor { name, clip: clip.0 }).collect();
        Take::new(name, actors).map(Self).map_err(|error| coded(py, error))
    }

    /// The name of the take.
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    /// The names of the actors.
    #[getter]
    fn actors(&self) -> Vec<&str> {
        self.0.actors().iter().map(|actor| actor.name.as_str()).collect()
    }

    /// The clip of each actor.
    #[getter]
    fn clips(&self) -> Vec<PyClip> {
        self.0.actors().iter().map(|actor| PyClip(actor.clip.clone())).collect()
    }

    /// Returns the clip of an actor, by name or index.
    fn __getitem__(&self, py: Python<'_>, actor: &Bound<'_, PyAny>) -> PyResult<PyClip> {
        let found = if let Ok(index) = actor.extract::<usize>() {
            self.0.actors().get(index)
        } else {
            let name: String = actor.extract()?;
            self.0.actors().iter().find(|actor| actor.name == name)
        };
        let found = found.map(|actor| PyClip(actor.clip.clone()));
        found.ok_or_else(|| {
            let message = format!("the take has no actor {actor}; its actors are {:?}", self.actors());
            refused(py, &codes::PYTHON_VALUE, message)
        })
    }

    fn __len__(&self) -> usize {
        self.0.actors().len()
    }

    /// Writes a motion file with all actors. The format is given by the file extension: .bvh, .glb, .gltf, .fbx, .vrma,
    /// .usda or .npz. An existing file is an error unless ``overwrite`` is true.
    #[pyo3(signature = (path, overwrite = false))]
    fn save(&self, py: Python<'_>, path: PathBuf, overwrite: bool) -> PyResult<()> {
        save(py, &self.0, &path, overwrite)
    }

    /// Returns the bytes of a motion file in a format: "bvh", "glb", "gltf", "fbx", "vrma", "usda"
    /// or "npz".
    fn to_bytes<'py>(&self, py: Python<'py>, format: &str) -> PyResult<Bound<'py, PyBytes>> {
        to_bytes(py, &self.0, format)
    }

    fn __repr__(&self) -> String {
        let Self(take) = self;
        let (frames, rate_hz) = (take.frames(), take.rate_hz());
        format!("<marey.Take {:?} of {:?}, {frames} frames at {rate_hz} Hz>", take.name(), self.actors())
    }
}

/// Returns the options for writing a format, or an error if Marey does not write it.
pub(crate) fn format_options(py: Python<'_>, format: &str) -> PyResult<WriteOptions> {
    let known = Format::from_ending(format).filter(|known| known.ending().eq_ignore_ascii_case(format));
    known.and_then(WriteOptions::for_format).ok_or_else(|| {
        let message =
            format!("cannot write the format {format:?}; choose one of {}", WriteOptions::endings());
        refused(py, &codes::OUTPUT_ENDING, message)
    })
}

/// Returns a take as the bytes of a motion file.
pub(crate) fn to_bytes<'py>(py: Python<'py>, take: &Take, format: &str) -> PyResult<Bound<'py, PyBytes>> {
    let options = format_options(py, format)?;
    let (bytes, _) = quick(py, || Ok(write(take, &options)?))?;
    Ok(PyBytes::new(py, &bytes))
}

/// Writes a take to a file.
pub(crate) fn save(py: Python<'_>, take: &Take, path: &Path, overwrite: bool) -> PyResult<()> {
    let save = || -> Result<(), Error> {
        let (bytes, _) = write(take, &write_options(path)?)?;
        Ok(write_file(path, &bytes, overwrite)?)
    };
    quick(py, || save().map_err(|error| error.in_file(path)))
}
