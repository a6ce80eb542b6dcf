//! Methods that several classes share: the frame rate of clips, takes and points, and the display of clips and takes.

use marey::Error;
use marey::motion::Take;
use marey::render::{PictureFormat, PictureOptions, Sheet, Stage, View};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::clip::PyClip;
use crate::points::PyPoints;
use crate::take::PyTake;
use crate::work::quick;

macro_rules! frame_rate_methods {
    ($($class:ident),+) => { $(
        #[pymethods]
        impl $class {
            /// The frame rate, in frames per second.
            #[getter]
            fn rate_hz(&self) -> f64 {
                self.0.rate_hz()
            }

            /// The number of frames.
            #[getter]
            fn frames(&self) -> usize {
                self.0.frames()
            }
        }
    )+ };
}

macro_rules! display_methods {
    ($($class:ident),+) => { $(
        #[pymethods]
        impl $class {
            /// Draws a contact sheet: poses side by side, as a picture for notebooks. ``view`` takes the values of ``marey render --view``.
            #[pyo3(signature = (poses = None, view = None, width_px = None, height_px = None))]
            fn strip<'py>(
                &self,
                py: Python<'py>,
                poses: Option<usize>,
                view: Option<String>,
                width_px: Option<u32>,
                height_px: Option<u32>,
            ) -> PyResult<Bound<'py, PyAny>> {
                strip(py, self.to_take(), StripArguments { poses, view, width_px, height_px })
            }

            /// Returns a player for notebooks and browsers: a self-contained HTML page.
            fn show<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                show(py, self.to_take())
            }

            fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
                show(py, self.to_take())?.call_method0("_repr_html_")?.extract()
            }
        }
    )+ };
}

frame_rate_methods!(PyClip, PyTake, PyPoints);
display_methods!(PyClip, PyTake);

/// The keyword arguments of `strip`.
struct StripArguments {
    poses: Option<usize>,
    view: Option<String>,
    width_px: Option<u32>,
    height_px: Option<u32>,
}

/// Draws a contact sheet as a `marey.Picture`.
fn strip(py: Python<'_>, take: Take, arguments: StripArguments) -> PyResult<Bound<'_, PyAny>> {
    let StripArguments { poses, view, width_px, height_px } = arguments;
    let png = quick(py, || {
        let view = view.map(|name| name.parse::<View>().map_err(Error::settings)).transpose()?;
        let default = Sheet::default();
        let width_px = width_px.unwrap_or(default.panel_width_px);
        let size_px = Some([width_px, height_px.unwrap_or(default.panel_height_px)]);
        let options =
            PictureOptions { view: view.unwrap_or_default(), poses, size_px, ..PictureOptions::default() };
        Ok(options.draw(PictureFormat::Png, &Stage::new(vec![take], 0)?, None, vec![])?)
    })?;
    py.import("marey.player")?.getattr("Picture")?.call1((PyBytes::new(py, &png),))
}

/// Returns a `marey.Player` of a take.
fn show(py: Python<'_>, take: Take) -> PyResult<Bound<'_, PyAny>> {
    let played = PyTake(take.clone());
    let stage = quick(py, || Ok(Stage::new(vec![take], 0)?))?;
    py.import("marey.player")?.getattr("Player")?.call1((played, stage.floor_m))
}
