//! The recurrence as it is written, cell by cell; and with a beam.
//!
//! Hsu, Gentry and Popović (2004), equations 6 to 8 and section 4.3: forward through time, every cell that ends at an instant is
//! tried before every cell that starts there, which takes O(P² T). With a beam (section 4.4), only cells within a width of the
//! best that ends at the same instant are gone on from.
//!
//! This is what [`exact`](crate::exact) must equal, and what it is measured against; and it is how a beam is searched. Of ways
//! that cost the same, the one over the cell of lower number is taken.

use marey_motion::Vec3;

use crate::problem::{Measured, Problem, Watch};
use crate::{Interpretation, Result};

/// A cell that ends at an instant: Q of it, and how it was come by.
struct Arrival {
    cell: usize,
    start: usize,
    /// Q.
    cost: f64,
    /// Which arrival at its start it goes on from; none for the first.
    from: Option<usize>,
}

/// Arrivals at one instant.
#[derive(Default)]
struct Arrivals {
    all: Vec<Arrival>,
    /// ω(M b) of each, one after another.
    tails: Vec<Vec3>,
}

/// Interprets by trying everything, as far as the beam allows.
pub fn solve(problem: &Problem<'_>, watch: Watch<'_>) -> Result<Interpretation> {
    let mut at: Vec<Arrivals> = (0..=problem.frames).map(|_| Arrivals::default()).collect();
    let mut head = Vec::new();
    for start in 0..problem.frames {
        problem.tell(watch, start)?;
        let kept = within_beam(&at[start], problem.settings.beam);
        if start > 0 && kept.is_empty() {
            continue;
        }
        for cell in 0..problem.index.cells.all.len() {
            if !problem.is_legal(cell, start) {
                continue;
            }
            let measured = problem.measure(cell, start)?;
            head.clear();
            measured.motion.carry(problem.index.cells.head(cell), &mut head);
            let (before, from) = if start == 0 {
                (problem.first_cost(&head), None)
            } else {
                best(problem, &at[start], &kept, &head)
            };
            // Equations 6 and 7.
            let cost = before + measured.squared_m2;
            arrive(problem, &mut at, Arrival { cell, start, cost, from }, &measured);
        }
    }
    let last = &at[problem.frames].all;
    let ends =
        last.iter().enumerate().min_by(|(_, a), (_, b)| a.cost.total_cmp(&b.cost).then(a.cell.cmp(&b.cell)));
    let Some((mut index, _)) = ends else { return Err(problem.infeasible()) };
    let (mut chosen, mut frame) = (Vec::new(), problem.frames);
    loop {
        let arrival = &at[frame].all[index];
        chosen.push((arrival.cell, arrival.start));
        let Some(from) = arrival.from else { break };
        (index, frame) = (from, arrival.start);
    }
    chosen.reverse();
    Interpretation::of(problem, &chosen)
}

/// Which arrivals are gone on from.
fn within_beam(arrivals: &Arrivals, beam: Option<f64>) -> Vec<usize> {
    let least = arrivals.all.iter().map(|arrival| arrival.cost).fold(f64::INFINITY, f64::min);
    let most = beam.map_or(f64::INFINITY, |beam| least + beam);
    (0..arrivals.all.len()).filter(|&i| arrivals.all[i].cost <= most).collect()
}

/// The least of Q + k C over the arrivals, and which one it is.
fn best(problem: &Problem<'_>, arrivals: &Arrivals, kept: &[usize], head: &[Vec3]) -> (f64, Option<usize>) {
    let mut best = (f64::INFINITY, usize::MAX, None);
    let points = problem.index.cells.join_points();
    for &index in kept {
        let arrival = &arrivals.all[index];
        let tail = &arrivals.tails[index * points..][..points];
        let cost = arrival.cost + problem.settings.k * problem.join_cost(tail, head);
        if cost < best.0 || (cost == best.0 && arrival.cell < best.1) {
            best = (cost, arrival.cell, Some(index));
        }
    }
    (best.0, best.2)
}

fn arrive(problem: &Problem<'_>, at: &mut [Arrivals], arrival: Arrival, measured: &Measured) {
    let end = &mut at[arrival.start + problem.index.cells.all[arrival.cell].frames];
    measured.motion.carry(problem.index.cells.tail(arrival.cell), &mut end.tails);
    end.all.push(arrival);
}
