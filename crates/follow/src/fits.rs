//! D and M for all cells at all frames, as matrix products over sliding windows.
//!
//! With a taken about its weighted mean on the floor, and x as it is,
//!
//! ```text
//! D = Nx + Na − 2 (|C| + H),   M turns by the argument of C and shifts mean onto mean
//! Nx = Σ w |x|² − |Σ w x|² / Σ w + Σ w y²      sums over a window: differences of running sums
//! Na = Σ w |a|² + Σ w b²                        one number a cell
//! C  = Σ w (x·a) + i Σ w (x × a)                inner products of windows with cells
//! H  = Σ w y b
//! ```
//!
//! where x, a are places on the floor and y, b heights. Windows that overlap are columns of one matrix without being copied: each
//! starts one frame after the column before. So all cells of a duration at all frames of a block are two matrix products. They are
//! done in double precision, about a place near the block, and blocks in parallel. Without a transform, all three coordinates
//! are as heights are here. Full rigid motions have no such form and are measured one by one.

use std::ops::Range;

use marey_motion::Vec3;
use nalgebra::{DMatrix, DMatrixView, Dyn};
use rayon::prelude::*;

use crate::carry::Carry;
use crate::cells::{Cells, Stand};
use crate::problem::Problem;
use crate::{Result, Transform};

/// How many frames are fitted at once by one thread.
const BLOCK: usize = 32;

/// How cells that start at some frames lie on the control, wherever they may. Frames × cells.
#[derive(Debug)]
pub(crate) struct Fits {
    pub(crate) starts: Range<usize>,
    /// How many cells there are.
    cells: usize,
    /// D; infinite where a cell would end too late, or may not stand.
    squared_m2: Vec<f64>,
    /// M.
    carries: Vec<Carry>,
}

impl Fits {
    /// D and M of a cell that starts at a frame.
    pub(crate) fn of(&self, start: usize, cell: usize) -> (f64, &Carry) {
        let at = (start - self.starts.start) * self.cells + cell;
        (self.squared_m2[at], &self.carries[at])
    }
}

/// All cells, by where they may stand and duration, as factors of matrix products.
#[derive(Debug)]
pub(crate) struct Factors {
    groups: Vec<Group>,
    transform: Transform,
    /// How many numbers of a point are as heights are.
    high: usize,
    /// What those are measured from.
    about: Vec3,
}

/// The cells of one duration that may stand in the same places.
#[derive(Debug)]
struct Group {
    stand: Stand,
    frames: usize,
    cells: Vec<u32>,
    /// (w x, w z) of every point, and (w z, −w x): two rows a cell. None where nothing is turned.
    floor: Option<DMatrix<f64>>,
    /// w y of every point, a row a cell; all three coordinates where nothing is turned. None where all is on the floor.
    up: Option<DMatrix<f64>>,
    /// Of each cell: Na, and the mean on the floor.
    about: Vec<(f64, [f64; 2])>,
}

impl Factors {
    pub(crate) fn new(cells: &Cells, weights: &[f32], transform: Transform) -> Self {
        let all = &cells.all;
        let of = |&cell: &u32| (all[cell as usize].stand, all[cell as usize].frames);
        let mut order: Vec<u32> = (0..all.len() as u32).collect();
        order.sort_by_key(|cell| (of(cell), *cell));
        let controls = || (0..all.len()).flat_map(|cell| cells.control(cell));
        let (high, about) = match transform {
            Transform::None => (3, controls().copied().sum::<Vec3>() / (controls().count().max(1)) as f32),
            // Where all examples are on the floor, heights of the control are but a sum.
            _ if controls().all(|p| p.y == 0.0) => (0, Vec3::ZERO),
            _ => (1, Vec3::ZERO),
        };
        let groups = order.chunk_by(|a, b| of(a) == of(b));
        let group = |group: &[u32]| Group::new(cells, group, weights, transform, high, about);
        Self { groups: groups.map(group).collect(), transform, high, about }
    }

    /// How all cells that start at some frames lie on a control, blocks of frames in parallel.
    pub(crate) fn fits(&self, problem: &Problem<'_>, starts: Range<usize>) -> Result<Fits> {
        let cells = problem.index.cells.all.len();
        let mut squared_m2 = vec![f64::INFINITY; cells * starts.len()];
        let mut carries = vec![Carry::STILL; cells * starts.len()];
        let size = (BLOCK * cells).max(1);
        let blocks = squared_m2.par_chunks_mut(size).zip(carries.par_chunks_mut(size)).enumerate();
        blocks.try_for_each(|(block, (squared_m2, carries))| {
            let from = starts.start + block * BLOCK;
            self.block(problem, from..starts.end.min(from + BLOCK), squared_m2, carries)
        })?;
        Ok(Fits { starts, cells, squared_m2, carries })
    }

    fn block(
        &self,
        problem: &Problem<'_>,
        starts: Range<usize>,
        squared_m2: &mut [f64],
        carries: &mut [Carry],
    ) -> Result<()> {
        let columns = problem.index.cells.all.len();
        let longest = self.groups.iter().map(|group| group.frames).max().unwrap_or(0);
        let until = (starts.end + longest).min(problem.frames + 1);
        let windows = Windows::of(problem, starts.start, until, self);
        for group in &self.groups {
            // Where cells of this duration end in time, and may stand.
            let Some(last) = problem.frames.checked_sub(group.frames) else { continue };
            let (from, until) = match group.stand {
                Stand::Anywhere => (0, last + 1),
                Stand::First => (0, 1),
                Stand::Last => (last, last + 1),
            };
            let (from, until) = (from.max(starts.start), until.min(starts.end));
            if from >= until {
                continue;
            }
            let rows = from - starts.start..until - starts.start;
            if self.transform == Transform::Rigid {
                for (row, start) in rows.zip(from..until) {
                    for &cell in &group.cells {
                        let measured = problem.measure(cell as usize, start)?;
                        let at = row * columns + cell as usize;
                        (squared_m2[at], carries[at]) = (measured.squared_m2, Carry::of(measured.motion));
                    }
                }
                continue;
            }
            let (floor, up) = windows.products(group, rows.clone());
            for (column, row) in rows.enumerate() {
                let of = |products: &Option<DMatrix<f64>>| -> Range<usize> {
                    let each = products.as_ref().map_or(0, |products| products.nrows());
                    each * column..each * (column + 1)
                };
                let floor = floor.as_ref().map_or(&[][..], |m| &m.as_slice()[of(&floor)]);
                let up = up.as_ref().map_or(&[][..], |m| &m.as_slice()[of(&up)]);
                let into = row * columns..(row + 1) * columns;
                windows.fit(group, row, (floor, up), &mut squared_m2[into.clone()], &mut carries[into]);
            }
        }
        Ok(())
    }
}

impl Group {
    fn new(
        all: &Cells,
        cells: &[u32],
        weights: &[f32],
        transform: Transform,
        high: usize,
        about: Vec3,
    ) -> Self {
        let points = cells.first().map_or(0, |&cell| all.control(cell as usize).len());
        let mut floor = (transform == Transform::Ground).then(|| DMatrix::zeros(2 * cells.len(), 2 * points));
        let mut up = (high > 0).then(|| DMatrix::zeros(cells.len(), high * points));
        let mut about_each = Vec::with_capacity(cells.len());
        for (row, &cell) in cells.iter().enumerate() {
            let a = all.control(cell as usize);
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
                if let Some(up) = &mut up {
                    for (j, value) in heights(p, about, high).enumerate() {
                        norm += w * value * value;
                        up[(row, high * i + j)] = w * value;
                    }
                }
            }
            about_each.push((norm, [mx, mz]));
        }
        let frames = cells.first().map_or(0, |&cell| all.all[cell as usize].frames);
        let stand = cells.first().map_or(Stand::Anywhere, |&cell| all.all[cell as usize].stand);
        Self { stand, frames, cells: cells.to_vec(), floor, up, about: about_each }
    }
}

/// The coordinates that no transform touches: none, the height, or all.
fn heights(p: Vec3, about: Vec3, high: usize) -> impl Iterator<Item = f64> {
    let from = |value: f32, about: f32| f64::from(value) - f64::from(about);
    [from(p.y, about.y), from(p.x, about.x), from(p.z, about.z)].into_iter().take(high)
}

/// A stretch of the control, ready to be multiplied.
struct Windows {
    points: usize,
    high: usize,
    /// What places on the floor are measured from.
    near: [f64; 2],
    floor: Vec<f64>,
    up: Vec<f64>,
    /// Running sums, one more than instants: Σ w x, Σ w z, Σ w (x² + z²), Σ w y².
    sums: Vec<[f64; 4]>,
    weight: f64,
}

impl Windows {
    /// The instants from one to before another.
    fn of(problem: &Problem<'_>, first: usize, until: usize, factors: &Factors) -> Self {
        let weights = problem.mapping.control_weights();
        let points = weights.len();
        let instants = &problem.input[first * points..until * points];
        let near = instants.iter().sum::<Vec3>() / instants.len().max(1) as f32;
        let near = [f64::from(near.x), f64::from(near.z)];
        let (mut floor, mut up) = (Vec::new(), Vec::new());
        let mut sums = vec![[0.0; 4]];
        for instant in instants.chunks_exact(points) {
            let mut sum = sums.last().copied().unwrap_or_default();
            for (p, &w) in instant.iter().zip(weights) {
                let w = f64::from(w);
                let (x, z) = (f64::from(p.x) - near[0], f64::from(p.z) - near[1]);
                if factors.transform == Transform::Ground {
                    floor.extend([x, z]);
                    for (sum, term) in sum.iter_mut().zip([x, z, x * x + z * z]) {
                        *sum += w * term;
                    }
                }
                if factors.high == 0 {
                    sum[3] += w * f64::from(p.y) * f64::from(p.y);
                }
                for value in heights(*p, factors.about, factors.high) {
                    up.push(value);
                    sum[3] += w * value * value;
                }
            }
            sums.push(sum);
        }
        let weight = weights.iter().map(|&w| f64::from(w)).sum::<f64>();
        Self { points, high: factors.high, near, floor, up, sums, weight }
    }

    /// Products of some windows with all cells of a group. A window is a column, which shares all but a frame of its numbers with
    /// the next.
    fn products(&self, group: &Group, windows: Range<usize>) -> (Option<DMatrix<f64>>, Option<DMatrix<f64>>) {
        let multiply = |numbers: &[f64], each: usize, factor: &DMatrix<f64>| {
            let (step, length) = (each * self.points, each * self.points * (group.frames + 1));
            let numbers = &numbers[windows.start * step..];
            let columns: DMatrixView<'_, f64, Dyn, Dyn> =
                DMatrixView::from_slice_with_strides(numbers, length, windows.len(), 1, step);
            let mut into = DMatrix::zeros(factor.nrows(), windows.len());
            into.gemm(1.0, factor, &columns, 0.0);
            into
        };
        let floor = group.floor.as_ref().map(|factor| multiply(&self.floor, 2, factor));
        (floor, group.up.as_ref().map(|factor| multiply(&self.up, self.high, factor)))
    }

    /// The fits of a group's cells at a window, out of their products.
    fn fit(
        &self,
        group: &Group,
        window: usize,
        (floor, up): (&[f64], &[f64]),
        squared_m2: &mut [f64],
        carries: &mut [Carry],
    ) {
        let (from, to) = (self.sums[window], self.sums[window + group.frames + 1]);
        let [sx, sz, on_floor, height]: [f64; 4] = std::array::from_fn(|i| to[i] - from[i]);
        let weight = (self.weight * (group.frames + 1) as f64).max(f64::MIN_POSITIVE);
        let (mx, mz) = (sx / weight, sz / weight);
        let own = on_floor - (sx * mx + sz * mz) + height;
        for (i, (&cell, &(norm, [ax, az]))) in group.cells.iter().zip(&group.about).enumerate() {
            let h = up.get(i).copied().unwrap_or(0.0);
            let (c, s) = match floor.get(2 * i..2 * i + 2) {
                Some(terms) => (terms[0], terms[1]),
                None => (0.0, 0.0),
            };
            let length = (c * c + s * s).sqrt();
            let (cos, sin) = if length > 0.0 { (c / length, s / length) } else { (1.0, 0.0) };
            squared_m2[cell as usize] = (own + norm - 2.0 * (length + h)).max(0.0);
            let (x, z) = if group.floor.is_some() {
                (self.near[0] + mx - (cos * ax + sin * az), self.near[1] + mz - (cos * az - sin * ax))
            } else {
                (0.0, 0.0)
            };
            let (sin, cos, x, z) = (sin as f32, cos as f32, x as f32, z as f32);
            carries[cell as usize] = Carry::Floor { sin, cos, x, z };
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::kit::{any_problem, problem};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn products_say_what_measuring_one_by_one_says(made in any_problem(), from in 0usize..5) {
            let problem = problem(&made);
            let cells = &problem.index.cells;
            let from = from.min(problem.frames - 1);
            let fits = problem.index.factors.fits(&problem, from..problem.frames).unwrap();
            for start in from..problem.frames {
                for (cell, about) in cells.all.iter().enumerate() {
                    let (squared_m2, carry) = fits.of(start, cell);
                    let end = start + about.frames;
                    let stands = match about.stand {
                        Stand::Anywhere => end <= problem.frames,
                        Stand::First => start == 0 && end <= problem.frames,
                        Stand::Last => end == problem.frames,
                    };
                    prop_assert_eq!(stands, squared_m2.is_finite());
                    if !stands {
                        continue;
                    }
                    let measured = problem.measure(cell, start).unwrap();
                    let off = (squared_m2 - measured.squared_m2).abs();
                    prop_assert!(off < 1e-6 * (1.0 + measured.squared_m2), "{off}");
                    let tail = cells.tail(cell);
                    let mut there = Vec::new();
                    measured.motion.carry(tail, &mut there);
                    let doubled: Vec<(Vec3, f32)> = tail.iter().map(|&p| (2.0 * p, 2.0)).collect();
                    let mut here = vec![0.0; 3 * tail.len()];
                    carry.carry(&doubled, &vec![0.0; here.len()], &mut here);
                    for (here, there) in here.chunks_exact(3).zip(&there) {
                        prop_assert!(Vec3::from_slice(here).distance(2.0 * *there) < 1e-4);
                    }
                }
            }
        }
    }
}
