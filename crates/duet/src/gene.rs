//! A way to cut somebody's motion: one bit for each instant.

use rand::{Rng, RngExt};

use crate::candidates::Candidates;

/// Chance that a child has two parents.
const CROSSED: f64 = 0.8;
/// Chance that one more bit of a child is turned, after the first.
const TURNED_AGAIN: f64 = 0.6;

/// A segmentation sequence (equations 6 and 7): whether each instant is cut at.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Gene {
    pub(crate) bits: Vec<bool>,
}

impl Gene {
    /// Cuts everywhere.
    pub(crate) fn all(candidates: &Candidates) -> Self {
        Self { bits: vec![true; candidates.instants.len()] }
    }

    /// Cuts at each instant with one chance, drawn too.
    pub(crate) fn random(candidates: &Candidates, rng: &mut impl Rng) -> Self {
        let chance = rng.random_range(0.3..1.0);
        let bits = candidates.instants.iter().map(|i| i.is_fixed || rng.random_bool(chance)).collect();
        Self { bits }.repaired(candidates)
    }

    /// A child of two genes: the one's bits between two places, else the other's; some are turned.
    pub(crate) fn child(one: &Gene, other: &Gene, candidates: &Candidates, rng: &mut impl Rng) -> Self {
        let mut bits = one.bits.clone();
        if rng.random_bool(CROSSED) {
            let places = [(); 2].map(|()| rng.random_range(0..=bits.len()));
            let (from, to) = (places[0].min(places[1]), places[0].max(places[1]));
            bits[from..to].copy_from_slice(&other.bits[from..to]);
        }
        loop {
            let at = rng.random_range(0..bits.len());
            bits[at] ^= !candidates.instants[at].is_fixed;
            if !rng.random_bool(TURNED_AGAIN) {
                break;
            }
        }
        Self { bits }.repaired(candidates)
    }

    /// The first heuristic of section 3.3: where too many instants in a row are passed over, the one in the middle is cut at.
    pub(crate) fn repaired(mut self, candidates: &Candidates) -> Self {
        let mut from = 0;
        while let Some(to) = self.next(from) {
            let crosses = candidates.instants[from].pair != candidates.instants[to].pair;
            if crosses || candidates.between(from, to).is_some() {
                from = to;
            } else {
                self.bits[from.midpoint(to)] = true;
            }
        }
        self
    }

    /// The next cut after an instant.
    fn next(&self, after: usize) -> Option<usize> {
        (after + 1..self.bits.len()).find(|&at| self.bits[at])
    }

    /// The movements it cuts, as candidates, in time.
    pub(crate) fn movements<'a>(&'a self, candidates: &'a Candidates) -> impl Iterator<Item = usize> + 'a {
        let cuts = (0..self.bits.len()).filter(|&at| self.bits[at]);
        cuts.filter_map(|from| candidates.between(from, self.next(from)?))
    }
}
