//! The member of a cluster that is kept.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Which member of a cluster is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// The most central one: in linked clusters the one with the smallest sum of distances to the others, in
    /// groups the one nearest to the centre; the first of several.
    Medoid,
    /// A random one.
    Random {
        /// The random seed.
        seed: u64,
    },
}

impl Keep {
    /// The kept member of each cluster; no cluster is empty. `middle` returns the most central member.
    pub(super) fn choose(self, clusters: &[Vec<usize>], middle: impl Fn(&[usize]) -> usize) -> Vec<usize> {
        match self {
            Keep::Medoid => clusters.iter().map(|members| middle(members)).collect(),
            Keep::Random { seed } => {
                let mut rng = ChaCha8Rng::seed_from_u64(seed);
                clusters.iter().map(|members| members[rng.random_range(0..members.len())]).collect()
            }
        }
    }
}

/// The members of each of `count` clusters, ascending.
pub(super) fn members(of_item: &[usize], count: usize) -> Vec<Vec<usize>> {
    let mut members = vec![Vec::new(); count];
    for (item, &cluster) in of_item.iter().enumerate() {
        members[cluster].push(item);
    }
    members
}

/// The item with the smallest value; the first of several.
pub(super) fn least(members: &[usize], number: impl Fn(usize) -> f64) -> usize {
    let numbered = members.iter().map(|&item| (item, number(item)));
    numbered.reduce(|best, next| if next.1 < best.1 { next } else { best }).map_or(0, |best| best.0)
}
