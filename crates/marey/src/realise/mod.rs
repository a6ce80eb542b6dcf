//! From a plan to motion: the `realise` verb, and the passes of [`marey_realise`].
//!
//! [`run`] realises a plan of any engine. A plan says in its `realise` field what it needs beyond the default passes
//! ([`Realisation`]), and carries the clips that no corpus holds, so that realising it repeats what the engine made.

mod realisation;

pub use marey_realise::*;
pub use realisation::Realisation;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::bodies::take_on_bodies;
use crate::check::names_of;
use crate::measure::card::{KeptPlants, Thresholds};
use crate::measure::judge::{ActorCard, TakeEvidence, judge_observed, plan_coverage};
use crate::motion::Take;
use crate::plan::{Plan, Trace};
use crate::realise::constrain::propagate_holds;
use crate::realise::plant::PlantSummary;
use crate::sources::CorpusSources;
use crate::{Context, Error, Outcome};

/// A plan to realise.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RealiseRequest {
    /// The plan as JSON text, so that errors can name the line.
    pub plan: String,
    /// Changes to the passes that the plan asks for, with the names of [`RealiseSettings`]: `{"plant": null}` leaves
    /// feet alone; default none.
    pub passes: Map<String, Value>,
    /// Whether hands also hold each other as in the sources, if two actors of the plan show both; default false.
    pub keep_holds: bool,
    /// Name of the resulting take; default `plan`.
    pub name: String,
    /// Motion to compare the result with, of the same rate and length.
    #[serde(skip)]
    pub reference: Option<Take>,
}

impl Default for RealiseRequest {
    fn default() -> Self {
        Self {
            plan: String::new(),
            passes: Map::new(),
            keep_holds: false,
            name: "plan".into(),
            reference: None,
        }
    }
}

impl RealiseRequest {
    /// Checks the plan and the passes.
    pub fn validate(&self) -> Result<(), Error> {
        let plan = Plan::from_json(&self.plan)?;
        Realisation::from_plan(&plan)?.with_passes(&self.passes)?;
        Ok(())
    }
}

/// What `realise` reports besides the motion.
#[derive(Debug, Clone, Serialize)]
pub struct RealiseDetails {
    /// The quality card of each actor.
    pub cards: Vec<ActorCard>,
}

/// Realises a plan with the takes of the context's corpus and measures the result.
///
/// A plan that carries all its clips needs no corpus. If the context asks for another body than the plan's, the result is retargeted
/// onto it.
pub fn run(request: &RealiseRequest, context: &Context<'_>) -> Result<Outcome<RealiseDetails>, Error> {
    let mut plan = Plan::from_json(&request.plan)?;
    context.budget().check_frames(plan.frames() as f64 * plan.actors.len() as f64)?;
    let realisation = Realisation::from_plan(&plan)?.with_passes(&request.passes)?;
    let in_plan = |error: RealiseError| {
        let place = error.place_in(&request.plan);
        Error::from(error).at(place)
    };
    if request.keep_holds {
        let corpus = CorpusSources::new(context).on_bodies_of(&plan);
        let meetings = propagate_holds(&plan, &PlanSources::new(&plan, &corpus)).map_err(in_plan)?;
        plan.meetings.extend(meetings);
    }
    let corpus = CorpusSources::new(context).on_bodies_of(&plan);
    context.report("realising", 0, 2)?;
    let Realised { take, contacts, plants, report } = realisation.run(&plan, &corpus, context, in_plan)?;
    let take =
        take_on_bodies(Take::new(&request.name, take.into_actors())?, context.bodies(), context.observer())?;
    context.report("measuring", 1, 2)?;
    let examples = (0..take.actors().len()).map(|actor| corpus.baseline(&plan, actor).map_err(in_plan));
    let evidence = TakeEvidence {
        plants: plants.iter().map(kept).collect(),
        floor_m: Some(0.0),
        terrain: realisation.terrain().cloned(),
        reference: request.reference.clone(),
        examples: examples.collect::<Result<_, Error>>()?,
        coverage: Some(plan_coverage(&plan, &names_of(&corpus.takes()?))),
        ..TakeEvidence::default()
    };
    let evidence = evidence.with_plan(&plan);
    let cards = judge_observed(&take, &evidence, &Thresholds::default(), context.observer())?;
    let details = RealiseDetails { cards };
    Ok(Outcome { take, contacts, plan: Some(plan), trace: Trace::default(), report, details })
}

/// The contacts that a result keeps, as a card counts them.
fn kept(summary: &PlantSummary) -> KeptPlants {
    KeptPlants { contacts: summary.contacts, let_go: summary.released() }
}
