//! What the two do after each other, and after what the other does: section 4 of the paper.
//!
//! | symbol | name |
//! |---|---|
//! | S_i | a state: a group of movements |
//! | ā_ij | [`PersonModel::transitions`] (equation 17), mixed with ways that postures allow (section 4.1) |
//! | π̄_i | [`PersonModel::initial`] (equation 18) |
//! | ā_il^12 | [`Model::cross`] (equations 19 and 20) |
//! | P_i(O) | [`State::observed`] (equation 13) |
//!
//! The state sequences are known from the labels, so that training is counting. Probabilities are multiplied as sums of logarithms
//! (equation 21); what was never seen has a floor, so that no way is barred by one factor.
//!
//! Changed: how kinematic continuity adjusts transitions is left to another paper by the authors; here a share of each row goes to the
//! groups that start near where the group ends, in equal parts.

use marey_motion::Ground;
use marey_ops::OutOfRange;
use marey_ops::reduction::movement::{Movement, to_common_length};
use serde::{Deserialize, Serialize};

use crate::coupled::coupled_states;
use crate::observation::{Gaussian, Observation};
use crate::{Error, Labelled, Labelling, Pair, Result};

/// How a model is learnt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelSettings {
    /// The share of each row of transitions that goes to what postures allow; default 0.05; 0 to 1.
    pub kinematic_share: f64,
    /// A group may follow another by posture where it starts nearer than this to where that one ends, in metres, root mean square over
    /// feet, hands, head and hips; default 0.08; 0 to 10.
    pub kinematic_m: f32,
    /// Cross edges below this probability are none; default 0.02; 0 to 1.
    pub least_cross: f64,
    /// β: how much the distance and the facing count; default 1; 0.001 to 1000.
    pub sharpness: f64,
}

impl Default for ModelSettings {
    fn default() -> Self {
        Self { kinematic_share: 0.05, kinematic_m: 0.08, least_cross: 0.02, sharpness: 1.0 }
    }
}

impl ModelSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("kinematic_share", self.kinematic_share, 0.0..=1.0)?;
        OutOfRange::check("kinematic_m", self.kinematic_m, 0.0..=10.0)?;
        OutOfRange::check("least_cross", self.least_cross, 0.0..=1.0)?;
        OutOfRange::check("sharpness", self.sharpness, 0.001..=1000.0)?;
        Ok(())
    }
}

/// What a group of movements is for (section 5.1.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// They do not touch the other.
    Normal,
    /// They strike.
    Offensive,
    /// They are struck.
    Defensive,
}

/// A group of movements as a state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// What its movements are for.
    pub kind: Kind,
    /// How many there are.
    pub movements: usize,
    /// How the other stands when one starts.
    pub observed: Gaussian,
}

/// What one of the two does: a movement transition graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PersonModel {
    /// What they are called.
    pub name: String,
    /// The groups.
    pub states: Vec<State>,
    /// How likely each is the first.
    pub initial: Vec<f64>,
    /// How often each followed each in the recordings: behaviour edges.
    pub counts: Vec<Vec<u32>>,
    /// Whether each starts near where each ends: kinematic edges.
    pub kinematic: Vec<Vec<bool>>,
    /// How likely each follows each; rows add up to 1.
    pub transitions: Vec<Vec<f64>>,
}

/// The coupled model of both.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// How it was learnt.
    pub settings: ModelSettings,
    /// What it was learnt from.
    pub labels: Labelling,
    /// Whether the two touch each other nearly all the time, as a couple that dances does. Then there is no striking.
    pub in_unison: bool,
    /// Both graphs.
    pub people: [PersonModel; 2],
    /// Cross edges: `cross[c][i][l]`, how likely the other goes to l when person c is in i; 0 where there is none.
    pub cross: [Vec<Vec<f64>>; 2],
}

/// The logarithm of the probability of what was never seen.
const NEVER: f64 = -9.0;

/// Who touch each other for more than this share of the time are a couple.
const UNISON: f64 = 0.5;

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
        let touching: usize =
            pairs.iter().flat_map(|pair| &pair.touches).map(|touch| touch.frames.len()).sum();
        let frames: usize = pairs.iter().map(Pair::frames).sum();
        let in_unison = touching as f64 > UNISON * frames as f64;
        let one = |person: usize| {
            let mut model = person_model(pairs, &tracks, person, labels, settings)?;
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

/// What most of a group's movements are for.
fn kind_of(pairs: &[Pair], person: usize, members: &[&Labelled]) -> Kind {
    let (mut strikes, mut struck) = (0, 0);
    for movement in members {
        let touches = pairs[movement.pair].touches.iter();
        if let Some(touch) = touches.clone().find(|touch| movement.frames.contains(&touch.frame)) {
            if touch.striker.person == person { strikes += 1 } else { struck += 1 }
        }
    }
    let plain = members.len().saturating_sub(strikes + struck);
    match () {
        () if plain > strikes + struck => Kind::Normal,
        () if strikes >= struck => Kind::Offensive,
        () => Kind::Defensive,
    }
}

fn person_model(
    pairs: &[Pair],
    tracks: &[[Vec<Ground>; 2]],
    person: usize,
    labels: &Labelling,
    settings: &ModelSettings,
) -> Result<PersonModel> {
    let movements = &labels.people[person];
    let n = movements.groups;
    let seen = |movement: &Labelled| {
        let [one, two] = &tracks[movement.pair];
        let (own, other) = if person == 0 { (one, two) } else { (two, one) };
        Observation::of(own[movement.frames.start], other[movement.frames.start])
    };
    let all: Vec<Observation> = movements.all.iter().map(seen).collect();
    let everywhere = Gaussian::of_all(&all);
    let mut states = Vec::with_capacity(n);
    for group in 0..n {
        let members: Vec<&Labelled> =
            movements.all.iter().filter(|movement| movement.group == group).collect();
        let observed: Vec<Observation> = members.iter().map(|movement| seen(movement)).collect();
        let observed = Gaussian::of(&observed, &everywhere);
        states.push(State { kind: kind_of(pairs, person, &members), movements: members.len(), observed });
    }
    let mut counts = vec![vec![0; n]; n];
    for pair in movements.all.windows(2).filter(|pair| pair[0].pair == pair[1].pair) {
        counts[pair[0].group][pair[1].group] += 1;
    }
    let mut initial = vec![0.0; n];
    let firsts = movements.all.iter().enumerate();
    let firsts = firsts.filter(|(i, movement)| *i == 0 || movements.all[i - 1].pair != movement.pair);
    let firsts: Vec<usize> = firsts.map(|(_, movement)| movement.group).collect();
    for &first in &firsts {
        initial[first] += 1.0 / firsts.len() as f64;
    }
    let kinematic = kinematic(pairs, person, movements.all.as_slice(), n, settings.kinematic_m)?;
    let transitions = transitions(&counts, &kinematic, settings.kinematic_share);
    let name = pairs.first().map_or_else(String::new, |pair| pair.people[person].name.clone());
    Ok(PersonModel { name, states, initial, counts, kinematic, transitions })
}

/// Equation 17, and the share that goes to what postures allow.
fn transitions(counts: &[Vec<u32>], kinematic: &[Vec<bool>], share: f64) -> Vec<Vec<f64>> {
    let row = |(counts, kinematic): (&Vec<u32>, &Vec<bool>)| {
        let seen = f64::from(counts.iter().sum::<u32>());
        let allowed = kinematic.iter().filter(|is| **is).count() as f64;
        // What nothing followed goes on by posture alone; what nothing is near to, by what followed.
        let share = if seen == 0.0 {
            1.0
        } else if allowed == 0.0 {
            0.0
        } else {
            share
        };
        let of = |(count, is): (&u32, &bool)| {
            let behaved = if seen > 0.0 { f64::from(*count) / seen } else { 0.0 };
            let fits = if *is { 1.0 / allowed } else { 0.0 };
            (1.0 - share) * behaved + share * fits
        };
        counts.iter().zip(kinematic).map(of).collect()
    };
    counts.iter().zip(kinematic).map(row).collect()
}

/// Whether each group starts near where each ends. A group that ends near none ends near the nearest.
fn kinematic(
    pairs: &[Pair],
    person: usize,
    all: &[Labelled],
    n: usize,
    near_m: f32,
) -> Result<Vec<Vec<bool>>> {
    let posture = |movement: &Labelled, frame: usize| {
        Ok(Movement::of(&pairs[movement.pair].people[person].clip, frame..frame + 1)?)
    };
    let firsts = all.iter().map(|movement| posture(movement, movement.frames.start));
    let lasts = all
        .iter()
        .map(|movement| posture(movement, movement.frames.end.min(pairs[movement.pair].frames() - 1)));
    let vectors = to_common_length(&firsts.chain(lasts).collect::<Result<Vec<_>>>()?, 0.0)?;
    let (firsts, lasts) = vectors.split_at(all.len());
    let mean = |vectors: &[Vec<f32>], group: usize| -> Vec<f32> {
        let own: Vec<&Vec<f32>> =
            vectors.iter().zip(all).filter(|(_, movement)| movement.group == group).map(|(v, _)| v).collect();
        let dims = own.first().map_or(0, |v| v.len());
        (0..dims).map(|i| own.iter().map(|v| v[i]).sum::<f32>() / own.len() as f32).collect()
    };
    let (firsts, lasts): (Vec<_>, Vec<_>) =
        (0..n).map(|group| (mean(firsts, group), mean(lasts, group))).unzip();
    let apart = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f32>().sqrt();
    let row = |last: &Vec<f32>| {
        let metres: Vec<f32> = firsts.iter().map(|first| apart(last, first)).collect();
        let nearest = metres.iter().copied().fold(f32::INFINITY, f32::min);
        metres.iter().map(|&m| m <= near_m.max(nearest)).collect()
    };
    Ok(lasts.iter().map(row).collect())
}

/// Equation 20: how often the other is in each state after this person was in each.
fn cross(
    sequences: &[Vec<[usize; 2]>],
    person: usize,
    own: usize,
    other: usize,
    least: f64,
) -> Vec<Vec<f64>> {
    let mut counts = vec![vec![0.0; other]; own];
    for step in sequences.iter().flat_map(|sequence| sequence.windows(2)) {
        counts[step[0][person]][step[1][1 - person]] += 1.0;
    }
    for row in &mut counts {
        let sum: f64 = row.iter().sum();
        for count in row {
            let probability = if sum > 0.0 { *count / sum } else { 0.0 };
            *count = if probability >= least { probability } else { 0.0 };
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transitions_are_shares_of_what_followed_and_of_what_postures_allow() {
        let counts = vec![vec![3, 1], vec![0, 0]];
        let kinematic = vec![vec![false, true], vec![true, true]];
        let rows = transitions(&counts, &kinematic, 0.2);
        // 0.8 of 3/4; 0.8 of 1/4 and all of the 0.2. What nothing followed goes by posture.
        assert!((rows[0][0] - 0.6).abs() < 1e-12 && (rows[0][1] - 0.4).abs() < 1e-12);
        assert_eq!(rows[1], [0.5, 0.5]);
        assert_eq!(transitions(&counts, &[vec![false; 2], vec![true; 2]], 0.2)[0], [0.75, 0.25]);
    }

    #[test]
    fn cross_edges_count_what_the_other_did_next() {
        // The first is in 0 three times, and the other in 1, 1 and 0 after it.
        let sequence = vec![[0, 0], [0, 1], [1, 1], [0, 0], [1, 0]];
        let of_first = cross(std::slice::from_ref(&sequence), 0, 2, 2, 0.0);
        assert!((of_first[0][1] - 2.0 / 3.0).abs() < 1e-12 && (of_first[0][0] - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(of_first[1], [1.0, 0.0]);
        assert_eq!(cross(&[sequence], 0, 2, 2, 0.5)[0], [0.0, 2.0 / 3.0]);
    }
}
