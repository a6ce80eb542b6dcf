//! The verb `traverse`: crosses uneven terrain with the hops or strides of a corpus.
//!
//! This module re-exports the engine, `marey_traverse`, and adds the verb: [`run`] answers a [`TraverseRequest`],
//! [`survey`] reports which ground the request can reach, without making motion.

mod examples;
mod realisation;
mod request;
mod settings_changes;
mod survey;

pub use marey_traverse::*;

pub use realisation::TraverseRealisation;
pub use request::TraverseRequest;
pub use settings_changes::TraverseSettingsChanges;
pub use survey::{TerrainSurvey, survey};

use std::sync::Arc;

use examples::ExampleDatabase;

use crate::motion::{Report, Skeleton, Take};
use crate::plan::{PlanBody, Seed, Trace};
use crate::realise::Realisation;
use crate::{Context, Error, Outcome};

/// The name of the take, and of its actor.
const ACTOR: &str = "traverse";

/// What `traverse` reports besides the motion.
#[derive(Debug, Clone, PartialEq)]
pub struct TraverseDetails {
    /// Number of hops or strides in the database.
    pub primitives: usize,
    /// Effort of the search.
    pub effort: SearchEffort,
    /// Where the character lands, in order; the first entry is the start.
    pub landings: Vec<Landing>,
}

impl TraverseDetails {
    /// Number of hops or strides of the motion.
    pub fn hops(&self) -> usize {
        self.landings.len().saturating_sub(1)
    }

    /// Mean length of a hop or stride, in metres.
    pub fn mean_length_m(&self) -> f32 {
        let ends = self.landings.first().zip(self.landings.last());
        let along_m = ends.map_or(0.0, |(first, last)| last.footing.position.x - first.footing.position.x);
        along_m / self.hops().max(1) as f32
    }
}

/// Crosses the terrain of a request with the examples of the context's corpus.
///
/// The plan of the outcome contains the terrain, the path, the settings and the names of the takes, so that
/// [`realise::run`](crate::realise::run) repeats the motion.
pub fn run(request: &TraverseRequest, context: &Context<'_>) -> Result<Outcome<TraverseDetails>, Error> {
    request.validate()?;
    context.budget().check_terrain(&request.terrain)?;
    context.report("reading examples", 0, 3)?;
    let prepared = examples::database(request, context)?;
    let ExampleDatabase { database, body, report } = &*prepared;
    cross(request, database, body.clone(), report.clone(), context)
}

/// [`run`] with examples that are not in a corpus.
pub fn run_with_examples(
    request: &TraverseRequest,
    examples: Vec<TraverseExample>,
    context: &Context<'_>,
) -> Result<Outcome<TraverseDetails>, Error> {
    request.validate()?;
    context.budget().check_terrain(&request.terrain)?;
    cross(request, &examples::segmented(request, examples)?, None, Report::default(), context)
}

fn cross(
    request: &TraverseRequest,
    database: &PrimitiveDatabase,
    body: Option<Arc<Skeleton>>,
    report: Report,
    context: &Context<'_>,
) -> Result<Outcome<TraverseDetails>, Error> {
    context.report("planning", 1, 3)?;
    let footings = database.footings(&request.terrain);
    let mut trace = Trace::default();
    let (mut plan, effort) = database.plan_observed(
        &footings,
        &request.crossing(),
        Seed(request.seed),
        Some(&mut trace),
        context.observer(),
    )?;
    plan.bodies.extend(body.map(|skeleton| PlanBody { actor: 0, skeleton }));
    let traverse = Some(TraverseRealisation::new(request, database));
    Realisation { traverse, ..Realisation::default() }.write_to(&mut plan)?;
    context.report("adapting", 2, 3)?;
    let AdaptedMotion { clip, contacts, landings } =
        database.realise_observed(&plan, &footings, &request.path, context.observer())?;
    context.report("adapting", 3, 3)?;
    Ok(Outcome {
        take: Take::solo(ACTOR, clip),
        contacts: vec![contacts],
        plan: Some(plan),
        trace,
        report,
        details: TraverseDetails { primitives: database.primitives().len(), effort, landings },
    })
}
