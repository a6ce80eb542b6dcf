//! The primitives in a grid by length and height, and the query for those that fit best.
//!
//! Lamouret and van de Panne (*Motion Synthesis By Example*, 1996), section 3.1, figures 3 and 4: hops are classified
//! by length and height. The terrain is drawn into this grid, from the character's position, and only hops in the cells
//! that it crosses are compared. Section 3.2: the hop that is chosen minimises
//!
//! ```text
//! d = d_state + k₁ d_env + k₂ d_user
//! ```
//!
//! Change to the paper: a cell that the terrain does not cross may still hold the best primitive, one that lands slightly off the
//! terrain but starts in a closer state. The distance from a cell to the nearest footing bounds d_env of its members
//! from below, so cells are opened in order of that distance until none can hold a better primitive. The result equals
//! that of a full scan, and [`FitResult`] reports how many primitives were compared.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | d_state | squared distance of two states, see [`crate::StateMetric`] | m² |
//! | d_env | squared distance from the landing to the nearest footing | m² |
//! | d_user | cost by the user's preferences | m² |
//! | k₁, k₂ | `k_env`, `k_user` | 1 |

use marey_motion::Vec2;

use crate::fit_query::{FitQuery, FitResult, FitScratch, PrimitiveFit, StartState};
use crate::grid::Grid;

/// Minimum distance between two consecutive footings, in metres.
pub(crate) const MIN_AHEAD_M: f32 = 0.01;

/// Primitives by displacement, with their start states.
#[derive(Debug, Clone)]
pub struct PrimitiveIndex {
    /// Length and height of each primitive.
    displacements: Vec<Vec2>,
    /// Start states, one row after the other, in the order of the grid: rows of a cell are contiguous.
    starts: Vec<f32>,
    dims: usize,
    grid: Grid,
}

impl PrimitiveIndex {
    /// Builds the index from the displacements, the start states (rows of equal length) and the cell size in metres.
    pub fn new(displacements: Vec<Vec2>, starts: Vec<f32>, cell_m: f32) -> Self {
        let dims = starts.len().checked_div(displacements.len()).unwrap_or(0);
        let grid = Grid::new(&displacements, cell_m);
        let sorted =
            grid.members().iter().flat_map(|&primitive| &starts[primitive as usize * dims..][..dims]);
        let starts = sorted.copied().collect();
        Self { displacements, starts, dims, grid }
    }

    /// Number of primitives.
    pub fn len(&self) -> usize {
        self.displacements.len()
    }

    /// Whether the index is empty.
    pub fn is_empty(&self) -> bool {
        self.displacements.is_empty()
    }

    /// Length and height of a primitive, in metres.
    pub fn displacement(&self, primitive: usize) -> Vec2 {
        self.displacements[primitive]
    }

    /// d_state from a state row to the start of a primitive.
    pub(crate) fn state_distance(&self, row: &[f32], primitive: usize) -> f32 {
        let slot = self.grid.members().iter().position(|member| *member as usize == primitive);
        let start = slot.and_then(|slot| self.starts.get(slot * self.dims..(slot + 1) * self.dims));
        start.map_or(f32::INFINITY, |start| squared_distance(row, start))
    }

    /// The primitives that fit best, found cell by cell.
    pub fn best_fits(&self, query: &FitQuery<'_>) -> FitResult {
        let mut scratch = FitScratch::default();
        let [cells, compared] = self.best_fits_with(&mut scratch, query);
        FitResult { fits: scratch.fits, cells, compared }
    }

    /// [`PrimitiveIndex::best_fits`] with reused buffers: the result is in [`FitScratch::fits`]. Returns the number of
    /// cells opened and of primitives compared.
    pub fn best_fits_with(&self, scratch: &mut FitScratch, query: &FitQuery<'_>) -> [usize; 2] {
        let FitScratch { near, fits } = scratch;
        fits.clear();
        let mut best = BestFits { fits, count: query.count.max(1), max_cost: query.max_cost };
        self.grid.cells_near(query, near);
        let (mut opened, mut compared) = (0, 0);
        let reach_m = query.reach_m();
        let first = query.footings.count_before(query.position.x + MIN_AHEAD_M);
        for &(squared_m2, cell) in near.iter() {
            if query.k_env * f64::from(squared_m2) > best.threshold() {
                break;
            }
            opened += 1;
            for slot in self.grid.slots(cell as usize) {
                compared += 1;
                // States are compared first, because finding a footing is slower.
                if let Some((primitive, state, user)) =
                    self.state_and_user(query, slot, squared_m2, best.threshold())
                    && let Some(fit) = self.landing(query, primitive, first, reach_m)
                {
                    best.insert(PrimitiveFit { state, user, ..fit });
                }
            }
        }
        [opened, compared]
    }

    /// The primitives that fit best, found by a full scan: the reference for [`PrimitiveIndex::best_fits`].
    pub fn scan(&self, query: &FitQuery<'_>) -> FitResult {
        let mut fits = Vec::new();
        let mut best = BestFits { fits: &mut fits, count: query.count.max(1), max_cost: query.max_cost };
        let first = query.footings.count_before(query.position.x + MIN_AHEAD_M);
        for slot in 0..self.len() {
            if let Some((primitive, state, user)) = self.state_and_user(query, slot, 0.0, f64::INFINITY)
                && let Some(fit) = self.landing(query, primitive, first, query.max_shift_m)
            {
                best.insert(PrimitiveFit { state, user, ..fit });
            }
        }
        FitResult { fits, cells: self.grid.cells(), compared: self.len() }
    }

    /// The primitive in a slot of the grid, its d_state and its k₂ d_user. `None` if they exceed the threshold
    /// together with a d_env of `min_env_m2`.
    fn state_and_user(
        &self,
        query: &FitQuery<'_>,
        slot: usize,
        min_env_m2: f32,
        threshold: f64,
    ) -> Option<(usize, f64, f64)> {
        let primitive = self.grid.members()[slot] as usize;
        let state = match query.state {
            StartState::Any => 0.0,
            StartState::Row(row) => squared_distance(row, &self.starts[slot * self.dims..][..self.dims]),
            StartState::Distances(distances) => distances[primitive],
        };
        let user = query.k_user * f64::from(query.user_costs.get(primitive).copied().unwrap_or(0.0));
        let state = f64::from(state);
        let total = state + query.k_env * f64::from(min_env_m2) + user;
        (total <= threshold).then_some((primitive, state, user))
    }

    /// The footing that a primitive lands on, with its k₁ d_env.
    fn landing(
        &self,
        query: &FitQuery<'_>,
        primitive: usize,
        first: usize,
        reach_m: f32,
    ) -> Option<PrimitiveFit> {
        let landing = query.position + self.displacements[primitive];
        let (footing, squared_m2) = query.footings.nearest_from(first, landing, reach_m)?;
        let env = query.k_env * f64::from(squared_m2);
        Some(PrimitiveFit { primitive, footing, state: 0.0, env, user: 0.0 })
    }
}

/// The squared distance of two rows, summed in eight lanes.
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

/// The best fits so far, sorted.
struct BestFits<'a> {
    fits: &'a mut Vec<PrimitiveFit>,
    count: usize,
    max_cost: f64,
}

impl BestFits<'_> {
    /// Fits that cost more cannot enter the list.
    fn threshold(&self) -> f64 {
        if self.fits.len() < self.count { self.max_cost } else { self.fits[self.count - 1].total() }
    }

    fn insert(&mut self, fit: PrimitiveFit) {
        let order = |other: &PrimitiveFit| (other.total(), other.primitive) < (fit.total(), fit.primitive);
        let rank = self.fits.partition_point(order);
        if rank < self.count && fit.total() <= self.max_cost {
            self.fits.truncate(self.count - 1);
            self.fits.insert(rank, fit);
        }
    }
}

#[cfg(test)]
mod tests {
    use marey_motion::Terrain;
    use proptest::prelude::*;

    use super::*;
    use crate::Footings;

    /// Bumpy terrain with a gap.
    fn bumpy_footings(bumps: &[(f32, f32)]) -> Footings {
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
        Footings::new(&Terrain::new(pieces).unwrap(), 0.08, 0.5)
    }

    fn query<'a>(footings: &'a Footings, state: &'a [f32], user_costs: &'a [f32]) -> FitQuery<'a> {
        let position = footings.all()[footings.all().len() / 4].position;
        let (k_env, k_user, max_shift_m, count, max_cost) = (1.0, 0.5, 0.1, 5, f64::INFINITY);
        let state = StartState::Row(state);
        FitQuery { position, state, footings, user_costs, k_env, k_user, max_shift_m, count, max_cost }
    }

    proptest! {
        #[test]
        fn grid_query_equals_full_scan(
            bumps in prop::collection::vec((0.05f32..0.5, -0.1f32..0.1), 4..12),
            primitives in prop::collection::vec((0.02f32..0.6, -0.3f32..0.3, -0.1f32..0.1, 0f32..0.1), 0..300),
            cell_m in 0.01f32..0.3, k_env in 0f64..5.0, count in 1usize..8,
            max_cost in prop_oneof![Just(f64::INFINITY), 0f64..0.02],
        ) {
            let footings = bumpy_footings(&bumps);
            prop_assume!(!footings.all().is_empty());
            let starts: Vec<f32> = primitives.iter().flat_map(|primitive| [primitive.2, 2.0 * primitive.2, 0.0]).collect();
            let user_costs: Vec<f32> = primitives.iter().map(|primitive| primitive.3).collect();
            let index = PrimitiveIndex::new(primitives.iter().map(|primitive| Vec2::new(primitive.0, primitive.1)).collect(), starts, cell_m);
            let query = FitQuery { k_env, count, max_cost, ..query(&footings, &[0.01, 0.03, 0.0], &user_costs) };
            let (fast, slow) = (index.best_fits(&query), index.scan(&query));
            prop_assert_eq!(&fast.fits, &slow.fits);
            prop_assert!(fast.compared <= slow.compared && fast.cells <= slow.cells);
            let rows = primitives.iter().map(|primitive| [primitive.2, 2.0 * primitive.2, 0.0]);
            let distances: Vec<f32> = rows.map(|row| squared_distance(&[0.01, 0.03, 0.0], &row)).collect();
            prop_assert_eq!(index.best_fits(&FitQuery { state: StartState::Distances(&distances), ..query }).fits, slow.fits);
        }
    }

    #[test]
    fn only_cells_near_the_terrain_are_opened() {
        let footings = bumpy_footings(&[(3.0, 0.0)]);
        // The level terrain crosses one row of cells in twenty.
        let displacements: Vec<Vec2> = (0..2000)
            .map(|i| Vec2::new(0.05 + 0.005 * (i % 100) as f32, -0.5 + 0.05 * (i / 100) as f32))
            .collect();
        let index = PrimitiveIndex::new(displacements, vec![0.0; 2000], 0.05);
        let result = index.best_fits(&FitQuery { count: 1, ..query(&footings, &[0.0], &[]) });
        assert!(result.fits[0].env < 1e-6);
        assert!(result.compared <= 300 && result.cells < 30, "{} in {}", result.compared, result.cells);
        let empty = PrimitiveIndex::new(vec![], vec![], 0.05);
        assert!(empty.is_empty() && empty.best_fits(&query(&footings, &[], &[])).fits.is_empty());
    }

    #[test]
    fn row_distance_is_the_sum_of_squares() {
        let (a, b): (Vec<f32>, Vec<f32>) = (0..19).map(|i| (i as f32, 2.0 * i as f32)).unzip();
        assert_eq!(squared_distance(&a, &b), (0..19).map(|i| (i * i) as f32).sum::<f32>());
    }
}
