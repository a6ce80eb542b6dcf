//! Fast search for the optimal interpretation.
//!
//! Solves the recurrence of Hsu, Gentry and Popović (2004, equations 6 and 7) to optimality. The result equals that of
//! [`recurrence`](crate::recurrence) without a beam, including the order of ties. The difference is how the minimum is
//! computed:
//!
//! 1. D and M of all cells at all frames are matrix products (`CostFactors`), computed for blocks of frames in parallel. In a
//!    large mapping only the cheapest are compared (`Candidates`).
//! 2. The minimum of Q + k C over all cells that end at a sample is computed once for each cell that starts there (`TailSet`), not
//!    once for each duration. Coordinates are scaled by the square roots of k and of the weights, so that k C is a squared distance.
//! 3. Two sweeps run at the same time, one from each end of the control to its middle. The backward sweep uses the same recurrence
//!    read backwards. The sweeps meet in the cells that cross the middle.
//!
//! The reported score is measured on the chosen cells one by one. Two solutions whose join costs differ by less than single
//! precision may be exchanged for each other.
//!
//! Limits: the time grows with the number of candidates times the number of tails that pruning leaves. Memory is 8 bytes for
//! each candidate at each frame.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use marey_motion::{Observer, Vec3};

use crate::candidates::{Candidates, LeftOutBound};
use crate::problem::Problem;
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
    let (mut forward, mut backward) = (forward?, backward?);
    forward.left_out.absorb(std::mem::take(&mut backward.left_out));
    let least_cost = forward.left_out.least_cost(problem.frames);
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
    Interpretation::from_cells(problem, &chosen, least_cost)
}

/// The direction of a sweep.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Direction {
    /// From the start of the control: the cost of a cell is its own plus the best cost before it.
    Forward,
    /// From the end of the control: the cost of a cell is its own plus the best cost after it.
    Backward,
}

/// A candidate at the current sample: its cell, its start frame, and its number among the candidates there.
#[derive(Debug, Clone, Copy)]
struct ActiveCell {
    cell: usize,
    start: usize,
    candidate: usize,
}

/// The search from one end of the control to its middle.
struct Sweep<'a> {
    problem: &'a Problem<'a>,
    direction: Direction,
    /// The sample at which the sweeps meet.
    middle: usize,
    /// Number of coordinates of a head or tail.
    dims: usize,
    /// The origins from which heads and tails are measured: samples × coordinates.
    origins: &'a [f32],
    /// Far ends at the coming samples, as a ring buffer: tails in the forward sweep, heads in the backward sweep.
    pending: Vec<TailSet>,
    /// For each sample, each candidate by ascending cell number with its neighbouring cell towards the start of the sweep.
    links: Vec<Vec<(u32, u32)>>,
    /// What the cells that were left out would cost.
    left_out: LeftOutBound,
    /// Cells that cross the middle, with their start frame and the best cost on this side of the middle.
    crossing: Vec<((usize, usize), f64)>,
    /// The rank of each cell in an order in which cells with nearby ends are close together.
    ranks: Vec<u32>,
    /// The candidates whose near end is at the current sample, and the coordinates of those ends.
    active: Vec<ActiveCell>,
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
            dims,
            origins,
            pending: vec![TailSet::new(dims); problem.index.longest + 1],
            links: vec![Vec::new(); instants],
            left_out: LeftOutBound::default(),
            crossing: Vec::new(),
            ranks: (0..count as u32).collect(),
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
                    let candidates = Candidates::of(problem, starts.clone())?;
                    self.left_out.record(&candidates);
                    for instant in starts {
                        report_progress()?;
                        self.step(instant, &candidates);
                    }
                }
            }
            Direction::Backward => {
                for last in (self.middle..=frames).rev().step_by(BLOCK) {
                    let first = self.middle.max((last + 1).saturating_sub(BLOCK));
                    let starts = first.saturating_sub(problem.index.longest)..last;
                    let candidates = Candidates::of(problem, starts)?;
                    self.left_out.record(&candidates);
                    for instant in (first..=last).rev() {
                        report_progress()?;
                        self.step(instant, &candidates);
                    }
                }
            }
        }
        Ok(self)
    }

    /// Processes all candidates whose near end is at a sample: finds the best neighbour of each, and adds its cost to the
    /// sample at its far end (equations 6 and 7).
    fn step(&mut self, instant: usize, candidates: &Candidates) {
        let (problem, dims, slot) = (self.problem, self.dims, instant % self.pending.len());
        let (index, frames) = (&problem.index, problem.frames);
        let is_first = instant == if self.direction == Direction::Forward { 0 } else { frames };
        let mut arrived = std::mem::replace(&mut self.pending[slot], TailSet::new(dims));
        self.active.clear();
        if is_first || !arrived.is_empty() {
            self.activate(instant, candidates);
        }
        let fit = |active: &ActiveCell| candidates.at(active.start).get(active.candidate);
        let best: Vec<BestTail> = if is_first {
            let first = |active: &ActiveCell| match self.direction {
                Direction::Forward => problem.first_cost_at(active.cell, fit(active).1),
                Direction::Backward => 0.0,
            };
            self.active.iter().map(|active| BestTail { cost: first(active), ..BestTail::NONE }).collect()
        } else {
            self.near_ends.resize(self.active.len() * dims, 0.0);
            let origin = &self.origins[instant * dims..][..dims];
            for (active, end) in self.active.iter().zip(self.near_ends.chunks_exact_mut(dims)) {
                let near = match self.direction {
                    Direction::Forward => index.cells.head(active.cell),
                    Direction::Backward => index.cells.tail(active.cell),
                };
                fit(active).1.apply(near, &index.join_scales, origin, end);
            }
            if instant.is_multiple_of(REORDER_INTERVAL) {
                self.reorder_cells();
            }
            arrived.find_best(&self.near_ends)
        };
        let mut links: Vec<(u32, u32)> = Vec::with_capacity(best.len());
        for (active, best) in self.active.iter().zip(best) {
            let ActiveCell { cell, start, .. } = *active;
            links.push((cell as u32, best.tail));
            let (cost, transform) = fit(active);
            let end = start + index.cells.all[cell].frames;
            let (far, instant, cost) = match self.direction {
                Direction::Forward if end >= self.middle => {
                    self.crossing.push(((cell, start), best.cost + cost));
                    continue;
                }
                Direction::Backward if start < self.middle => {
                    self.crossing.push(((cell, start), best.cost));
                    continue;
                }
                Direction::Forward => (index.cells.tail(cell), end, best.cost + cost),
                Direction::Backward => (index.cells.head(cell), start, best.cost + cost),
            };
            let origin = &self.origins[instant * dims..][..dims];
            transform.apply(far, &index.join_scales, origin, &mut self.far_end);
            let slot = instant % self.pending.len();
            self.pending[slot].push(cost, cell as u32, &self.far_end);
        }
        links.sort_unstable();
        let row = self.row(instant);
        self.links[row] = links;
        arrived.clear();
        self.pending[slot] = arrived;
    }

    /// Lists the candidates whose near end is at a sample, in the order of their ranks.
    fn activate(&mut self, instant: usize, candidates: &Candidates) {
        let cells = &self.problem.index.cells.all;
        let all = |start: usize| candidates.at(start).cells.iter().map(|&cell| cell as usize).enumerate();
        match self.direction {
            Direction::Forward => self.active.extend(all(instant).map(|(candidate, cell)| ActiveCell {
                cell,
                start: instant,
                candidate,
            })),
            Direction::Backward => {
                let starts = candidates.starts();
                for start in starts.start.max(instant.saturating_sub(self.problem.index.longest))..instant {
                    let ends_here = all(start).filter(|&(_, cell)| start + cells[cell].frames == instant);
                    self.active.extend(ends_here.map(|(candidate, cell)| ActiveCell {
                        cell,
                        start,
                        candidate,
                    }));
                }
            }
        }
        self.active.sort_unstable_by_key(|active| self.ranks[active.cell]);
    }

    /// Ranks the cells anew, so that nearby ends are close together, which makes pruning effective.
    fn reorder_cells(&mut self) {
        let cells: Vec<u32> = self.active.iter().map(|active| active.cell as u32).collect();
        // All other cells come after these, in the order of their numbers.
        let count = self.ranks.len() as u32;
        self.ranks.iter_mut().zip(count..).for_each(|(rank, after)| *rank = after);
        for (rank, cell) in spatial_order(&self.near_ends, self.dims, &cells).into_iter().enumerate() {
            self.ranks[cell as usize] = rank as u32;
        }
    }

    /// Number of a sample's row in `links`.
    fn row(&self, instant: usize) -> usize {
        if self.direction == Direction::Forward { instant } else { instant - self.middle }
    }

    /// The neighbour of a candidate whose near end is at a sample.
    fn link(&self, instant: usize, cell: usize) -> Option<usize> {
        let row = self.links.get(self.row(instant))?;
        let found = row.binary_search_by_key(&(cell as u32), |&(cell, _)| cell).ok()?;
        Some(row[found].1 as usize)
    }

    /// Follows the links from a cell that crosses the middle; returns the cells and their start frames.
    fn trace_links(&self, mut cell: usize, mut start: usize) -> Vec<(usize, usize)> {
        let frames = |cell: usize| self.problem.index.cells.all[cell].frames;
        let mut found = Vec::new();
        match self.direction {
            Direction::Forward => {
                while let Some(before) = (start > 0).then(|| self.link(start, cell)).flatten() {
                    cell = before;
                    start -= frames(cell);
                    found.push((cell, start));
                }
            }
            Direction::Backward => loop {
                let end = start + frames(cell);
                let after = (end < self.problem.frames).then(|| self.link(end, cell)).flatten();
                let Some(after) = after else { break };
                (cell, start) = (after, end);
                found.push((cell, start));
            },
        }
        found
    }
}

/// For each frame, a point near all heads and tails: the centre of the control at the mean height of the heads.
fn origins(problem: &Problem<'_>) -> Vec<f32> {
    let (cells, scales) = (&problem.index.cells, &problem.index.join_scales);
    let count = cells.all.len();
    let points = problem.mapping.control_weights().len();
    let typical = |(point, &scale): (usize, &f32)| {
        let heights = (0..count).map(|cell| scale * cells.head(cell)[point].y);
        (scale, heights.sum::<f32>() / count as f32)
    };
    let typical: Vec<(f32, f32)> = scales.iter().enumerate().map(typical).collect();
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
    use crate::test_problems::{ProblemCase, any_problem, problem};
    use crate::{FollowSettings, recurrence};

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

        #[test]
        fn fewer_candidates_cost_at_most_the_reported_gap(case in any_problem(), most in 1u32..6) {
            let settings = FollowSettings { candidates: Some(most), ..case.settings };
            let few = ProblemCase { settings, ..case.clone() };
            let (few, all) = (problem(&few), problem(&case));
            let (few, all) = (solve(&few, Observer::ignore()), recurrence::solve(&all, Observer::ignore()));
            match (few, all) {
                (Ok(few), Ok(all)) => {
                    let off = 1e-6 * (1.0 + all.score);
                    prop_assert!((0.0..=1.0).contains(&few.gap));
                    prop_assert!(few.score >= all.score - off, "{few:?} {all:?}");
                    prop_assert!(few.score * (1.0 - few.gap) <= all.score + off, "{few:?} {all:?}");
                }
                (Err(few), Err(all)) => prop_assert_eq!(few.code().id, all.code().id),
                (few, all) => prop_assert!(false, "{few:?} but {all:?}"),
            }
        }
    }
}
