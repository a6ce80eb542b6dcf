//! The best interpretation of all, fast.
//!
//! It solves the recurrence of Hsu, Gentry and Popović (2004, equations 6 and 7) to the optimum, as
//! [`recurrence`](crate::recurrence) does without a beam, and with the same choice among equals, but by matrix products:
//!
//! 1. D and M of all cells at all frames (`Factors`), blocks of frames in parallel.
//! 2. The least of Q + k C of all cells that start at an instant over all that end there (`Tails`), in the order of Q as far as
//!    C ≥ 0 lets anything be left out. It is worked out once for each cell and start, and not for each duration before it. With
//!    the roots of k and of the weights in the coordinates, k C is a squared distance.
//!
//! The score that is told is that of the chosen cells, measured one by one. Ways whose scores differ by less than single precision
//! can tell of their joins may be taken for each other.
//!
//! Limits: the time goes with the square of the number of cells, as far as the order of Q leaves nothing out. Memory: 4 bytes for each
//! cell at each frame.

use crate::fits::Fits;
use crate::problem::Problem;
use crate::tails::{Best, Tails};
use crate::{Interpretation, Result};

/// How many frames are fitted at once.
const BLOCK: usize = 256;

/// Finds the best interpretation.
pub fn solve(problem: &Problem<'_>) -> Result<Interpretation> {
    // From within the pool: work is shared at every instant, and who waits outside has to be woken each time.
    rayon::scope(|_| search(problem))
}

fn search(problem: &Problem<'_>) -> Result<Interpretation> {
    let mut search = Search::new(problem);
    for start in (0..problem.frames).step_by(BLOCK) {
        let fits = problem.index.factors.fits(problem, start..problem.frames.min(start + BLOCK))?;
        for frame in fits.starts.clone() {
            search.go_on(frame, &fits);
        }
    }
    search.conclude()
}

struct Search<'a> {
    problem: &'a Problem<'a>,
    /// How many cells there are.
    count: usize,
    /// Numbers of a head or tail.
    dims: usize,
    /// What ends at the next frames, turn by turn.
    ends: Vec<Tails>,
    /// Which cell goes before each cell at each start; frames × cells.
    from: Vec<u32>,
    /// The best at the end.
    last: Best,
    /// The cells that start at a frame, and their heads.
    begun: Vec<usize>,
    heads: Vec<f32>,
    tail: Vec<f32>,
}

impl<'a> Search<'a> {
    fn new(problem: &'a Problem<'a>) -> Self {
        let cells = &problem.index.cells.all;
        let longest = cells.iter().map(|cell| cell.frames).max().unwrap_or(1);
        let dims = 3 * problem.index.join_weights.len();
        Self {
            problem,
            count: cells.len(),
            dims,
            ends: vec![Tails::default(); longest + 1],
            from: vec![u32::MAX; cells.len() * problem.frames],
            last: Best::NONE,
            begun: Vec::new(),
            heads: Vec::new(),
            tail: vec![0.0; dims],
        }
    }

    /// All cells that start at a frame: what goes before each, and what each costs at its end (equations 6 and 7).
    fn go_on(&mut self, start: usize, fits: &Fits) {
        let (problem, turn) = (self.problem, start % self.ends.len());
        let mut here = std::mem::take(&mut self.ends[turn]);
        self.begun.clear();
        if start == 0 || !here.is_empty() {
            self.begun.extend((0..self.count).filter(|&cell| problem.is_legal(cell, start)));
        }
        let before: Vec<Best> = if start == 0 {
            let first = |&cell: &usize| Best {
                cost: problem.first_cost_at(cell, fits.of(start, cell).1),
                ..Best::NONE
            };
            self.begun.iter().map(first).collect()
        } else {
            self.heads.clear();
            self.heads.resize(self.begun.len() * self.dims, 0.0);
            for (&cell, head) in self.begun.iter().zip(self.heads.chunks_exact_mut(self.dims)) {
                fits.of(start, cell).1.carry(&problem.index.joints[cell].head, head);
            }
            here.best(&self.heads, self.dims)
        };
        for (i, before) in before.into_iter().enumerate() {
            let cell = self.begun[i];
            let (squared_m2, carry) = fits.of(start, cell);
            self.from[start * self.count + cell] = before.tail;
            let cost = before.cost + squared_m2;
            let end = start + problem.index.cells.all[cell].frames;
            if end == problem.frames {
                self.last.offer(cost, cell as u32);
            } else {
                carry.carry(&problem.index.joints[cell].tail, &mut self.tail);
                let turn = end % self.ends.len();
                self.ends[turn].put(cost, cell as u32, &self.tail);
            }
        }
        here.clear();
        self.ends[turn] = here;
    }

    /// Goes back from the best at the end.
    fn conclude(self) -> Result<Interpretation> {
        let cells = &self.problem.index.cells.all;
        if self.last == Best::NONE {
            return Err(self.problem.infeasible());
        }
        let mut cell = self.last.tail as usize;
        let mut start = self.problem.frames - cells[cell].frames;
        let mut chosen = vec![(cell, start)];
        while start > 0 {
            cell = self.from[start * self.count + cell] as usize;
            start -= cells[cell].frames;
            chosen.push((cell, start));
        }
        chosen.reverse();
        Interpretation::of(self.problem, &chosen)
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
