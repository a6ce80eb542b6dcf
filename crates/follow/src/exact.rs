//! The best interpretation of all, fast.
//!
//! It solves the recurrence of Hsu, Gentry and Popović (2004, equations 6 and 7) to the optimum, as
//! [`recurrence`](crate::recurrence) does without a beam, and with the same choice among equals; but it does not look at all P² T
//! pairs of cells:
//!
//! 1. D and M of all cells at all frames come out of matrix products (`Fits`), blocks of frames in parallel.
//! 2. The least of Q + k C is worked out once for each cell and start, in a tree over the tails of all cells that end there
//!    (`Nearby`), which is told from below by Q and by how far boxes of tails are. With the roots of k and of the weights in the
//!    coordinates, k C is a squared distance.
//! 3. The search for a cell begins with what went before it one frame earlier, which is seldom far from the best.
//!
//! The score that is told is that of the chosen cells, measured one by one. Ways whose scores differ by less than single precision
//! can tell of their joins may be taken for each other.
//!
//! Limits: the more the tails of a mapping are apart from each other in other ways than its heads, the less the tree can leave out;
//! at worst the search is as slow as the recurrence with its sums four at a time. Memory: 4 bytes for each cell at each frame.

use std::ops::Range;

use marey_motion::Vec3;
use rayon::prelude::*;

use crate::cells::Stand;
use crate::fits::{Fit, Fits, Turn};
use crate::nearby::{Best, Nearby, Places, Scratch, padded};
use crate::problem::Problem;
use crate::{Interpretation, Result};

/// How many frames are fitted at once by one thread.
const BLOCK: usize = 32;

/// With so many cells, what starts at one frame is shared among threads.
const MANY: usize = 1000;

/// Finds the best interpretation.
pub fn solve(problem: &Problem<'_>) -> Result<Interpretation> {
    let fits = Fits::new(problem);
    let mut search = Search::new(problem);
    // As many blocks at a time as there are threads, so that memory does not grow with the control.
    let at_once = BLOCK * rayon::current_num_threads().max(1);
    for first in (0..problem.frames).step_by(at_once) {
        let starts: Vec<usize> = (first..problem.frames.min(first + at_once)).step_by(BLOCK).collect();
        let block = |&start: &usize| {
            let end = problem.frames.min(start + BLOCK);
            Ok((start, fits.block(problem, start..end)?))
        };
        for (start, block) in starts.par_iter().map(block).collect::<Result<Vec<_>>>()? {
            for (row, fits) in block.chunks_exact(problem.cells.all.len()).enumerate() {
                search.go_on(start + row, fits)?;
            }
        }
    }
    search.conclude()
}

/// Where a cell meets others, scaled so that k C is a squared distance.
struct Joint {
    head: Vec<(Vec3, f32)>,
    tail: Vec<(Vec3, f32)>,
}

/// A cell that starts at a frame: how it fits, and what goes before it.
struct Begun {
    cell: usize,
    fit: Fit,
    before: Best,
}

/// Room for the search of one instance.
#[derive(Default)]
struct Room {
    heads: Vec<f32>,
    scratch: Scratch,
}

struct Search<'a> {
    problem: &'a Problem<'a>,
    joints: Vec<Joint>,
    /// The cells of each instance.
    instances: Vec<Range<usize>>,
    dims: usize,
    /// How everything is turned at each instant, so that boxes lie as those that the tree was made for.
    turns: Vec<Turn>,
    nearby: Nearby,
    /// What ends at the next frames, turn by turn.
    ends: Vec<Places>,
    /// Which cell goes before each cell at each start; frames × cells.
    from: Vec<u32>,
    /// The best at the end, and where it starts.
    last: (Best, usize),
    tail: Vec<f32>,
    room: Room,
}

impl<'a> Search<'a> {
    fn new(problem: &'a Problem<'a>) -> Self {
        let cells = problem.cells.all.len();
        let scale = |&w: &f32| (problem.settings.k * f64::from(w)).sqrt() as f32;
        let scales: Vec<f32> = problem.join_weights().iter().map(scale).collect();
        let scaled =
            |points: &[Vec3]| points.iter().zip(&scales).map(|(&p, &scale)| (scale * p, scale)).collect();
        let joint =
            |cell| Joint { head: scaled(problem.cells.head(cell)), tail: scaled(problem.cells.tail(cell)) };
        let joints: Vec<Joint> = (0..cells).map(joint).collect();
        let dims = padded(3 * scales.len());
        let mut shape = vec![0.0; cells * dims];
        for (cell, numbers) in shape.chunks_exact_mut(dims).enumerate() {
            problem.shape_fit(cell).carry(&joints[cell].tail, Turn::NONE, numbers);
        }
        let nearby = Nearby::new(&shape, dims);
        let longest = problem.cells.all.iter().map(|cell| cell.frames).max().unwrap_or(1);
        let mut ends = vec![Places::default(); longest + 1];
        ends.iter_mut().for_each(|places| nearby.clear(places));
        let mut instances = Vec::new();
        for alike in problem.cells.all.chunk_by(|a, b| a.instance == b.instance) {
            let first = instances.last().map_or(0, |last: &Range<usize>| last.end);
            instances.push(first..first + alike.len());
        }
        Self {
            problem,
            joints,
            instances,
            dims,
            turns: (0..=problem.frames).map(|frame| problem.shape_turn(frame)).collect(),
            nearby,
            ends,
            from: vec![u32::MAX; cells * problem.frames],
            last: (Best::NONE, 0),
            tail: vec![0.0; dims],
            room: Room::default(),
        }
    }

    /// All cells that start at a frame: what goes before each, and what each costs at its end.
    fn go_on(&mut self, start: usize, fits: &[Fit]) -> Result<()> {
        let turn = start % self.ends.len();
        let mut here = std::mem::take(&mut self.ends[turn]);
        if start == 0 || !Nearby::is_empty(&here) {
            self.nearby.fit(&mut here);
            if self.joints.len() >= MANY {
                let part = self.instances.len().div_ceil(rayon::current_num_threads().max(1));
                let parts = self.instances.par_chunks(part.max(1)).map(|instances| {
                    let mut room = Room::default();
                    let begun =
                        instances.iter().map(|cells| self.begin(start, cells, fits, &here, &mut room));
                    begun.collect::<Result<Vec<_>>>()
                });
                for begun in parts.collect::<Result<Vec<_>>>()?.into_iter().flatten().flatten() {
                    self.arrive(start, begun);
                }
            } else {
                let mut room = std::mem::take(&mut self.room);
                for instance in 0..self.instances.len() {
                    for begun in self.begin(start, &self.instances[instance], fits, &here, &mut room)? {
                        self.arrive(start, begun);
                    }
                }
                self.room = room;
            }
        }
        self.nearby.clear(&mut here);
        self.ends[turn] = here;
        Ok(())
    }

    /// The cells of one instance that start at a frame, each with the best that may go before.
    fn begin(
        &self,
        start: usize,
        cells: &Range<usize>,
        fits: &[Fit],
        here: &Places,
        room: &mut Room,
    ) -> Result<Vec<Begun>> {
        let problem = self.problem;
        let mut begun: Vec<Begun> = Vec::with_capacity(cells.len());
        for cell in cells.clone().filter(|&cell| problem.is_legal(cell, start)) {
            let fit = match problem.cells.all[cell].stand {
                Stand::Anywhere => fits[cell],
                // Cells of cut instances stand in one place only.
                Stand::First | Stand::Last => Fit::of(problem.measure(cell, start)?),
            };
            begun.push(Begun { cell, fit, before: Best::NONE });
        }
        if start == 0 {
            for begun in &mut begun {
                begun.before.cost = problem.first_cost_at(begun.cell, &begun.fit)?;
            }
            return Ok(begun);
        }
        room.heads.clear();
        room.heads.resize(begun.len() * self.dims, 0.0);
        let mut best = vec![Best::NONE; begun.len()];
        for ((begun, head), best) in begun.iter().zip(room.heads.chunks_exact_mut(self.dims)).zip(&mut best) {
            begun.fit.carry(&self.joints[begun.cell].head, self.turns[start], head);
            // What went before it one frame earlier may not be far from the best.
            let before = self.from[(start - 1) * self.joints.len() + begun.cell];
            if before != u32::MAX && self.nearby.cost(here, before) < f64::INFINITY {
                best.offer(self.nearby.cost_from(here, before, head), before);
            }
        }
        if !begun.is_empty() {
            self.nearby.best(here, &room.heads, &mut best, &mut room.scratch);
        }
        for (begun, best) in begun.iter_mut().zip(best) {
            begun.before = best;
        }
        Ok(begun)
    }

    /// What a cell costs at its end: equations 6 and 7.
    fn arrive(&mut self, start: usize, begun: Begun) {
        let Begun { cell, fit, before } = begun;
        self.from[start * self.joints.len() + cell] = before.point;
        let cost = before.cost + fit.squared_m2();
        let end = start + self.problem.cells.all[cell].frames;
        if end == self.problem.frames {
            let best = self.last.0;
            self.last.0.offer(cost, cell as u32);
            if self.last.0 != best {
                self.last.1 = start;
            }
        } else {
            fit.carry(&self.joints[cell].tail, self.turns[end], &mut self.tail);
            let turn = end % self.ends.len();
            self.nearby.put(&mut self.ends[turn], cell as u32, cost, &self.tail);
        }
    }

    /// Goes back from the best at the end.
    fn conclude(self) -> Result<Interpretation> {
        let problem = self.problem;
        let count = problem.cells.all.len();
        let (Best { point: mut cell, .. }, mut start) = self.last;
        if cell == u32::MAX {
            return Err(problem.infeasible());
        }
        let mut chosen = vec![(cell as usize, start)];
        while start > 0 {
            cell = self.from[start * count + cell as usize];
            start -= problem.cells.all[cell as usize].frames;
            chosen.push((cell as usize, start));
        }
        chosen.reverse();
        Interpretation::of(problem, &chosen)
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
        fn it_equals_the_recurrence(made in any_problem()) {
            let problem = problem(&made);
            match (solve(&problem), recurrence::solve(&problem)) {
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
