//! The best interpretation of all, without looking at most of them.
//!
//! It solves the recurrence of Hsu, Gentry and Popović (2004, equations 6 and 7) to the same optimum, the same bits and the same
//! choice among equals as [`recurrence`](crate::recurrence) without a beam, of whose P² T looks it makes few. The idea
//! is that of lazy Viterbi decoding (Feldman, Abou-Faycal and Frigo, *A fast maximum-likelihood decoder for convolutional
//! codes*, 2002): what cannot matter is never worked out.
//!
//! 1. D of all cells at all frames is bounded from below by matrix products ([`Bounds`]).
//! 2. A cell that ends at t costs no less than the least Q at its start, plus its bound of D, as C ≥ 0. In this order cells
//!    are listed at t; only as much of the list is sorted as is looked at.
//! 3. What goes before a cell is looked for down the list at its start. The search ends where the order is above the best
//!    that was found. A cell on the way is first *measured* (D and M), then, if it may still win with its C, *settled* (Q), which is
//!    the same search one cell earlier in time; a stack keeps what waits, so that no chain of cells is too long.
//! 4. At every t, cells are settled down the list until the least Q is sure. At T it is the result.
//!
//! Limits: with a very large k, C rules the order and nothing is known of it beforehand; then most cells are settled, and the
//! search is about as slow as the recurrence. Memory: 20 bytes for each cell at each frame, and some more for those looked at.

use marey_motion::Vec3;

use crate::bounds::Bounds;
use crate::cells::Stand;
use crate::problem::{Measured, Problem};
use crate::{Interpretation, Result};

/// How much of a list is sorted at first; then as much again as is sorted already.
const SORTED: usize = 16;

/// What is known of a cell that ends at an instant.
#[derive(Debug, Clone, Copy)]
enum Known {
    /// Only the bound.
    Bound,
    /// D and M; its tail is at this place.
    Measured(Measured, usize),
    /// Q too, and which entry at its start goes before.
    Settled { tail_at: usize, from: Option<u32> },
}

/// A cell that ends at an instant, looked at.
#[derive(Debug, Clone, Copy)]
struct Entry {
    cell: u32,
    /// What the list is sorted by: Q is not below.
    bound: f64,
    /// The best bound of Q that is known; Q itself once it is settled.
    cost: f64,
    known: Known,
}

/// All cells that end at an instant.
#[derive(Debug, Default)]
struct Instant {
    /// The least Q of all, once it is sure; infinite where nothing ends.
    least: f64,
    /// Bound (as bits, which are in the order of numbers from 0 on) and cell; sorted as far as there are entries.
    list: Vec<(u64, u32)>,
    /// The beginning of the list, looked at.
    entries: Vec<Entry>,
    /// ω(M b) of those that are measured.
    tails: Vec<Vec3>,
}

/// A search for what goes before a cell.
#[derive(Debug)]
struct Search {
    /// The entry that is to be settled: instant and number.
    frame: usize,
    entry: usize,
    /// Where it starts, and how far the list there has been looked through.
    start: usize,
    next: usize,
    head: Vec<Vec3>,
    squared_m2: f64,
    /// The best so far: Q + k C, cell, entry.
    best: (f64, u32, Option<u32>),
}

struct Lazy<'a> {
    problem: &'a Problem<'a>,
    instants: Vec<Instant>,
    /// Searches that wait for others; and room for heads.
    waiting: Vec<Search>,
    heads: Vec<Vec<Vec3>>,
}

/// Finds the best interpretation.
pub fn solve(problem: &Problem<'_>) -> Result<Interpretation> {
    let bounds = Bounds::of(problem)?;
    let mut lazy = Lazy {
        problem,
        instants: (0..=problem.frames).map(|_| Instant::default()).collect(),
        waiting: Vec::new(),
        heads: Vec::new(),
    };
    let mut end = None;
    for frame in 1..=problem.frames {
        lazy.list(frame, &bounds)?;
        end = lazy.least(frame)?;
    }
    let Some(mut entry) = end else { return Err(problem.infeasible()) };
    let mut frame = problem.frames;
    let score = lazy.instants[frame].least;
    let mut chosen = Vec::new();
    loop {
        let Entry { cell, known, .. } = lazy.instants[frame].entries[entry];
        frame -= problem.cells.all[cell as usize].frames;
        chosen.push((cell as usize, frame));
        match known {
            Known::Settled { from: Some(from), .. } => entry = from as usize,
            _ => break,
        }
    }
    chosen.reverse();
    problem.interpretation(&chosen, score)
}

impl Lazy<'_> {
    /// Lists all cells that end at a frame, with their bounds.
    fn list(&mut self, frame: usize, bounds: &Bounds) -> Result<()> {
        let problem = self.problem;
        let mut list = Vec::new();
        for (group, &(frames, _)) in bounds.groups.iter().enumerate() {
            let Some(start) = frame.checked_sub(frames) else { break };
            let least = self.least_at(start);
            if least == f64::INFINITY {
                continue;
            }
            let cells = &bounds.cells[bounds.columns(group)];
            let each = cells.iter().zip(bounds.row(start, group));
            let legal =
                each.filter(|(cell, _)| !problem.has_wishes() || problem.is_legal(**cell as usize, start));
            list.extend(legal.map(|(&cell, &bound)| ((least + f64::from(bound)).to_bits(), cell)));
        }
        // Cells of cut instances are few; they have no bounds and are measured.
        for (number, cell) in problem.cells.all.iter().enumerate() {
            if cell.stand == Stand::Anywhere || cell.frames > frame {
                continue;
            }
            let start = frame - cell.frames;
            let least = self.least_at(start);
            if least < f64::INFINITY && problem.is_legal(number, start) {
                let bound = least + problem.measure(number, start)?.squared_m2;
                list.push((bound.to_bits(), number as u32));
            }
        }
        self.instants[frame] = Instant { least: f64::INFINITY, list, ..Instant::default() };
        Ok(())
    }

    /// The least Q at a frame; 0 at the start.
    fn least_at(&self, frame: usize) -> f64 {
        if frame == 0 { 0.0 } else { self.instants[frame].least }
    }

    /// Settles entries until the least Q at a frame is sure; which entry has it. Of equals, the lowest cell.
    fn least(&mut self, frame: usize) -> Result<Option<usize>> {
        let mut best: (f64, u32, Option<usize>) = (f64::INFINITY, u32::MAX, None);
        let mut number = 0;
        while let Some(entry) = self.entry(frame, number) {
            if entry.bound > best.0 {
                break;
            }
            self.measure(frame, number)?;
            if self.instants[frame].entries[number].cost <= best.0 {
                self.settle(frame, number)?;
                let Entry { cell, cost, .. } = self.instants[frame].entries[number];
                if cost < best.0 || (cost == best.0 && cell < best.1) {
                    best = (cost, cell, Some(number));
                }
            }
            number += 1;
        }
        self.instants[frame].least = best.0;
        Ok(best.2)
    }

    /// An entry of the list at a frame; sorts more of it where needed.
    fn entry(&mut self, frame: usize, number: usize) -> Option<Entry> {
        let Instant { list, entries, .. } = &mut self.instants[frame];
        if number >= entries.len() {
            let (sorted, rest) = list.split_at_mut(entries.len());
            let more = rest.len().min(sorted.len().max(SORTED));
            if more < rest.len() {
                rest.select_nth_unstable(more);
            }
            rest[..more].sort_unstable();
            entries.extend(rest[..more].iter().map(|&(bits, cell)| {
                let bound = f64::from_bits(bits);
                Entry { cell, bound, cost: bound, known: Known::Bound }
            }));
        }
        entries.get(number).copied()
    }

    /// Measures an entry, unless that was done.
    fn measure(&mut self, frame: usize, number: usize) -> Result<()> {
        let Entry { cell, known, .. } = self.instants[frame].entries[number];
        if !matches!(known, Known::Bound) {
            return Ok(());
        }
        let cell = cell as usize;
        let start = frame - self.problem.cells.all[cell].frames;
        let measured = self.problem.measure(cell, start)?;
        let least = self.least_at(start);
        let Instant { entries, tails, .. } = &mut self.instants[frame];
        let tail_at = tails.len();
        measured.motion.carry(self.problem.cells.tail(cell), tails);
        entries[number].cost = least + measured.squared_m2;
        entries[number].known = Known::Measured(measured, tail_at);
        Ok(())
    }

    /// Works out Q of an entry that is measured.
    fn settle(&mut self, frame: usize, number: usize) -> Result<()> {
        self.search(frame, number);
        while let Some(mut search) = self.waiting.pop() {
            match self.look_through(&mut search)? {
                Some(other) => {
                    let start = search.start;
                    self.waiting.push(search);
                    self.search(start, other);
                }
                None => self.conclude(search),
            }
        }
        Ok(())
    }

    /// Begins a search for what goes before an entry that is measured.
    fn search(&mut self, frame: usize, number: usize) {
        let Entry { cell, known, .. } = self.instants[frame].entries[number];
        let Known::Measured(measured, _) = known else { return };
        let mut head = self.heads.pop().unwrap_or_default();
        head.clear();
        measured.motion.carry(self.problem.cells.head(cell as usize), &mut head);
        let start = frame - self.problem.cells.all[cell as usize].frames;
        let best = if start == 0 { self.problem.first_cost(&head) } else { f64::INFINITY };
        self.waiting.push(Search {
            frame,
            entry: number,
            start,
            next: 0,
            head,
            squared_m2: measured.squared_m2,
            best: (best, u32::MAX, None),
        });
    }

    /// Goes down the list at the start of a cell, until nothing better can come, or an entry must be settled first: that one.
    fn look_through(&mut self, search: &mut Search) -> Result<Option<usize>> {
        if search.start == 0 {
            return Ok(None);
        }
        let k = self.problem.settings.k;
        let points = self.problem.cells.join_points();
        while let Some(entry) = self.entry(search.start, search.next) {
            if entry.bound > search.best.0 {
                break;
            }
            let number = search.next;
            search.next += 1;
            if entry.cost > search.best.0 {
                continue;
            }
            self.measure(search.start, number)?;
            let Instant { entries, tails, .. } = &self.instants[search.start];
            let Entry { cell, cost, known, .. } = entries[number];
            let (Known::Measured(_, tail_at) | Known::Settled { tail_at, .. }) = known else { continue };
            if cost > search.best.0 {
                continue;
            }
            let tail = &tails[tail_at..][..points];
            let cost = cost + k * self.problem.join_cost(tail, &search.head);
            if cost > search.best.0 || (cost == search.best.0 && cell > search.best.1) {
                continue;
            }
            if matches!(known, Known::Measured(..)) {
                search.next = number;
                return Ok(Some(number));
            }
            search.best = (cost, cell, Some(number as u32));
        }
        Ok(None)
    }

    /// Q of an entry: equations 6 and 7.
    fn conclude(&mut self, search: Search) {
        let entry = &mut self.instants[search.frame].entries[search.entry];
        if let Known::Measured(_, tail_at) = entry.known {
            entry.cost = search.best.0 + search.squared_m2;
            entry.known = Known::Settled { tail_at, from: search.best.2 };
        }
        self.heads.push(search.head);
    }
}

#[cfg(test)]
mod tests {
    use marey_motion::Coded;
    use proptest::prelude::*;

    use super::*;
    use crate::kit::{any_problem, problem};
    use crate::recurrence;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        #[test]
        fn it_equals_the_recurrence_to_the_last_bit(made in any_problem()) {
            let problem = problem(&made);
            match (solve(&problem), recurrence::solve(&problem)) {
                (Ok(fast), Ok(slow)) => prop_assert_eq!(fast, slow),
                (Err(fast), Err(slow)) => prop_assert_eq!(fast.code().id, slow.code().id),
                (fast, slow) => prop_assert!(false, "{fast:?} but {slow:?}"),
            }
        }
    }
}
