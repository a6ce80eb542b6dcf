//! Who stays of those that are alike.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Which member of a cluster stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// The one in the middle: of linked clusters the one whose distances from the others have the least sum, of groups the
    /// one nearest to the centre; the first, of several.
    Medoid,
    /// One by chance.
    Random {
        /// Where chance starts.
        seed: u64,
    },
}

impl Keep {
    /// The one of each cluster, none of which is empty; `middle` tells which is in the middle.
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

/// The one for which a number is least; the first, of several.
pub(super) fn least(members: &[usize], number: impl Fn(usize) -> f64) -> usize {
    let numbered = members.iter().map(|&item| (item, number(item)));
    numbered.reduce(|best, next| if next.1 < best.1 { next } else { best }).map_or(0, |best| best.0)
}
