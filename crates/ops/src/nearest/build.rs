//! Building an index.

use nalgebra::{DMatrix, SymmetricEigen};

use super::tree::levels;
use super::{FAN, LEAF, Leaves, PREFIX, Tree, TreeParts, size_from};
use crate::Result;

/// Number of rows that are sampled for the principal axes, at most.
const SAMPLE: usize = 100_000;

/// Builds the two parts of an index.
pub(super) fn halves(table: &[f32], dims: usize) -> Result<(Tree, Leaves)> {
    if dims == 0 {
        return Err(marey_motion::MotionError::Empty { what: "a row" }.into());
    }
    let rows = table.len() / dims;
    if rows * dims != table.len() || u32::try_from(rows).is_err() {
        let wanted = (rows.min(u32::MAX as usize - 1) + 1) * dims;
        return Err(marey_motion::MotionError::Length { what: "a table", found: table.len(), wanted }.into());
    }
    if let Some(i) = table.iter().position(|v| !v.is_finite()) {
        let (frame, joint) = (i / dims, i % dims);
        return Err(marey_motion::MotionError::NotFinite { what: "a table", frame, joint }.into());
    }
    let prefix = dims.min(PREFIX);
    let (mean, axes) = principal_axes(table, dims, prefix);
    let projected = Projected::of(table, &mean, &axes);
    let mut order: Vec<u32> = (0..rows as u32).collect();
    split(&projected, &mut order);
    let coordinates = in_leaves(&projected, &order);
    let boxes = boxes(&coordinates, rows, prefix);
    let reach = table.chunks_exact(dims).map(|row| size_from(row, &mean)).fold(0.0, f32::max);
    let mut places = vec![0; rows];
    (0..).zip(&order).for_each(|(place, &row)| places[row as usize] = place);
    let in_order = order.iter().flat_map(|&row| &table[row as usize * dims..][..dims]).copied().collect();
    let tree = Tree::new(TreeParts { rows, reach, mean, axes, boxes })?;
    Ok((tree, Leaves { dims, prefix, order, places, rows: in_order, coordinates }))
}

/// The mean of the rows and the principal axes, in order of variance.
fn principal_axes(table: &[f32], dims: usize, prefix: usize) -> (Vec<f32>, Vec<f32>) {
    let rows = table.len() / dims;
    let sample = || table.chunks_exact(dims).step_by(rows.div_ceil(SAMPLE).max(1));
    let count = sample().count().max(1) as f64;
    let mut mean = vec![0.0; dims];
    for row in sample() {
        mean.iter_mut().zip(row).for_each(|(mean, &v)| *mean += f64::from(v) / count);
    }
    let mut spread = DMatrix::<f64>::zeros(dims, dims);
    let mut away = vec![0.0; dims];
    for row in sample() {
        away.iter_mut().zip(row).zip(&mean).for_each(|((away, &v), mean)| *away = f64::from(v) - mean);
        for (i, mut column) in spread.column_iter_mut().enumerate() {
            column.iter_mut().zip(&away).for_each(|(sum, v)| *sum += v * away[i] / count);
        }
    }
    let eigen = SymmetricEigen::new(spread);
    let mut by_variance: Vec<usize> = (0..dims).collect();
    by_variance.sort_by(|&a, &b| eigen.eigenvalues[b].total_cmp(&eigen.eigenvalues[a]).then(a.cmp(&b)));
    let axes = by_variance.iter().take(prefix).flat_map(|&i| {
        let axis: Vec<f32> = eigen.eigenvectors.column(i).iter().map(|&v| v as f32).collect();
        axis
    });
    let axes: Vec<f32> = axes.collect();
    (mean.iter().map(|&v| v as f32).collect(), axes)
}

/// Principal coordinates of every row.
struct Projected {
    prefix: usize,
    coordinates: Vec<f32>,
}

impl Projected {
    fn of(table: &[f32], mean: &[f32], axes: &[f32]) -> Self {
        let dims = mean.len();
        let prefix = axes.len() / dims;
        let mut coordinates = vec![0.0; table.len() / dims * prefix];
        for (row, into) in table.chunks_exact(dims).zip(coordinates.chunks_exact_mut(prefix)) {
            project(row, mean, axes, into);
        }
        Self { prefix, coordinates }
    }

    fn row(&self, row: u32) -> &[f32] {
        &self.coordinates[row as usize * self.prefix..][..self.prefix]
    }

    fn at(&self, row: u32, axis: usize) -> f32 {
        self.coordinates[row as usize * self.prefix + axis]
    }
}

/// The principal coordinates of one row.
pub(super) fn project(row: &[f32], mean: &[f32], axes: &[f32], into: &mut [f32]) {
    for (into, axis) in into.iter_mut().zip(axes.chunks_exact(mean.len())) {
        let products = row.iter().zip(mean).zip(axis);
        *into =
            products.map(|((&v, &m), &a)| (f64::from(v) - f64::from(m)) * f64::from(a)).sum::<f64>() as f32;
    }
}

/// Orders rows as a k-d tree: recursively halved along the axis with the largest extent. All leaves but the
/// last are full, and all nodes but the last of a level have the same number of leaves.
fn split(projected: &Projected, order: &mut [u32]) {
    let leaves = order.len().div_ceil(LEAF);
    if leaves < 2 {
        return;
    }
    let before = leaves.next_power_of_two() / 2 * LEAF;
    let axis = widest(projected, order);
    order.select_nth_unstable_by(before, |&a, &b| {
        projected.at(a, axis).total_cmp(&projected.at(b, axis)).then(a.cmp(&b))
    });
    let (left, right) = order.split_at_mut(before);
    rayon::join(|| split(projected, left), || split(projected, right));
}

/// The axis with the largest extent.
fn widest(projected: &Projected, order: &[u32]) -> usize {
    let mut bounds = vec![(f32::INFINITY, f32::NEG_INFINITY); projected.prefix];
    for &row in order {
        for (bound, &v) in bounds.iter_mut().zip(projected.row(row)) {
            *bound = (bound.0.min(v), bound.1.max(v));
        }
    }
    let widths = bounds.iter().map(|(low, high)| high - low).enumerate();
    widths.fold((0, 0.0), |best, width| if width.1 > best.1 { width } else { best }).0
}

/// Coordinates by leaf and axis.
fn in_leaves(projected: &Projected, order: &[u32]) -> Vec<f32> {
    let mut coordinates = vec![0.0; order.len().div_ceil(LEAF) * LEAF * projected.prefix];
    for (leaf, into) in order.chunks(LEAF).zip(coordinates.chunks_exact_mut(LEAF * projected.prefix)) {
        for (lane, &row) in leaf.iter().enumerate() {
            for (axis, &v) in projected.row(row).iter().enumerate() {
                into[axis * LEAF + lane] = v;
            }
        }
    }
    coordinates
}

/// Bounding boxes of leaves, then of groups of them, level by level.
fn boxes(coordinates: &[f32], rows: usize, prefix: usize) -> Vec<f32> {
    let levels = levels(rows);
    let groups = levels.last().map_or(0, |top| top.first_group + 1);
    let size = 2 * prefix * FAN;
    let mut boxes = vec![0.0; groups * size];
    for (height, level) in levels.iter().enumerate() {
        for node in 0..level.nodes {
            for axis in 0..prefix {
                let bounds = match height.checked_sub(1) {
                    None => {
                        let lanes = (rows - node * LEAF).min(LEAF);
                        let values = &coordinates[(node * prefix + axis) * LEAF..][..lanes];
                        values
                            .iter()
                            .fold((f32::INFINITY, f32::NEG_INFINITY), |(l, h), &v| (l.min(v), h.max(v)))
                    }
                    Some(below) => {
                        let below = levels[below];
                        let children = (below.nodes - node * FAN).min(FAN);
                        let group = &boxes[(below.first_group + node) * size..][..size];
                        let low =
                            group[axis * FAN..][..children].iter().copied().fold(f32::INFINITY, f32::min);
                        let high = group[(prefix + axis) * FAN..][..children].iter();
                        (low, high.copied().fold(f32::NEG_INFINITY, f32::max))
                    }
                };
                let group = &mut boxes[(level.first_group + node / FAN) * size..][..size];
                group[axis * FAN + node % FAN] = bounds.0;
                group[(prefix + axis) * FAN + node % FAN] = bounds.1;
            }
        }
    }
    boxes
}
