//! `marey.Points`.

use marey::motion::{PointClip, Vec3};
use pyo3::prelude::*;

use crate::arrays::{numbers, owned, shared};
use crate::error::{coded, refused};

/// Labelled points over time: markers, a drawn path, or the paths of joints.
///
/// ``positions`` is frames × labels × 3 in metres. Missing points are NaN.
#[pyclass(name = "Points", module = "marey", frozen, from_py_object)]
#[derive(Debug, Clone)]
pub(crate) struct PyPoints(pub(crate) PointClip);

#[pymethods]
impl PyPoints {
    /// Creates points from an array, frames × labels × 3 in metres. A point is missing if its three numbers are NaN.
    #[new]
    fn new(
        py: Python<'_>,
        labels: Vec<String>,
        rate_hz: f64,
        positions: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let (positions, _) = numbers("positions", positions, &[None, Some(labels.len()), Some(3)])?;
        let point = |numbers: &[f32]| {
            let point = Vec3::from_slice(numbers);
            (!numbers.iter().all(|number| number.is_nan())).then_some(point)
        };
        let points = positions.chunks_exact(3).map(point).collect();
        PointClip::new(labels, rate_hz, points).map(Self).map_err(|error| coded(py, error))
    }

    /// Creates a path over the floor from an array, frames × 2: x and z in metres.
    #[staticmethod]
    fn path(py: Python<'_>, places: &Bound<'_, PyAny>, rate_hz: f64) -> PyResult<Self> {
        let (places, _) = numbers("places", places, &[None, Some(2)])?;
        if let Some(frame) = places.chunks_exact(2).position(|place| place.iter().any(|x| !x.is_finite())) {
            let message = format!("the position of frame {frame} is not finite");
            return Err(refused(py, &marey::codes::PYTHON_ARRAY, message));
        }
        let points = places.chunks_exact(2).map(|place| Some(Vec3::new(place[0], 0.0, place[1]))).collect();
        PointClip::new(vec!["path".into()], rate_hz, points).map(Self).map_err(|error| coded(py, error))
    }

    /// The names of the points.
    #[getter]
    fn labels(&self) -> Vec<&str> {
        self.0.labels().iter().map(String::as_str).collect()
    }

    /// The positions in metres: frames × labels × 3. A read-only view if no point is missing, else a new array with NaN for missing
    /// points.
    #[getter]
    fn positions<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let points = &this.get().0;
        let shape = [points.frames(), points.labels().len(), 3];
        if points.missing() > 0 {
            let places = (0..shape[0]).flat_map(|frame| (0..shape[1]).map(move |label| (frame, label)));
            let numbers = places.flat_map(|(frame, label)| {
                points.get(frame, label).map_or([f32::NAN; 3], |point| point.to_array())
            });
            return owned(this.py(), numbers.collect(), &shape);
        }
        shared(this.clone().into_any(), bytemuck::cast_slice(points.flat()), shape)
    }

    fn __len__(&self) -> usize {
        self.0.frames()
    }

    fn __repr__(&self) -> String {
        let (frames, rate_hz) = (self.0.frames(), self.0.rate_hz());
        format!("<marey.Points: {} points, {frames} frames at {rate_hz} Hz>", self.0.labels().len())
    }
}
