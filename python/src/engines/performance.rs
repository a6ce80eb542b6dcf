//! `perform.play`. The session itself is in [`crate::session`].

use std::path::PathBuf;

use marey::Context;
use marey::motion::Take;
use marey::perform::{
    PerformEvent, PerformInput, Performer, RecordedPerformer, WorldFile, perform as perform_in,
};
use pyo3::prelude::*;
use serde::Serialize;

use super::{Made, Source, made};
use crate::session::recorded;
use crate::work::{Ending, run};

/// What happened in a performance.
#[derive(Debug, Serialize)]
struct PerformEvents {
    finished: Option<usize>,
    moments: Vec<PerformEvent>,
}

#[pyfunction]
pub(crate) fn perform(py: Python<'_>, world_file: PathBuf, input: Source) -> PyResult<Made> {
    run(py, None, Ending::Left, move |_| {
        let world = WorldFile::open(&world_file)?;
        let performer: Box<dyn Performer> = match input {
            Source::File(path) => PerformInput::from(path.to_string_lossy().into_owned()).open()?,
            given => Box::new(RecordedPerformer::new(recorded(&given.read()?)?)),
        };
        let outcome = perform_in(world, performer, &Context::new())?;
        let details = outcome.details;
        let events = PerformEvents { finished: details.finished, moments: details.events };
        made(Take::new("perform", outcome.take.into_actors())?, None, &outcome.report, events)
    })
}
