//! The recurrence as printed, cell by cell.
//!
//! Hsu, Gentry and Popović (2004), equations 6 to 8 and section 4.3: forward in time, every cell that ends at a sample is
//! tried before every cell that starts there, in O(P² T).
//!
//! [`exact_search`](crate::exact_search) is tested and measured against this search. Ties go to the cell with the lower
//! number. The beam of section 4.4 is not built: with it, this search is still slower than the exact one.

use marey_motion::{Observer, Vec3};

use crate::problem::{Measured, Problem};
use crate::{Interpretation, Result};

/// A cell that ends at a sample, and its predecessor.
struct Arrival {
    cell: usize,
    start: usize,
    /// Q.
    cost: f64,
    /// Index of the predecessor among the arrivals at the cell's start; none for the first cell.
    from: Option<usize>,
}

/// The arrivals at one sample.
#[derive(Default)]
struct Arrivals {
    all: Vec<Arrival>,
    /// ω(M b) of each arrival, concatenated.
    tails: Vec<Vec3>,
}

/// Searches all cells.
pub fn solve(problem: &Problem<'_>, observer: Observer<'_>) -> Result<Interpretation> {
    let mut arrivals: Vec<Arrivals> = (0..=problem.frames).map(|_| Arrivals::default()).collect();
    let mut head = Vec::new();
    for start in 0..problem.frames {
        problem.report_progress(observer, start)?;
        if start > 0 && arrivals[start].all.is_empty() {
            continue;
        }
        for cell in 0..problem.index.cells.all.len() {
            if !problem.is_legal(cell, start) {
                continue;
            }
            let measured = problem.measure(cell, start)?;
            head.clear();
            measured.motion.apply(problem.index.cells.head(cell), &mut head);
            let (before, from) = if start == 0 {
                (problem.first_cost(&head), None)
            } else {
                find_best(problem, &arrivals[start], &head)
            };
            // Equations 6 and 7.
            let cost = before + (measured.squared_m2 + problem.stretch_cost(cell));
            add_arrival(problem, &mut arrivals, Arrival { cell, start, cost, from }, &measured);
        }
    }
    let last = &arrivals[problem.frames].all;
    let ends =
        last.iter().enumerate().min_by(|(_, a), (_, b)| a.cost.total_cmp(&b.cost).then(a.cell.cmp(&b.cell)));
    let Some((mut index, _)) = ends else { return Err(problem.infeasible()) };
    let (mut chosen, mut frame) = (Vec::new(), problem.frames);
    loop {
        let arrival = &arrivals[frame].all[index];
        chosen.push((arrival.cell, arrival.start));
        let Some(from) = arrival.from else { break };
        (index, frame) = (from, arrival.start);
    }
    chosen.reverse();
    Interpretation::from_cells(problem, &chosen, f64::INFINITY)
}

/// The minimum of Q + k C over the arrivals, and its index.
fn find_best(problem: &Problem<'_>, arrivals: &Arrivals, head: &[Vec3]) -> (f64, Option<usize>) {
    let mut best = (f64::INFINITY, usize::MAX, None);
    let points = problem.index.cells.join_points();
    for (index, arrival) in arrivals.all.iter().enumerate() {
        let tail = &arrivals.tails[index * points..][..points];
        let cost = arrival.cost + problem.settings.k * problem.join_cost(tail, head);
        if cost < best.0 || (cost == best.0 && arrival.cell < best.1) {
            best = (cost, arrival.cell, Some(index));
        }
    }
    (best.0, best.2)
}

fn add_arrival(problem: &Problem<'_>, arrivals: &mut [Arrivals], arrival: Arrival, measured: &Measured) {
    let end = &mut arrivals[arrival.start + problem.index.cells.all[arrival.cell].frames];
    measured.motion.apply(problem.index.cells.tail(arrival.cell), &mut end.tails);
    end.all.push(arrival);
}
