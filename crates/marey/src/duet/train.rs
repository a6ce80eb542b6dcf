//! The step `duet train`: trains a model on the labels of a corpus and stores it there.

use serde::{Deserialize, Serialize};

use super::{DEFAULT_MODEL, DuetModel, DuetModelSettings, DuetRecordings, InteractionKind, PersonModel};
use crate::corpus::Corpus;
use crate::motion::Report;
use crate::{Context, Error, codes};

/// A request to train a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DuetTrainRequest {
    /// Takes to train on, by name or `#` and number; default: all takes of two people.
    pub takes: Vec<String>,
    /// Name of the model in the corpus; default `"duet"`.
    pub model: String,
    /// Settings of training.
    pub settings: DuetModelSettings,
}

impl Default for DuetTrainRequest {
    fn default() -> Self {
        Self { takes: Vec::new(), model: DEFAULT_MODEL.into(), settings: DuetModelSettings::default() }
    }
}

impl DuetTrainRequest {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<(), Error> {
        Ok(self.settings.validate()?)
    }
}

/// A group of movements in a trained model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GroupSummary {
    /// Name of the person.
    pub person: String,
    /// Number of the group, from 1.
    pub group: usize,
    /// The role of its movements in the interaction.
    pub kind: InteractionKind,
    /// Number of movements.
    pub movements: usize,
    /// Mean distance to the partner, in metres.
    pub distance_m: f64,
    /// Mean difference of headings, in radians.
    pub facing_rad: f64,
}

/// The result of training.
#[derive(Debug, Clone, PartialEq)]
pub struct DuetTrainOutcome {
    /// Groups of movements of both people.
    pub groups: Vec<GroupSummary>,
    /// Takes that were left out.
    pub report: Report,
}

/// Trains a model and stores it in the corpus, which must be writable.
pub fn run(request: &DuetTrainRequest, context: &Context<'_>) -> Result<DuetTrainOutcome, Error> {
    request.validate()?;
    let mut corpus = context.corpus()?;
    let mut recordings = DuetRecordings::read(&corpus, &request.takes, context)?;
    let takes = recordings.takes();
    let unlabelled = || Error::new(&codes::NO_LABELS, format!("takes {takes:?}"));
    let labels = recordings.labels(&corpus)?.ok_or_else(unlabelled)?;
    let model = DuetModel::train(&recordings.pairs, &labels, &request.settings)?;
    let groups = model.people.iter().flat_map(groups).collect();
    StoredModel { takes, model }.save(&mut corpus, &request.model)?;
    Ok(DuetTrainOutcome { groups, report: recordings.report })
}

fn groups(person: &PersonModel) -> impl Iterator<Item = GroupSummary> + '_ {
    person.states.iter().enumerate().map(|(number, state)| GroupSummary {
        person: person.name.clone(),
        group: number + 1,
        kind: state.kind,
        movements: state.movements,
        distance_m: state.observed.mean[0],
        facing_rad: state.observed.mean[1],
    })
}

/// A model as the corpus stores it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredModel {
    /// The takes that the model was trained on, in order.
    pub(super) takes: Vec<String>,
    pub(super) model: DuetModel,
}

impl StoredModel {
    /// Loads and checks a model.
    pub(super) fn load(corpus: &Corpus, name: &str) -> Result<Self, Error> {
        let missing = || Error::new(&codes::NO_MODEL, format!("no model {name:?}"));
        let text = corpus.model(name)?.ok_or_else(missing)?;
        let stored: Self = serde_json::from_str(&text).map_err(|error| invalid(name, &error))?;
        stored.model.validate()?;
        Ok(stored)
    }

    fn save(&self, corpus: &mut Corpus, name: &str) -> Result<(), Error> {
        let text = serde_json::to_string_pretty(self).map_err(|error| invalid(name, &error))?;
        Ok(corpus.put_model(name, &(text + "\n"))?)
    }
}

fn invalid(name: &str, error: &serde_json::Error) -> Error {
    Error::new(&marey_duet::codes::MODEL, format!("the model {name:?}: {error}"))
}
