//! `Cast`: the characters that motion is made for and written on.

use std::path::PathBuf;
use std::sync::Arc;

use marey::character::{Cast, CharacterRequest};
use marey::convert::write_options;
use marey::formats::file::write_file;
use marey::motion::Take;
use marey::{Context, Error};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::warn;
use crate::take::{PyTake, format_options};
use crate::work::quick;

/// The characters of a result; none if the list is empty.
#[pyclass(name = "Cast", module = "marey._native", frozen, from_py_object)]
#[derive(Clone)]
pub(crate) struct PyCast(Arc<Cast>);

#[pymethods]
impl PyCast {
    /// Reads characters, each as text `[ACTOR=]FILE[@TAKE][#FIGURE]`. Warnings about their files are Python warnings.
    #[new]
    fn new(py: Python<'_>, characters: Vec<String>) -> PyResult<Self> {
        let (cast, report) = quick(py, || {
            let requests = characters.iter().map(|text| text.parse().map_err(Error::settings));
            Cast::load(&requests.collect::<Result<Vec<CharacterRequest>, Error>>()?)
        })?;
        warn(py, &report)?;
        Ok(Self(Arc::new(cast)))
    }

    /// Writes a take on the characters, in the format of the file's ending.
    fn save(&self, py: Python<'_>, take: &PyTake, path: PathBuf, overwrite: bool) -> PyResult<()> {
        let save = || -> Result<(), Error> {
            let (bytes, _) = self.0.write(&[&take.0], &write_options(&path)?)?;
            Ok(write_file(&path, &bytes, overwrite)?)
        };
        quick(py, || save().map_err(|error| error.in_file(&path)))
    }

    /// The bytes of a take on the characters, in a format such as "glb".
    fn to_bytes<'py>(&self, py: Python<'py>, take: &PyTake, format: &str) -> PyResult<Bound<'py, PyBytes>> {
        let options = format_options(py, format)?;
        let (bytes, _) = quick(py, || self.0.write(&[&take.0], &options))?;
        Ok(PyBytes::new(py, &bytes))
    }
}

impl PyCast {
    /// The context of a verb whose results have the bodies of the characters.
    pub(crate) fn context<'a>(&self, context: Context<'a>) -> Context<'a> {
        context.with_bodies(self.0.bodies())
    }

    /// The take on the bodies of its characters.
    pub(crate) fn fit(&self, take: Take) -> Result<Take, Error> {
        self.0.fit(take, None)
    }
}
