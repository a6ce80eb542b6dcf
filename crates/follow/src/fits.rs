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

use marey_motion::Vec3;
use nalgebra::{DMatrix, DMatrixView, Dyn};

use crate::cells::{Cells, Stand};
use crate::problem::{Measured, Problem};
use crate::{Motion, Result, Transform};

/// How a cell lies on the control: D, and M in numbers that points are quickly carried by.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Fit {
    /// The cell would end too late.
    Nowhere,
    /// Over the floor: sine and cosine of the turn, then the shift.
    Floor { squared_m2: f64, sin: f32, cos: f32, x: f32, z: f32 },
    /// Anyhow.
    Any(Measured),
}

impl Fit {
    /// A cell that is measured by itself.
    pub(crate) fn of(measured: Measured) -> Self {
        match measured.motion {
            Motion::Ground(ground) => {
                let (sin, cos) = ground.yaw_rad.sin_cos();
                let (x, z) = (ground.x, ground.z);
                Self::Floor { squared_m2: measured.squared_m2, sin, cos, x, z }
            }
            Motion::Rigid { .. } => Self::Any(measured),
        }
    }

    /// D.
    pub(crate) fn squared_m2(&self) -> f64 {
        match self {
            Fit::Nowhere => f64::INFINITY,
            Fit::Floor { squared_m2, .. } => *squared_m2,
            Fit::Any(measured) => measured.squared_m2,
        }
    }

    /// Carries points that are stretched about the origin, each by its own factor; then turns them all.
    pub(crate) fn carry(&self, points: &[(Vec3, f32)], turn: Turn, into: &mut [f32]) {
        for (&(p, scale), into) in points.iter().zip(into.chunks_exact_mut(3)) {
            let p = match *self {
                Fit::Nowhere => p,
                Fit::Floor { sin, cos, x, z, .. } => {
                    Vec3::new(cos * p.x + sin * p.z + scale * x, p.y, cos * p.z - sin * p.x + scale * z)
                }
                Fit::Any(Measured { motion: Motion::Rigid { turn, shift }, .. }) => turn * p + scale * shift,
                Fit::Any(Measured { motion: Motion::Ground(ground), .. }) => {
                    ground.direction(p) + scale * ground.translation()
                }
            };
            let Turn { sin, cos } = turn;
            into.copy_from_slice(&[cos * p.x + sin * p.z, p.y, cos * p.z - sin * p.x]);
        }
    }
}

/// A turn about the vertical.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Turn {
    pub(crate) sin: f32,
    pub(crate) cos: f32,
}

impl Turn {
    pub(crate) const NONE: Self = Self { sin: 0.0, cos: 1.0 };
}

/// All cells that may stand anywhere, by duration, as factors of matrix products.
#[derive(Debug)]
pub(crate) struct Fits {
    groups: Vec<Group>,
    transform: Transform,
    /// How many numbers of a point are as heights are.
    high: usize,
    /// What those are measured from.
    about: Vec3,
}

/// The cells of one duration.
#[derive(Debug)]
struct Group {
    frames: usize,
    cells: Vec<u32>,
    /// (w x, w z) of every point, and (w z, −w x): two rows a cell. None where nothing is turned.
    floor: Option<DMatrix<f64>>,
    /// w y of every point, a row a cell; all three coordinates where nothing is turned. None where all is on the floor.
    up: Option<DMatrix<f64>>,
    /// Of each cell: Na, and the mean on the floor.
    about: Vec<(f64, [f64; 2])>,
}

impl Fits {
    pub(crate) fn new(problem: &Problem<'_>) -> Self {
        let all = &problem.cells.all;
        let mut cells: Vec<u32> =
            (0..all.len() as u32).filter(|&c| all[c as usize].stand == Stand::Anywhere).collect();
        cells.sort_by_key(|&cell| (all[cell as usize].frames, cell));
        let about = problem.input.iter().sum::<Vec3>() / problem.input.len().max(1) as f32;
        let flat = |points: &[Vec3]| points.iter().all(|p| p.y == 0.0);
        let is_flat = || flat(&problem.input) && (0..all.len()).all(|cell| flat(problem.cells.control(cell)));
        let transform = problem.settings.transform;
        let (high, about) = match transform {
            Transform::None => (3, about),
            _ if is_flat() => (0, Vec3::ZERO),
            _ => (1, about),
        };
        let groups = cells.chunk_by(|&a, &b| all[a as usize].frames == all[b as usize].frames);
        let weights = problem.mapping.control_weights();
        let group = |cells: &[u32]| Group::new(&problem.cells, cells, weights, transform, high, about);
        Self { groups: groups.map(group).collect(), transform, high, about }
    }

    /// The fits of all cells that start at some frames: frames × cells, those that may not stand anywhere left out.
    pub(crate) fn block(&self, problem: &Problem<'_>, starts: std::ops::Range<usize>) -> Result<Vec<Fit>> {
        let columns = problem.cells.all.len();
        let mut fits = vec![Fit::Nowhere; columns * starts.len()];
        let longest = self.groups.last().map_or(0, |group| group.frames);
        let until = (starts.end + longest).min(problem.frames + 1);
        let windows = Windows::of(problem, starts.start, until, self);
        for group in &self.groups {
            let count = starts.len().min((problem.frames + 1).saturating_sub(group.frames + starts.start));
            if self.transform == Transform::Rigid {
                for (row, start) in starts.clone().take(count).enumerate() {
                    for &cell in &group.cells {
                        let measured = problem.measure(cell as usize, start)?;
                        fits[row * columns + cell as usize] = Fit::of(measured);
                    }
                }
            } else if count > 0 {
                let (floor, up) = windows.products(group, count);
                for row in 0..count {
                    let column = |m: &Option<DMatrix<f64>>| -> Vec<f64> {
                        m.as_ref().map_or(Vec::new(), |m| m.column(row).iter().copied().collect())
                    };
                    let into = &mut fits[row * columns..][..columns];
                    windows.fit(group, row, &column(&floor), &column(&up), into);
                }
            }
        }
        Ok(fits)
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
        Self { frames, cells: cells.to_vec(), floor, up, about: about_each }
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
    fn of(problem: &Problem<'_>, first: usize, until: usize, fits: &Fits) -> Self {
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
                if fits.transform == Transform::Ground {
                    floor.extend([x, z]);
                    for (sum, term) in sum.iter_mut().zip([x, z, x * x + z * z]) {
                        *sum += w * term;
                    }
                }
                for value in heights(*p, fits.about, fits.high) {
                    up.push(value);
                    sum[3] += w * value * value;
                }
            }
            sums.push(sum);
        }
        let weight = weights.iter().map(|&w| f64::from(w)).sum::<f64>();
        Self { points, high: fits.high, near, floor, up, sums, weight }
    }

    /// Products of the first windows with all cells of a duration. A window is a column, which shares all but a frame of its
    /// numbers with the next.
    fn products(&self, group: &Group, windows: usize) -> (Option<DMatrix<f64>>, Option<DMatrix<f64>>) {
        let multiply = |numbers: &[f64], each: usize, factor: &DMatrix<f64>| {
            let (step, length) = (each * self.points, each * self.points * (group.frames + 1));
            let columns: DMatrixView<'_, f64, Dyn, Dyn> =
                DMatrixView::from_slice_with_strides(numbers, length, windows, 1, step);
            let mut into = DMatrix::zeros(factor.nrows(), windows);
            into.gemm(1.0, factor, &columns, 0.0);
            into
        };
        let floor = group.floor.as_ref().map(|factor| multiply(&self.floor, 2, factor));
        (floor, group.up.as_ref().map(|factor| multiply(&self.up, self.high, factor)))
    }

    /// The fits of a group's cells at a window, out of their products.
    fn fit(&self, group: &Group, window: usize, floor: &[f64], up: &[f64], into: &mut [Fit]) {
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
            let squared_m2 = (own + norm - 2.0 * (length + h)).max(0.0);
            let (x, z) = if group.floor.is_some() {
                (self.near[0] + mx - (cos * ax + sin * az), self.near[1] + mz - (cos * az - sin * ax))
            } else {
                (0.0, 0.0)
            };
            let (sin, cos, x, z) = (sin as f32, cos as f32, x as f32, z as f32);
            into[cell as usize] = Fit::Floor { squared_m2, sin, cos, x, z };
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
            let fits = Fits::new(&problem);
            let from = from.min(problem.frames - 1);
            let block = fits.block(&problem, from..problem.frames).unwrap();
            for (row, start) in (from..problem.frames).enumerate() {
                for (cell, about) in problem.cells.all.iter().enumerate() {
                    let fit = block[row * problem.cells.all.len() + cell];
                    if about.stand != Stand::Anywhere || start + about.frames > problem.frames {
                        prop_assert!(matches!(fit, Fit::Nowhere));
                        continue;
                    }
                    let measured = problem.measure(cell, start).unwrap();
                    let off = (fit.squared_m2() - measured.squared_m2).abs();
                    prop_assert!(off < 1e-6 * (1.0 + measured.squared_m2), "{off}");
                    let tail = problem.cells.tail(cell);
                    let mut there = Vec::new();
                    measured.motion.carry(tail, &mut there);
                    let doubled: Vec<(Vec3, f32)> = tail.iter().map(|&p| (2.0 * p, 2.0)).collect();
                    let mut here = vec![0.0; 3 * tail.len()];
                    fit.carry(&doubled, Turn::NONE, &mut here);
                    for (here, there) in here.chunks_exact(3).zip(&there) {
                        prop_assert!(Vec3::from_slice(here).distance(2.0 * *there) < 1e-4);
                    }
                }
            }
        }
    }
}
