//! The best interpretation of all, fast.
//!
//! It solves the recurrence of Hsu, Gentry and Popović (2004, equations 6 and 7) to the optimum, as
//! [`recurrence`](crate::recurrence) does without a beam, and with the same choice among equals, but by matrix products:
//!
//! 1. D and M of all cells at all frames (`Factors`), blocks of frames in parallel.
//! 2. The least of Q + k C of all cells that start at an instant over all that end there (`Tails`). It is worked out once for each
//!    cell and start, and not for each duration before it. With the roots of k and of the weights in the coordinates, k C is a
//!    squared distance.
//! 3. From both ends of the control at once: what is best up to the middle, and what is best after it, with the same recurrence read
//!    backwards. They meet in the cells that go across.
//!
//! The score that is told is that of the chosen cells, measured one by one. Ways whose scores differ by less than single precision
//! can tell of their joins may be taken for each other.
//!
//! Limits: the time goes with the number of cells times the tails that cannot be left out for a group of them. Memory: 4 bytes for each cell at each frame.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use marey_motion::Vec3;

use crate::fits::Fits;
use crate::problem::{Problem, Watch};
use crate::sift::gathered;
use crate::tails::{Best, Tails};
use crate::{Interpretation, Result};

/// How many frames are fitted at once.
const BLOCK: usize = 256;
/// How often cells are put in the order of their ends, in instants. All ends move along with the control, so the order stays good for a while.
const GATHER: usize = 16;

/// Finds the best interpretation.
pub fn solve(problem: &Problem<'_>, watch: Watch<'_>) -> Result<Interpretation> {
    // From within the pool: who waits outside has to be woken each time that work is shared.
    rayon::scope(|_| search(problem, watch))
}

fn search(problem: &Problem<'_>, watch: Watch<'_>) -> Result<Interpretation> {
    // Both ways, an instant is done when its cells are.
    let done = AtomicUsize::new(0);
    let tell = || problem.tell(watch, done.fetch_add(1, Ordering::Relaxed));
    let abouts = abouts(problem);
    let middle = problem.frames.div_ceil(2);
    let (on, back) = rayon::join(
        || Sweep::new(problem, &abouts, Way::On, middle).run(&tell),
        || Sweep::new(problem, &abouts, Way::Back, middle).run(&tell),
    );
    let (on, back) = (on?, back?);
    // Of every way through, one cell starts before the middle and ends there or after it.
    let after: BTreeMap<(usize, usize), f64> = back.across.iter().copied().collect();
    let whole = |&(across, cost): &((usize, usize), f64)| Some((across, cost + after.get(&across)?));
    // Of equals, the one that starts first, then the lowest number.
    let order = |&((cell, start), cost): &((usize, usize), f64)| (cost, start, cell);
    let best = on.across.iter().filter_map(whole).min_by(|a, b| {
        let (a, b) = (order(a), order(b));
        a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2)))
    });
    let Some(((cell, start), _)) = best else { return Err(problem.infeasible()) };
    let mut chosen = on.beyond(cell, start);
    chosen.reverse();
    chosen.push((cell, start));
    chosen.extend(back.beyond(cell, start));
    Interpretation::of(problem, &chosen)
}

/// Which way a search goes.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    /// From the control's start on: a cell costs what is best before it, and itself.
    On,
    /// From the control's end back: a cell costs what is best after it, and itself.
    Back,
}

/// The search from one end of the control to the middle.
struct Sweep<'a> {
    problem: &'a Problem<'a>,
    way: Way,
    /// The instant at which both sweeps meet.
    middle: usize,
    /// How many cells there are.
    count: usize,
    /// Numbers of a head or tail.
    dims: usize,
    /// What heads and tails are measured from, instants × numbers.
    abouts: &'a [f32],
    /// What comes at the next instants, turn by turn: tails on the way on, heads on the way back.
    next: Vec<Tails>,
    /// What lies beyond each cell that starts at an instant, or ends there on the way back; instants from the sweep's first × cells.
    beyond: Vec<u32>,
    /// The cells that go across the middle and where they start; what is best up to their ends, or after these.
    across: Vec<((usize, usize), f64)>,
    /// The cells, those with near ends that are near each other one after the other, as at an instant not long ago.
    order: Vec<u32>,
    /// The cells at an instant, and their ends there.
    here: Vec<(usize, usize)>,
    ends: Vec<f32>,
    end: Vec<f32>,
}

impl<'a> Sweep<'a> {
    fn new(problem: &'a Problem<'a>, abouts: &'a [f32], way: Way, middle: usize) -> Self {
        let count = problem.index.cells.all.len();
        let dims = 3 * problem.index.join_weights.len();
        let instants = if way == Way::On { middle } else { problem.frames + 1 - middle };
        Self {
            problem,
            way,
            middle,
            count,
            dims,
            abouts,
            next: vec![Tails::new(dims); problem.index.longest + 1],
            beyond: vec![u32::MAX; count * instants],
            across: Vec::new(),
            order: (0..count as u32).collect(),
            here: Vec::new(),
            ends: Vec::new(),
            end: vec![0.0; dims],
        }
    }

    /// Goes to the middle, and tells of each instant.
    fn run(mut self, tell: &(dyn Fn() -> Result<()> + Sync)) -> Result<Self> {
        let (problem, frames) = (self.problem, self.problem.frames);
        match self.way {
            Way::On => {
                for first in (0..self.middle).step_by(BLOCK) {
                    let starts = first..self.middle.min(first + BLOCK);
                    let fits = problem.index.factors.fits(problem, starts.clone())?;
                    for instant in starts {
                        tell()?;
                        self.step(instant, &fits);
                    }
                }
            }
            Way::Back => {
                for last in (self.middle..=frames).rev().step_by(BLOCK) {
                    let first = self.middle.max((last + 1).saturating_sub(BLOCK));
                    let starts = first.saturating_sub(problem.index.longest)..last;
                    let fits = problem.index.factors.fits(problem, starts)?;
                    for instant in (first..=last).rev() {
                        tell()?;
                        self.step(instant, &fits);
                    }
                }
            }
        }
        Ok(self)
    }

    /// All cells with their near end at an instant: what lies beyond it, and what each costs at its far end (equations 6 and 7).
    fn step(&mut self, instant: usize, fits: &Fits) {
        let (problem, dims, turn) = (self.problem, self.dims, instant % self.next.len());
        let (index, frames) = (&problem.index, problem.frames);
        let is_first = instant == if self.way == Way::On { 0 } else { frames };
        let mut there = std::mem::replace(&mut self.next[turn], Tails::new(dims));
        self.here.clear();
        if is_first || !there.is_empty() {
            for cell in self.order.iter().map(|&cell| cell as usize) {
                let start = match self.way {
                    Way::On => Some(instant),
                    Way::Back => instant.checked_sub(index.cells.all[cell].frames),
                };
                self.here
                    .extend(start.filter(|&start| problem.is_legal(cell, start)).map(|start| (cell, start)));
            }
        }
        let best: Vec<Best> = if is_first {
            let first = |&(cell, start): &(usize, usize)| match self.way {
                Way::On => problem.first_cost_at(cell, fits.of(start, cell).1),
                Way::Back => 0.0,
            };
            self.here.iter().map(|here| Best { cost: first(here), ..Best::NONE }).collect()
        } else {
            self.ends.resize(self.here.len() * dims, 0.0);
            let about = &self.abouts[instant * dims..][..dims];
            for (&(cell, start), end) in self.here.iter().zip(self.ends.chunks_exact_mut(dims)) {
                let joint = &index.joints[cell];
                let near = if self.way == Way::On { &joint.head } else { &joint.tail };
                fits.of(start, cell).1.carry(near, about, end);
            }
            if instant.is_multiple_of(GATHER) {
                self.gather();
            }
            there.best(&self.ends)
        };
        let row = self.row(instant);
        for (&(cell, start), best) in self.here.iter().zip(best) {
            self.beyond[row + cell] = best.tail;
            let (squared_m2, carry) = fits.of(start, cell);
            let (joint, end) = (&index.joints[cell], start + index.cells.all[cell].frames);
            let (far, instant, cost) = match self.way {
                Way::On if end >= self.middle => {
                    self.across.push(((cell, start), best.cost + squared_m2));
                    continue;
                }
                Way::Back if start < self.middle => {
                    self.across.push(((cell, start), best.cost));
                    continue;
                }
                Way::On => (&joint.tail, end, best.cost + squared_m2),
                Way::Back => (&joint.head, start, best.cost + squared_m2),
            };
            carry.carry(far, &self.abouts[instant * dims..][..dims], &mut self.end);
            let turn = instant % self.next.len();
            self.next[turn].put(cost, cell as u32, &self.end);
        }
        there.clear();
        self.next[turn] = there;
    }

    /// Puts cells whose ends at this instant are near each other one after the other, for the instants to come.
    fn gather(&mut self) {
        let cells: Vec<u32> = self.here.iter().map(|&(cell, _)| cell as u32).collect();
        let mut is_here = vec![false; self.count];
        cells.iter().for_each(|&cell| is_here[cell as usize] = true);
        let others = (0..self.count as u32).filter(|&cell| !is_here[cell as usize]);
        let mut order = gathered(&self.ends, self.dims, &cells);
        order.extend(others);
        self.order = order;
    }

    /// Where an instant's row begins.
    fn row(&self, instant: usize) -> usize {
        self.count * if self.way == Way::On { instant } else { instant - self.middle }
    }

    /// All that lies beyond a cell that goes across the middle, one after the other: cells and where they start.
    fn beyond(&self, mut cell: usize, mut start: usize) -> Vec<(usize, usize)> {
        let frames = |cell: usize| self.problem.index.cells.all[cell].frames;
        let mut found = Vec::new();
        match self.way {
            Way::On => {
                while start > 0 {
                    cell = self.beyond[self.row(start) + cell] as usize;
                    start -= frames(cell);
                    found.push((cell, start));
                }
            }
            Way::Back => {
                while start + frames(cell) < self.problem.frames {
                    start += frames(cell);
                    cell = self.beyond[self.row(start) + cell] as usize;
                    found.push((cell, start));
                }
            }
        }
        found
    }
}

/// At each frame, a place amid the control, and the usual heights of heads: near to where heads and tails are.
fn abouts(problem: &Problem<'_>) -> Vec<f32> {
    let joints = &problem.index.joints;
    let points = problem.mapping.control_weights().len();
    let usual = |point: usize| {
        let heights = joints.iter().map(|joint| joint.head[point].0.y);
        (joints.first().map_or(0.0, |joint| joint.head[point].1), heights.sum::<f32>() / joints.len() as f32)
    };
    let usual: Vec<(f32, f32)> = (0..problem.index.join_weights.len()).map(usual).collect();
    let at = |control: &[Vec3]| {
        let amid = control.iter().sum::<Vec3>() / points as f32;
        usual.iter().flat_map(move |&(scale, height)| [scale * amid.x, height, scale * amid.z])
    };
    problem.input.chunks_exact(points).flat_map(at).collect()
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use marey_motion::Coded;
    use proptest::prelude::*;

    use super::*;
    use crate::kit::{any_problem, problem};
    use crate::recurrence;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        #[test]
        fn it_equals_the_recurrence(made in any_problem()) {
            let problem = problem(&made);
            let on = |_, _| ControlFlow::Continue(());
            match (solve(&problem, &on), recurrence::solve(&problem, &on)) {
                // Same pieces, same score to the last bit; but for joins that single precision cannot tell apart.
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
