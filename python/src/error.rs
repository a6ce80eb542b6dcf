//! What went wrong, as the one exception class of the package.

use std::ffi::CString;

use marey::Error;
use marey::codes;
use marey::motion::{Code, Coded, Place, Report};
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Serialize;
use serde_json::json;

/// A failure as `marey.Error`.
pub(crate) fn raised(py: Python<'_>, failure: Error) -> PyErr {
    let made = || -> PyResult<PyErr> {
        let place = PyDict::new(py);
        let Place { line, column, frame, joint } = *failure.place;
        place.set_item("file", failure.file.as_ref().map(|file| file.display().to_string()))?;
        place.set_item("line", line)?;
        place.set_item("column", column)?;
        place.set_item("frame", frame)?;
        place.set_item("joint", joint)?;
        let error = py.import("marey.errors")?.getattr("raised")?;
        let error = error.call1((failure.code.id, &failure.message, place, failure.code.hint))?;
        Ok(PyErr::from_value(error))
    };
    made().unwrap_or_else(|error| error)
}

/// Anything with a code, as `marey.Error`.
pub(crate) fn coded(py: Python<'_>, error: impl Coded) -> PyErr {
    raised(py, error.into())
}

/// A refusal by code.
pub(crate) fn refused(py: Python<'_>, code: &'static Code, message: impl Into<String>) -> PyErr {
    raised(py, Error::usage(code, message))
}

/// What was met on the way, as JSON: a list of codes, messages, counts, places and hints.
pub(crate) fn report_json(report: &Report) -> String {
    let warnings = report.warnings().iter().map(|warning| {
        json!({
            "code": warning.code.id,
            "message": warning.message,
            "count": warning.count,
            "place": warning.place.to_string(),
            "hint": warning.code.hint,
        })
    });
    serde_json::Value::from_iter(warnings).to_string()
}

/// Raises each warning of a report as a Python `UserWarning`.
pub(crate) fn warn(py: Python<'_>, report: &Report) -> PyResult<()> {
    for warning in report.warnings() {
        let message = format!("{}: {} ({})", warning.code.id, warning.message, warning.code.hint);
        let message = CString::new(message.replace('\0', " "))?;
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &message, 1)?;
    }
    Ok(())
}

/// Something of Marey's as JSON, to be a plain value of Python's.
pub(crate) fn to_json<T: Serialize>(value: &T) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|error| Error::new(&codes::PYTHON_VALUE, error.to_string()))
}

/// Settings from JSON that the package wrote of keyword arguments.
pub(crate) fn from_json<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(Error::settings)
}

/// The same, with what went wrong raised.
pub(crate) fn settings<T: serde::de::DeserializeOwned>(py: Python<'_>, text: &str) -> PyResult<T> {
    from_json(text).map_err(|failure| raised(py, failure))
}

/// Keyword arguments as JSON; what JSON does not have is refused.
pub(crate) fn options(py: Python<'_>, named: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
    let Some(named) = named else { return Ok("{}".into()) };
    py.import("marey._values")?.call_method1("to_json", (named,))?.extract()
}
