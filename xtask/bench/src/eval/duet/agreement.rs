//! Agreement of two groupings.

use std::collections::BTreeMap;

/// The adjusted Rand index (Hubert and Arabie, *Comparing Partitions*, 1985): 1 for equal groupings, 0 on average for random ones.
pub(super) fn adjusted_rand(pairs: &[(usize, usize)]) -> f64 {
    let two = |n: usize| (n * n.saturating_sub(1)) as f64 / 2.0;
    // Number of pairs of items that share a key.
    fn together<K: Ord>(keys: impl Iterator<Item = K>, two: impl Fn(usize) -> f64) -> f64 {
        let mut counts = BTreeMap::<K, usize>::new();
        for key in keys {
            *counts.entry(key).or_default() += 1;
        }
        counts.into_values().map(two).sum()
    }
    let both = together(pairs.iter(), two);
    let (first, second) =
        (together(pairs.iter().map(|pair| pair.0), two), together(pairs.iter().map(|pair| pair.1), two));
    let by_chance = first * second / two(pairs.len()).max(1.0);
    let most = 0.5 * (first + second);
    if most == by_chance { 1.0 } else { (both - by_chance) / (most - by_chance) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_groups_agree_and_crossed_ones_do_not() {
        assert_eq!(adjusted_rand(&[(0, 5), (0, 5), (1, 2), (1, 2), (2, 0)]), 1.0);
        assert!(adjusted_rand(&[(0, 0), (0, 1), (1, 0), (1, 1)]) < 0.0);
        // By hand: of 10 pairs, 2 are together in both, 3 + 1 in the first and 1 + 3 in the second; 1.6 are expected.
        let value = adjusted_rand(&[(0, 0), (0, 0), (0, 1), (1, 1), (1, 1)]);
        assert!((value - (2.0 - 1.6) / (4.0 - 1.6)).abs() < 1e-12, "{value}");
    }
}
