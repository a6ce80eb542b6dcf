//! The step `duet graph`: draws a trained model.

use serde::{Deserialize, Serialize};

use super::train::StoredModel;
use super::{DEFAULT_MODEL, graph_to_svg};
use crate::{Context, Error};

/// A request to draw a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DuetGraphRequest {
    /// Name of the model in the corpus; default `"duet"`.
    pub model: String,
}

impl Default for DuetGraphRequest {
    fn default() -> Self {
        Self { model: DEFAULT_MODEL.into() }
    }
}

impl DuetGraphRequest {
    /// Checks that the model has a name.
    pub fn validate(&self) -> Result<(), Error> {
        if self.model.is_empty() {
            return Err(Error::settings("the name of the model is empty"));
        }
        Ok(())
    }
}

/// A drawing of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DuetGraph {
    /// The drawing, as SVG.
    pub svg: String,
    /// Number of groups of each person.
    pub groups: [usize; 2],
}

/// Draws a model of the corpus.
pub fn run(request: &DuetGraphRequest, context: &Context<'_>) -> Result<DuetGraph, Error> {
    request.validate()?;
    let corpus = context.corpus()?;
    let stored = StoredModel::load(&corpus, &request.model)?;
    let groups = stored.model.people.each_ref().map(|person| person.states.len());
    Ok(DuetGraph { svg: graph_to_svg(&stored.model), groups })
}
