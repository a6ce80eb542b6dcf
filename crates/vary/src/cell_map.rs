//! Wrapping a sequence around an attractor, one Voronoi cell per element.

use std::num::NonZero;

use marey_ops::kd_tree::KdTree;
use marey_plan::Seed;
use rand::RngExt;

use crate::{ChaoticSystem, Result, StatePoint, Trajectory, VaryError, VarySettings};

const MIN_CELLS: usize = 4;

/// Number of integrator steps after which a trajectory counts as being on the attractor.
const SETTLING_STEPS: usize = 3000;
/// Number of integrator steps over which revolutions are counted.
const COUNTING_STEPS: usize = 6000;

/// With fewer revolutions in the counting steps the system does not oscillate.
const MIN_TURNS: usize = 10;

/// A system whose z varies by less than this fraction of its magnitude is at rest.
const REST_TOLERANCE: f64 = 1e-6;

/// A sequence wrapped around an attractor.
///
/// Successive points of a reference trajectory represent successive elements of the sequence. The cell of a
/// point is its Voronoi cell: all of space that is nearer to it than to any other point. A k-d tree finds the
/// cell of any position.
pub struct CellMap {
    system: ChaoticSystem,
    /// System time between points.
    step: f64,
    points: Vec<StatePoint>,
    tree: KdTree<3>,
    /// Root mean square distance of the points from their mean.
    size: f64,
}

/// A trajectory on the attractor and the cells that it visits.
#[derive(Debug, Clone, PartialEq)]
pub struct Itinerary {
    /// Points of the trajectory, from its start.
    pub points: Vec<StatePoint>,
    /// The cell that contains each point.
    pub cells: Vec<usize>,
}

impl CellMap {
    /// Wraps a sequence of `cells` cells around the attractor of the settings.
    pub fn new(cells: usize, settings: &VarySettings) -> Result<Self> {
        settings.validate()?;
        if cells < MIN_CELLS {
            return Err(VaryError::TooShort { elements: cells, min: MIN_CELLS });
        }
        let system = settings.system.clone();
        let (start, turn_time) = system.settle()?;
        let step = turn_time / settings.cells_per_turn;
        let points = Trajectory::new(&system, start, step).samples(cells)?;
        let tree = KdTree::new(&points);
        let size = size(&points);
        Ok(Self { system, step, points, tree, size })
    }

    /// Points of the reference trajectory, one per cell.
    pub fn points(&self) -> &[StatePoint] {
        &self.points
    }

    /// Size of the attractor: the root mean square distance of its points from their mean.
    pub fn size(&self) -> f64 {
        self.size
    }

    /// Returns the cell that contains a point.
    pub fn cell_at(&self, point: StatePoint) -> usize {
        self.tree.nearest(point).map_or(0, |(cell, _)| cell)
    }

    /// Follows a trajectory from `start` for `cells` samples, at the time step of the reference.
    pub fn itinerary(&self, start: StatePoint, cells: usize) -> Result<Itinerary> {
        let points = Trajectory::new(&self.system, start, self.step).samples(cells)?;
        let cells = points.iter().map(|point| self.cell_at(*point)).collect();
        Ok(Itinerary { points, cells })
    }

    /// Follows a trajectory from the start of the reference, shifted in a random direction by a part of the attractor's size.
    pub fn vary(&self, seed: Seed, shift: f64, cells: usize) -> Result<Itinerary> {
        self.vary_towards(seed, 0, shift, cells)
    }

    /// Like [`Self::vary`], in the n-th direction of a seed.
    pub(crate) fn vary_towards(&self, seed: Seed, n: u64, shift: f64, cells: usize) -> Result<Itinerary> {
        let [x, y, z] = direction(seed, n);
        let distance = shift * self.size;
        let [a, b, c] = self.points.first().copied().unwrap_or_default();
        self.itinerary([a + distance * x, b + distance * y, c + distance * z], cells)
    }
}

/// Returns a uniformly distributed unit vector, the n-th of a seed.
fn direction(seed: Seed, n: u64) -> StatePoint {
    let mut rng = seed.rng(n);
    loop {
        let candidate: StatePoint = [0; 3].map(|_| rng.random_range(-1.0..=1.0));
        let length = candidate.iter().map(|x: &f64| x * x).sum::<f64>().sqrt();
        if (0.01..=1.0).contains(&length) {
            return candidate.map(|x| x / length);
        }
    }
}

fn size(points: &[StatePoint]) -> f64 {
    let count = points.len().max(1) as f64;
    let variance = [0, 1, 2].map(|axis: usize| {
        let coordinate = |point: &StatePoint| point.get(axis).copied().unwrap_or_default();
        let mean = points.iter().map(coordinate).sum::<f64>() / count;
        points.iter().map(|point| (coordinate(point) - mean).powi(2)).sum::<f64>() / count
    });
    variance.iter().sum::<f64>().sqrt()
}

impl ChaoticSystem {
    /// Returns a point on the attractor and the mean time of a revolution, measured between maxima of z.
    fn settle(&self) -> Result<(StatePoint, f64)> {
        let mut trajectory = Trajectory::new(self, self.start(), 1.0);
        for _ in 0..SETTLING_STEPS {
            trajectory.advance()?;
        }
        let (settled, start_time) = (trajectory.position(), trajectory.time());
        let mut turns = 0;
        let mut was_rising = trajectory.is_rising();
        let (mut low, mut high) = (f64::MAX, f64::MIN);
        for _ in 0..COUNTING_STEPS {
            trajectory.advance()?;
            let is_rising = trajectory.is_rising();
            turns += usize::from(was_rising && !is_rising);
            was_rising = is_rising;
            let [.., z] = trajectory.position();
            (low, high) = (low.min(z), high.max(z));
        }
        let time = trajectory.time() - start_time;
        // Rounding errors make a system at rest oscillate slightly.
        let is_at_rest = high - low <= REST_TOLERANCE * high.abs().max(low.abs()).max(1.0);
        match NonZero::new(turns).filter(|turns| turns.get() >= MIN_TURNS && !is_at_rest) {
            Some(turns) => Ok((settled, time / turns.get() as f64)),
            None => Err(VaryError::NoOscillation { turns, time }),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Squared distance to the nearest point, by exhaustive search.
    fn exhaustive_nearest(points: &[StatePoint], at: StatePoint) -> f64 {
        let distance = |point: &StatePoint| point.iter().zip(&at).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
        points.iter().map(distance).fold(f64::MAX, f64::min)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn cell_at_finds_the_nearest_point(
            cells in 4usize..600,
            system in prop::sample::select(vec![ChaoticSystem::Lorenz, ChaoticSystem::Rossler, ChaoticSystem::Chua]),
            at in prop::array::uniform3(-40.0f64..60.0),
        ) {
            let cell_map = CellMap::new(cells, &VarySettings { system, ..VarySettings::default() }).unwrap();
            let found = cell_map.points()[cell_map.cell_at(at)];
            let distance = found.iter().zip(&at).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
            prop_assert_eq!(distance, exhaustive_nearest(cell_map.points(), at));
        }
    }

    #[test]
    fn the_reference_trajectory_plays_the_original() {
        for system in [ChaoticSystem::Lorenz, ChaoticSystem::Rossler, ChaoticSystem::Chua] {
            let cell_map = CellMap::new(500, &VarySettings { system, ..VarySettings::default() }).unwrap();
            let original = cell_map.itinerary(cell_map.points()[0], 500).unwrap();
            assert_eq!(original.cells, (0..500).collect::<Vec<_>>());
        }
    }

    #[test]
    fn systems_that_do_not_oscillate_are_errors() {
        let error = |system: &str| {
            let settings = VarySettings { system: system.parse().unwrap(), ..VarySettings::default() };
            CellMap::new(100, &settings).err()
        };
        // Lorenz's system with a small Rayleigh number comes to rest.
        assert!(matches!(error("10*(y-x); x*(0.5-z)-y; x*y-8/3*z"), Some(VaryError::NoOscillation { .. })));
        assert!(matches!(error("0; 0; 0"), Some(VaryError::NoOscillation { .. })));
        assert!(matches!(error("x; y; z"), Some(VaryError::Diverges { .. })));
        assert!(matches!(CellMap::new(3, &VarySettings::default()).err(), Some(VaryError::TooShort { .. })));
        // A pendulum oscillates without being chaotic, which is enough.
        assert_eq!(error("0; z; -y"), None);
    }
}
