//! What one of the two does after what: section 4.1 of the paper, and equations 13, 17 and 18.

use marey_motion::Ground;
use serde::{Deserialize, Serialize};

use crate::observation::{Gaussian, Observation};
use crate::posture::Posture;
use crate::who::Who;
use crate::{Labelled, ModelSettings, Movements, Pair, Result};

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

/// Learns what one of the two does.
pub(crate) fn person_model(
    pairs: &[Pair],
    tracks: &[[Vec<Ground>; 2]],
    person: usize,
    who: Who,
    movements: &Movements,
    settings: &ModelSettings,
) -> Result<PersonModel> {
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
    let kinematic = kinematic(pairs, who, movements.all.as_slice(), n, settings.kinematic_m)?;
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
fn kinematic(pairs: &[Pair], who: Who, all: &[Labelled], n: usize, near_m: f32) -> Result<Vec<Vec<bool>>> {
    let end = |movement: &Labelled| movement.frames.end.min(pairs[movement.pair].frames() - 1);
    let firsts = all.iter().map(|movement| (&pairs[movement.pair], movement.frames.start));
    let lasts = all.iter().map(|movement| (&pairs[movement.pair], end(movement)));
    let means = |postures: Vec<Posture>| -> Vec<Posture> {
        let own = |group: usize| postures.iter().zip(all).filter(move |(_, of)| of.group == group);
        (0..n).map(|group| Posture::mean(own(group).map(|(posture, _)| posture))).collect()
    };
    let (firsts, lasts) = (means(Posture::all(who, firsts)?), means(Posture::all(who, lasts)?));
    let row = |last: &Posture| {
        let metres: Vec<f32> = firsts.iter().map(|first| last.apart_m(first)).collect();
        let nearest = metres.iter().copied().fold(f32::INFINITY, f32::min);
        metres.iter().map(|&m| m <= near_m.max(nearest)).collect()
    };
    Ok(lasts.iter().map(row).collect())
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
}
