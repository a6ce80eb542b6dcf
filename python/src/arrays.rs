//! Arrays: Rust's as numpy's without copying, and numpy's as Rust's, checked.

use marey::codes;
use numpy::ndarray::ArrayView2;
use numpy::{IntoPyArray, PyArray, PyArray1, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::refused;

/// Numbers of another object, told of by numpy's array interface: where they are, and that they are not to be written.
///
/// An array made of this keeps it alive, and so the owner, which must be of a frozen class that owns the numbers for as long as it lives,
/// behind a pointer that is never replaced: every class of this package that calls [`shared`] holds a clip or points, which never change.
#[pyclass(module = "marey._native", frozen)]
struct Lent {
    _owner: Py<PyAny>,
    address: usize,
    shape: [usize; 3],
}

#[pymethods]
impl Lent {
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

/// Numbers in rows of columns of lanes, as a read-only array that keeps their owner alive and shares its memory.
pub(crate) fn shared<'py>(
    owner: Bound<'py, PyAny>,
    numbers: &[f32],
    shape: [usize; 3],
) -> PyResult<Bound<'py, PyAny>> {
    let py = owner.py();
    if numbers.len() != shape.into_iter().product::<usize>() {
        let message = format!("{} numbers are not {shape:?}", numbers.len());
        return Err(refused(py, &codes::PYTHON_ARRAY, message));
    }
    let lent = Lent { _owner: owner.unbind(), address: numbers.as_ptr().addr(), shape };
    py.import("numpy")?.call_method1("asarray", (lent,))
}

/// Numbers in rows of lanes, as a new array.
pub(crate) fn copied<'py>(
    py: Python<'py>,
    numbers: &[f32],
    [rows, lanes]: [usize; 2],
) -> PyResult<Bound<'py, PyAny>> {
    let view = ArrayView2::from_shape((rows, lanes), numbers)
        .map_err(|error| refused(py, &codes::PYTHON_ARRAY, error.to_string()))?;
    Ok(PyArray::from_array(py, &view).into_any())
}

/// Numbers as a new array of any shape, which takes them over.
pub(crate) fn owned<'py>(py: Python<'py>, numbers: Vec<f32>, shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
    let flat: Bound<'py, PyArray1<f32>> = numbers.into_pyarray(py);
    flat.reshape(shape.to_vec()).map(|array: Bound<'py, PyArrayDyn<f32>>| array.into_any())
}

/// What numpy makes of anything that is like an array of `f32`, in rows; refused where it is none, or has another shape. `None` in a
/// shape is any number.
pub(crate) fn numbers(
    what: &str,
    given: &Bound<'_, PyAny>,
    wanted: &[Option<usize>],
) -> PyResult<(Vec<f32>, Vec<usize>)> {
    let py = given.py();
    let wrong = |found: String| {
        let sides: Vec<String> =
            wanted.iter().map(|side| side.map_or_else(|| "*".into(), |side| side.to_string())).collect();
        let message = format!("{what} must be numbers of shape ({}), not {found}", sides.join(", "));
        refused(py, &codes::PYTHON_ARRAY, message)
    };
    let array = py.import("numpy")?.call_method1("ascontiguousarray", (given, "float32"));
    let array = array.map_err(|error| wrong(error.value(py).to_string()))?;
    let array = array.cast::<PyArrayDyn<f32>>().map_err(|error| wrong(error.to_string()))?;
    let shape = array.shape().to_vec();
    let fits = shape.len() == wanted.len()
        && shape.iter().zip(wanted).all(|(found, wanted)| wanted.is_none_or(|wanted| wanted == *found));
    if !fits {
        return Err(wrong(format!("{shape:?}")));
    }
    let numbers = array.to_vec().map_err(|error| wrong(error.to_string()))?;
    Ok((numbers, shape))
}
