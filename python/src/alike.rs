//! What classes have in common: all on a clock tell their rate and how long they are, and all with figures are shown.

use marey::Error;
use marey::motion::Take;
use marey::render::{PictureFormat, PictureOptions, Sheet, Stage, View};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::clip::PyClip;
use crate::points::PyPoints;
use crate::take::PyTake;
use crate::work::quick;

macro_rules! on_a_clock {
    ($($class:ident),+) => { $(
        #[pymethods]
        impl $class {
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
        }
    )+ };
}

macro_rules! shown {
    ($($class:ident),+) => { $(
        #[pymethods]
        impl $class {
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
                strip(py, self.to_show(), Strip { poses, view, width_px, height_px })
            }

            /// A player for notebooks and browsers: one page of HTML with everything in it.
            fn show<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                show(py, self.to_show())
            }

            fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
                show(py, self.to_show())?.call_method0("_repr_html_")?.extract()
            }
        }
    )+ };
}

on_a_clock!(PyClip, PyTake, PyPoints);
shown!(PyClip, PyTake);

/// How a strip is drawn.
struct Strip {
    poses: Option<usize>,
    view: Option<String>,
    width_px: Option<u32>,
    height_px: Option<u32>,
}

/// A contact sheet, as a picture.
fn strip(py: Python<'_>, take: Take, how: Strip) -> PyResult<Bound<'_, PyAny>> {
    let Strip { poses, view, width_px, height_px } = how;
    let drawn = quick(py, || {
        let view = view.map(|name| name.parse::<View>().map_err(Error::settings)).transpose()?;
        let default = Sheet::default();
        let width_px = width_px.unwrap_or(default.panel_width_px);
        let size_px = Some([width_px, height_px.unwrap_or(default.panel_height_px)]);
        let options =
            PictureOptions { view: view.unwrap_or_default(), poses, size_px, ..PictureOptions::default() };
        Ok(options.draw(PictureFormat::Png, &Stage::new(vec![take], 0)?, None, vec![])?)
    })?;
    py.import("marey.player")?.getattr("Picture")?.call1((PyBytes::new(py, &drawn),))
}

/// A page that plays a take.
fn show(py: Python<'_>, take: Take) -> PyResult<Bound<'_, PyAny>> {
    let shown = PyTake(take.clone());
    let stage = quick(py, || Ok(Stage::new(vec![take], 0)?))?;
    py.import("marey.player")?.getattr("Player")?.call1((shown, stage.floor_m))
}
