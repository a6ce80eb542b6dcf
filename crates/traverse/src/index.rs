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

use marey_motion::Vec2;

use crate::ask::{Answer, Ask, Fit, Scratch, State};
use crate::grid::Grid;

/// A hop goes ahead by at least so much, in metres.
pub(crate) const LEAST_AHEAD_M: f32 = 0.01;

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

impl Index {
    /// Sorts examples into a grid: how far and high each leads, how it begins (rows of equal length), and the size of a cell in
    /// metres.
    pub fn new(leads: Vec<Vec2>, starts: Vec<f32>, cell_m: f32) -> Self {
        let dims = starts.len().checked_div(leads.len()).unwrap_or(0);
        let grid = Grid::of(&leads, cell_m);
        // Those of a cell are read in one go.
        let sorted =
            grid.members().iter().flat_map(|&primitive| &starts[primitive as usize * dims..][..dims]);
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
        let mut scratch = Scratch::default();
        let [cells, looked_at] = self.ask_with(&mut scratch, ask);
        Answer { fits: scratch.fits, cells, looked_at }
    }

    /// [`Index::ask`] into room that is used again: [`Scratch::fits`]. How many cells were opened, and how many examples were compared.
    pub fn ask_with(&self, scratch: &mut Scratch, ask: &Ask<'_>) -> [usize; 2] {
        let Scratch { near, fits } = scratch;
        fits.clear();
        let mut best = Best { fits, count: ask.count.max(1), most: ask.most };
        self.grid.near(ask, near);
        let (mut opened, mut looked_at) = (0, 0);
        let reach_m = ask.reach_m();
        let first = ask.footings.before(ask.at.x + LEAST_AHEAD_M);
        for &(squared_m2, cell) in near.iter() {
            if ask.k_env * f64::from(squared_m2) > best.bar() {
                break;
            }
            opened += 1;
            for slot in self.grid.slots(cell as usize) {
                looked_at += 1;
                if let Some((primitive, state, user)) = self.begins(ask, slot, squared_m2, best.bar())
                    && let Some(fit) = self.lands(ask, primitive, first, reach_m)
                {
                    best.put(Fit { state, user, ..fit });
                }
            }
        }
        [opened, looked_at]
    }

    /// The best examples, found by looking at every one: the twin of [`Index::ask`], and its baseline.
    pub fn scan(&self, ask: &Ask<'_>) -> Answer {
        let mut fits = Vec::new();
        let mut best = Best { fits: &mut fits, count: ask.count.max(1), most: ask.most };
        let first = ask.footings.before(ask.at.x + LEAST_AHEAD_M);
        for slot in 0..self.len() {
            if let Some((primitive, state, user)) = self.begins(ask, slot, 0.0, f64::INFINITY)
                && let Some(fit) = self.lands(ask, primitive, first, ask.most_shift_m)
            {
                best.put(Fit { state, user, ..fit });
            }
        }
        Answer { fits, cells: self.grid.cells(), looked_at: self.len() }
    }

    /// Which example is at a place of the grid's order, its d_state and its k₂ d_user; `None` where these cost more than `bar` with a d_env of `least_m2`: states are compared sooner
    /// than footings are looked for.
    fn begins(&self, ask: &Ask<'_>, slot: usize, least_m2: f32, bar: f64) -> Option<(usize, f64, f64)> {
        let primitive = self.grid.members()[slot] as usize;
        let state = match ask.state {
            State::Any => 0.0,
            State::Row(row) => squared_distance(row, &self.starts[slot * self.dims..][..self.dims]),
            State::Known(apart) => apart[primitive],
        };
        let user = ask.k_user * f64::from(ask.user.get(primitive).copied().unwrap_or(0.0));
        let state = f64::from(state);
        (state + ask.k_env * f64::from(least_m2) + user <= bar).then_some((primitive, state, user))
    }

    /// Where an example is made to land, and its k₁ d_env.
    fn lands(&self, ask: &Ask<'_>, primitive: usize, first: usize, reach_m: f32) -> Option<Fit> {
        let landing = ask.at + self.leads[primitive];
        let (footing, squared_m2) = ask.footings.nearest_from(first, landing, reach_m)?;
        let env = ask.k_env * f64::from(squared_m2);
        Some(Fit { primitive, footing, state: 0.0, env, user: 0.0 })
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
struct Best<'a> {
    fits: &'a mut Vec<Fit>,
    count: usize,
    most: f64,
}

impl Best<'_> {
    /// What is dearer need not be looked at.
    fn bar(&self) -> f64 {
        if self.fits.len() < self.count { self.most } else { self.fits[self.count - 1].total() }
    }

    fn put(&mut self, fit: Fit) {
        let order = |other: &Fit| (other.total(), other.primitive) < (fit.total(), fit.primitive);
        let place = self.fits.partition_point(order);
        if place < self.count && fit.total() <= self.most {
            self.fits.truncate(self.count - 1);
            self.fits.insert(place, fit);
        }
    }
}

#[cfg(test)]
mod tests {
    use marey_motion::Terrain;
    use proptest::prelude::*;

    use super::*;
    use crate::Footings;

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
        let (k_env, k_user, most_shift_m, count, most) = (1.0, 0.5, 0.1, 5, f64::INFINITY);
        Ask { at, state: State::Row(state), footings, user, k_env, k_user, most_shift_m, count, most }
    }

    proptest! {
        #[test]
        fn cells_give_what_looking_at_every_example_gives(
            bumps in prop::collection::vec((0.05f32..0.5, -0.1f32..0.1), 4..12),
            leads in prop::collection::vec((0.02f32..0.6, -0.3f32..0.3, -0.1f32..0.1, 0f32..0.1), 0..300),
            cell_m in 0.01f32..0.3, k_env in 0f64..5.0, count in 1usize..8,
            most in prop_oneof![Just(f64::INFINITY), 0f64..0.02],
        ) {
            let footings = ground(&bumps);
            prop_assume!(!footings.all().is_empty());
            let starts: Vec<f32> = leads.iter().flat_map(|lead| [lead.2, 2.0 * lead.2, 0.0]).collect();
            let user: Vec<f32> = leads.iter().map(|lead| lead.3).collect();
            let index = Index::new(leads.iter().map(|lead| Vec2::new(lead.0, lead.1)).collect(), starts, cell_m);
            let ask = Ask { k_env, count, most, ..ask(&footings, &[0.01, 0.03, 0.0], &user) };
            let (fast, slow) = (index.ask(&ask), index.scan(&ask));
            prop_assert_eq!(&fast.fits, &slow.fits);
            prop_assert!(fast.looked_at <= slow.looked_at && fast.cells <= slow.cells);
            let rows = leads.iter().map(|lead| [lead.2, 2.0 * lead.2, 0.0]);
            let apart: Vec<f32> = rows.map(|row| squared_distance(&[0.01, 0.03, 0.0], &row)).collect();
            prop_assert_eq!(index.ask(&Ask { state: State::Known(&apart), ..ask }).fits, slow.fits);
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
