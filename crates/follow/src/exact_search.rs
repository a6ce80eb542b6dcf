//! Fast search for the optimal interpretation.
//!
//! Solves the recurrence of Hsu, Gentry and Popović (2004, equations 6 and 7) to optimality. The result equals that of
//! [`recurrence`](crate::recurrence) without a beam, including the order of ties. The difference is how the minimum is
//! computed:
//!
//! 1. D and M of all cells at all frames are matrix products (`CostFactors`), computed for blocks of frames in parallel.
//! 2. The minimum of Q + k C over all cells that end at a sample is computed once for each cell that starts there (`TailSet`), not
//!    once for each duration. Coordinates are scaled by the square roots of k and of the weights, so that k C is a squared distance.
//! 3. Two sweeps run at the same time, one from each end of the control to its middle. The backward sweep uses the same recurrence
//!    read backwards. The sweeps meet in the cells that cross the middle.
//!
//! The reported score is measured on the chosen cells one by one. Two solutions whose join costs differ by less than single
//! precision may be exchanged for each other.
//!
//! Limits: the time grows with the number of cells times the number of tails that pruning leaves. Memory is 4 bytes for each
//! cell at each frame.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use marey_motion::{Observer, Vec3};

use crate::problem::Problem;
use crate::segment_costs::SegmentCosts;
use crate::tail_pruning::spatial_order;
use crate::tail_search::{BestTail, TailSet};
use crate::{Interpretation, Result};

/// Number of frames whose costs are computed at once.
const BLOCK: usize = 256;
/// Number of samples between two reorderings of the cells. All cell ends move along with the control, so an order stays
/// useful for a while.
const REORDER_INTERVAL: usize = 16;

/// Finds the optimal interpretation.
pub fn solve(problem: &Problem<'_>, observer: Observer<'_>) -> Result<Interpretation> {
    // Run inside the pool: a thread outside it would have to be woken each time that work is shared.
    rayon::scope(|_| search(problem, observer))
}

fn search(problem: &Problem<'_>, observer: Observer<'_>) -> Result<Interpretation> {
    let done = AtomicUsize::new(0);
    let report_progress = || problem.report_progress(observer, done.fetch_add(1, Ordering::Relaxed));
    let origins = origins(problem);
    let middle = problem.frames.div_ceil(2);
    let (forward, backward) = rayon::join(
        || Sweep::new(problem, &origins, Direction::Forward, middle).run(&report_progress),
        || Sweep::new(problem, &origins, Direction::Backward, middle).run(&report_progress),
    );
    let (forward, backward) = (forward?, backward?);
    // On every path through the table, exactly one cell starts before the middle and ends at or after it.
    let after: BTreeMap<(usize, usize), f64> = backward.crossing.iter().copied().collect();
    let whole = |&(crossing, cost): &((usize, usize), f64)| Some((crossing, cost + after.get(&crossing)?));
    // Ties go to the earliest start, then to the lowest cell number.
    let order = |&((cell, start), cost): &((usize, usize), f64)| (cost, start, cell);
    let best = forward.crossing.iter().filter_map(whole).min_by(|a, b| {
        let (a, b) = (order(a), order(b));
        a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2)))
    });
    let Some(((cell, start), _)) = best else { return Err(problem.infeasible()) };
    let mut chosen = forward.trace_links(cell, start);
    chosen.reverse();
    chosen.push((cell, start));
    chosen.extend(backward.trace_links(cell, start));
    Interpretation::from_cells(problem, &chosen)
}

/// The direction of a sweep.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Direction {
    /// From the start of the control: the cost of a cell is its own plus the best cost before it.
    Forward,
    /// From the end of the control: the cost of a cell is its own plus the best cost after it.
    Backward,
}

/// The search from one end of the control to its middle.
struct Sweep<'a> {
    problem: &'a Problem<'a>,
    direction: Direction,
    /// The sample at which the sweeps meet.
    middle: usize,
    /// Number of cells.
    count: usize,
    /// Number of coordinates of a head or tail.
    dims: usize,
    /// The origins from which heads and tails are measured: samples × coordinates.
    origins: &'a [f32],
    /// Far ends at the coming samples, as a ring buffer: tails in the forward sweep, heads in the backward sweep.
    pending: Vec<TailSet>,
    /// For each sample and cell, the neighbouring cell towards the start of the sweep.
    links: Vec<u32>,
    /// Cells that cross the middle, with their start frame and the best cost on this side of the middle.
    crossing: Vec<((usize, usize), f64)>,
    /// The cells, ordered so that cells with nearby ends are close together.
    order: Vec<u32>,
    /// The cells whose near end is at the current sample with their start frames, and the coordinates of those ends.
    active: Vec<(usize, usize)>,
    near_ends: Vec<f32>,
    far_end: Vec<f32>,
}

impl<'a> Sweep<'a> {
    fn new(problem: &'a Problem<'a>, origins: &'a [f32], direction: Direction, middle: usize) -> Self {
        let count = problem.index.cells.all.len();
        let dims = 3 * problem.index.join_weights.len();
        let instants = if direction == Direction::Forward { middle } else { problem.frames + 1 - middle };
        Self {
            problem,
            direction,
            middle,
            count,
            dims,
            origins,
            pending: vec![TailSet::new(dims); problem.index.longest + 1],
            links: vec![u32::MAX; count * instants],
            crossing: Vec::new(),
            order: (0..count as u32).collect(),
            active: Vec::new(),
            near_ends: Vec::new(),
            far_end: vec![0.0; dims],
        }
    }

    /// Sweeps to the middle and reports progress at each sample.
    fn run(mut self, report_progress: &(dyn Fn() -> Result<()> + Sync)) -> Result<Self> {
        let (problem, frames) = (self.problem, self.problem.frames);
        match self.direction {
            Direction::Forward => {
                for first in (0..self.middle).step_by(BLOCK) {
                    let starts = first..self.middle.min(first + BLOCK);
                    let costs = problem.index.factors.segment_costs(problem, starts.clone())?;
                    for instant in starts {
                        report_progress()?;
                        self.step(instant, &costs);
                    }
                }
            }
            Direction::Backward => {
                for last in (self.middle..=frames).rev().step_by(BLOCK) {
                    let first = self.middle.max((last + 1).saturating_sub(BLOCK));
                    let starts = first.saturating_sub(problem.index.longest)..last;
                    let costs = problem.index.factors.segment_costs(problem, starts)?;
                    for instant in (first..=last).rev() {
                        report_progress()?;
                        self.step(instant, &costs);
                    }
                }
            }
        }
        Ok(self)
    }

    /// Processes all cells whose near end is at a sample: finds the best neighbour of each, and adds its cost to the sample
    /// at its far end (equations 6 and 7).
    fn step(&mut self, instant: usize, costs: &SegmentCosts) {
        let (problem, dims, slot) = (self.problem, self.dims, instant % self.pending.len());
        let (index, frames) = (&problem.index, problem.frames);
        let is_first = instant == if self.direction == Direction::Forward { 0 } else { frames };
        let mut arrived = std::mem::replace(&mut self.pending[slot], TailSet::new(dims));
        self.active.clear();
        if is_first || !arrived.is_empty() {
            for cell in self.order.iter().map(|&cell| cell as usize) {
                let start = match self.direction {
                    Direction::Forward => Some(instant),
                    Direction::Backward => instant.checked_sub(index.cells.all[cell].frames),
                };
                self.active
                    .extend(start.filter(|&start| problem.is_legal(cell, start)).map(|start| (cell, start)));
            }
        }
        let best: Vec<BestTail> = if is_first {
            let first = |&(cell, start): &(usize, usize)| match self.direction {
                Direction::Forward => problem.first_cost_at(cell, costs.get(start, cell).1),
                Direction::Backward => 0.0,
            };
            self.active.iter().map(|active| BestTail { cost: first(active), ..BestTail::NONE }).collect()
        } else {
            self.near_ends.resize(self.active.len() * dims, 0.0);
            let origin = &self.origins[instant * dims..][..dims];
            for (&(cell, start), end) in self.active.iter().zip(self.near_ends.chunks_exact_mut(dims)) {
                let joint = &index.ends[cell];
                let near = if self.direction == Direction::Forward { &joint.head } else { &joint.tail };
                costs.get(start, cell).1.apply(near, origin, end);
            }
            if instant.is_multiple_of(REORDER_INTERVAL) {
                self.reorder_cells();
            }
            arrived.find_best(&self.near_ends)
        };
        let row = self.row(instant);
        for (&(cell, start), best) in self.active.iter().zip(best) {
            self.links[row + cell] = best.tail;
            let (squared_m2, transform) = costs.get(start, cell);
            let (joint, end) = (&index.ends[cell], start + index.cells.all[cell].frames);
            let (far, instant, cost) = match self.direction {
                Direction::Forward if end >= self.middle => {
                    self.crossing.push(((cell, start), best.cost + squared_m2));
                    continue;
                }
                Direction::Backward if start < self.middle => {
                    self.crossing.push(((cell, start), best.cost));
                    continue;
                }
                Direction::Forward => (&joint.tail, end, best.cost + squared_m2),
                Direction::Backward => (&joint.head, start, best.cost + squared_m2),
            };
            transform.apply(far, &self.origins[instant * dims..][..dims], &mut self.far_end);
            let slot = instant % self.pending.len();
            self.pending[slot].push(cost, cell as u32, &self.far_end);
        }
        arrived.clear();
        self.pending[slot] = arrived;
    }

    /// Reorders the cells so that nearby ends are close together, which makes pruning effective.
    fn reorder_cells(&mut self) {
        let cells: Vec<u32> = self.active.iter().map(|&(cell, _)| cell as u32).collect();
        let mut is_here = vec![false; self.count];
        cells.iter().for_each(|&cell| is_here[cell as usize] = true);
        let others = (0..self.count as u32).filter(|&cell| !is_here[cell as usize]);
        let mut order = spatial_order(&self.near_ends, self.dims, &cells);
        order.extend(others);
        self.order = order;
    }

    /// Offset of a sample's row in `links`.
    fn row(&self, instant: usize) -> usize {
        self.count * if self.direction == Direction::Forward { instant } else { instant - self.middle }
    }

    /// Follows the links from a cell that crosses the middle; returns the cells and their start frames.
    fn trace_links(&self, mut cell: usize, mut start: usize) -> Vec<(usize, usize)> {
        let frames = |cell: usize| self.problem.index.cells.all[cell].frames;
        let mut found = Vec::new();
        match self.direction {
            Direction::Forward => {
                while start > 0 {
                    cell = self.links[self.row(start) + cell] as usize;
                    start -= frames(cell);
                    found.push((cell, start));
                }
            }
            Direction::Backward => {
                while start + frames(cell) < self.problem.frames {
                    start += frames(cell);
                    cell = self.links[self.row(start) + cell] as usize;
                    found.push((cell, start));
                }
            }
        }
        found
    }
}

/// For each frame, a point near all heads and tails: the centre of the control at the mean height of the heads.
fn origins(problem: &Problem<'_>) -> Vec<f32> {
    let joints = &problem.index.ends;
    let points = problem.mapping.control_weights().len();
    let typical = |point: usize| {
        let heights = joints.iter().map(|joint| joint.head[point].0.y);
        (joints.first().map_or(0.0, |joint| joint.head[point].1), heights.sum::<f32>() / joints.len() as f32)
    };
    let typical: Vec<(f32, f32)> = (0..problem.index.join_weights.len()).map(typical).collect();
    let at = |control: &[Vec3]| {
        let centre = control.iter().sum::<Vec3>() / points as f32;
        typical.iter().flat_map(move |&(scale, height)| [scale * centre.x, height, scale * centre.z])
    };
    problem.input.chunks_exact(points).flat_map(at).collect()
}

#[cfg(test)]
mod tests {
    use marey_motion::Coded;
    use proptest::prelude::*;

    use super::*;
    use crate::recurrence;
    use crate::test_problems::{any_problem, problem};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        #[test]
        fn equals_the_recurrence(case in any_problem()) {
            let problem = problem(&case);
                        match (solve(&problem, Observer::ignore()), recurrence::solve(&problem, Observer::ignore())) {
                // Single precision may confuse two solutions whose joins cost almost the same.
                (Ok(fast), Ok(slow)) if fast != slow => {
                    prop_assert!((fast.score - slow.score).abs() < 1e-6 * (1.0 + slow.score), "{fast:?} {slow:?}")
                }
                (Ok(_), Ok(_)) => {}
                (Err(fast), Err(slow)) => prop_assert_eq!(fast.code().id, slow.code().id),
                (fast, slow) => prop_assert!(false, "{fast:?} but {slow:?}"),
            }
        }
    }
}
