//! What a plan of `traverse` needs beyond the corpus to be realised.

use serde::{Deserialize, Serialize};

use super::examples::database_of;
use super::{ACTOR, AdaptedMotion, GroundPath, PrimitiveDatabase, TraverseRequest, TraverseSettings};
use crate::motion::{Report, Take, Terrain};
use crate::plan::Plan;
use crate::realise::Realised;
use crate::{Context, Error};

/// The takes, terrain, path and settings of a plan. They are saved with the plan, so that the plan is complete.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TraverseRealisation {
    /// Takes of the corpus that the hops or strides come from, in order.
    pub takes: Vec<String>,
    /// The terrain, in profile.
    pub terrain: Terrain,
    /// The path over the floor of which the terrain is the profile.
    pub path: GroundPath,
    /// Settings of the engine.
    pub settings: TraverseSettings,
}

impl TraverseRealisation {
    pub(super) fn new(request: &TraverseRequest, database: &PrimitiveDatabase) -> Self {
        Self {
            takes: database.examples().iter().map(|example| example.source.take.clone()).collect(),
            terrain: request.terrain.clone(),
            path: request.path.clone(),
            settings: *database.settings(),
        }
    }

    /// The terrain along +Z, if the path is straight.
    pub(crate) fn profile(&self) -> Option<&Terrain> {
        (self.path == GroundPath::straight()).then_some(&self.terrain)
    }

    /// Realises a plan, which may have been edited: [`PrimitiveDatabase::realise`] tells which frames an edit changes.
    pub(crate) fn realise(&self, plan: &Plan, context: &Context<'_>) -> Result<Realised, Error> {
        context.budget().check_terrain(&self.terrain)?;
        let database = database_of(&self.takes, &self.settings, plan.body(0), context)?;
        let footings = database.footings(&self.terrain);
        let AdaptedMotion { clip, contacts, .. } =
            database.realise_observed(plan, &footings, &self.path, context.observer())?;
        Ok(Realised {
            take: Take::solo(ACTOR, clip),
            contacts: vec![contacts],
            plants: Vec::new(),
            report: Report::default(),
        })
    }
}
