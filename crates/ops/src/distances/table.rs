//! Segments arranged so that distances of many pairs are a few matrix products.

use std::ops::Range;

use marey_motion::MotionError::{Disagree, Length};
use marey_motion::Vec3;
use nalgebra::DMatrix;

use super::Level;
use crate::Result;
use crate::align::align_equal;
use crate::cloud::Cloud;

/// Rows and columns of a tile: its products stay in the cache.
pub(super) const ROWS: usize = 64;
pub(super) const COLUMNS: usize = 256;

/// Smallest size of a product: for smaller ones nalgebra sums in another order.
const LEAST: usize = 6;

/// Below this share of N_a + N_b, D is measured directly.
const NEAR: f32 = 1e-4;

/// The data of each segment: some as columns of one factor, others as rows of the other.
pub(super) struct Table<'a> {
    weights: Vec<f32>,
    /// Sum of the weights.
    weight: f32,
    rows: Side<'a>,
    columns: Turned<'a>,
}

/// Segments as columns.
struct Side<'a> {
    clouds: &'a [Cloud],
    /// x of every point, then z.
    across: DMatrix<f32>,
    heights: DMatrix<f32>,
    norms: Vec<f32>,
}

/// Segments as rows.
struct Turned<'a> {
    clouds: &'a [Cloud],
    across: DMatrix<f32>,
    /// z of every point, then −x.
    turned: DMatrix<f32>,
    heights: DMatrix<f32>,
    norms: Vec<f32>,
}

impl<'a> Table<'a> {
    /// Clouds to compare, with the same weights and number of frames.
    pub(super) fn of(rows: &'a [Cloud], columns: &'a [Cloud], level: &Level) -> Result<Self> {
        let all = || rows.iter().chain(columns);
        let Some(first) = all().next() else {
            let side = |clouds| Side::of(clouds, &[], level);
            return Ok(Self {
                weights: vec![],
                weight: 0.0,
                rows: side(rows),
                columns: side(columns).turned(),
            });
        };
        for cloud in all() {
            first.check_weights(cloud)?;
            if cloud.frames() != first.frames() {
                let (first, second) = (first.frames().to_string(), cloud.frames().to_string());
                return Err(Disagree { what: "length", first, second }.into());
            }
        }
        let weights = first.weight_of_each_point();
        if level.0.len() != weights.len() {
            return Err(
                Length { what: "heights of a level", found: level.0.len(), wanted: weights.len() }.into()
            );
        }
        let side = |clouds| Side::of(clouds, &weights, level);
        let (rows, columns) = (side(rows), side(columns).turned());
        Ok(Self { weight: weights.iter().sum(), weights, rows, columns })
    }

    /// Computes the distances of at most [`ROWS`] rows, piece by piece: the row, the first column of the
    /// piece, and its values. Columns of a row before `first` are skipped.
    pub(super) fn fill(
        &self,
        rows: Range<usize>,
        first: impl Fn(usize) -> usize,
        mut give: impl FnMut(usize, usize, &[f32]),
    ) {
        let (all, mut piece) = (self.columns.clouds.len(), [0.0; COLUMNS]);
        let row_window = window(&rows, self.rows.across.ncols());
        let mut products: [DMatrix<f32>; 3] =
            std::array::from_fn(|_| DMatrix::zeros(COLUMNS, row_window.len()));
        for start in (first(rows.start)..all).step_by(COLUMNS) {
            let columns = start..(start + COLUMNS).min(all);
            let column_window = window(&columns, self.columns.across.nrows());
            let [along, round, up] = &mut products;
            multiply(&self.rows.across, &self.columns.across, &row_window, &column_window, along);
            multiply(&self.rows.across, &self.columns.turned, &row_window, &column_window, round);
            multiply(&self.rows.heights, &self.columns.heights, &row_window, &column_window, up);
            for row in rows.clone() {
                let from = columns.start.max(first(row));
                if from < columns.end {
                    let some = &mut piece[..columns.end - from];
                    let skip = (row - row_window.start) * COLUMNS + from - column_window.start;
                    let terms = [&*along, &*round, &*up].map(|m| &m.as_slice()[skip..][..some.len()]);
                    self.distances(row, from, terms, some);
                    self.measure_again(row, from, some);
                    give(row, from, some);
                }
            }
        }
    }

    /// Distances of a segment from those after `from`, out of their products; −1 for pairs that are too
    /// close.
    fn distances(&self, row: usize, from: usize, [along, round, up]: [&[f32]; 3], into: &mut [f32]) {
        let share = if self.weight > 0.0 { 1.0 / self.weight } else { 0.0 };
        let (norm, norms) = (self.rows.norms[row], &self.columns.norms[from..]);
        for ((((into, along), round), up), other) in into.iter_mut().zip(along).zip(round).zip(up).zip(norms)
        {
            let both = norm + other;
            // D = N_a + N_b − 2 |C_ab| − 2 H_ab
            let d = both - 2.0 * ((along * along + round * round).sqrt() + up);
            *into = if d > NEAR * both { (d * share).sqrt() } else { -1.0 };
        }
    }

    /// Measures pairs marked by −1 directly.
    fn measure_again(&self, row: usize, from: usize, into: &mut [f32]) {
        let points = self.rows.clouds[row].points();
        for (metres, cloud) in into.iter_mut().zip(&self.columns.clouds[from..]) {
            if *metres < 0.0 {
                *metres = align_equal(points, cloud.points(), &self.weights).rms_m();
            }
        }
    }
}

impl<'a> Side<'a> {
    fn of(clouds: &'a [Cloud], weights: &[f32], level: &Level) -> Self {
        let (points, places) = (weights.len(), clouds.len().max(LEAST));
        let (mut across, mut heights) = (DMatrix::zeros(2 * points, places), DMatrix::zeros(points, places));
        for (i, cloud) in clouds.iter().enumerate() {
            let (mut across, mut heights) = (across.column_mut(i), heights.column_mut(i));
            fill_column(cloud, weights, level, across.as_mut_slice(), heights.as_mut_slice());
        }
        let square = |column: &[f32]| column.iter().map(|&v| f64::from(v) * f64::from(v)).sum::<f64>();
        let norm = |i: usize| square(across.column(i).as_slice()) + square(heights.column(i).as_slice());
        let norms = (0..clouds.len()).map(|i| norm(i) as f32).collect();
        Self { clouds, across, heights, norms }
    }

    fn turned(self) -> Turned<'a> {
        let (across, heights, points) =
            (self.across.transpose(), self.heights.transpose(), self.heights.nrows());
        let turned = |row: usize, column: usize| {
            if column < points { across[(row, column + points)] } else { -across[(row, column - points)] }
        };
        let turned = DMatrix::from_fn(across.nrows(), 2 * points, turned);
        Turned { clouds: self.clouds, across, turned, heights, norms: self.norms }
    }
}

/// A range, extended to the smallest size within `places`.
fn window(range: &Range<usize>, places: usize) -> Range<usize> {
    let length = range.len().max(LEAST);
    let start = range.start.min(places - length);
    start..start + length
}

/// Inner products of some columns of `left` with some rows of `right`, stored column by column of `left`,
/// [`COLUMNS`] apart.
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

/// Coordinates of a segment: relative to their means on the floor, above the reference heights, times the
/// square roots of the weights.
fn fill_column(cloud: &Cloud, weights: &[f32], level: &Level, across: &mut [f32], heights: &mut [f32]) {
    let weighted = || cloud.points().iter().zip(weights).map(|(p, &w)| (p, f64::from(w)));
    let sum = weighted().map(|(_, w)| w).sum::<f64>().max(f64::MIN_POSITIVE);
    let mean = |value: fn(&Vec3) -> f32| weighted().map(|(p, w)| w * f64::from(value(p))).sum::<f64>() / sum;
    let (mean_x, mean_z) = (mean(|p| p.x), mean(|p| p.z));
    let (xs, zs) = across.split_at_mut(heights.len());
    let places = xs.iter_mut().zip(zs).zip(heights);
    for ((((x, z), y), (point, weight)), level) in places.zip(weighted()).zip(&level.0) {
        let root = weight.sqrt();
        *x = (root * (f64::from(point.x) - mean_x)) as f32;
        *z = (root * (f64::from(point.z) - mean_z)) as f32;
        *y = (root * (f64::from(point.y) - level)) as f32;
    }
}
