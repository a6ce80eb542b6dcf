//! How far two ways of putting things into groups agree.

use std::collections::BTreeMap;

/// The adjusted Rand index (Hubert and Arabie, *Comparing Partitions*, 1985): 1 for the same groups, 0 on average for chance.
pub(super) fn adjusted_rand(pairs: &[(usize, usize)]) -> f64 {
    let two = |n: usize| (n * n.saturating_sub(1)) as f64 / 2.0;
    let counts = |of: &dyn Fn(&(usize, usize)) -> (usize, usize)| {
        let mut counts = BTreeMap::<(usize, usize), usize>::new();
        for pair in pairs {
            *counts.entry(of(pair)).or_default() += 1;
        }
        counts.into_values().map(two).sum::<f64>()
    };
    let both = counts(&|pair| *pair);
    let (first, second) = (counts(&|pair| (pair.0, 0)), counts(&|pair| (0, pair.1)));
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
        // Worked out by hand: Σ = 2, rows 2 + 2 of 10 pairs, (2 − 0.8) / (3 − 0.8)… with columns 1 + 3.
        let value = adjusted_rand(&[(0, 0), (0, 0), (0, 1), (1, 1), (1, 1)]);
        assert!((value - (2.0 - 1.6) / (4.0 - 1.6)).abs() < 1e-12, "{value}");
    }
}
