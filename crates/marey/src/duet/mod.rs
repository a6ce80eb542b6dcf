//! The verb `duet`: generates motion of two interacting characters from recordings of a pair.
//!
//! This module re-exports the engine, `marey_duet`, and adds the verb in four steps. Each step has a request and one
//! `run`:
//!
//! | step | function | result |
//! |---|---|---|
//! | [`mod@label`] | [`label::run`] | movements of both people, stored in the corpus as segments |
//! | [`train`] | [`train::run`] | a model, stored in the corpus |
//! | [`graph`] | [`graph::run`] | a picture of the model |
//! | | [`run`] | new motion, from a stored model or directly from takes |
//!
//! [`LiveDuet`] generates the same motion frame by frame, controlled by commands.

pub mod graph;
pub mod label;
mod live;
mod prepare;
mod realisation;
mod recordings;
mod request;
pub mod train;

pub use marey_duet::*;

pub use live::{CurrentMovement, LiveDuet};
pub use prepare::{PreparedDuet, prepare};
pub use realisation::{realisation_of, realise_run, realise_run_with};
pub use recordings::{DuetRecordings, RecordedStretch};
pub use request::{DuetRequest, parse_command};

use crate::motion::Take;
use crate::plan::{Seed, Trace};
use crate::{Context, Error, Outcome};

/// Name of a model if the request gives none.
pub const DEFAULT_MODEL: &str = "duet";

/// What `duet` reports besides the motion.
#[derive(Debug, Clone)]
pub struct DuetDetails {
    /// The generated movements in order of their start.
    pub movements: Vec<PlacedMovement>,
    /// Number of groups of movements of each person.
    pub groups: [usize; 2],
    /// Whether the labels came from the corpus; false if they were searched for.
    pub was_labelled: bool,
}

impl DuetDetails {
    /// Returns the number of attacks.
    pub fn attacks(&self) -> usize {
        self.movements.iter().filter(|movement| movement.kind == InteractionKind::Offensive).count()
    }
}

/// Generates motion of two people.
///
/// The plan of the outcome is complete: it contains the generated movements and the settings that realise them.
pub fn run(request: &DuetRequest, context: &Context<'_>) -> Result<Outcome<DuetDetails>, Error> {
    request.validate()?;
    let prepared = prepare(&request.model, &request.train_on, context)?;
    let duet = &prepared.duet;
    let mut run = generate(request, duet, context)?;
    let realisation = realisation_of(&run);
    realisation.write_to(&mut run.plan)?;
    let realised = context.install(|| realise_run_with(&run, &realisation, context.observer()))??;
    let mut report = prepared.report.clone();
    report.absorb(realised.report);
    if prepared.labels_changed {
        report.warn(&crate::codes::LABELS_CHANGED, Default::default(), "the model was not trained again");
    }
    Ok(Outcome {
        take: Take::new(&request.name, realised.take.into_actors())?,
        contacts: realised.contacts,
        plan: Some(run.plan),
        trace: Trace::default(),
        report,
        details: DuetDetails {
            movements: run.placed,
            groups: duet.model().people.each_ref().map(|person| person.states.len()),
            was_labelled: prepared.was_labelled,
        },
    })
}

/// Generates the movements of a request.
fn generate(request: &DuetRequest, duet: &Duet, context: &Context<'_>) -> Result<DuetRun, Error> {
    context.budget().check_frames(2.0 * request.secs * duet.rate_hz())?;
    let frames = (request.secs * duet.rate_hz()).round() as usize;
    let person = request.person_index(duet)?;
    let mut session = DuetSession::new(duet, &request.settings, Seed(request.seed))?;
    if !request.path.is_empty() {
        session.follow_path(DuetPath { person, points: request.path.clone() })?;
    }
    for command in &request.commands {
        session.command(person, *command)?;
    }
    let mut placed = Vec::new();
    while session.planned_frames() < frames {
        context.report("frames", session.planned_frames(), frames)?;
        placed.extend(session.advance()?);
    }
    Ok(duet.run_from(placed, frames, Seed(request.seed))?)
}
