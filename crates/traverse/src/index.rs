//! The examples in a grid by length and height, and what fits best.
//!
//! Lamouret and van de Panne (*Motion Synthesis By Example*, 1996), section 3.1, figures 3 and 4: hops are classified by how far
//! and how high they lead, and only those are compared that are in cells which the terrain, drawn from where the figure
//! stands, crosses. Section 3.2: of these the one is taken with the least
//!
//! ```text
//! d = d_state + k₁ d_env + k₂ d_user
//! ```
//!
//! Changed: a cell that the terrain does not cross may hold the best example all the same, one that leads a little beside
//! the ground but begins just as the figure stands. What is in a cell has at least the d_env of the cell's distance from the
//! nearest footing, so cells are looked at from the nearest outwards until none can hold anything better: the answer is that of
//! looking at every example, and [`Answer`] says how few were looked at.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | d_state | squared distance of two states, see [`crate::Metric`] | m² |
//! | d_env | squared distance from where an example leads to the nearest footing | m² |
//! | d_user | what the user's taste has against an example | m² |
//! | k₁, k₂ | `k_env`, `k_user` | 1 |

use std::ops::Range;

use marey_motion::Vec2;

use crate::{Footing, Footings};

/// A hop goes ahead by at least so much, in metres.
pub(crate) const LEAST_AHEAD_M: f32 = 0.01;
/// No grid has more cells; larger ones are made where it would.
const MOST_CELLS: usize = 1 << 20;

/// Examples by how far and how high they lead, and how they begin.
#[derive(Debug, Clone)]
pub struct Index {
    /// Length and height of each example.
    leads: Vec<Vec2>,
    /// How each begins, one row after the other, those of a cell together.
    starts: Vec<f32>,
    dims: usize,
    grid: Grid,
}

/// What is asked.
#[derive(Debug, Clone, Copy)]
pub struct Ask<'a> {
    /// Where the sole's middle is.
    pub at: Vec2,
    /// How the figure is, as examples begin; `None`: as any of them likes.
    pub state: Option<&'a [f32]>,
    /// Where it can stand next.
    pub footings: &'a Footings,
    /// d_user of every example; empty: 0.
    pub user: &'a [f32],
    /// k₁.
    pub k_env: f64,
    /// k₂.
    pub k_user: f64,
    /// How far a landing may be moved, in metres.
    pub most_shift_m: f32,
    /// How many are wanted.
    pub count: usize,
}

/// An example that fits, and how well.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// Which example.
    pub primitive: usize,
    /// Which footing it is made to land on.
    pub footing: usize,
    /// d_state, in m².
    pub state: f64,
    /// k₁ d_env, in m².
    pub env: f64,
    /// k₂ d_user, in m².
    pub user: f64,
}

impl Fit {
    /// All together.
    pub fn total(&self) -> f64 {
        self.state + self.env + self.user
    }
}

/// The examples that fit best, and how many were looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Best first; of equals, the first example first.
    pub fits: Vec<Fit>,
    /// Cells that were opened.
    pub cells: usize,
    /// Examples that were compared.
    pub looked_at: usize,
}

impl Index {
    /// Sorts examples into a grid: how far and high each leads, how it begins (rows of equal length), and the size of a cell in
    /// metres.
    pub fn new(leads: Vec<Vec2>, starts: Vec<f32>, cell_m: f32) -> Self {
        let dims = starts.len().checked_div(leads.len()).unwrap_or(0);
        let grid = Grid::of(&leads, cell_m);
        // Those of a cell are read in one go.
        let sorted = grid.members.iter().flat_map(|&primitive| &starts[primitive as usize * dims..][..dims]);
        let starts = sorted.copied().collect();
        Self { leads, starts, dims, grid }
    }

    /// How many examples there are.
    pub fn len(&self) -> usize {
        self.leads.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.leads.is_empty()
    }

    /// How far and how high an example leads, in metres.
    pub fn lead(&self, primitive: usize) -> Vec2 {
        self.leads[primitive]
    }

    /// The best examples, found cell by cell.
    pub fn ask(&self, ask: &Ask<'_>) -> Answer {
        let mut best = Best::new(ask.count);
        let cells = self.grid.near(ask);
        let (mut opened, mut looked_at) = (0, 0);
        for &(squared_m2, cell) in &cells {
            if ask.k_env * f64::from(squared_m2) > best.bar() {
                break;
            }
            opened += 1;
            for slot in self.grid.slots(cell) {
                looked_at += 1;
                if let Some(fit) = self.fit(ask, slot, squared_m2, best.bar()) {
                    best.put(fit);
                }
            }
        }
        Answer { fits: best.fits, cells: opened, looked_at }
    }

    /// The best examples, found by looking at every one: the twin of [`Index::ask`], and its baseline.
    pub fn scan(&self, ask: &Ask<'_>) -> Answer {
        let mut best = Best::new(ask.count);
        for slot in 0..self.len() {
            if let Some(fit) = self.fit(ask, slot, 0.0, f64::INFINITY) {
                best.put(fit);
            }
        }
        Answer { fits: best.fits, cells: self.grid.columns * self.grid.rows, looked_at: self.len() }
    }

    /// How well the example at a place of the grid's order fits; `None` where it does not, or where it costs more than `bar` with a d_env of `least_m2` already: states are
    /// compared sooner than footings are looked for.
    fn fit(&self, ask: &Ask<'_>, slot: usize, least_m2: f32, bar: f64) -> Option<Fit> {
        let primitive = self.grid.members[slot] as usize;
        let start = &self.starts[slot * self.dims..][..self.dims];
        let user = ask.k_user * f64::from(ask.user.get(primitive).copied().unwrap_or(0.0));
        let state = ask.state.map_or(0.0, |state| f64::from(squared_distance(state, start)));
        if state + ask.k_env * f64::from(least_m2) + user > bar {
            return None;
        }
        let landing = ask.at + self.leads[primitive];
        let first_m = (landing.x - ask.most_shift_m).max(ask.at.x + LEAST_AHEAD_M);
        let among = ask.footings.within(first_m, landing.x + ask.most_shift_m);
        let (footing, squared_m2) = ask.footings.nearest_in(among, landing, ask.most_shift_m)?;
        Some(Fit { primitive, footing, state, env: ask.k_env * f64::from(squared_m2), user })
    }
}

/// The squared distance of two rows, in sums that can be taken side by side.
pub(crate) fn squared_distance(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0f32; 8];
    let (a, b) = (a.chunks(8), b.chunks(8));
    for (a, b) in a.zip(b) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += (a - b) * (a - b);
        }
    }
    sums.iter().sum()
}

/// The best few so far, sorted.
struct Best {
    fits: Vec<Fit>,
    count: usize,
}

impl Best {
    fn new(count: usize) -> Self {
        Self { fits: Vec::with_capacity(count.min(64) + 1), count: count.max(1) }
    }

    /// What is dearer need not be looked at.
    fn bar(&self) -> f64 {
        if self.fits.len() < self.count { f64::INFINITY } else { self.fits[self.count - 1].total() }
    }

    fn put(&mut self, fit: Fit) {
        let order = |other: &Fit| (other.total(), other.primitive) < (fit.total(), fit.primitive);
        let place = self.fits.partition_point(order);
        if place < self.count {
            self.fits.insert(place, fit);
            self.fits.truncate(self.count);
        }
    }
}

/// Cells of examples: those of a cell stand together.
#[derive(Debug, Clone)]
struct Grid {
    low: Vec2,
    cell_m: f32,
    columns: usize,
    rows: usize,
    /// Where each cell's members begin; one more than there are cells.
    begins: Vec<u32>,
    members: Vec<u32>,
}

impl Grid {
    fn of(leads: &[Vec2], cell_m: f32) -> Self {
        let low = leads.iter().copied().reduce(Vec2::min).unwrap_or_default();
        let high = leads.iter().copied().reduce(Vec2::max).unwrap_or_default();
        let mut grid = Self { low, cell_m, columns: 1, rows: 1, begins: vec![], members: vec![] };
        loop {
            let [columns, rows] =
                ((high - low) / grid.cell_m).to_array().map(|cells| cells.floor() as usize + 1);
            (grid.columns, grid.rows) = (columns, rows);
            if columns.saturating_mul(rows) <= MOST_CELLS {
                break;
            }
            grid.cell_m *= 2.0;
        }
        let cells: Vec<usize> = leads.iter().map(|lead| grid.cell_of(*lead)).collect();
        grid.begins = vec![0; grid.columns * grid.rows + 1];
        for cell in &cells {
            grid.begins[cell + 1] += 1;
        }
        for cell in 0..grid.columns * grid.rows {
            grid.begins[cell + 1] += grid.begins[cell];
        }
        let mut next = grid.begins.clone();
        grid.members = vec![0; leads.len()];
        for (primitive, cell) in cells.iter().enumerate() {
            grid.members[next[*cell] as usize] = primitive as u32;
            next[*cell] += 1;
        }
        grid
    }

    fn cell_of(&self, lead: Vec2) -> usize {
        let [column, row] = ((lead - self.low) / self.cell_m).to_array().map(|at| at.max(0.0) as usize);
        row.min(self.rows - 1) * self.columns + column.min(self.columns - 1)
    }

    /// Where in `members` those of a cell are.
    fn slots(&self, cell: usize) -> Range<usize> {
        self.begins[cell] as usize..self.begins[cell + 1] as usize
    }

    /// The cells with something in them that a footing is near enough to, and how near at least, squared; nearest first.
    fn near(&self, ask: &Ask<'_>) -> Vec<(f32, usize)> {
        let reach = ask.most_shift_m + 1e-4;
        let mut near = Vec::new();
        for column in 0..self.columns {
            let left = self.low.x + self.cell_m * column as f32;
            let first_m = (ask.at.x + left - reach).max(ask.at.x + LEAST_AHEAD_M);
            let footings =
                &ask.footings.all()[ask.footings.within(first_m, ask.at.x + left + self.cell_m + reach)];
            let heights = || footings.iter().map(|footing| footing.at.y - ask.at.y);
            let lowest = heights().fold(f32::INFINITY, f32::min) - reach;
            let highest = heights().fold(f32::NEG_INFINITY, f32::max) + reach;
            for row in 0..self.rows {
                let cell = row * self.columns + column;
                let corner = Vec2::new(left, self.low.y + self.cell_m * row as f32);
                let beside = corner.y > highest || corner.y + self.cell_m < lowest;
                if beside || self.slots(cell).is_empty() {
                    continue;
                }
                let squared = |footing: &Footing| {
                    let lead = footing.at - ask.at;
                    (lead - lead.clamp(corner, corner + self.cell_m)).length_squared()
                };
                let nearest = footings.iter().map(squared).fold(f32::INFINITY, f32::min);
                // A little less, since corners of cells are rounded.
                let nearest = (nearest.sqrt() - 1e-5).max(0.0).powi(2);
                if nearest <= reach * reach {
                    near.push((nearest, cell));
                }
            }
        }
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        near
    }
}

#[cfg(test)]
mod tests {
    use marey_motion::Terrain;
    use proptest::prelude::*;

    use super::*;

    /// Bumpy ground with a gap.
    fn ground(bumps: &[(f32, f32)]) -> Footings {
        let mut at = Vec2::new(-0.5, 0.0);
        let mut pieces = vec![vec![at]];
        for (number, &(x, y)) in bumps.iter().enumerate() {
            at += Vec2::new(x, y);
            if number == 3 {
                pieces.push(vec![at]);
            } else if let Some(piece) = pieces.last_mut() {
                piece.push(at);
            }
        }
        at.x += 0.4;
        pieces.last_mut().unwrap().push(at);
        Footings::of(&Terrain::new(pieces).unwrap(), 0.08, 0.5)
    }

    fn ask<'a>(footings: &'a Footings, state: &'a [f32], user: &'a [f32]) -> Ask<'a> {
        let at = footings.all()[footings.all().len() / 4].at;
        let (k_env, k_user, most_shift_m, count) = (1.0, 0.5, 0.1, 5);
        Ask { at, state: Some(state), footings, user, k_env, k_user, most_shift_m, count }
    }

    proptest! {
        #[test]
        fn cells_give_what_looking_at_every_example_gives(
            bumps in prop::collection::vec((0.05f32..0.5, -0.1f32..0.1), 4..12),
            leads in prop::collection::vec((0.02f32..0.6, -0.3f32..0.3, -0.1f32..0.1, 0f32..0.1), 0..300),
            cell_m in 0.01f32..0.3, k_env in 0f64..5.0, count in 1usize..8,
        ) {
            let footings = ground(&bumps);
            prop_assume!(!footings.all().is_empty());
            let starts: Vec<f32> = leads.iter().flat_map(|lead| [lead.2, 2.0 * lead.2, 0.0]).collect();
            let user: Vec<f32> = leads.iter().map(|lead| lead.3).collect();
            let index = Index::new(leads.iter().map(|lead| Vec2::new(lead.0, lead.1)).collect(), starts, cell_m);
            let ask = Ask { k_env, count, ..ask(&footings, &[0.01, 0.03, 0.0], &user) };
            let (fast, slow) = (index.ask(&ask), index.scan(&ask));
            prop_assert_eq!(&fast.fits, &slow.fits);
            prop_assert!(fast.looked_at <= slow.looked_at && fast.cells <= slow.cells);
        }
    }

    #[test]
    fn only_cells_near_the_ground_are_opened() {
        let footings = ground(&[(3.0, 0.0)]);
        // A field of examples, of which level ground crosses one row of cells in twenty.
        let leads: Vec<Vec2> = (0..2000)
            .map(|i| Vec2::new(0.05 + 0.005 * (i % 100) as f32, -0.5 + 0.05 * (i / 100) as f32))
            .collect();
        let index = Index::new(leads, vec![0.0; 2000], 0.05);
        let answer = index.ask(&Ask { count: 1, ..ask(&footings, &[0.0], &[]) });
        assert!(answer.fits[0].env < 1e-6);
        assert!(answer.looked_at <= 300 && answer.cells < 30, "{} in {}", answer.looked_at, answer.cells);
        let none = Index::new(vec![], vec![], 0.05);
        assert!(none.is_empty() && none.ask(&ask(&footings, &[], &[])).fits.is_empty());
    }

    #[test]
    fn distances_of_rows_are_sums_of_squares() {
        let (a, b): (Vec<f32>, Vec<f32>) = (0..19).map(|i| (i as f32, 2.0 * i as f32)).unzip();
        assert_eq!(squared_distance(&a, &b), (0..19).map(|i| (i * i) as f32).sum::<f32>());
    }
}
