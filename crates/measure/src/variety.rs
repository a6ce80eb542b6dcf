//! Use of the examples, and differences between results.

use std::collections::BTreeMap;

use marey_ops::cloud::Cloud;
use marey_ops::distances::Distances;
use serde::Serialize;

use crate::Result;

/// Use of the examples.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Coverage {
    /// Number of different examples that were used.
    pub used: usize,
    /// Number of examples.
    pub of: usize,
    /// The share that was used, 0 to 1.
    pub share: f64,
    /// Evenness of use: the entropy of the uses divided by that of equal use, 0 to 1; 1 for a single example.
    pub evenness: f64,
}

/// Counts the use of examples; `used` lists an index per use.
///
/// ```
/// // Of four examples, the first was used twice, the second twice.
/// let coverage = marey_measure::variety::coverage([0, 1, 0, 1], 4);
/// assert_eq!((coverage.used, coverage.share, coverage.evenness), (2, 0.5, 0.5));
/// ```
pub fn coverage(uses: impl IntoIterator<Item = usize>, examples: usize) -> Coverage {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for example in uses.into_iter().filter(|example| *example < examples) {
        *counts.entry(example).or_default() += 1;
    }
    let total: usize = counts.values().sum();
    let share_of = |count: &usize| *count as f64 / total as f64;
    let entropy: f64 = counts.values().map(|count| share_of(count) * share_of(count).recip().log2()).sum();
    Coverage {
        used: counts.len(),
        of: examples,
        share: counts.len() as f64 / examples.max(1) as f64,
        evenness: if examples > 1 { entropy / (examples as f64).log2() } else { 1.0 },
    }
}

/// The mean distance of each result from the others after the best alignment, in metres; 0 for a single
/// result.
pub fn from_others_m(results: &[Cloud]) -> Result<Vec<f64>> {
    let distances = Distances::of(results)?;
    let others = results.len().saturating_sub(1).max(1) as f64;
    let from = |one: usize| (0..results.len()).map(|other| f64::from(distances.get(one, other))).sum::<f64>();
    Ok((0..results.len()).map(|one| from(one) / others).collect())
}

/// The mean distance over all pairs of results, in metres; 0 for fewer than two.
pub fn diversity_m(results: &[Cloud]) -> Result<f64> {
    Ok(from_others_m(results)?.iter().sum::<f64>() / results.len().max(1) as f64)
}

#[cfg(test)]
mod tests {
    use marey_motion::Vec3;

    use super::*;

    #[test]
    fn equal_use_of_all_examples_is_full_coverage() {
        let all = coverage(0..8, 8);
        assert!((all.share - 1.0).abs() < 1e-12 && (all.evenness - 1.0).abs() < 1e-12);
        assert_eq!(coverage([], 8).share, 0.0);
        assert_eq!(coverage([9], 8).used, 0);
        assert_eq!(coverage([0], 1).evenness, 1.0);
    }

    #[test]
    fn sticks_of_different_lengths_differ_and_copies_do_not() {
        let stick = |length: f32| Cloud::new(vec![Vec3::ZERO, Vec3::X * length], vec![1.0]).unwrap();
        assert_eq!(diversity_m(&[]).unwrap(), 0.0);
        assert!(diversity_m(&[stick(2.0), stick(2.0)]).unwrap() < 1e-6);
        // Pairs 2–4 and 2–4 differ by 1 m at either end, 4–4 not: on average two thirds.
        let sticks = [stick(2.0), stick(4.0), stick(4.0)];
        assert!((diversity_m(&sticks).unwrap() - 2.0 / 3.0).abs() < 1e-5);
        let from = from_others_m(&sticks).unwrap();
        assert!((from[0] - 1.0).abs() < 1e-5 && (from[1] - 0.5).abs() < 1e-5 && from[1] == from[2]);
        assert_eq!(from_others_m(&[stick(2.0)]).unwrap(), [0.0]);
    }
}
