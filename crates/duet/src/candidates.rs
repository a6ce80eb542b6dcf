//! All movements that a gene can select: pairs of cut points, their structures and their distances.
//!
//! A gene cuts at some of the frames in which a foot has come down (section 3.2 of the paper). A
//! movement is therefore a pair of cut points. At most L consecutive cut points are skipped, so
//! each cut point starts only a few movements. Structures (table 1) and features (table 2,
//! [`marey_ops::reduction::movement`]) depend on the pair only, not on the gene.
//!
//! Changes to the paper:
//!
//! - The distance and direction of travel over the floor is a feature with a small weight. Seen from the hips, a step
//!   forward and a step back look almost the same, and their blend would go nowhere.
//! - The paper warps the movements of a class to the longest one *of the gene*. Here it is the longest of all candidates
//!   of the class. E(M) is then one vector per candidate, and every distance and mean that the search needs follows from
//!   one table of squared distances.

use std::collections::BTreeMap;
use std::ops::Range;

use marey_motion::{Ground, Vec3};
use marey_ops::reduction::movement::{MovementFeatures, to_common_length};
use rayon::prelude::*;

use crate::cut_points::{CutPoint, cut_points};
use crate::group_radius::default_radius_m;
use crate::subject::Subject;
use crate::{DuetLabelSettings, MovementStructure, RecordedPair, Result};

/// Movements are resampled to at most this many frames for comparison.
const MAX_COMPARED_FRAMES: usize = 40;
/// Marks an empty entry of [`Candidates::by_span`].
const NONE: u32 = u32::MAX;

/// A movement that a gene can select: from one cut point to another.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Candidate {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// Travel over the floor in the frame of its start, in metres.
    travel: Vec3,
    pub(crate) class: usize,
    /// Index within its class.
    pub(crate) row: usize,
}

/// The candidates that share a structure.
#[derive(Debug, Clone)]
pub(crate) struct Class {
    pub(crate) structure: MovementStructure,
    pub(crate) members: Vec<usize>,
    /// Squared distances between all members, row by row, in square metres.
    pub(crate) squared: Vec<f32>,
}

/// All movements that the genes of one subject select from.
#[derive(Debug, Clone)]
pub(crate) struct Candidates {
    pub(crate) cut_points: Vec<CutPoint>,
    pub(crate) all: Vec<Candidate>,
    pub(crate) classes: Vec<Class>,
    /// γ and δ: the maximum distance of a movement from its group's mean, and the minimum distance
    /// between two means, in metres.
    pub(crate) radius_m: f32,
    pub(crate) spacing_m: f32,
    /// The candidate for each cut point and span. The span is the number of cut points from start to
    /// end.
    by_span: Vec<u32>,
    max_span: usize,
}

impl Candidates {
    /// Collects the candidates of a subject.
    pub(crate) fn new(
        pairs: &[RecordedPair],
        subject: Subject,
        settings: &DuetLabelSettings,
    ) -> Result<Self> {
        let cut_points = cut_points(pairs, subject, settings)?;
        let person = subject.leader();
        let tracks: Vec<Vec<Ground>> =
            pairs.iter().map(|pair| pair.people[person].clip.ground_track().frames).collect();
        let max_span = settings.max_skipped + 1;
        let mut by_span = vec![NONE; cut_points.len() * max_span];
        let (mut all, mut by_structure) = (Vec::new(), BTreeMap::<MovementStructure, Vec<usize>>::new());
        for from in 0..cut_points.len() {
            let ends = (from + 1..cut_points.len())
                .take(max_span)
                .take_while(|&to| cut_points[to].pair == cut_points[from].pair);
            for to in ends {
                let pair = &pairs[cut_points[from].pair];
                let frames = cut_points[from].frame..cut_points[to].frame;
                let is_long = frames.len() as f64 > settings.max_secs * pair.rate_hz();
                if to > from + 1 && is_long {
                    break;
                }
                by_span[from * max_span + to - from - 1] = all.len() as u32;
                by_structure.entry(subject.structure(pair, &frames)).or_default().push(all.len());
                let track = &tracks[cut_points[from].pair];
                let travel = (track[frames.start].inverse() * track[frames.end]).translation();
                all.push(Candidate { from, to, travel, class: 0, row: 0 });
            }
        }
        let classes = Vec::new();
        let mut candidates =
            Self { cut_points, all, classes, radius_m: 0.0, spacing_m: 0.0, by_span, max_span };
        for (class, (structure, members)) in by_structure.into_iter().enumerate() {
            for (row, &member) in members.iter().enumerate() {
                candidates.all[member].class = class;
                candidates.all[member].row = row;
            }
            let squared = squared_distances(&candidates.vectors(pairs, subject, &members, settings)?);
            candidates.classes.push(Class { structure, members, squared });
        }
        candidates.radius_m = settings.max_radius_m.unwrap_or_else(|| default_radius_m(&candidates));
        candidates.spacing_m = settings.min_spacing_m.unwrap_or(0.5 * candidates.radius_m);
        Ok(candidates)
    }

    /// Returns the candidate from one cut point to another, if there is one.
    pub(crate) fn between(&self, from: usize, to: usize) -> Option<usize> {
        let span = to.checked_sub(from).filter(|span| (1..=self.max_span).contains(span))?;
        let number = *self.by_span.get(from * self.max_span + span - 1)?;
        (number != NONE).then_some(number as usize)
    }

    /// Returns the frames of a candidate.
    pub(crate) fn frames(&self, candidate: usize) -> Range<usize> {
        let Candidate { from, to, .. } = self.all[candidate];
        self.cut_points[from].frame..self.cut_points[to].frame
    }

    /// Returns E(M) for candidates of one class: their features, warped to the longest, and their
    /// travel.
    pub(crate) fn vectors(
        &self,
        pairs: &[RecordedPair],
        subject: Subject,
        candidates: &[usize],
        settings: &DuetLabelSettings,
    ) -> Result<Vec<Vec<f32>>> {
        let movements = candidates.par_iter().map(|&candidate| self.movement(pairs, subject, candidate));
        let mut vectors = to_common_length(&movements.collect::<Result<Vec<_>>>()?, settings.warp)?;
        for (vector, &candidate) in vectors.iter_mut().zip(candidates) {
            let Vec3 { x, z, .. } = self.all[candidate].travel * settings.travel_weight;
            vector.extend([x, z]);
        }
        Ok(vectors)
    }

    /// Returns the features of a candidate (table 2).
    fn movement(
        &self,
        pairs: &[RecordedPair],
        subject: Subject,
        candidate: usize,
    ) -> Result<MovementFeatures> {
        let pair = &pairs[self.cut_points[self.all[candidate].from].pair];
        Ok(subject.movement(pair, self.frames(candidate))?.at_most(MAX_COMPARED_FRAMES))
    }
}

/// Returns the squared distances between all vectors, row by row.
fn squared_distances(vectors: &[Vec<f32>]) -> Vec<f32> {
    let rows = vectors.par_iter().map(|a| {
        let squared = |b: &Vec<f32>| a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f32>();
        vectors.iter().map(squared).collect::<Vec<f32>>()
    });
    rows.collect::<Vec<_>>().concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_bout::bout;

    #[test]
    fn candidates_are_pairs_of_nearby_cut_points() {
        let pairs = bout();
        let settings = DuetLabelSettings::default();
        let candidates = Candidates::new(&pairs, Subject::One(0), &settings).unwrap();
        for from in 0..candidates.cut_points.len() {
            for to in 0..candidates.cut_points.len() {
                let frame_of = |at: usize| candidates.cut_points[at].frame;
                let is_near = to > from && to - from <= settings.max_skipped + 1;
                let is_candidate = is_near
                    && (to == from + 1 || (frame_of(to) - frame_of(from)) as f64 <= settings.max_secs * 30.0);
                let found = candidates.between(from, to);
                assert_eq!(found.is_some(), is_candidate, "{from} to {to}");
                if let Some(number) = found {
                    assert_eq!(candidates.frames(number), frame_of(from)..frame_of(to));
                    let Candidate { class, row, .. } = candidates.all[number];
                    assert_eq!(candidates.classes[class].members[row], number);
                    let structure = MovementStructure::new(&pairs[0], 0, &candidates.frames(number));
                    assert_eq!(candidates.classes[class].structure, structure);
                }
            }
        }
    }

    /// Compares the table with distances computed from their definition.
    #[test]
    fn the_table_holds_distances_between_warped_movements() {
        let pairs = bout();
        let settings = DuetLabelSettings::default();
        let candidates = Candidates::new(&pairs, Subject::One(1), &settings).unwrap();
        for class in &candidates.classes {
            let n = class.members.len();
            let movement =
                |member: usize| candidates.movement(&pairs, Subject::One(1), class.members[member]).unwrap();
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
