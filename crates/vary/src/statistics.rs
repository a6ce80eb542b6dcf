//! Statistics that compare a variation with its original.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// Lengths of the windows that are compared, in elements.
pub const WINDOWS: [usize; 4] = [2, 4, 8, 16];

/// Similarity of a variation to its original. All but `mean_run` are fractions from 0 to 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VariationStatistics {
    /// For each length in [`WINDOWS`]: the fraction of windows of the variation that also occur in the
    /// original.
    pub windows: [f64; WINDOWS.len()],
    /// Fraction of positions that hold a different element than in the original.
    pub moved: f64,
    /// Fraction of the original's elements that the variation uses.
    pub used: f64,
    /// Mean length of runs in the original's order, in elements.
    pub mean_run: f64,
}

impl VariationStatistics {
    /// Compares a variation with its original. Equal numbers are the same element.
    ///
    /// ```
    /// use marey_vary::VariationStatistics;
    /// let statistics = VariationStatistics::new(&[1, 2, 3, 4, 5, 6], &[1, 2, 3, 6, 4, 5]);
    /// // Of five pairs, (3, 6) and (6, 4) are new.
    /// assert_eq!(statistics.windows[0], 0.6);
    /// assert_eq!(statistics.moved, 0.5);
    /// assert_eq!((statistics.used, statistics.mean_run), (1.0, 2.0));
    /// ```
    pub fn new(original: &[usize], variation: &[usize]) -> Self {
        let fraction =
            |count: usize, total: usize| if total == 0 { 0.0 } else { count as f64 / total as f64 };
        let windows = WINDOWS.map(|length| {
            let original_windows: BTreeSet<&[usize]> = original.windows(length).collect();
            let all = variation.windows(length);
            fraction(all.clone().filter(|window| original_windows.contains(window)).count(), all.len())
        });
        let moved = original.iter().zip(variation).filter(|(a, b)| a != b).count();
        let played: BTreeSet<usize> = variation.iter().copied().collect();
        let elements: BTreeSet<usize> = original.iter().copied().collect();
        let pairs: BTreeSet<&[usize]> = original.windows(2).collect();
        let breaks = variation.windows(2).filter(|pair| !pairs.contains(pair)).count();
        Self {
            windows,
            moved: fraction(moved, variation.len().min(original.len())),
            used: fraction(elements.intersection(&played).count(), elements.len()),
            mean_run: fraction(variation.len(), breaks + 1),
        }
    }
}
