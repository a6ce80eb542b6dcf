//! Errors as `marey.Error`, reports as Python warnings, and JSON values.

use std::ffi::CString;

use marey::Error;
use marey::codes;
use marey::motion::{Code, Coded, Place, Report};
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Serialize;
use serde_json::json;

/// Converts an error to the exception `marey.Error`.
pub(crate) fn raised(py: Python<'_>, error: Error) -> PyErr {
    let exception = || -> PyResult<PyErr> {
        let place = PyDict::new(py);
        let Place { line, column, frame, joint } = *error.place;
        place.set_item("file", error.file.as_ref().map(|file| file.display().to_string()))?;
        place.set_item("line", line)?;
        place.set_item("column", column)?;
        place.set_item("frame", frame)?;
        place.set_item("joint", joint)?;
        let constructor = py.import("marey.errors")?.getattr("from_native")?;
        let exception = constructor.call1((error.code.id, &error.message, place, error.code.hint))?;
        Ok(PyErr::from_value(exception))
    };
    exception().unwrap_or_else(|error| error)
}

/// Converts an error of any crate to the exception `marey.Error`.
pub(crate) fn coded(py: Python<'_>, error: impl Coded) -> PyErr {
    raised(py, error.into())
}

/// Returns the exception for a wrong argument.
pub(crate) fn refused(py: Python<'_>, code: &'static Code, message: impl Into<String>) -> PyErr {
    raised(py, Error::usage(code, message))
}

/// Returns the warnings of a report as a JSON list.
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

/// Issues each warning of a report as a Python `UserWarning`.
pub(crate) fn warn(py: Python<'_>, report: &Report) -> PyResult<()> {
    for warning in report.warnings() {
        let message = format!("{}: {} ({})", warning.code.id, warning.message, warning.code.hint);
        let message = CString::new(message.replace('\0', " "))?;
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &message, 1)?;
    }
    Ok(())
}

/// Serialises a value to JSON.
pub(crate) fn to_json<T: Serialize>(value: &T) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|error| Error::new(&codes::PYTHON_VALUE, error.to_string()))
}

/// Deserialises keyword arguments from JSON.
pub(crate) fn from_json<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(Error::settings)
}

/// Deserialises keyword arguments from JSON, with a Python exception as the error.
pub(crate) fn settings<T: serde::de::DeserializeOwned>(py: Python<'_>, text: &str) -> PyResult<T> {
    from_json(text).map_err(|error| raised(py, error))
}

/// Serialises keyword arguments to JSON. A value that JSON cannot represent is an error.
pub(crate) fn keywords_to_json(py: Python<'_>, keywords: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
    let Some(keywords) = keywords else { return Ok("{}".into()) };
    py.import("marey._values")?.call_method1("to_json", (keywords,))?.extract()
}
