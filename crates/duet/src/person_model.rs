//! The movement transition graph of one person: section 4.1 of the paper, equations 13, 17 and 18.

use marey_motion::Ground;
use serde::{Deserialize, Serialize};

use crate::observation::{Observation, ObservationGaussian};
use crate::posture::Posture;
use crate::subject::Subject;
use crate::{DuetModelSettings, LabelledMovement, PersonMovements, RecordedPair, Result};

/// The role of a movement in an interaction (section 5.1.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InteractionKind {
    /// No contact with the partner.
    Normal,
    /// Strikes the partner.
    Offensive,
    /// Is struck by the partner.
    Defensive,
}

/// A state of the graph: a group of movements.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MovementState {
    /// The role of most of its movements.
    pub kind: InteractionKind,
    /// Number of movements.
    pub movements: usize,
    /// The partner's relative position at the start of a movement.
    pub observed: ObservationGaussian,
}

/// The movement transition graph of one person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PersonModel {
    /// Name of the person.
    pub name: String,
    /// The states.
    pub states: Vec<MovementState>,
    /// Probability that a sequence starts with each state.
    pub initial: Vec<f64>,
    /// Behaviour edges: `counts[i][j]` is how often state j followed state i in the recordings.
    pub counts: Vec<Vec<u32>>,
    /// Kinematic edges: `kinematic[i][j]` is whether state j starts near the end of state i.
    pub kinematic: Vec<Vec<bool>>,
    /// Transition probabilities; rows add up to 1.
    pub transitions: Vec<Vec<f64>>,
}

/// Returns the role of most movements of a group.
fn majority_kind(pairs: &[RecordedPair], person: usize, members: &[&LabelledMovement]) -> InteractionKind {
    let (mut strikes, mut struck) = (0, 0);
    for movement in members {
        let contacts = pairs[movement.pair].partner_contacts.iter();
        if let Some(contact) = contacts.clone().find(|contact| movement.frames.contains(&contact.frame)) {
            if contact.striker.person == person { strikes += 1 } else { struck += 1 }
        }
    }
    let normal = members.len().saturating_sub(strikes + struck);
    match () {
        () if normal > strikes + struck => InteractionKind::Normal,
        () if strikes >= struck => InteractionKind::Offensive,
        () => InteractionKind::Defensive,
    }
}

/// Trains the model of one person.
pub(crate) fn person_model(
    pairs: &[RecordedPair],
    tracks: &[[Vec<Ground>; 2]],
    person: usize,
    subject: Subject,
    movements: &PersonMovements,
    settings: &DuetModelSettings,
) -> Result<PersonModel> {
    let n = movements.groups;
    let observe = |movement: &LabelledMovement| {
        let [one, two] = &tracks[movement.pair];
        let (own, other) = if person == 0 { (one, two) } else { (two, one) };
        Observation::between(own[movement.frames.start], other[movement.frames.start])
    };
    let all: Vec<Observation> = movements.all.iter().map(observe).collect();
    let overall = ObservationGaussian::fit(&all);
    let mut states = Vec::with_capacity(n);
    for group in 0..n {
        let members: Vec<&LabelledMovement> =
            movements.all.iter().filter(|movement| movement.group == group).collect();
        let observed: Vec<Observation> = members.iter().map(|movement| observe(movement)).collect();
        let observed = ObservationGaussian::fit_with_prior(&observed, &overall);
        states.push(MovementState {
            kind: majority_kind(pairs, person, &members),
            movements: members.len(),
            observed,
        });
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
    let kinematic = kinematic(pairs, subject, movements.all.as_slice(), n, settings.kinematic_m)?;
    let transitions = transitions(&counts, &kinematic, settings.kinematic_share);
    let name = pairs.first().map_or_else(String::new, |pair| pair.people[person].name.clone());
    Ok(PersonModel { name, states, initial, counts, kinematic, transitions })
}

/// Equation 17, mixed with kinematic transitions.
fn transitions(counts: &[Vec<u32>], kinematic: &[Vec<bool>], kinematic_share: f64) -> Vec<Vec<f64>> {
    let row = |(counts, kinematic): (&Vec<u32>, &Vec<bool>)| {
        let seen = f64::from(counts.iter().sum::<u32>());
        let allowed = kinematic.iter().filter(|is_near| **is_near).count() as f64;
        // A state without successors uses kinematic transitions only; a state without kinematic
        // neighbours uses successors only.
        let kinematic_share = if seen == 0.0 {
            1.0
        } else if allowed == 0.0 {
            0.0
        } else {
            kinematic_share
        };
        let probability = |(count, is_near): (&u32, &bool)| {
            let behaviour = if seen > 0.0 { f64::from(*count) / seen } else { 0.0 };
            let kinematic = if *is_near { 1.0 / allowed } else { 0.0 };
            (1.0 - kinematic_share) * behaviour + kinematic_share * kinematic
        };
        counts.iter().zip(kinematic).map(probability).collect()
    };
    counts.iter().zip(kinematic).map(row).collect()
}

/// Returns the kinematic edges: whether each group starts near the end of each group. If none starts
/// near the end of a group, the nearest one counts.
fn kinematic(
    pairs: &[RecordedPair],
    subject: Subject,
    all: &[LabelledMovement],
    n: usize,
    threshold_m: f32,
) -> Result<Vec<Vec<bool>>> {
    let end = |movement: &LabelledMovement| movement.frames.end.min(pairs[movement.pair].frames() - 1);
    let firsts = all.iter().map(|movement| (&pairs[movement.pair], movement.frames.start));
    let lasts = all.iter().map(|movement| (&pairs[movement.pair], end(movement)));
    let means = |postures: Vec<Posture>| -> Vec<Posture> {
        let own =
            |group: usize| postures.iter().zip(all).filter(move |(_, movement)| movement.group == group);
        (0..n).map(|group| Posture::mean(own(group).map(|(posture, _)| posture))).collect()
    };
    let (firsts, lasts) =
        (means(Posture::from_frames(subject, firsts)?), means(Posture::from_frames(subject, lasts)?));
    let row = |last: &Posture| {
        let metres: Vec<f32> = firsts.iter().map(|first| last.distance_m(first)).collect();
        let nearest = metres.iter().copied().fold(f32::INFINITY, f32::min);
        metres.iter().map(|&m| m <= threshold_m.max(nearest)).collect()
    };
    Ok(lasts.iter().map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transitions_mix_behaviour_and_kinematic_edges() {
        let counts = vec![vec![3, 1], vec![0, 0]];
        let kinematic = vec![vec![false, true], vec![true, true]];
        let rows = transitions(&counts, &kinematic, 0.2);
        // 0.8 of 3/4; 0.8 of 1/4 plus all of the 0.2. The second row has no successors.
        assert!((rows[0][0] - 0.6).abs() < 1e-12 && (rows[0][1] - 0.4).abs() < 1e-12);
        assert_eq!(rows[1], [0.5, 0.5]);
        assert_eq!(transitions(&counts, &[vec![false; 2], vec![true; 2]], 0.2)[0], [0.75, 0.25]);
    }
}
