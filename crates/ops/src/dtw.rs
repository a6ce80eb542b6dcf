//! Dynamic time warping: the correspondence of frames between two motions.
//!
//! Sakoe and Chiba, *Dynamic Programming Algorithm Optimization for Spoken Word Recognition* (1978): the
//! cheapest path from the first pair of frames to the last, by steps of one frame in either motion or in
//! both, within a band around the diagonal. Used like Park, Kwon, Shin and Shin (*Analysis and Synthesis of
//! Interactive Two-Character Motions*, 2004, section 3.4.2): to warp segments to the length of the longest.
//!
//! | symbol | name |
//! |---|---|
//! | g(i, j) | the smallest cost of a path from (0, 0) to (i, j) |
//! | r | half the width of the band, in columns |
//!
//! Limits: time and memory grow with rows × band width. Of several best paths, the one with the latest
//! diagonal steps is used.

use crate::{OutOfRange, Result};

/// A path through pairs of frames.
#[derive(Debug, Clone, PartialEq)]
pub struct Warp {
    /// The sum of costs along the path.
    pub cost: f64,
    /// The pairs, (row, column), from the first to the last.
    pub path: Vec<(usize, usize)>,
}

impl Warp {
    /// The column of each row; the mean if there are several.
    pub fn column_of_rows(&self) -> Vec<f64> {
        let rows = self.path.last().map_or(0, |last| last.0 + 1);
        let mut sums = vec![(0.0, 0.0); rows];
        for &(row, column) in &self.path {
            sums[row] = (sums[row].0 + column as f64, sums[row].1 + 1.0);
        }
        sums.into_iter().map(|(sum, count)| sum / count).collect()
    }
}

/// The cheapest path through rows × columns. `cost` returns the cost of a pair, finite and at least 0; `band`
/// limits the distance from the diagonal as a share of the columns: 0 (hardly any) to 1 (no limit).
///
/// ```
/// use marey_ops::dtw::dtw;
/// // The second waits at 1 for a frame longer.
/// let (a, b) = ([0.0f64, 1.0, 3.0], [0.0f64, 1.0, 1.0, 3.0]);
/// let warp = dtw(3, 4, 1.0, |i, j| (a[i] - b[j]).abs())?;
/// assert_eq!((warp.cost, &warp.path[..]), (0.0, &[(0, 0), (1, 1), (1, 2), (2, 3)][..]));
/// assert_eq!(warp.column_of_rows(), [0.0, 1.5, 3.0]);
/// # Ok::<(), marey_ops::OpsError>(())
/// ```
pub fn dtw(rows: usize, columns: usize, band: f64, cost: impl Fn(usize, usize) -> f64) -> Result<Warp> {
    OutOfRange::check("band", band, 0.0..=1.0)?;
    if rows == 0 || columns == 0 {
        return Err(marey_motion::MotionError::Empty { what: "a motion to be warped" }.into());
    }
    let band = Band::new(rows, columns, band);
    let mut steps: Vec<Vec<Step>> = Vec::with_capacity(rows);
    let (mut above, mut above_from): (Vec<f64>, usize) = (Vec::new(), 0);
    for i in 0..rows {
        let within = band.of_row(i);
        let from = within.start;
        let mut sums: Vec<f64> = Vec::with_capacity(within.len());
        let mut ways = Vec::with_capacity(within.len());
        for j in within {
            let up = |j: usize| j.checked_sub(above_from).and_then(|at| above.get(at)).copied();
            let both = j.checked_sub(1).and_then(up).map(|sum| (sum, Step::Both));
            let row = up(j).map(|sum| (sum, Step::Row));
            let column = sums.last().map(|&sum| (sum, Step::Column));
            let first = (i == 0 && j == 0).then_some((0.0, Step::Start));
            // g(i, j) = cost(i, j) + the least of g(i−1, j−1), g(i−1, j), g(i, j−1)
            let before = [first, both, row, column].into_iter().flatten();
            let best =
                before.reduce(|a, b| if b.0 < a.0 { b } else { a }).unwrap_or((f64::INFINITY, Step::Start));
            sums.push(best.0 + cost(i, j));
            ways.push(best.1);
        }
        (above, above_from) = (sums, from);
        steps.push(ways);
    }
    let path = trace(&steps, &band, rows - 1, columns - 1);
    Ok(Warp { cost: above.last().copied().unwrap_or(0.0), path })
}

/// The last step of a path.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Step {
    Start,
    Both,
    Row,
    Column,
}

/// The pairs within the band.
struct Band {
    rows: usize,
    columns: usize,
    half: f64,
}

impl Band {
    /// Wide enough for a path to exist.
    fn new(rows: usize, columns: usize, share: f64) -> Self {
        let slope = columns as f64 / rows as f64;
        Self { rows, columns, half: (share * columns as f64).max(slope).max(1.0) }
    }

    /// The columns of a row.
    fn of_row(&self, row: usize) -> std::ops::Range<usize> {
        let middle = row as f64 * (self.columns - 1) as f64 / (self.rows.max(2) - 1) as f64;
        let first = (middle - self.half).ceil().max(0.0) as usize;
        let last = ((middle + self.half).floor() as usize).min(self.columns - 1);
        let last = if self.rows == 1 { self.columns - 1 } else { last };
        first..last + 1
    }
}

/// Backtracks from the last pair.
fn trace(steps: &[Vec<Step>], band: &Band, mut i: usize, mut j: usize) -> Vec<(usize, usize)> {
    let mut path = vec![(i, j)];
    loop {
        match steps[i][j - band.of_row(i).start] {
            Step::Start => break,
            Step::Both => (i, j) = (i - 1, j - 1),
            Step::Row => i -= 1,
            Step::Column => j -= 1,
        }
        path.push((i, j));
    }
    path.reverse();
    path
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Enumerates all paths.
    fn by_trying_all(i: usize, j: usize, band: &Band, cost: &dyn Fn(usize, usize) -> f64) -> f64 {
        if !band.of_row(i).contains(&j) {
            return f64::INFINITY;
        }
        let before = match (i, j) {
            (0, 0) => 0.0,
            (0, j) => by_trying_all(0, j - 1, band, cost),
            (i, 0) => by_trying_all(i - 1, 0, band, cost),
            (i, j) => by_trying_all(i - 1, j - 1, band, cost)
                .min(by_trying_all(i - 1, j, band, cost))
                .min(by_trying_all(i, j - 1, band, cost)),
        };
        before + cost(i, j)
    }

    proptest! {
        #[test]
        fn path_equals_enumeration_within_the_band(
            a in proptest::collection::vec(-3f64..3.0, 1..7), b in proptest::collection::vec(-3f64..3.0, 1..7),
            share in 0f64..1.0,
        ) {
            let cost = |i: usize, j: usize| (a[i] - b[j]).powi(2);
            let warp = dtw(a.len(), b.len(), share, cost).unwrap();
            let band = Band::new(a.len(), b.len(), share);
            prop_assert!((warp.cost - by_trying_all(a.len() - 1, b.len() - 1, &band, &cost)).abs() < 1e-9);
            prop_assert!((warp.cost - warp.path.iter().map(|&(i, j)| cost(i, j)).sum::<f64>()).abs() < 1e-9);
            prop_assert_eq!((warp.path[0], *warp.path.last().unwrap()), ((0, 0), (a.len() - 1, b.len() - 1)));
            for pair in warp.path.windows(2) {
                let step = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
                prop_assert!([(1, 1), (1, 0), (0, 1)].contains(&step));
            }
        }

        #[test]
        fn paths_exist_for_bands_of_any_shape(rows in 1usize..90, columns in 1usize..90, share in 0f64..0.2) {
            let warp = dtw(rows, columns, share, |_, _| 1.0).unwrap();
            prop_assert!(warp.cost.is_finite());
            prop_assert_eq!(warp.column_of_rows().len(), rows);
        }
    }

    #[test]
    fn empty_motions_are_rejected() {
        assert!(dtw(0, 3, 1.0, |_, _| 0.0).is_err() && dtw(3, 0, 1.0, |_, _| 0.0).is_err());
        assert!(dtw(3, 3, -0.1, |_, _| 0.0).is_err() && dtw(3, 3, f64::NAN, |_, _| 0.0).is_err());
    }
}
