//! `check`: the quality cards of motion.

use marey::check::CheckRequest;
use marey::{Context, Error};
use pyo3::prelude::*;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::Source;
use crate::error::{settings, to_json};
use crate::work::{OnCancel, run};

/// Measures motion; `request` is a [`CheckRequest`] with the plan as an object.
#[pyfunction]
pub(crate) fn check(py: Python<'_>, motion: Source, request: &str) -> PyResult<String> {
    let mut request: Map<String, Value> = settings(py, request)?;
    if let Some(plan) = request.get_mut("plan").filter(|plan| !plan.is_null()) {
        *plan = Value::String(plan.to_string());
    }
    run(py, None, OnCancel::Detach, move |_| {
        let mut request = CheckRequest::deserialize(Value::Object(request)).map_err(Error::settings)?;
        match motion {
            Source::File(path) => request.clips.push(path),
            other => request.takes.push(other.take()?),
        }
        let mut cards = Vec::new();
        for judged in marey::check::run(&request, &Context::new())? {
            cards.extend(judged.result?);
        }
        to_json(&cards)
    })
}
