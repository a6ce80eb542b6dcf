//! A segmentation as a gene of the genetic search: one bit for each cut point.

use rand::{Rng, RngExt};

use crate::candidates::Candidates;

/// Probability of crossover.
const CROSSOVER_PROBABILITY: f64 = 0.8;
/// Probability of each further mutation after the first.
const MUTATE_AGAIN_PROBABILITY: f64 = 0.6;

/// A segmentation sequence (equations 6 and 7): whether to cut at each cut point.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Gene {
    pub(crate) bits: Vec<bool>,
}

impl Gene {
    /// Returns the gene that cuts everywhere.
    pub(crate) fn all(candidates: &Candidates) -> Self {
        Self { bits: vec![true; candidates.cut_points.len()] }
    }

    /// Returns a gene that cuts at each cut point with one random probability.
    pub(crate) fn random(candidates: &Candidates, rng: &mut impl Rng) -> Self {
        let probability = rng.random_range(0.3..1.0);
        let bits = candidates.cut_points.iter().map(|i| i.is_fixed || rng.random_bool(probability)).collect();
        Self { bits }.repaired(candidates)
    }

    /// Returns a child by two-point crossover and mutation.
    pub(crate) fn child(one: &Gene, other: &Gene, candidates: &Candidates, rng: &mut impl Rng) -> Self {
        let mut bits = one.bits.clone();
        if rng.random_bool(CROSSOVER_PROBABILITY) {
            let ends = [(); 2].map(|()| rng.random_range(0..=bits.len()));
            let (from, to) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
            bits[from..to].copy_from_slice(&other.bits[from..to]);
        }
        loop {
            let at = rng.random_range(0..bits.len());
            bits[at] ^= !candidates.cut_points[at].is_fixed;
            if !rng.random_bool(MUTATE_AGAIN_PROBABILITY) {
                break;
            }
        }
        Self { bits }.repaired(candidates)
    }

    /// The first heuristic of section 3.3: if too many consecutive cut points are skipped, cuts at
    /// the middle one.
    pub(crate) fn repaired(mut self, candidates: &Candidates) -> Self {
        let mut from = 0;
        while let Some(to) = self.next(from) {
            let is_other_recording = candidates.cut_points[from].pair != candidates.cut_points[to].pair;
            if is_other_recording || candidates.between(from, to).is_some() {
                from = to;
            } else {
                self.bits[from.midpoint(to)] = true;
            }
        }
        self
    }

    /// Returns the next cut after a cut point.
    fn next(&self, after: usize) -> Option<usize> {
        (after + 1..self.bits.len()).find(|&at| self.bits[at])
    }

    /// Returns the candidates that the gene selects, in order of time.
    pub(crate) fn movements<'a>(&'a self, candidates: &'a Candidates) -> impl Iterator<Item = usize> + 'a {
        let cuts = (0..self.bits.len()).filter(|&at| self.bits[at]);
        cuts.filter_map(|from| candidates.between(from, self.next(from)?))
    }
}
