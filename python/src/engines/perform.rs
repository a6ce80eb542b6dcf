//! `perform.play`: a whole performance. [`crate::session`] has the frame-by-frame interface.

use std::path::PathBuf;

use marey::Context;
use marey::motion::Take;
use marey::perform::{
    PerformEvent, PerformInput, Performer, RecordedPerformer, WorldFile, perform as run_perform,
};
use pyo3::prelude::*;
use serde::Serialize;

use super::{OutcomeParts, Source, outcome_parts};
use crate::cast::PyCast;
use crate::session::recorded;
use crate::work::{OnCancel, run};

/// The events of a performance, as `Outcome.details`.
#[derive(Debug, Serialize)]
struct PerformEvents {
    finished: Option<usize>,
    moments: Vec<PerformEvent>,
}

#[pyfunction]
pub(crate) fn perform(
    py: Python<'_>,
    world_file: PathBuf,
    input: Source,
    cast: PyCast,
) -> PyResult<OutcomeParts> {
    run(py, None, OnCancel::Detach, move |observer| {
        let world = WorldFile::open(&world_file)?;
        let performer: Box<dyn Performer + '_> = match input {
            Source::File(path) => {
                PerformInput::from(path.to_string_lossy().into_owned()).open(None, observer)?
            }
            other => Box::new(RecordedPerformer::new(recorded(&other.read()?)?)),
        };
        let outcome = run_perform(world, performer, &cast.context(Context::new()))?;
        let details = outcome.details;
        let events = PerformEvents { finished: details.finished, moments: details.events };
        let take = Take::new("perform", outcome.take.into_actors())?;
        outcome_parts(&cast, take, None, None, &outcome.report, events)
    })
}
