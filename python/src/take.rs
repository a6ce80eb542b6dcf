//! `marey.Take`.

use std::path::{Path, PathBuf};

use marey::codes;
use marey::failure::Failure;
use marey::formats::file::write_file;
use marey::formats::{Format, WriteOptions, write};
use marey::motion::{Actor, Take};
use marey::render::{Look, Sheet, View};
use marey::stage::Stage;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::clip::PyClip;
use crate::error::{coded, raised, refused};

/// One or more figures that moved together, in one world, on one clock.
#[pyclass(name = "Take", module = "marey", frozen, eq, from_py_object)]
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PyTake(pub(crate) Take);

#[pymethods]
impl PyTake {
    /// A take of clips of one rate and length, by the names of the actors.
    #[new]
    fn new(py: Python<'_>, name: String, actors: Vec<(String, PyClip)>) -> PyResult<Self> {
        let actors = actors.into_iter().map(|(name, clip)| Actor { name, clip: clip.0 }).collect();
        Take::new(name, actors).map(Self).map_err(|error| coded(py, error))
    }

    /// What it is called.
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    /// The actors' names.
    #[getter]
    fn actors(&self) -> Vec<&str> {
        self.0.actors().iter().map(|actor| actor.name.as_str()).collect()
    }

    /// The motion of each actor, in their order.
    #[getter]
    fn clips(&self) -> Vec<PyClip> {
        self.0.actors().iter().map(|actor| PyClip(actor.clip.clone())).collect()
    }

    /// Frames a second.
    #[getter]
    fn rate_hz(&self) -> f64 {
        self.0.rate_hz()
    }

    /// How many frames there are.
    #[getter]
    fn frames(&self) -> usize {
        self.0.frames()
    }

    /// The motion of an actor, by name or number.
    fn __getitem__(&self, py: Python<'_>, actor: &Bound<'_, PyAny>) -> PyResult<PyClip> {
        let found = if let Ok(number) = actor.extract::<usize>() {
            self.0.actors().get(number)
        } else {
            let name: String = actor.extract()?;
            self.0.actors().iter().find(|actor| actor.name == name)
        };
        let found = found.map(|actor| PyClip(actor.clip.clone()));
        found.ok_or_else(|| {
            let message = format!("no actor {}: they are {:?}", actor, self.actors());
            refused(py, &codes::PYTHON_VALUE, message)
        })
    }

    fn __len__(&self) -> usize {
        self.0.actors().len()
    }

    /// Writes a file with everybody in it; the ending says the format: .bvh, .glb or .gltf. A file that exists is refused unless
    /// ``overwrite`` is true.
    #[pyo3(signature = (path, overwrite = false))]
    fn save(&self, py: Python<'_>, path: PathBuf, overwrite: bool) -> PyResult<()> {
        save(py, &self.0, &path, overwrite)
    }

    /// The bytes of a file in a format: "bvh", "glb" or "gltf".
    fn to_bytes<'py>(&self, py: Python<'py>, format: &str) -> PyResult<Bound<'py, PyBytes>> {
        to_bytes(py, &self.0, format)
    }

    /// A contact sheet: poses side by side, as a picture that notebooks show. Views are those of ``marey render --view``.
    #[pyo3(signature = (poses = None, view = None, width_px = None, height_px = None))]
    fn strip<'py>(
        &self,
        py: Python<'py>,
        poses: Option<usize>,
        view: Option<String>,
        width_px: Option<u32>,
        height_px: Option<u32>,
    ) -> PyResult<Bound<'py, PyAny>> {
        strip(py, self.0.clone(), Strip { poses, view, width_px, height_px })
    }

    /// A player for notebooks and browsers: one page of HTML with everything in it.
    fn show<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        show(py, self)
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        show(py, self)?.call_method0("_repr_html_")?.extract()
    }

    fn __repr__(&self) -> String {
        let Self(take) = self;
        let (frames, rate_hz) = (take.frames(), take.rate_hz());
        format!("<marey.Take {:?} of {:?}, {frames} frames at {rate_hz} Hz>", take.name(), self.actors())
    }
}

/// How a format is written, where it is.
fn options(py: Python<'_>, format: &str) -> PyResult<WriteOptions> {
    let known = Format::of_ending(format).filter(|known| known.ending().eq_ignore_ascii_case(format));
    known.and_then(WriteOptions::of).ok_or_else(|| {
        let message = format!("{format:?} is not a format that is written: bvh, glb or gltf");
        refused(py, &codes::OUTPUT_ENDING, message)
    })
}

/// A take as the bytes of a file.
pub(crate) fn to_bytes<'py>(py: Python<'py>, take: &Take, format: &str) -> PyResult<Bound<'py, PyBytes>> {
    let options = options(py, format)?;
    let written = py.detach(|| write(take, &options)).map_err(|error| coded(py, error))?;
    Ok(PyBytes::new(py, &written.0))
}

/// Writes a take to a file.
pub(crate) fn save(py: Python<'_>, take: &Take, path: &Path, overwrite: bool) -> PyResult<()> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let options = options(py, ending)?;
    let saved = py.detach(|| -> Result<(), Failure> {
        let (bytes, _) = write(take, &options)?;
        write_file(path, &bytes, overwrite)?;
        Ok(())
    });
    saved.map_err(|failure| raised(py, failure.in_file(path)))
}

/// How a strip is drawn.
pub(crate) struct Strip {
    pub(crate) poses: Option<usize>,
    pub(crate) view: Option<String>,
    pub(crate) width_px: Option<u32>,
    pub(crate) height_px: Option<u32>,
}

/// A contact sheet, as a picture.
pub(crate) fn strip(py: Python<'_>, take: Take, how: Strip) -> PyResult<Bound<'_, PyAny>> {
    let draw = move || -> Result<Vec<u8>, Failure> {
        let Strip { poses, view, width_px, height_px } = how;
        let view = view.map(|name| name.parse::<View>().map_err(Failure::settings)).transpose()?;
        let stage = Stage::of_take(take, 0)?;
        let look = Look { view: view.unwrap_or_default(), floor_m: stage.floor_m, ..Look::default() };
        let usual = Sheet::default();
        let sheet = Sheet {
            look,
            poses,
            panel_width_px: width_px.unwrap_or(usual.panel_width_px),
            panel_height_px: height_px.unwrap_or(usual.panel_height_px),
            ..usual
        };
        Ok(sheet.png(&stage.take)?)
    };
    let drawn = py.detach(draw).map_err(|failure| raised(py, failure))?;
    py.import("marey.player")?.getattr("Picture")?.call1((PyBytes::new(py, &drawn),))
}

/// A page that plays a take.
pub(crate) fn show<'py>(py: Python<'py>, take: &PyTake) -> PyResult<Bound<'py, PyAny>> {
    let stage = py.detach(|| Stage::of_take(take.0.clone(), 0)).map_err(|error| coded(py, error))?;
    py.import("marey.player")?.getattr("Player")?.call1((take.clone(), stage.floor_m))
}
