//! The cells that the search compares at each start frame, and what those that it leaves out would cost at least.
//!
//! A small mapping is searched whole. In a large one, hundreds of instances fit a piece of control almost equally well, and
//! comparing all of them at every join takes most of the time. So for each start frame and duration only the cells with
//! the least D are compared, and the cells that continue one of those in its own example, since they join at no cost.
//!
//! What is left out is bounded. Let P and S be the least sums of D from the start of the control to a frame, and from there
//! to the end, over all cells and without any join. An interpretation that uses a cell which was left out at frame t with
//! duration d costs at least P(t) + D + S(t + d). If no such cell can be part of a cheaper interpretation, the result is
//! optimal; otherwise the bound says how far from the optimum it may be.

use std::ops::Range;

use crate::Result;
use crate::cells::CellPosition;
use crate::packed_transform::PackedTransform;
use crate::problem::Problem;

/// The largest number of cells, without parts of instances, that are all compared.
const MAX_EXACT_CELLS: usize = 1024;
/// Number of cells of each duration that are compared at a start frame of a larger mapping.
const LARGE_MAPPING_CANDIDATES: usize = 48;
/// The largest number of cells that are added at a start frame because they continue another in its example.
const MAX_CONTINUATIONS: usize = 192;

/// The candidates at a range of start frames.
#[derive(Debug)]
pub(crate) struct Candidates {
    starts: Range<usize>,
    all: Vec<StartCandidates>,
}

/// The candidates at a start frame, by ascending cell number.
#[derive(Debug)]
pub(crate) struct StartCandidates {
    pub(crate) cells: Vec<u32>,
    /// D and the cost of stretch, and M.
    fits: Vec<(f64, PackedTransform)>,
    /// For each duration, the least cost of any cell, and the least cost of those left out; infinite if there is none.
    bounds: Vec<[f64; 2]>,
}

impl StartCandidates {
    /// No candidates, with durations of up to `longest` frames.
    pub(crate) fn new(longest: usize) -> Self {
        Self { cells: Vec::new(), fits: Vec::new(), bounds: vec![[f64::INFINITY; 2]; longest + 1] }
    }

    /// Adds the `most` cheapest of the given costs; ties go to the lower number. `fit` returns the cell, cost and transform of
    /// a member.
    pub(crate) fn offer(
        &mut self,
        frames: usize,
        costs: &mut [(f64, u32)],
        most: usize,
        fit: impl Fn(u32, f64) -> Result<(u32, f64, PackedTransform)>,
    ) -> Result<()> {
        let order = |a: &(f64, u32), b: &(f64, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        let [least, left_out] = &mut self.bounds[frames];
        *least = costs.iter().map(|(cost, _)| *cost).fold(*least, f64::min);
        let kept = if costs.len() > most {
            let (kept, first, _) = costs.select_nth_unstable_by(most, order);
            *left_out = left_out.min(first.0);
            kept
        } else {
            costs
        };
        for &mut (cost, member) in kept {
            let (cell, cost, transform) = fit(member, cost)?;
            self.cells.push(cell);
            self.fits.push((cost, transform));
        }
        Ok(())
    }

    /// Number of the candidate that is a cell.
    pub(crate) fn find(&self, cell: u32) -> Option<usize> {
        self.cells.binary_search(&cell).ok()
    }

    /// D with the cost of stretch, and M, of a candidate.
    pub(crate) fn get(&self, index: usize) -> (f64, &PackedTransform) {
        let (cost, transform) = &self.fits[index];
        (*cost, transform)
    }

    fn sort(&mut self) {
        let mut order: Vec<usize> = (0..self.cells.len()).collect();
        order.sort_unstable_by_key(|&i| self.cells[i]);
        self.fits = order.iter().map(|&i| self.fits[i]).collect();
        self.cells = order.iter().map(|&i| self.cells[i]).collect();
    }
}

impl Candidates {
    pub(crate) fn new(starts: Range<usize>, mut all: Vec<StartCandidates>) -> Self {
        all.iter_mut().for_each(StartCandidates::sort);
        Self { starts, all }
    }

    /// The candidates of a problem at a range of start frames.
    pub(crate) fn of(problem: &Problem<'_>, starts: Range<usize>) -> Result<Self> {
        let factors = &problem.index.factors;
        let Some(most) = problem.candidate_limit() else {
            return factors.cheapest(problem, starts, usize::MAX);
        };
        // Continuations follow candidates that start up to one longest cell earlier.
        let first = starts.start.saturating_sub(problem.index.longest);
        let mut cheapest = factors.cheapest(problem, first..starts.end, most)?;
        for start in starts.clone() {
            let continuations = cheapest.continuations(problem, start)?;
            cheapest.all[start - first].add(continuations);
        }
        Ok(Self { all: cheapest.all.split_off(starts.start - first), starts })
    }

    /// The candidates at a start frame of the range.
    pub(crate) fn at(&self, start: usize) -> &StartCandidates {
        &self.all[start - self.starts.start]
    }

    /// The range of start frames.
    pub(crate) fn starts(&self) -> Range<usize> {
        self.starts.clone()
    }

    /// The cheapest cells that continue, in its example, a candidate that ends at a start frame.
    fn continuations(&self, problem: &Problem<'_>, start: usize) -> Result<Vec<(u32, f64, PackedTransform)>> {
        let (index, here) = (&problem.index, self.at(start));
        let mut next: Vec<usize> = Vec::new();
        for frames in 1..=index.longest.min(start - self.starts.start) {
            for &cell in &self.at(start - frames).cells {
                let about = &index.cells.all[cell as usize];
                if about.frames == frames && about.position != CellPosition::Last {
                    next.extend(index.cells.continuations(about.instance));
                }
            }
        }
        next.sort_unstable();
        next.dedup();
        let mut found = Vec::new();
        for cell in next.into_iter().flat_map(|instance| index.cells.of_instance(instance)) {
            if problem.is_legal(cell, start) && here.find(cell as u32).is_none() {
                let measured = problem.measure(cell, start)?;
                let cost = measured.squared_m2 + problem.stretch_cost(cell);
                found.push((cell as u32, cost, PackedTransform::from_motion(measured.motion)));
            }
        }
        found.sort_unstable_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        found.truncate(MAX_CONTINUATIONS);
        Ok(found)
    }
}

impl StartCandidates {
    fn add(&mut self, more: Vec<(u32, f64, PackedTransform)>) {
        for (cell, cost, transform) in more {
            self.cells.push(cell);
            self.fits.push((cost, transform));
        }
        self.sort();
    }
}

impl Problem<'_> {
    /// The number of cells of each duration that are compared at a start frame; `None` for all.
    fn candidate_limit(&self) -> Option<usize> {
        match self.settings.candidates {
            Some(most) => Some(most as usize),
            None => (self.index.cells.whole_count() > MAX_EXACT_CELLS).then_some(LARGE_MAPPING_CANDIDATES),
        }
    }
}

/// The least cost of any interpretation that uses a cell which was left out.
#[derive(Debug, Default)]
pub(crate) struct LeftOutBound {
    /// The bounds of each start frame, by duration.
    by_start: Vec<Vec<[f64; 2]>>,
}

impl LeftOutBound {
    /// Records the bounds of a range of start frames.
    pub(crate) fn record(&mut self, candidates: &Candidates) {
        let starts = candidates.starts();
        if self.by_start.len() < starts.end {
            self.by_start.resize(starts.end, Vec::new());
        }
        for (bounds, at) in self.by_start[starts].iter_mut().zip(&candidates.all) {
            bounds.clone_from(&at.bounds);
        }
    }

    /// Adds what another part of the search recorded.
    pub(crate) fn absorb(&mut self, other: Self) {
        if self.by_start.len() < other.by_start.len() {
            self.by_start.resize(other.by_start.len(), Vec::new());
        }
        for (bounds, other) in self.by_start.iter_mut().zip(other.by_start) {
            if !other.is_empty() {
                *bounds = other;
            }
        }
    }

    /// The least cost of an interpretation of `frames` frames that uses a cell which was left out; infinite if there is none.
    pub(crate) fn least_cost(&self, frames: usize) -> f64 {
        let mut before = vec![f64::INFINITY; frames + 1];
        let mut after = vec![f64::INFINITY; frames + 1];
        (before[0], after[frames]) = (0.0, 0.0);
        let steps = |start: usize| {
            let bounds = self.by_start.get(start).map_or(&[][..], Vec::as_slice);
            bounds.iter().enumerate().take(frames + 1 - start).skip(1)
        };
        for start in 0..frames {
            for (length, [least, _]) in steps(start) {
                before[start + length] = before[start + length].min(before[start] + least);
            }
        }
        for start in (0..frames).rev() {
            for (length, [least, _]) in steps(start) {
                after[start] = after[start].min(after[start + length] + least);
            }
        }
        let through = |start: usize| {
            let (before, after) = (before[start], &after);
            steps(start).map(move |(length, [_, left_out])| before + left_out + after[start + length])
        };
        (0..frames).flat_map(through).fold(f64::INFINITY, f64::min)
    }
}
