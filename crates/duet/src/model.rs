//! What the two do after each other, and after what the other does: section 4 of the paper.
//!
//! | symbol | name |
//! |---|---|
//! | S_i | a state: a group of movements |
//! | ā_ij | [`PersonModel::transitions`] (equation 17), mixed with ways that postures allow (section 4.1) |
//! | π̄_i | [`PersonModel::initial`] (equation 18) |
//! | ā_il^12 | [`Model::cross`] (equations 19 and 20) |
//! | P_i(O) | [`State::observed`](crate::State::observed) (equation 13) |
//!
//! The state sequences are known from the labels, so that training is counting. Probabilities are multiplied as sums of logarithms
//! (equation 21); what was never seen has a floor, so that no way is barred by one factor.
//!
//! Changed: how kinematic continuity adjusts transitions is left to another paper by the authors; here a share of each row goes to the
//! groups that start near where the group ends, in equal parts.

use marey_motion::Ground;
use serde::{Deserialize, Serialize};

use crate::coupled::{coupled_states, cross};
use crate::observation::Observation;
use crate::person_model::person_model;
use crate::who::Who;
use crate::{Error, Kind, Labelled, Labelling, ModelSettings, Pair, PersonModel, Result};

/// The coupled model of both.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// How it was learnt.
    pub settings: ModelSettings,
    /// What it was learnt from.
    pub labels: Labelling,
    /// Whether the two move as one, as a couple that dances does. Then there is no striking.
    pub in_unison: bool,
    /// Both graphs.
    pub people: [PersonModel; 2],
    /// Cross edges: `cross[c][i][l]`, how likely the other goes to l when person c is in i; 0 where there is none.
    pub cross: [Vec<Vec<f64>>; 2],
}

/// The logarithm of the probability of what was never seen.
const NEVER: f64 = -9.0;

fn log(probability: f64) -> f64 {
    if probability > 0.0 { probability.ln().max(NEVER) } else { NEVER }
}

impl Model {
    /// Learns from labelled recordings.
    pub fn train(pairs: &[Pair], labels: &Labelling, settings: &ModelSettings) -> Result<Self> {
        settings.validate()?;
        for (person, movements) in labels.people.iter().enumerate() {
            check(pairs, person, &movements.all, movements.groups)?;
        }
        let tracks: Vec<[Vec<Ground>; 2]> = pairs
            .iter()
            .map(|pair| pair.people.each_ref().map(|person| person.clip.ground_track().frames))
            .collect();
        let in_unison = settings.in_unison.unwrap_or_else(|| Pair::are_a_couple(pairs));
        let one = |person: usize| {
            let who = if in_unison { Who::Both } else { Who::One(person) };
            let mut model = person_model(pairs, &tracks, person, who, &labels.people[person], settings)?;
            if in_unison {
                model.states.iter_mut().for_each(|state| state.kind = Kind::Normal);
            }
            Ok::<_, Error>(model)
        };
        let people = [one(0)?, one(1)?];
        let sequences: Vec<Vec<[usize; 2]>> =
            (0..pairs.len()).map(|pair| coupled_states(labels, pair)).collect();
        let cross = [0, 1].map(|person| {
            let (own, other) = (people[person].states.len(), people[1 - person].states.len());
            cross(&sequences, person, own, other, settings.least_cross)
        });
        Ok(Self { settings: settings.clone(), labels: labels.clone(), in_unison, people, cross })
    }

    /// Equation 21 in logarithms: how likely both go from a pair of states to another, as they stand to each other. Who makes a
    /// virtual transition stays, and is not judged.
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
            sum += log(self.people[person].transitions[from[person]][to[person]]);
            sum += log(self.cross[other][from[other]][to[person]]);
            let state = &self.people[person].states[to[person]];
            sum += state.observed.log_density(&observed[person], self.settings.sharpness);
        }
        sum
    }

    /// Whether it can be a model: every list as long as it should be, every number finite.
    pub fn validate(&self) -> Result<()> {
        let wrong = |what: &'static str| Err(Error::Model { what });
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
                return wrong("lists of states differ in length");
            }
            let all = model
                .initial
                .iter()
                .chain(model.transitions.iter().flatten())
                .chain(self.cross[person].iter().flatten());
            if !all.into_iter().all(|p| (0.0..=1.0 + 1e-9).contains(p)) {
                return wrong("a probability is none");
            }
            if model.states.iter().any(|state| !state.observed.is_sound()) {
                return wrong("a covariance is singular");
            }
        }
        self.settings.validate()
    }
}

fn is_table<T>(rows: &[Vec<T>], count: usize, width: usize) -> bool {
    rows.len() == count && rows.iter().all(|row| row.len() == width)
}

/// Labels as they may come from a file: in bounds, in order, groups without a gap.
fn check(pairs: &[Pair], person: usize, all: &[Labelled], groups: usize) -> Result<()> {
    let name = || pairs.first().map_or_else(String::new, |pair| pair.people[person].name.clone());
    let mut seen = vec![false; groups];
    let mut end = (0, 0);
    for movement in all {
        let frames = pairs.get(movement.pair).map_or(0, Pair::frames);
        let is_inside = movement.frames.start < movement.frames.end && movement.frames.end <= frames;
        let place = (movement.pair, movement.frames.start);
        if !is_inside || place < end || movement.group >= groups {
            return Err(Error::Label {
                person: name(),
                start: movement.frames.start,
                end: movement.frames.end,
            });
        }
        end = (movement.pair, movement.frames.end);
        seen[movement.group] = true;
    }
    if all.is_empty() || seen.contains(&false) {
        return Err(Error::Label { person: name(), start: 0, end: 0 });
    }
    Ok(())
}
