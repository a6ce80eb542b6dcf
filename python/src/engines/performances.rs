//! A live performer: `perform.play`; the session itself is [`crate::session`].

use std::path::PathBuf;

use marey::failure::Failure;
use marey::inputs;
use marey::motion::Take;
use marey::performances::{Moment, play, recording, world};
use pyo3::prelude::*;
use serde::Serialize;

use super::{Made, Source, made};
use crate::session::recorded;
use crate::work::{Ending, run};

/// What happened in a performance.
#[derive(Debug, Serialize)]
struct Performed {
    finished: Option<usize>,
    moments: Vec<Moment>,
}

#[pyfunction]
pub(crate) fn perform(py: Python<'_>, world_file: PathBuf, input: Source) -> PyResult<Made> {
    run(py, None, Ending::Left, move |_| {
        let (ground, motions) = world(&world_file)?;
        let recorded = match input {
            Source::File(path) => {
                recording(&inputs::import(&path)?).map_err(|error| Failure::from(error).in_file(&path))?
            }
            given => recorded(&given.given()?)?,
        };
        let (film, session) =
            play(ground, &motions, &recorded).map_err(|error| Failure::from(error).in_file(&world_file))?;
        let mut report = recorded.report.clone();
        report.absorb(session.report().clone());
        let about = Performed { finished: film.finished, moments: film.moments.clone() };
        let clip = film.into_clip(&session, recorded.rate_hz)?;
        made(Take::solo("perform", clip), None, &report, about)
    })
}
