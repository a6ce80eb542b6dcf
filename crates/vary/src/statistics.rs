//! How much of an original is left in a variation.

use std::collections::BTreeSet;

use serde::Serialize;

/// Lengths of the windows that are compared.
pub const WINDOWS: [usize; 4] = [2, 4, 8, 16];

/// How much of an original is left in a variation. All but the last are shares, 0 to 1.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Statistics {
    /// For each of [`WINDOWS`]: how many runs of that length in the variation are runs of the original.
    pub windows: [f64; WINDOWS.len()],
    /// How many places have another element than in the original.
    pub moved: f64,
    /// How many of the original's elements are there.
    pub used: f64,
    /// How long stretches in the original's order are, on average, in elements.
    pub mean_run: f64,
}

impl Statistics {
    /// Compares a variation with its original. Elements are numbers; equal ones are the same.
    ///
    /// ```
    /// use marey_vary::Statistics;
    /// let found = Statistics::of(&[1, 2, 3, 4, 5, 6], &[1, 2, 3, 6, 4, 5]);
    /// // Of five pairs, (3, 6) and (6, 4) are new.
    /// assert_eq!(found.windows[0], 0.6);
    /// assert_eq!(found.moved, 0.5);
    /// assert_eq!((found.used, found.mean_run), (1.0, 2.0));
    /// ```
    pub fn of(original: &[usize], variation: &[usize]) -> Self {
        let share = |count: usize, of: usize| if of == 0 { 0.0 } else { count as f64 / of as f64 };
        let windows = WINDOWS.map(|length| {
            let known: BTreeSet<&[usize]> = original.windows(length).collect();
            let all = variation.windows(length);
            share(all.clone().filter(|window| known.contains(window)).count(), all.len())
        });
        let moved = original.iter().zip(variation).filter(|(a, b)| a != b).count();
        let there: BTreeSet<usize> = variation.iter().copied().collect();
        let elements: BTreeSet<usize> = original.iter().copied().collect();
        let pairs: BTreeSet<&[usize]> = original.windows(2).collect();
        let breaks = variation.windows(2).filter(|pair| !pairs.contains(pair)).count();
        Self {
            windows,
            moved: share(moved, variation.len().min(original.len())),
            used: share(elements.intersection(&there).count(), elements.len()),
            mean_run: share(variation.len(), breaks + 1),
        }
    }
}
