//! D and M for all cells at all frames, as matrix products over sliding windows.
//!
//! Let a be relative to its weighted mean on the floor, and x unchanged. Then
//!
//! ```text
//! D = Nx + Na − 2 (|C| + H),   M rotates by the argument of C and moves one mean to the other
//! Nx = Σ w |x|² − |Σ w x|² / Σ w + Σ w y²      sums over a window: differences of running sums
//! Na = Σ w |a|² + Σ w b²                        one number per cell
//! C  = Σ w (x·a) + i Σ w (x × a)                inner products of windows with cells
//! H  = Σ w y b
//! ```
//!
//! where x, a are positions on the floor and y, b heights. Overlapping windows are columns of one matrix that is not copied:
//! each column starts one frame after the previous one. So all cells of a duration at all frames of a block take two matrix
//! products. They are computed in double precision relative to an origin near the block, with blocks in parallel. If the
//! transform is `None`, all three coordinates are treated as heights. Full rigid transforms have no such form and are
//! measured one by one.

use std::ops::Range;

use marey_motion::Vec3;
use nalgebra::{DMatrix, DMatrixView, Dyn};
use rayon::prelude::*;

use crate::candidates::{Candidates, StartCandidates};
use crate::cells::{CellPosition, Cells};
use crate::compared_controls::ComparedControls;
use crate::packed_transform::PackedTransform;
use crate::problem::Problem;
use crate::{Mapping, Result, Transform};

/// Number of frames in a block, which one thread processes.
const BLOCK: usize = 32;

/// All cells as factors of matrix products, grouped by position and duration.
#[derive(Debug)]
pub(crate) struct CostFactors {
    groups: Vec<CellGroup>,
    transform: Transform,
    /// Number of coordinates of a point that are treated as heights.
    height_dims: usize,
    /// Origin of the heights.
    about: Vec3,
}

/// The cells of one duration and position.
#[derive(Debug)]
struct CellGroup {
    position: CellPosition,
    frames: usize,
    cells: Vec<u32>,
    /// The factors, if cells of the group can be anywhere. Parts of instances are used at one start frame only, and there are more of
    /// them than of whole ones: their factors are computed when they are needed.
    factors: Option<GroupFactors>,
}

/// The factors of the cells of a group.
#[derive(Debug)]
struct GroupFactors {
    /// (w x, w z) of every point, and (w z, −w x): two rows per cell. None if nothing is rotated.
    floor: Option<DMatrix<f64>>,
    /// w y of every point, one row per cell; all three coordinates if nothing is rotated. None if all points are on the
    /// floor.
    heights: Option<DMatrix<f64>>,
    /// Na and the mean on the floor of each cell.
    about: Vec<(f64, [f64; 2])>,
}

impl CostFactors {
    pub(crate) fn new(
        cells: &Cells,
        compared: &ComparedControls,
        mapping: &Mapping,
        transform: Transform,
    ) -> Self {
        let all = &cells.all;
        let of = |&cell: &u32| (all[cell as usize].position, all[cell as usize].frames);
        let mut order: Vec<u32> = (0..all.len() as u32).collect();
        order.sort_by_key(|cell| (of(cell), *cell));
        let control = |cell: usize| cells.control(compared.of(mapping, all[cell].instance), cell);
        let controls = || (0..all.len()).flat_map(control);
        let (height_dims, about) = match transform {
            Transform::None => (3, controls().sum::<Vec3>() / (controls().count().max(1)) as f32),
            // If all examples are on the floor, the heights of the control only add a constant.
            _ if controls().all(|p| p.y == 0.0) => (0, Vec3::ZERO),
            _ => (1, Vec3::ZERO),
        };
        let mut factors = Self { groups: Vec::new(), transform, height_dims, about };
        let group = |group: &[u32]| {
            let (position, frames) = group.first().map_or((CellPosition::Anywhere, 0), of);
            let is_kept = position == CellPosition::Anywhere;
            let kept = is_kept.then(|| GroupFactors::new(cells, group, compared, mapping, &factors));
            CellGroup { position, frames, cells: group.to_vec(), factors: kept }
        };
        factors.groups = order.chunk_by(|a, b| of(a) == of(b)).map(group).collect();
        factors
    }

    /// The cheapest cells of each duration at a range of start frames, at most `most` each, with blocks of frames in parallel.
    pub(crate) fn cheapest(
        &self,
        problem: &Problem<'_>,
        starts: Range<usize>,
        most: usize,
    ) -> Result<Candidates> {
        let blocks: Vec<usize> = starts.clone().step_by(BLOCK).collect();
        let found: Vec<Vec<StartCandidates>> = blocks
            .into_par_iter()
            .map(|from| self.block(problem, from..starts.end.min(from + BLOCK), most))
            .collect::<Result<_>>()?;
        Ok(Candidates::new(starts, found.into_iter().flatten().collect()))
    }

    fn block(
        &self,
        problem: &Problem<'_>,
        starts: Range<usize>,
        most: usize,
    ) -> Result<Vec<StartCandidates>> {
        let longest = problem.index.longest;
        let until = (starts.end + longest).min(problem.frames + 1);
        let windows = ControlWindows::of(problem, starts.start, until, self);
        let mut found: Vec<StartCandidates> = starts.clone().map(|_| StartCandidates::new(longest)).collect();
        let mut costs: Vec<(f64, u32)> = Vec::new();
        for group in &self.groups {
            // The start frames at which cells of this group may be used.
            let Some(last) = problem.frames.checked_sub(group.frames) else { continue };
            let (from, until) = match group.position {
                CellPosition::Anywhere => (0, last + 1),
                CellPosition::First => (0, usize::from(problem.settings.free_start)),
                CellPosition::Last => (last, last + 1),
            };
            let (from, until) = (from.max(starts.start), until.min(starts.end));
            if from >= until {
                continue;
            }
            let rows = from - starts.start..until - starts.start;
            let computed = group.factors.is_none().then(|| {
                let index = &problem.index;
                GroupFactors::new(&index.cells, &group.cells, &index.controls, problem.mapping, self)
            });
            let Some(factors) = group.factors.as_ref().or(computed.as_ref()) else { continue };
            let (floor, heights) = if self.transform == Transform::Rigid {
                (None, None)
            } else {
                windows.products(factors, group.frames, rows.clone())
            };
            for (column, row) in rows.enumerate() {
                let start = starts.start + row;
                let of = |products: &Option<DMatrix<f64>>| -> Range<usize> {
                    let each = products.as_ref().map_or(0, |products| products.nrows());
                    each * column..each * (column + 1)
                };
                let floor = floor.as_ref().map_or(&[][..], |m| &m.as_slice()[of(&floor)]);
                let heights = heights.as_ref().map_or(&[][..], |m| &m.as_slice()[of(&heights)]);
                let fit = WindowFit { windows: &windows, factors, frames: group.frames, row, floor, heights };
                costs.clear();
                for (member, &cell) in group.cells.iter().enumerate() {
                    if !problem.has_constraints() || problem.is_legal(cell as usize, start) {
                        let squared_m2 = if self.transform == Transform::Rigid {
                            problem.measure(cell as usize, start)?.squared_m2
                        } else {
                            fit.squared_m2(member)
                        };
                        costs.push((squared_m2 + problem.stretch_cost(cell as usize), member as u32));
                    }
                }
                found[row].offer(group.frames, &mut costs, most, |member, cost| {
                    let cell = group.cells[member as usize];
                    let transform = if self.transform == Transform::Rigid {
                        PackedTransform::from_motion(problem.measure(cell as usize, start)?.motion)
                    } else {
                        fit.transform(member as usize)
                    };
                    Ok((cell, cost, transform))
                })?;
            }
        }
        Ok(found)
    }
}

impl GroupFactors {
    fn new(
        all: &Cells,
        cells: &[u32],
        compared: &ComparedControls,
        mapping: &Mapping,
        of: &CostFactors,
    ) -> Self {
        let CostFactors { transform, height_dims, about, .. } = *of;
        let weights = &compared.weights;
        let points = cells.first().map_or(0, |&cell| (all.all[cell as usize].frames + 1) * weights.len());
        let mut floor = (transform == Transform::Ground).then(|| DMatrix::zeros(2 * cells.len(), 2 * points));
        let mut heights = (height_dims > 0).then(|| DMatrix::zeros(cells.len(), height_dims * points));
        let mut cell_stats = Vec::with_capacity(cells.len());
        for (row, &cell) in cells.iter().enumerate() {
            let cell = cell as usize;
            let a = all.control(compared.of(mapping, all.all[cell].instance), cell);
            let weighted = || a.iter().zip(weights.iter().cycle()).map(|(p, &w)| (*p, f64::from(w)));
            let sum = weighted().map(|(_, w)| w).sum::<f64>().max(f64::MIN_POSITIVE);
            let mean = |value: fn(&Vec3) -> f32| {
                weighted().map(|(p, w)| w * f64::from(value(&p))).sum::<f64>() / sum
            };
            let (mx, mz) = (mean(|p| p.x), mean(|p| p.z));
            let mut norm = 0.0;
            for (i, (p, w)) in weighted().enumerate() {
                if let Some(floor) = &mut floor {
                    let (x, z) = (f64::from(p.x) - mx, f64::from(p.z) - mz);
                    norm += w * (x * x + z * z);
                    for (column, along, round) in [(2 * i, x, z), (2 * i + 1, z, -x)] {
                        floor[(2 * row, column)] = w * along;
                        floor[(2 * row + 1, column)] = w * round;
                    }
                }
                if let Some(heights) = &mut heights {
                    for (j, value) in height_values(p, about, height_dims).enumerate() {
                        norm += w * value * value;
                        heights[(row, height_dims * i + j)] = w * value;
                    }
                }
            }
            cell_stats.push((norm, [mx, mz]));
        }
        Self { floor, heights, about: cell_stats }
    }
}

/// The coordinates that the transform does not change: none, the height, or all.
fn height_values(p: Vec3, about: Vec3, height_dims: usize) -> impl Iterator<Item = f64> {
    let from = |value: f32, about: f32| f64::from(value) - f64::from(about);
    [from(p.y, about.y), from(p.x, about.x), from(p.z, about.z)].into_iter().take(height_dims)
}

/// A section of the control, prepared for multiplication.
struct ControlWindows {
    points: usize,
    height_dims: usize,
    /// Origin of the positions on the floor.
    origin: [f64; 2],
    floor: Vec<f64>,
    heights: Vec<f64>,
    /// Running sums of length samples + 1: Σ w x, Σ w z, Σ w (x² + z²), Σ w y².
    sums: Vec<[f64; 4]>,
    weight: f64,
    /// By what a translation of compared points is divided.
    translation_scale: f64,
}

impl ControlWindows {
    /// Prepares the samples `first..until`.
    fn of(problem: &Problem<'_>, first: usize, until: usize, factors: &CostFactors) -> Self {
        let weights = &problem.index.controls.weights;
        let points = weights.len();
        let instants = &problem.input[first * points..until * points];
        let origin = instants.iter().sum::<Vec3>() / instants.len().max(1) as f32;
        let origin = [f64::from(origin.x), f64::from(origin.z)];
        let (mut floor, mut heights) = (Vec::new(), Vec::new());
        let mut sums = vec![[0.0; 4]];
        for instant in instants.chunks_exact(points) {
            let mut sum = sums.last().copied().unwrap_or_default();
            for (p, &w) in instant.iter().zip(weights) {
                let w = f64::from(w);
                let (x, z) = (f64::from(p.x) - origin[0], f64::from(p.z) - origin[1]);
                if factors.transform == Transform::Ground {
                    floor.extend([x, z]);
                    for (sum, term) in sum.iter_mut().zip([x, z, x * x + z * z]) {
                        *sum += w * term;
                    }
                }
                if factors.height_dims == 0 {
                    sum[3] += w * f64::from(p.y) * f64::from(p.y);
                }
                for value in height_values(*p, factors.about, factors.height_dims) {
                    heights.push(value);
                    sum[3] += w * value * value;
                }
            }
            sums.push(sum);
        }
        let weight = weights.iter().map(|&w| f64::from(w)).sum::<f64>();
        let translation_scale = problem.index.controls.translation_scale();
        Self {
            points,
            height_dims: factors.height_dims,
            origin,
            floor,
            heights,
            sums,
            weight,
            translation_scale,
        }
    }

    /// Products of a range of windows with all cells of a group. Neighbouring windows are columns that share all but one
    /// frame.
    fn products(
        &self,
        factors: &GroupFactors,
        frames: usize,
        windows: Range<usize>,
    ) -> (Option<DMatrix<f64>>, Option<DMatrix<f64>>) {
        let multiply = |numbers: &[f64], each: usize, factor: &DMatrix<f64>| {
            let (step, length) = (each * self.points, each * self.points * (frames + 1));
            let numbers = &numbers[windows.start * step..];
            let columns: DMatrixView<'_, f64, Dyn, Dyn> =
                DMatrixView::from_slice_with_strides(numbers, length, windows.len(), 1, step);
            let mut into = DMatrix::zeros(factor.nrows(), windows.len());
            into.gemm(1.0, factor, &columns, 0.0);
            into
        };
        let floor = factors.floor.as_ref().map(|factor| multiply(&self.floor, 2, factor));
        (floor, factors.heights.as_ref().map(|factor| multiply(&self.heights, self.height_dims, factor)))
    }
}

/// D and M of a group's cells at one window, from their products.
struct WindowFit<'a> {
    windows: &'a ControlWindows,
    factors: &'a GroupFactors,
    /// Duration of the cells.
    frames: usize,
    row: usize,
    floor: &'a [f64],
    heights: &'a [f64],
}

impl WindowFit<'_> {
    /// Sums over the window: Σ w x, Σ w z, Σ w (x² + z²), Σ w y², then Σ w.
    fn sums(&self) -> ([f64; 4], f64) {
        let samples = self.frames + 1;
        let (from, to) = (self.windows.sums[self.row], self.windows.sums[self.row + samples]);
        let weight = (self.windows.weight * samples as f64).max(f64::MIN_POSITIVE);
        (std::array::from_fn(|i| to[i] - from[i]), weight)
    }

    /// C.
    fn turn(&self, member: usize) -> (f64, f64) {
        match self.floor.get(2 * member..2 * member + 2) {
            Some(terms) => (terms[0], terms[1]),
            None => (0.0, 0.0),
        }
    }

    /// D.
    fn squared_m2(&self, member: usize) -> f64 {
        let ([sx, sz, on_floor, height], weight) = self.sums();
        let own = on_floor - (sx * sx + sz * sz) / weight + height;
        let (c, s) = self.turn(member);
        let h = self.heights.get(member).copied().unwrap_or(0.0);
        (own + self.factors.about[member].0 - 2.0 * ((c * c + s * s).sqrt() + h)).max(0.0)
    }

    /// M.
    fn transform(&self, member: usize) -> PackedTransform {
        let ([sx, sz, ..], weight) = self.sums();
        let (c, s) = self.turn(member);
        let length = (c * c + s * s).sqrt();
        let (cos, sin) = if length > 0.0 { (c / length, s / length) } else { (1.0, 0.0) };
        let [ax, az] = self.factors.about[member].1;
        let origin = self.windows.origin;
        let (x, z) = if self.factors.floor.is_some() {
            let x = origin[0] + sx / weight - (cos * ax + sin * az);
            let z = origin[1] + sz / weight - (cos * az - sin * ax);
            (x / self.windows.translation_scale, z / self.windows.translation_scale)
        } else {
            (0.0, 0.0)
        };
        PackedTransform::Floor { sin: sin as f32, cos: cos as f32, x: x as f32, z: z as f32 }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::test_problems::{any_problem, problem};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn products_equal_direct_measurement(case in any_problem(), from in 0usize..5) {
            let problem = problem(&case);
            let cells = &problem.index.cells;
            let from = from.min(problem.frames - 1);
            let found =
                problem.index.factors.cheapest(&problem, from..problem.frames, usize::MAX).unwrap();
            for start in from..problem.frames {
                let at = found.at(start);
                for cell in 0..cells.all.len() {
                    let index = at.find(cell as u32);
                    prop_assert_eq!(problem.is_legal(cell, start), index.is_some());
                    let Some(index) = index else { continue };
                    let (squared_m2, transform) = at.get(index);
                    let measured = problem.measure(cell, start).unwrap();
                    let off = (squared_m2 - problem.stretch_cost(cell) - measured.squared_m2).abs();
                    prop_assert!(off < 1e-6 * (1.0 + measured.squared_m2), "{off}");
                    let tail = cells.tail(cell);
                    let mut there = Vec::new();
                    measured.motion.apply(tail, &mut there);
                    let mut here = vec![0.0; 3 * tail.len()];
                    transform.apply(tail, &vec![2.0; tail.len()], &vec![0.0; here.len()], &mut here);
                    for (here, there) in here.chunks_exact(3).zip(&there) {
                        prop_assert!(Vec3::from_slice(here).distance(2.0 * *there) < 1e-4);
                    }
                }
            }
        }
    }
}
