//! The distance of every two segments of a list, after the best alignment of each pair.
//!
//! The distance is that of Hsu, Gentry and Popović, *Example-Based Control of Human Motion* (2004), equation 1, as a root mean
//! square in metres: what [`Cloud::aligned`] finds pair by pair. For n segments there are n (n − 1) / 2 pairs, and pair by
//! pair is slow. But the sum expands. On the floor let points be complex numbers, p = x + i z, about their weighted means,
//! and let each coordinate be multiplied by the root of its weight beforehand. Then
//!
//! ```text
//! D(a, b) = min over θ of  Σ |p_a − e^{−iθ} p_b|² + Σ (y_a − y_b)²
//!         = N_a + N_b − 2 |C_ab| − 2 H_ab
//! N_a  = Σ |p_a|² + y_a²                          one number a segment
//! C_ab = Σ conj(p_a) p_b = Σ (x_a x_b + z_a z_b) + i Σ (x_a z_b − z_a x_b)
//! H_ab = Σ y_a y_b
//! ```
//!
//! since the best turn brings the sum of products onto the real axis. Both parts of C and H are inner products of the rows
//! (x, z), (z, −x) and (y) of the two segments: for all pairs, three matrix products, done in blocks. Heights are taken
//! from the mean height of each point over all segments, which changes no difference and keeps numbers small.
//!
//! | symbol | name |
//! |---|---|
//! | N | `norms` |
//! | (x, z), (z, −x), (y) | `across`, `turned`, `heights` |
//!
//! Where a pair is so near that single precision would lose D in the difference of large numbers, the pair is measured
//! again the direct way: below a hundredth of the size of the segments. Results do not depend on the number of threads;
//! on machines with and without fused multiplication they differ in the last digits.

use std::ops::Range;

use marey_motion::Vec3;
use nalgebra::DMatrix;
use rayon::prelude::*;

use crate::Result;
use crate::align::align_equal;
use crate::cloud::Cloud;

/// How many rows of the matrix are made at once, and how many columns: the products of a block stay in the cache.
const ROWS: usize = 64;
const COLUMNS: usize = 256;

/// Below this share of N_a + N_b, D is measured again.
const NEAR: f32 = 1e-4;

/// Distances of all pairs of a list, in metres: the upper half of a matrix, row by row.
#[derive(Debug, Clone, PartialEq)]
pub struct Distances {
    items: usize,
    metres: Vec<f32>,
}

impl Distances {
    /// The distances of all pairs of clouds, which have the same weights and the same number of frames.
    ///
    /// ```
    /// use marey_motion::Vec3;
    /// use marey_ops::{cloud::Cloud, distances::Distances};
    /// // Sticks of 2, 2 and 4 m, along X, along Z, and along X; each is two points.
    /// let stick = |a: Vec3, b: Vec3| Cloud::new(vec![a, b], vec![1.0]);
    /// let sticks =
    ///     [stick(Vec3::ZERO, Vec3::X * 2.0)?, stick(Vec3::Z, Vec3::Z * 3.0)?, stick(Vec3::ZERO, Vec3::X * 4.0)?];
    /// let distances = Distances::of(&sticks)?;
    /// // Middle on middle, the ends of the longer stick stand out by 1 m.
    /// assert!(distances.get(0, 1) < 1e-6);
    /// assert!((distances.get(0, 2) - 1.0).abs() < 1e-6 && (distances.get(2, 1) - 1.0).abs() < 1e-6);
    /// # Ok::<(), marey_ops::Error>(())
    /// ```
    pub fn of(clouds: &[Cloud]) -> Result<Self> {
        let table = Table::of(clouds)?;
        let mut metres = vec![0.0; clouds.len() * clouds.len().saturating_sub(1) / 2];
        let mut blocks = Vec::new();
        let mut rest = metres.as_mut_slice();
        for first in (0..clouds.len()).step_by(ROWS) {
            let rows = first..(first + ROWS).min(clouds.len());
            let (block, after) = rest.split_at_mut(rows.clone().map(|i| clouds.len() - 1 - i).sum());
            blocks.push((rows, block));
            rest = after;
        }
        blocks.into_par_iter().for_each(|(rows, block)| table.fill(clouds, rows, block));
        Ok(Self { items: clouds.len(), metres })
    }

    /// Distances that are known: of `items` things, the upper half of the matrix row by row, all finite and none below 0.
    pub fn new(items: usize, metres: Vec<f32>) -> Result<Self> {
        let wanted = items * items.saturating_sub(1) / 2;
        if metres.len() != wanted {
            return Err(marey_motion::Error::Length { what: "distances", found: metres.len(), wanted }.into());
        }
        for &value in &metres {
            crate::OutOfRange::check("distances", value, 0.0..=f32::MAX)?;
        }
        Ok(Self { items, metres })
    }

    /// How many things there are.
    pub fn items(&self) -> usize {
        self.items
    }

    /// The upper half of the matrix, row by row, in metres: (0, 1), (0, 2), … (1, 2) …
    pub fn condensed(&self) -> &[f32] {
        &self.metres
    }

    /// The distance of two, in metres; 0 of one from itself.
    ///
    /// # Panics
    /// Where there is no such thing, as slices do.
    pub fn get(&self, a: usize, b: usize) -> f32 {
        let (a, b) = (a.min(b), a.max(b));
        assert!(b < self.items, "there are {} things, and no number {b}", self.items);
        if a == b { 0.0 } else { self.metres[start_of_row(a, self.items) + b - a - 1] }
    }
}

/// Where a row of the upper half begins.
fn start_of_row(row: usize, items: usize) -> usize {
    row * (2 * items - row - 1) / 2
}

/// What is needed of each segment: as the columns of one factor, and as the rows of the other.
struct Table {
    weights: Vec<f32>,
    /// Sum of the weights.
    weight: f32,
    /// x of every point, then z.
    across: DMatrix<f32>,
    across_rows: DMatrix<f32>,
    /// z of every point, then −x.
    turned_rows: DMatrix<f32>,
    heights: DMatrix<f32>,
    height_rows: DMatrix<f32>,
    norms: Vec<f32>,
}

impl Table {
    fn of(clouds: &[Cloud]) -> Result<Self> {
        for (first, cloud) in
            clouds.first().into_iter().flat_map(|first| clouds.iter().map(move |c| (first, c)))
        {
            first.check_weights(cloud)?;
            if cloud.frames() != first.frames() {
                let (first, second) = (first.frames().to_string(), cloud.frames().to_string());
                return Err(marey_motion::Error::Disagree { what: "length", first, second }.into());
            }
        }
        let points = clouds.first().map_or(0, |cloud| cloud.points().len());
        let weights = clouds.first().map_or(Vec::new(), Cloud::weight_of_each_point);
        let level = mean_heights(clouds, points);
        let mut across = DMatrix::zeros(2 * points, clouds.len());
        let mut heights = DMatrix::zeros(points, clouds.len());
        for (i, cloud) in clouds.iter().enumerate() {
            fill_column(
                cloud,
                &weights,
                &level,
                across.column_mut(i).as_mut_slice(),
                heights.column_mut(i).as_mut_slice(),
            );
        }
        let square = |column: &[f32]| column.iter().map(|&v| f64::from(v) * f64::from(v)).sum::<f64>();
        let norms = (0..clouds.len())
            .map(|i| square(across.column(i).as_slice()) + square(heights.column(i).as_slice()));
        let norms = norms.map(|norm| norm as f32).collect();
        let (across_rows, height_rows) = (across.transpose(), heights.transpose());
        let turned = |row: usize, column: usize| {
            if column < points {
                across_rows[(row, column + points)]
            } else {
                -across_rows[(row, column - points)]
            }
        };
        let turned_rows = DMatrix::from_fn(clouds.len(), 2 * points, turned);
        let weight = weights.iter().sum();
        Ok(Self { weights, weight, across, across_rows, turned_rows, heights, height_rows, norms })
    }

    /// Fills rows of the upper half, block by block of columns.
    fn fill(&self, clouds: &[Cloud], rows: Range<usize>, into: &mut [f32]) {
        let items = clouds.len();
        let above = start_of_row(rows.start, items);
        let mut products = std::array::from_fn(|_| DMatrix::zeros(COLUMNS, rows.len()));
        for first in (rows.start + 1..items).step_by(COLUMNS) {
            let columns = first..(first + COLUMNS).min(items);
            let [along, round, up] = &mut products;
            multiply(&self.across, &self.across_rows, &rows, &columns, along);
            multiply(&self.across, &self.turned_rows, &rows, &columns, round);
            multiply(&self.heights, &self.height_rows, &rows, &columns, up);
            for row in rows.clone() {
                let from = columns.start.max(row + 1);
                if from < columns.end {
                    let start = start_of_row(row, items) - above + from - row - 1;
                    let part = &mut into[start..][..columns.end - from];
                    let skip = (row - rows.start) * COLUMNS + from - columns.start;
                    let terms = [&*along, &*round, &*up].map(|m| &m.as_slice()[skip..][..part.len()]);
                    self.distances(row, from, terms, part);
                    self.measure_again(clouds, row, from, part);
                }
            }
        }
    }

    /// Distances of a segment from those that follow `from`, out of their products; −1 for those too near to tell.
    fn distances(&self, row: usize, from: usize, [along, round, up]: [&[f32]; 3], into: &mut [f32]) {
        let share = if self.weight > 0.0 { 1.0 / self.weight } else { 0.0 };
        let (norm, norms) = (self.norms[row], &self.norms[from..]);
        for ((((into, along), round), up), other) in into.iter_mut().zip(along).zip(round).zip(up).zip(norms)
        {
            let both = norm + other;
            // D = N_a + N_b − 2 |C_ab| − 2 H_ab
            let d = both - 2.0 * ((along * along + round * round).sqrt() + up);
            *into = if d > NEAR * both { (d * share).sqrt() } else { -1.0 };
        }
    }

    /// Measures the direct way what is marked by −1.
    fn measure_again(&self, clouds: &[Cloud], row: usize, from: usize, into: &mut [f32]) {
        for (metres, cloud) in into.iter_mut().zip(&clouds[from..]) {
            if *metres < 0.0 {
                *metres = align_equal(clouds[row].points(), cloud.points(), &self.weights).rms_m();
            }
        }
    }
}

/// Inner products of some columns of `left` with some rows of `right`, into a matrix in which those of one column of `left`
/// stand together, [`COLUMNS`] apart from the next.
fn multiply(
    left: &DMatrix<f32>,
    right: &DMatrix<f32>,
    rows: &Range<usize>,
    columns: &Range<usize>,
    into: &mut DMatrix<f32>,
) {
    let left = left.columns(rows.start, rows.len());
    let right = right.rows(columns.start, columns.len());
    into.rows_mut(0, columns.len()).gemm(1.0, &right, &left, 0.0);
}

/// A segment's coordinates: about their means on the floor, above the usual level, times the roots of the weights.
fn fill_column(cloud: &Cloud, weights: &[f32], level: &[f64], across: &mut [f32], heights: &mut [f32]) {
    let weighted = || cloud.points().iter().zip(weights).map(|(p, &w)| (p, f64::from(w)));
    let sum = weighted().map(|(_, w)| w).sum::<f64>().max(f64::MIN_POSITIVE);
    let mean = |value: fn(&Vec3) -> f32| weighted().map(|(p, w)| w * f64::from(value(p))).sum::<f64>() / sum;
    let (mean_x, mean_z) = (mean(|p| p.x), mean(|p| p.z));
    let (xs, zs) = across.split_at_mut(heights.len());
    let places = xs.iter_mut().zip(zs).zip(heights);
    for ((((x, z), y), (point, weight)), level) in places.zip(weighted()).zip(level) {
        let root = weight.sqrt();
        *x = (root * (f64::from(point.x) - mean_x)) as f32;
        *z = (root * (f64::from(point.z) - mean_z)) as f32;
        *y = (root * (f64::from(point.y) - level)) as f32;
    }
}

/// The mean height of each point over all clouds.
fn mean_heights(clouds: &[Cloud], points: usize) -> Vec<f64> {
    let mut level = vec![0.0; points];
    for cloud in clouds {
        for (level, point) in level.iter_mut().zip(cloud.points()) {
            *level += f64::from(point.y) / clouds.len() as f64;
        }
    }
    level
}

#[cfg(test)]
mod tests {
    use marey_motion::Ground;
    use proptest::prelude::*;

    use super::*;

    /// A segment of made-up motion: every joint goes round at its own pace.
    fn cloud(frames: usize, joints: usize, seed: u32, size: f32) -> Cloud {
        let point = |i: usize| {
            let (frame, joint) = ((i / joints) as f32, (i % joints) as f32);
            let pace = 1.0 + (seed as f32 * 0.7 + joint).sin();
            let angle = 0.2 * frame * pace + seed as f32;
            size * Vec3::new(angle.cos() + joint, 1.0 + (angle * 0.7).sin(), (1.3 * angle).sin())
        };
        let weights = (0..joints).map(|joint| 0.5 + joint as f32).collect();
        Cloud::new((0..frames * joints).map(point).collect(), weights).unwrap()
    }

    fn agree(clouds: &[Cloud], slack: f32) -> std::result::Result<(), TestCaseError> {
        let fast = Distances::of(clouds).unwrap();
        for a in 0..clouds.len() {
            for b in 0..clouds.len() {
                let slow = clouds[a].aligned(&clouds[b]).unwrap().rms_m();
                let quick = fast.get(a, b);
                prop_assert!((quick - slow).abs() <= slack * (0.1 + slow), "{a} {b}: {quick} {slow}");
            }
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn all_pairs_equal_pair_by_pair(
            frames in 1usize..12, joints in 1usize..5, seeds in proptest::collection::vec(0u32..40, 0..90),
            size in 0.1f32..3.0,
        ) {
            let clouds: Vec<Cloud> = seeds.iter().map(|&seed| cloud(frames, joints, seed, size)).collect();
            agree(&clouds, 1e-3)?;
        }

        #[test]
        fn what_was_only_moved_is_at_no_distance_and_what_is_near_is_told_apart(
            x in -40f32..40.0, z in -40f32..40.0, yaw in -3.1f32..3.1, up_mm in 0f32..20.0,
        ) {
            let here = cloud(20, 4, 3, 1.0);
            let moved = here.points().iter().map(|p| Ground::new(x, z, yaw).point(*p) + Vec3::Y * up_mm / 1000.0);
            let there = Cloud::new(moved.collect(), here.weights().to_vec()).unwrap();
            let found = Distances::of(&[here, there]).unwrap().get(0, 1);
            prop_assert!((found - up_mm / 1000.0).abs() < 5e-5, "{found} {up_mm}");
        }
    }

    #[test]
    fn more_than_one_block_of_rows_and_columns_agree_for_any_number_of_threads() {
        let clouds: Vec<Cloud> = (0..COLUMNS as u32 + ROWS as u32 + 7).map(|s| cloud(6, 3, s, 1.0)).collect();
        agree(&clouds, 1e-3).unwrap();
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| Distances::of(&clouds).unwrap())
        };
        assert!(with(1) == with(2) && with(1) == with(8));
    }

    #[test]
    fn lists_that_do_not_go_together_are_refused_and_short_ones_are_fine() {
        assert!(Distances::of(&[cloud(3, 2, 0, 1.0), cloud(4, 2, 0, 1.0)]).is_err());
        assert!(Distances::of(&[cloud(3, 2, 0, 1.0), cloud(3, 3, 0, 1.0)]).is_err());
        assert_eq!(Distances::of(&[]).unwrap().items(), 0);
        assert_eq!(Distances::of(&[cloud(3, 2, 0, 1.0)]).unwrap().get(0, 0), 0.0);
        assert!(Distances::new(3, vec![1.0; 2]).is_err() && Distances::new(2, vec![f32::NAN]).is_err());
        assert_eq!(Distances::new(3, vec![1.0, 2.0, 3.0]).unwrap().get(2, 1), 3.0);
        let weightless = |x: f32| Cloud::new(vec![Vec3::X * x, Vec3::Z], vec![0.0]).unwrap();
        assert_eq!(Distances::of(&[weightless(1.0), weightless(2.0)]).unwrap().get(0, 1), 0.0);
    }
}
