//! Lower bounds of D for all cells at all frames, as matrix products over sliding windows.
//!
//! With a taken about its weighted mean on the floor, and x as it is,
//!
//! ```text
//! D = Nx + Na − 2 (|C| + H)
//! Nx = Σ w |x|² − |Σ w x|² / Σ w + Σ w y²      sums over a window: differences of running sums
//! Na = Σ w |a|² + Σ w b²                        one number a cell
//! C  = Σ w (x·a) + i Σ w (x × a)                inner products of windows with cells
//! H  = Σ w y b
//! ```
//!
//! where x, a are places on the floor and y, b heights. Windows that overlap are rows of one matrix without being copied: each
//! starts one frame after the row before. So all cells of a duration at all frames are two matrix products, done in blocks
//! that stay in the cache, in single precision, about a place near the block. Without a transform all three
//! coordinates are as heights are here. Full rigid motions have no such form and are measured one by one.
//!
//! What single precision may lose at the most is taken off (Higham, *Accuracy and Stability of Numerical Algorithms*, 2002, section
//! 3.1: an inner product of n terms is off by no more than n u/(1 − n u) times that of the magnitudes). So these are bounds, and
//! what is found with them is exact.

use marey_motion::Vec3;
use nalgebra::{DMatrix, DMatrixView, Dyn};
use rayon::prelude::*;

use crate::cells::Stand;
use crate::problem::Problem;
use crate::{Result, Transform};

/// How many windows are done at once.
const WINDOWS: usize = 32;

/// Half the distance of 1 from the next number of single precision.
const UNIT: f64 = 1.0 / (1u64 << 24) as f64;

/// Lower bounds of D.
#[derive(Debug)]
pub(crate) struct Bounds {
    /// Which cell each column is, grouped by duration.
    pub(crate) cells: Vec<u32>,
    /// The durations, ascending, and the first column of each.
    pub(crate) groups: Vec<(usize, usize)>,
    /// Frames × columns; infinite where a cell would end too late.
    least: Vec<f32>,
}

impl Bounds {
    /// Bounds of all cells that may stand anywhere.
    pub(crate) fn of(problem: &Problem<'_>) -> Result<Self> {
        let all = &problem.cells.all;
        let mut cells: Vec<u32> =
            (0..all.len() as u32).filter(|&c| all[c as usize].stand == Stand::Anywhere).collect();
        cells.sort_by_key(|&cell| (all[cell as usize].frames, cell));
        let mut groups: Vec<(usize, usize)> = Vec::new();
        for (column, &cell) in cells.iter().enumerate() {
            let frames = all[cell as usize].frames;
            if groups.last().is_none_or(|&(last, _)| last != frames) {
                groups.push((frames, column));
            }
        }
        let mut least = vec![f32::INFINITY; cells.len() * problem.frames];
        if !cells.is_empty() {
            let bounds = Self { cells, groups, least: Vec::new() };
            bounds.fill(problem, &mut least)?;
            return Ok(Self { least, ..bounds });
        }
        Ok(Self { cells, groups, least })
    }

    /// The bounds at a frame of the cells of a group, by its number in `groups`.
    pub(crate) fn row(&self, frame: usize, group: usize) -> &[f32] {
        let columns = self.columns(group);
        &self.least[frame * self.cells.len()..][..self.cells.len()][columns]
    }

    /// The columns of a group.
    pub(crate) fn columns(&self, group: usize) -> std::ops::Range<usize> {
        self.groups[group].1..self.groups.get(group + 1).map_or(self.cells.len(), |next| next.1)
    }

    fn fill(&self, problem: &Problem<'_>, least: &mut [f32]) -> Result<()> {
        let factors: Vec<Factor> = match problem.settings.transform {
            Transform::Rigid => Vec::new(),
            _ => (0..self.groups.len())
                .map(|group| Factor::of(problem, &self.cells[self.columns(group)]))
                .collect(),
        };
        let blocks = least.par_chunks_mut(WINDOWS * self.cells.len()).enumerate();
        blocks.try_for_each(|(block, least)| {
            if problem.settings.transform == Transform::Rigid {
                self.fill_one_by_one(problem, block * WINDOWS, least)
            } else {
                self.fill_block(problem, &factors, block * WINDOWS, least);
                Ok(())
            }
        })
    }

    /// Measures every cell. The numbers are rounded down.
    fn fill_one_by_one(&self, problem: &Problem<'_>, first: usize, least: &mut [f32]) -> Result<()> {
        for (frame, row) in (first..).zip(least.chunks_exact_mut(self.cells.len())) {
            for (&cell, least) in self.cells.iter().zip(row) {
                if frame + problem.cells.all[cell as usize].frames <= problem.frames {
                    *least = rounded_down(problem.measure(cell as usize, frame)?.squared_m2);
                }
            }
        }
        Ok(())
    }

    fn fill_block(&self, problem: &Problem<'_>, factors: &[Factor], first: usize, least: &mut [f32]) {
        let columns = self.cells.len();
        let rows = least.len() / columns;
        let longest = self.groups.last().map_or(0, |&(frames, _)| frames);
        let until = (first + rows + longest).min(problem.frames + 1);
        let windows = Windows::of(problem, first, until);
        for (group, (&(frames, _), factor)) in self.groups.iter().zip(factors).enumerate() {
            let fit = rows.min((problem.frames + 1).saturating_sub(frames).saturating_sub(first));
            if fit == 0 {
                continue;
            }
            let products = windows.products(factor, frames, fit);
            for row in 0..fit {
                let into = &mut least[row * columns..][..columns][self.columns(group)];
                factor.bounds(windows.norms(row, frames), &products, row, into);
            }
        }
    }
}

/// The largest number of single precision that is not above.
fn rounded_down(value: f64) -> f32 {
    let near = value as f32;
    if f64::from(near) > value { near.next_down() } else { near }.max(0.0)
}

/// The cells of a duration as a factor of matrix products.
struct Factor {
    /// (w x, w z) of every point, and (w z, −w x): two rows a cell. None where nothing is turned.
    floor: Option<DMatrix<f32>>,
    /// w y of every point, a row a cell; all three coordinates where nothing is turned. None where all is on the floor.
    up: Option<DMatrix<f32>>,
    /// Σ w |a|² on the floor, and that of what is as heights are.
    norms: Vec<(f64, f64)>,
}

/// The same of a window: about its mean on the floor, about the block's place on the floor, and of heights.
#[derive(Clone, Copy)]
struct Norms {
    centred: f64,
    floor: f64,
    up: f64,
}

impl Factor {
    fn of(problem: &Problem<'_>, cells: &[u32]) -> Self {
        let weights = problem.mapping.control_weights();
        let is_turned = problem.settings.transform != Transform::None;
        let about = problem.reference();
        let points = problem.cells.control(cells[0] as usize).len();
        let mut floor = is_turned.then(|| DMatrix::zeros(2 * cells.len(), 2 * points));
        let high = problem.height_numbers();
        let mut up = (high > 0).then(|| DMatrix::zeros(cells.len(), high * points));
        let mut norms = Vec::with_capacity(cells.len());
        for (row, &cell) in cells.iter().enumerate() {
            let a = problem.cells.control(cell as usize);
            let weighted = || a.iter().zip(weights.iter().cycle()).map(|(p, &w)| (*p, f64::from(w)));
            let sum = weighted().map(|(_, w)| w).sum::<f64>().max(f64::MIN_POSITIVE);
            let mean = |value: fn(&Vec3) -> f32| {
                weighted().map(|(p, w)| w * f64::from(value(&p))).sum::<f64>() / sum
            };
            let (mx, mz) = (mean(|p| p.x), mean(|p| p.z));
            let (mut on_floor, mut in_height) = (0.0, 0.0);
            for (i, (p, w)) in weighted().enumerate() {
                if let Some(floor) = &mut floor {
                    let (x, z) = (f64::from(p.x) - mx, f64::from(p.z) - mz);
                    on_floor += w * (x * x + z * z);
                    for (column, along, round) in [(2 * i, x, z), (2 * i + 1, z, -x)] {
                        floor[(2 * row, column)] = (w * along) as f32;
                        floor[(2 * row + 1, column)] = (w * round) as f32;
                    }
                }
                if let Some(up) = &mut up {
                    for (j, value) in high_of(p, about, is_turned).into_iter().take(high).enumerate() {
                        in_height += w * value * value;
                        up[(row, high * i + j)] = (w * value) as f32;
                    }
                }
            }
            norms.push((on_floor, in_height));
        }
        Self { floor, up, norms }
    }

    /// Bounds of all cells at a window: D, less as much as single precision may lose.
    fn bounds(&self, window: Norms, products: &Products, row: usize, into: &mut [f32]) {
        let terms = |factor: &Option<DMatrix<f32>>| {
            factor.as_ref().map_or(0.0, |factor| 2.1 * UNIT * (factor.ncols() + 4) as f64)
        };
        // Along and round each lose as much, hence the root of two, and a little more.
        let lost_floor = 1.5 * terms(&self.floor) * window.floor.sqrt();
        let lost_up = terms(&self.up) * window.up.sqrt();
        let own = window.centred + window.up;
        let turned = products.floor.as_ref().map(|m| &m.as_slice()[row * m.nrows()..][..m.nrows()]);
        let heights = products.up.as_ref().map(|m| &m.as_slice()[row * m.nrows()..][..m.nrows()]);
        for (cell, (into, &(floor, up))) in into.iter_mut().zip(&self.norms).enumerate() {
            let turned = turned.map_or(0.0, |terms| {
                let (along, round) = (f64::from(terms[2 * cell]), f64::from(terms[2 * cell + 1]));
                (along * along + round * round).sqrt()
            });
            let height = heights.map_or(0.0, |terms| f64::from(terms[cell]));
            let both = own + floor + up;
            let lost = lost_floor * floor.sqrt() + lost_up * up.sqrt() + 1e-9 * (both + window.floor);
            *into = rounded_down(both - 2.0 * (turned + height) - lost);
        }
    }
}

/// The coordinates that no transform touches: heights, or all.
fn high_of(p: Vec3, about: Vec3, is_turned: bool) -> [f64; 3] {
    let from = |value: f32, about: f32| f64::from(value) - f64::from(about);
    let y = from(p.y, about.y);
    if is_turned { [y, 0.0, 0.0] } else { [from(p.x, about.x), y, from(p.z, about.z)] }
}

impl Problem<'_> {
    /// A place near the control.
    fn reference(&self) -> Vec3 {
        self.input.iter().sum::<Vec3>() / self.input.len().max(1) as f32
    }

    /// How many numbers of a point are as heights are; none where all points are on the floor.
    fn height_numbers(&self) -> usize {
        let flat = |points: &[Vec3]| points.iter().all(|p| p.y == 0.0);
        match self.settings.transform {
            Transform::None => 3,
            _ if flat(&self.input) && (0..self.cells()).all(|cell| flat(self.cells.control(cell))) => 0,
            _ => 1,
        }
    }
}

/// A stretch of the control, ready to be multiplied.
struct Windows {
    points: usize,
    high: usize,
    floor: Vec<f32>,
    up: Vec<f32>,
    /// Running sums, one more than instants: Σ w x, Σ w z, Σ w (x² + z²), Σ w y².
    sums: Vec<[f64; 4]>,
    weight: f64,
}

impl Windows {
    /// The instants from one to before another.
    fn of(problem: &Problem<'_>, first: usize, until: usize) -> Self {
        let weights = problem.mapping.control_weights();
        let points = weights.len();
        let instants = &problem.input[first * points..until * points];
        let is_turned = problem.settings.transform != Transform::None;
        let (about, high) = (problem.reference(), problem.height_numbers());
        let near = instants.iter().sum::<Vec3>() / instants.len().max(1) as f32;
        let (mut floor, mut up) = (Vec::new(), Vec::new());
        let mut sums = vec![[0.0; 4]];
        for instant in instants.chunks_exact(points) {
            let mut sum = sums.last().copied().unwrap_or_default();
            for (p, &w) in instant.iter().zip(weights) {
                let w = f64::from(w);
                let (x, z) = (f64::from(p.x) - f64::from(near.x), f64::from(p.z) - f64::from(near.z));
                if is_turned {
                    floor.extend([x as f32, z as f32]);
                    for (sum, term) in sum.iter_mut().zip([x, z, x * x + z * z]) {
                        *sum += w * term;
                    }
                }
                for value in high_of(*p, about, is_turned).into_iter().take(high) {
                    up.push(value as f32);
                    sum[3] += w * value * value;
                }
            }
            sums.push(sum);
        }
        let weight = weights.iter().map(|&w| f64::from(w)).sum::<f64>();
        Self { points, high, floor, up, sums, weight }
    }

    /// What N needs of the window that starts so many instants after the first.
    fn norms(&self, row: usize, frames: usize) -> Norms {
        let (from, to) = (self.sums[row], self.sums[row + frames + 1]);
        let [x, z, floor, up]: [f64; 4] = std::array::from_fn(|i| to[i] - from[i]);
        let weight = (self.weight * (frames + 1) as f64).max(f64::MIN_POSITIVE);
        let centred = (floor - (x * x + z * z) / weight).max(0.0);
        Norms { centred, floor: floor.max(0.0), up: up.max(0.0) }
    }

    /// Products of the first windows with all cells of a duration. A window is a column, which shares all but a frame of its
    /// numbers with the next.
    fn products(&self, factor: &Factor, frames: usize, windows: usize) -> Products {
        let multiply = |numbers: &[f32], each: usize, factor: &DMatrix<f32>| {
            let (step, length) = (each * self.points, each * self.points * (frames + 1));
            let columns: DMatrixView<'_, f32, Dyn, Dyn> =
                DMatrixView::from_slice_with_strides(numbers, length, windows, 1, step);
            let mut into = DMatrix::zeros(factor.nrows(), windows);
            into.gemm(1.0, factor, &columns, 0.0);
            into
        };
        Products {
            floor: factor.floor.as_ref().map(|factor| multiply(&self.floor, 2, factor)),
            up: factor.up.as_ref().map(|factor| multiply(&self.up, self.high, factor)),
        }
    }
}

/// Inner products of cells (rows) with windows (columns): two on the floor, one of heights.
struct Products {
    floor: Option<DMatrix<f32>>,
    up: Option<DMatrix<f32>>,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::kit::{any_problem, problem};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn bounds_are_never_above_and_near(made in any_problem()) {
            let problem = problem(&made);
            let bounds = Bounds::of(&problem).unwrap();
            for (group, &(frames, _)) in bounds.groups.iter().enumerate() {
                for start in 0..problem.frames.saturating_sub(frames) + 1 {
                    for (&cell, &bound) in bounds.cells[bounds.columns(group)].iter().zip(bounds.row(start, group)) {
                        let d = problem.measure(cell as usize, start).unwrap().squared_m2;
                        prop_assert!(f64::from(bound) <= d, "{bound} above {d}");
                        prop_assert!(d - f64::from(bound) < 1e-2, "{bound} far from {d}");
                    }
                }
            }
        }
    }
}
