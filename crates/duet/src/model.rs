//! The coupled movement model: section 4 of the paper.
//!
//! | symbol | name |
//! |---|---|
//! | S_i | a state: a group of movements |
//! | ā_ij | [`PersonModel::transitions`] (equation 17), mixed with kinematic transitions (section 4.1) |
//! | π̄_i | [`PersonModel::initial`] (equation 18) |
//! | ā_il^12 | [`DuetModel::cross`] (equations 19 and 20) |
//! | P_i(O) | [`MovementState::observed`](crate::MovementState::observed) (equation 13) |
//!
//! The labels give the state sequences, so training is counting. Probabilities are multiplied as
//! sums of logarithms (equation 21). Unseen transitions have a lower bound, so that a single factor
//! cannot rule out a choice.
//!
//! Change to the paper: the paper refers to other work for how kinematic continuity adjusts
//! transitions. Here a fraction of each row is distributed evenly over the groups that start near
//! the end of the group.

use marey_motion::Ground;
use serde::{Deserialize, Serialize};

use crate::coupled_states::{coupled_states, cross_probabilities};
use crate::exchange::exchanges;
use crate::observation::Observation;
use crate::person_model::person_model;
use crate::subject::Subject;
use crate::{
    DuetError, DuetModelSettings, Exchange, InteractionKind, LabelledMovement, Labelling, PersonModel,
    RecordedPair, Result,
};

/// The coupled model of two people.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DuetModel {
    /// The settings it was trained with.
    pub settings: DuetModelSettings,
    /// The labels it was trained on.
    pub labels: Labelling,
    /// Whether the two make exchanges, both at once, like a dancing couple. All movements are then
    /// [`InteractionKind::Normal`].
    pub in_unison: bool,
    /// What the two did together, for each movement of the first person; empty unless they move in unison.
    pub exchanges: Vec<Exchange>,
    /// The movement transition graph of each person.
    pub people: [PersonModel; 2],
    /// Cross edges: `cross[c][i][l]` is the probability that the partner goes to l while person c
    /// is in i; 0 if there is no edge.
    pub cross: [Vec<Vec<f64>>; 2],
}

/// Lower bound of log-probabilities.
const MIN_LOG_PROBABILITY: f64 = -9.0;

fn bounded_ln(probability: f64) -> f64 {
    if probability > 0.0 { probability.ln().max(MIN_LOG_PROBABILITY) } else { MIN_LOG_PROBABILITY }
}

impl DuetModel {
    /// Trains a model on labelled recordings.
    pub fn train(pairs: &[RecordedPair], labels: &Labelling, settings: &DuetModelSettings) -> Result<Self> {
        settings.validate()?;
        for (person, movements) in labels.people.iter().enumerate() {
            check_labels(pairs, person, &movements.all, movements.groups)?;
        }
        let tracks: Vec<[Vec<Ground>; 2]> = pairs
            .iter()
            .map(|pair| pair.people.each_ref().map(|person| person.clip.ground_track().frames))
            .collect();
        let in_unison = settings.in_unison.unwrap_or_else(|| labels.are_exchanges());
        let train = |person: usize| {
            let subject = if in_unison { Subject::Couple } else { Subject::One(person) };
            let mut model = person_model(pairs, &tracks, person, subject, &labels.people[person], settings)?;
            if in_unison {
                model.states.iter_mut().for_each(|state| state.kind = InteractionKind::Normal);
            }
            Ok::<_, DuetError>(model)
        };
        let people = [train(0)?, train(1)?];
        let sequences: Vec<Vec<[usize; 2]>> =
            (0..pairs.len()).map(|pair| coupled_states(labels, pair)).collect();
        let cross = [0, 1].map(|person| {
            let (own, other) = (people[person].states.len(), people[1 - person].states.len());
            cross_probabilities(&sequences, person, own, other, settings.min_cross)
        });
        let exchanges = if in_unison { exchanges(pairs, &tracks, &labels.people[0].all) } else { Vec::new() };
        Ok(Self { settings: settings.clone(), labels: labels.clone(), in_unison, exchanges, people, cross })
    }

    /// Equation 21 in logarithms: the log-likelihood that both go from one pair of states to
    /// another, given their relative positions. A person in a virtual transition contributes
    /// nothing.
    pub fn log_joint(
        &self,
        from: [usize; 2],
        to: [usize; 2],
        observed: [Observation; 2],
        is_virtual: [bool; 2],
    ) -> f64 {
        let mut sum = 0.0;
        for person in [0, 1] {
            if is_virtual[person] {
                continue;
            }
            let other = 1 - person;
            sum += bounded_ln(self.people[person].transitions[from[person]][to[person]]);
            sum += bounded_ln(self.cross[other][from[other]][to[person]]);
            let state = &self.people[person].states[to[person]];
            sum += state.observed.log_density(&observed[person], self.settings.sharpness);
        }
        sum
    }

    /// Checks that all tables have matching sizes and all numbers are valid. A model may come from
    /// an edited file.
    pub fn validate(&self) -> Result<()> {
        let invalid = |reason: &'static str| Err(DuetError::InvalidModel { reason });
        for (person, model) in self.people.iter().enumerate() {
            let (n, others) = (model.states.len(), self.people[1 - person].states.len());
            if n == 0
                || model.initial.len() != n
                || !is_table(&model.counts, n, n)
                || !is_table(&model.kinematic, n, n)
                || !is_table(&model.transitions, n, n)
                || !is_table(&self.cross[person], n, others)
                || self.labels.people[person].groups != n
            {
                return invalid("the tables of the model differ in size");
            }
            let all = model
                .initial
                .iter()
                .chain(model.transitions.iter().flatten())
                .chain(self.cross[person].iter().flatten());
            if !all.into_iter().all(|p| (0.0..=1.0 + 1e-9).contains(p)) {
                return invalid("a probability is outside 0 to 1");
            }
            if model.states.iter().any(|state| !state.observed.is_valid()) {
                return invalid("a covariance is singular");
            }
        }
        self.settings.validate()
    }
}

fn is_table<T>(rows: &[Vec<T>], count: usize, width: usize) -> bool {
    rows.len() == count && rows.iter().all(|row| row.len() == width)
}

/// Checks labels that may come from an edited file: within bounds, in order, and no empty group.
fn check_labels(
    pairs: &[RecordedPair],
    person: usize,
    all: &[LabelledMovement],
    groups: usize,
) -> Result<()> {
    let name = || pairs.first().map_or_else(String::new, |pair| pair.people[person].name.clone());
    let mut seen = vec![false; groups];
    let mut end = (0, 0);
    for movement in all {
        let frames = pairs.get(movement.pair).map_or(0, RecordedPair::frames);
        let is_inside = movement.frames.start < movement.frames.end && movement.frames.end <= frames;
        let start = (movement.pair, movement.frames.start);
        if !is_inside || start < end || movement.group >= groups {
            return Err(DuetError::InvalidLabel {
                person: name(),
                start: movement.frames.start,
                end: movement.frames.end,
            });
        }
        end = (movement.pair, movement.frames.end);
        seen[movement.group] = true;
    }
    if all.is_empty() || seen.contains(&false) {
        return Err(DuetError::InvalidLabel { person: name(), start: 0, end: 0 });
    }
    Ok(())
}
