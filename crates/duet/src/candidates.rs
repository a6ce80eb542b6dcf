//! Every movement that a gene can choose: pairs of instants, their structures, and how far they are apart.
//!
//! A gene cuts at some of the instants at which a foot has come down (section 3.2 of the paper), so a movement is a pair of instants,
//! and since no more than L instants in a row are passed over, there are only a few per instant. Structures (table 1) and
//! features (table 2, [`marey_ops::reduction::movement`]) are those of the pair, whatever gene it is in.
//!
//! Changed: how far a movement goes over the floor, and where to, is a feature too, at a small weight. Seen from the hips a step ahead and a
//! step back are all but the same; blended they would lead nowhere.
//!
//! Changed, so that distances can be computed once: the paper warps the movements of a class to the longest *of the gene*. Here it is
//! the longest of all candidates of the class. Then E(M) is one vector for each candidate, and every distance and every mean of
//! the search follows from a table of squared distances.

use std::collections::BTreeMap;
use std::ops::Range;

use marey_motion::{Ground, Vec3};
use marey_ops::reduction::movement::{Movement, to_common_length};
use rayon::prelude::*;

use crate::instants::{Instant, instants};
use crate::radius::radius_m;
use crate::who::Who;
use crate::{LabelSettings, Pair, Result, Structure};

/// Frames of a movement that are compared at the most.
const MOST_FRAMES: usize = 40;
/// No such candidate.
const NONE: u32 = u32::MAX;

/// A movement that a gene may choose: from one instant to another.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Candidate {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// How far it goes over the floor, as seen at its start, in metres.
    travel: Vec3,
    pub(crate) class: usize,
    /// Which of its class.
    pub(crate) row: usize,
}

/// Candidates of one structure.
#[derive(Debug, Clone)]
pub(crate) struct Class {
    pub(crate) structure: Structure,
    pub(crate) members: Vec<usize>,
    /// Squared distances of every two members, row by row, in square metres.
    pub(crate) squared: Vec<f32>,
}

/// Everything that genes of one person choose from.
#[derive(Debug, Clone)]
pub(crate) struct Candidates {
    pub(crate) instants: Vec<Instant>,
    pub(crate) all: Vec<Candidate>,
    pub(crate) classes: Vec<Class>,
    /// γ and δ: how far a movement may be from the middle of its group, and how near two middles may be, in metres.
    pub(crate) radius_m: f32,
    pub(crate) spacing_m: f32,
    /// The candidates from each instant, by how many instants further they go.
    numbers: Vec<u32>,
    reach: usize,
}

impl Candidates {
    /// The candidates of somebody.
    pub(crate) fn of(pairs: &[Pair], who: Who, settings: &LabelSettings) -> Result<Self> {
        let instants = instants(pairs, who, settings)?;
        let person = who.leader();
        let tracks: Vec<Vec<Ground>> =
            pairs.iter().map(|pair| pair.people[person].clip.ground_track().frames).collect();
        let reach = settings.most_skipped + 1;
        let mut numbers = vec![NONE; instants.len() * reach];
        let (mut all, mut by_structure) = (Vec::new(), BTreeMap::<Structure, Vec<usize>>::new());
        for from in 0..instants.len() {
            let ends = (from + 1..instants.len())
                .take(reach)
                .take_while(|&to| instants[to].pair == instants[from].pair);
            for to in ends {
                let pair = &pairs[instants[from].pair];
                let frames = instants[from].frame..instants[to].frame;
                let is_long = frames.len() as f64 > settings.most_secs * pair.rate_hz();
                if to > from + 1 && is_long {
                    break;
                }
                numbers[from * reach + to - from - 1] = all.len() as u32;
                by_structure.entry(who.structure(pair, &frames)).or_default().push(all.len());
                let track = &tracks[instants[from].pair];
                let travel = (track[frames.start].inverse() * track[frames.end]).translation();
                all.push(Candidate { from, to, travel, class: 0, row: 0 });
            }
        }
        let classes = Vec::new();
        let mut candidates = Self { instants, all, classes, radius_m: 0.0, spacing_m: 0.0, numbers, reach };
        for (class, (structure, members)) in by_structure.into_iter().enumerate() {
            for (row, &member) in members.iter().enumerate() {
                candidates.all[member].class = class;
                candidates.all[member].row = row;
            }
            let squared = squared_distances(&candidates.vectors(pairs, who, &members, settings)?);
            candidates.classes.push(Class { structure, members, squared });
        }
        candidates.radius_m = settings.most_radius_m.unwrap_or_else(|| radius_m(&candidates));
        candidates.spacing_m = settings.least_spacing_m.unwrap_or(0.5 * candidates.radius_m);
        Ok(candidates)
    }

    /// The candidate from one instant to another, where there is one.
    pub(crate) fn between(&self, from: usize, to: usize) -> Option<usize> {
        let further = to.checked_sub(from + 1).filter(|further| *further < self.reach)?;
        let number = *self.numbers.get(from * self.reach + further)?;
        (number != NONE).then_some(number as usize)
    }

    /// The frames of a candidate.
    pub(crate) fn frames(&self, candidate: usize) -> Range<usize> {
        let Candidate { from, to, .. } = self.all[candidate];
        self.instants[from].frame..self.instants[to].frame
    }

    /// E(M) of some candidates of a class: what they look like, warped to the longest of them, and how far they go.
    pub(crate) fn vectors(
        &self,
        pairs: &[Pair],
        who: Who,
        some: &[usize],
        settings: &LabelSettings,
    ) -> Result<Vec<Vec<f32>>> {
        let movements = some.par_iter().map(|&candidate| self.movement(pairs, who, candidate));
        let mut vectors = to_common_length(&movements.collect::<Result<Vec<_>>>()?, settings.warp)?;
        for (vector, &candidate) in vectors.iter_mut().zip(some) {
            let Vec3 { x, z, .. } = self.all[candidate].travel * settings.travel_weight;
            vector.extend([x, z]);
        }
        Ok(vectors)
    }

    /// What a candidate looks like (table 2).
    fn movement(&self, pairs: &[Pair], who: Who, candidate: usize) -> Result<Movement> {
        let pair = &pairs[self.instants[self.all[candidate].from].pair];
        Ok(who.movement(pair, self.frames(candidate))?.at_most(MOST_FRAMES))
    }
}

/// Squared distances of every two vectors, row by row.
fn squared_distances(vectors: &[Vec<f32>]) -> Vec<f32> {
    let rows = vectors.par_iter().map(|a| {
        let to = |b: &Vec<f32>| a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f32>();
        vectors.iter().map(to).collect::<Vec<f32>>()
    });
    rows.collect::<Vec<_>>().concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::bout;

    #[test]
    fn candidates_are_the_pairs_of_near_instants() {
        let pairs = bout();
        let settings = LabelSettings::default();
        let candidates = Candidates::of(&pairs, Who::One(0), &settings).unwrap();
        for from in 0..candidates.instants.len() {
            for to in 0..candidates.instants.len() {
                let frames = |at: usize| candidates.instants[at].frame;
                let near = to > from && to - from <= settings.most_skipped + 1;
                let is_one = near
                    && (to == from + 1 || (frames(to) - frames(from)) as f64 <= settings.most_secs * 30.0);
                let found = candidates.between(from, to);
                assert_eq!(found.is_some(), is_one, "{from} to {to}");
                if let Some(number) = found {
                    assert_eq!(candidates.frames(number), frames(from)..frames(to));
                    let Candidate { class, row, .. } = candidates.all[number];
                    assert_eq!(candidates.classes[class].members[row], number);
                    let structure = Structure::of(&pairs[0], 0, &candidates.frames(number));
                    assert_eq!(candidates.classes[class].structure, structure);
                }
            }
        }
    }

    /// Distances as they are defined, one pair at a time.
    #[test]
    fn the_table_holds_the_distances_of_warped_movements() {
        let pairs = bout();
        let settings = LabelSettings::default();
        let candidates = Candidates::of(&pairs, Who::One(1), &settings).unwrap();
        for class in &candidates.classes {
            let n = class.members.len();
            let movement =
                |member: usize| candidates.movement(&pairs, Who::One(1), class.members[member]).unwrap();
            let longest =
                (0..n).reduce(|a, b| if movement(b).frames() > movement(a).frames() { b } else { a });
            let track = pairs[0].people[1].clip.ground_track().frames;
            let travel = |member: usize| {
                let frames = candidates.frames(class.members[member]);
                track[frames.start].inverse().point(track[frames.end].translation())
            };
            for (a, b) in [(0, n - 1), (n / 2, n / 3)] {
                let three = [movement(longest.unwrap()), movement(a), movement(b)];
                let vectors = to_common_length(&three, settings.warp).unwrap();
                let squares: f32 = vectors[1].iter().zip(&vectors[2]).map(|(x, y)| (x - y) * (x - y)).sum();
                let squares = squares + (settings.travel_weight * travel(a).distance(travel(b))).powi(2);
                assert!((squares - class.squared[a * n + b]).abs() < 1e-6);
            }
        }
    }
}
