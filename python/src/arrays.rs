//! Conversion between slices and numpy arrays: without a copy to numpy, checked from numpy.

use marey::codes;
use numpy::ndarray::ArrayView2;
use numpy::{IntoPyArray, PyArray, PyArray1, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::refused;

/// A read-only view of another object's numbers, in numpy's array interface.
///
/// A numpy array made from it keeps it and its owner alive. The owner must be of a frozen class that owns the numbers behind a
/// pointer that never changes. Every class that calls [`shared`] holds a clip or points, which are immutable.
#[pyclass(module = "marey._native", frozen)]
struct SharedArray {
    _owner: Py<PyAny>,
    address: usize,
    shape: [usize; 3],
}

#[pymethods]
impl SharedArray {
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let [rows, columns, lanes] = self.shape;
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("typestr", if cfg!(target_endian = "little") { "<f4" } else { ">f4" })?;
        interface.set_item("shape", (rows, columns, lanes))?;
        interface.set_item("data", (self.address, true))?;
        Ok(interface)
    }
}

/// Returns a read-only array that shares the memory of `numbers` and keeps their owner alive.
pub(crate) fn shared<'py>(
    owner: Bound<'py, PyAny>,
    numbers: &[f32],
    shape: [usize; 3],
) -> PyResult<Bound<'py, PyAny>> {
    let py = owner.py();
    if numbers.len() != shape.into_iter().product::<usize>() {
        let message = format!("{} numbers do not fill the shape {shape:?}", numbers.len());
        return Err(refused(py, &codes::PYTHON_ARRAY, message));
    }
    let array = SharedArray { _owner: owner.unbind(), address: numbers.as_ptr().addr(), shape };
    py.import("numpy")?.call_method1("asarray", (array,))
}

/// Returns a new array with a copy of `numbers`.
pub(crate) fn copied<'py>(
    py: Python<'py>,
    numbers: &[f32],
    [rows, lanes]: [usize; 2],
) -> PyResult<Bound<'py, PyAny>> {
    let view = ArrayView2::from_shape((rows, lanes), numbers)
        .map_err(|error| refused(py, &codes::PYTHON_ARRAY, error.to_string()))?;
    Ok(PyArray::from_array(py, &view).into_any())
}

/// Returns a new array of any shape that takes ownership of `numbers`.
pub(crate) fn owned<'py>(py: Python<'py>, numbers: Vec<f32>, shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
    let flat: Bound<'py, PyArray1<f32>> = numbers.into_pyarray(py);
    flat.reshape(shape.to_vec()).map(|array: Bound<'py, PyArrayDyn<f32>>| array.into_any())
}

/// Converts an array-like object to `f32`, in C order. Returns the numbers and their shape.
///
/// `None` in `expected` allows any length. An object that is not an array of numbers, or has another shape, is an error that names
/// the argument `what`.
pub(crate) fn numbers(
    what: &str,
    object: &Bound<'_, PyAny>,
    expected: &[Option<usize>],
) -> PyResult<(Vec<f32>, Vec<usize>)> {
    let py = object.py();
    let wrong = |found: String| {
        let sides: Vec<String> =
            expected.iter().map(|side| side.map_or_else(|| "*".into(), |side| side.to_string())).collect();
        let message = format!("{what} must be numbers of shape ({}), not {found}", sides.join(", "));
        refused(py, &codes::PYTHON_ARRAY, message)
    };
    let array = py.import("numpy")?.call_method1("ascontiguousarray", (object, "float32"));
    let array = array.map_err(|error| wrong(error.value(py).to_string()))?;
    let array = array.cast::<PyArrayDyn<f32>>().map_err(|error| wrong(error.to_string()))?;
    let shape = array.shape().to_vec();
    let fits = shape.len() == expected.len()
        && shape.iter().zip(expected).all(|(found, side)| side.is_none_or(|side| side == *found));
    if !fits {
        return Err(wrong(format!("{shape:?}")));
    }
    let numbers = array.to_vec().map_err(|error| wrong(error.to_string()))?;
    Ok((numbers, shape))
}
