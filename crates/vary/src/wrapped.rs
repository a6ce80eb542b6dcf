//! A sequence around an attractor: one cell for each of its elements.

use std::num::NonZero;

use marey_ops::kd_tree::KdTree;
use marey_plan::Seed;
use rand::RngExt;

use crate::{Error, Point, Result, Settings, System, Trajectory};

/// How few cells make a sequence.
const LEAST_CELLS: usize = 4;

/// Steps of the integrator until a trajectory is taken to be on the attractor, and steps in which turns are counted then.
const SETTLING_STEPS: usize = 3000;
const COUNTING_STEPS: usize = 6000;

/// Fewer turns than this in those steps are none.
const LEAST_TURNS: usize = 10;

/// What moves by less than this share of its size is at rest.
const STILL: f64 = 1e-6;

/// A sequence wrapped around an attractor: successive cells along a reference trajectory stand for successive elements. A
/// cell is what is nearer to its point than to any other: a Voronoi diagram, looked up in a k-d tree.
pub struct Wrapped {
    system: System,
    /// Between samples, in the system's time.
    step: f64,
    points: Vec<Point>,
    tree: KdTree<3>,
    /// Root of the mean squared distance of points from their middle.
    size: f64,
    shift: f64,
}

/// Another trajectory on the attractor.
#[derive(Debug, Clone, PartialEq)]
pub struct Variation {
    /// Where it goes; the first is its start.
    pub points: Vec<Point>,
    /// The cell that each is in.
    pub cells: Vec<usize>,
}

impl Wrapped {
    /// Wraps so many cells around the attractor of the settings.
    pub fn new(cells: usize, settings: &Settings) -> Result<Self> {
        settings.validate()?;
        if cells < LEAST_CELLS {
            return Err(Error::Short { elements: cells, least: LEAST_CELLS });
        }
        let system = settings.system.clone();
        let (start, turn_time) = system.settled()?;
        let step = turn_time / settings.cells_per_turn;
        let points = Trajectory::new(&system, start, step).samples(cells)?;
        let tree = KdTree::new(&points);
        let size = size(&points);
        Ok(Self { system, step, points, tree, size, shift: settings.shift })
    }

    /// The reference trajectory: the middle of each cell.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// How large the attractor is: the root of the mean squared distance of its points from their middle.
    pub fn size(&self) -> f64 {
        self.size
    }

    /// Which cell a place is in.
    pub fn cell_at(&self, point: Point) -> usize {
        self.tree.nearest(point).map_or(0, |(cell, _)| cell)
    }

    /// Which cells a trajectory from a place is in, at the pace of the reference.
    pub fn itinerary(&self, start: Point, cells: usize) -> Result<Variation> {
        let points = Trajectory::new(&self.system, start, self.step).samples(cells)?;
        let cells = points.iter().map(|point| self.cell_at(*point)).collect();
        Ok(Variation { points, cells })
    }

    /// The itinerary from a start that is shifted, in a direction that the seed chooses.
    pub fn vary(&self, seed: Seed, cells: usize) -> Result<Variation> {
        self.itinerary(self.shifted_start(seed), cells)
    }

    /// Where a variation starts.
    pub fn shifted_start(&self, seed: Seed) -> Point {
        let [x, y, z] = direction(seed);
        let far = self.shift * self.size;
        let [a, b, c] = self.points.first().copied().unwrap_or_default();
        [a + far * x, b + far * y, c + far * z]
    }
}

/// A direction of length 1, every one as likely.
fn direction(seed: Seed) -> Point {
    let mut rng = seed.rng(0);
    loop {
        let candidate: Point = [0; 3].map(|_| rng.random_range(-1.0..=1.0));
        let length = candidate.iter().map(|x: &f64| x * x).sum::<f64>().sqrt();
        if (0.01..=1.0).contains(&length) {
            return candidate.map(|x| x / length);
        }
    }
}

fn size(points: &[Point]) -> f64 {
    let count = points.len().max(1) as f64;
    let variance = [0, 1, 2].map(|axis: usize| {
        let of = |point: &Point| point.get(axis).copied().unwrap_or_default();
        let mean = points.iter().map(of).sum::<f64>() / count;
        points.iter().map(|point| (of(point) - mean).powi(2)).sum::<f64>() / count
    });
    variance.iter().sum::<f64>().sqrt()
}

impl System {
    /// A place on the attractor, and how long a turn around it takes: the time between two of z's highest places, on average.
    fn settled(&self) -> Result<(Point, f64)> {
        let mut trajectory = Trajectory::new(self, self.start(), 1.0);
        for _ in 0..SETTLING_STEPS {
            trajectory.advance()?;
        }
        let (settled, start_time) = (trajectory.place(), trajectory.time());
        let mut turns = 0;
        let mut was_rising = trajectory.is_rising();
        let (mut low, mut high) = (f64::MAX, f64::MIN);
        for _ in 0..COUNTING_STEPS {
            trajectory.advance()?;
            let is_rising = trajectory.is_rising();
            turns += usize::from(was_rising && !is_rising);
            was_rising = is_rising;
            let [.., z] = trajectory.place();
            (low, high) = (low.min(z), high.max(z));
        }
        let time = trajectory.time() - start_time;
        // What rests trembles, by the last digits of its place.
        let is_still = high - low <= STILL * high.abs().max(low.abs()).max(1.0);
        match NonZero::new(turns).filter(|turns| turns.get() >= LEAST_TURNS && !is_still) {
            Some(turns) => Ok((settled, time / turns.get() as f64)),
            None => Err(Error::Still { turns, time }),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The nearest point by trying each.
    fn slow_cell(points: &[Point], at: Point) -> f64 {
        let distance = |point: &Point| point.iter().zip(&at).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
        points.iter().map(distance).fold(f64::MAX, f64::min)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn cells_are_those_of_the_nearest_point(
            cells in 4usize..600,
            system in prop::sample::select(vec![System::Lorenz, System::Rossler, System::Chua]),
            at in prop::array::uniform3(-40.0f64..60.0),
        ) {
            let wrapped = Wrapped::new(cells, &Settings { system, ..Settings::default() }).unwrap();
            let found = wrapped.points()[wrapped.cell_at(at)];
            let distance = found.iter().zip(&at).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
            prop_assert_eq!(distance, slow_cell(wrapped.points(), at));
        }
    }

    #[test]
    fn the_reference_itself_plays_the_original() {
        for system in [System::Lorenz, System::Rossler, System::Chua] {
            let wrapped = Wrapped::new(500, &Settings { system, ..Settings::default() }).unwrap();
            let original = wrapped.itinerary(wrapped.points()[0], 500).unwrap();
            assert_eq!(original.cells, (0..500).collect::<Vec<_>>());
        }
    }

    #[test]
    fn what_does_not_go_around_is_refused() {
        let of = |system: &str| {
            let settings = Settings { system: system.parse().unwrap(), ..Settings::default() };
            Wrapped::new(100, &settings).err()
        };
        // Lorenz's fluid, hardly heated, comes to rest.
        assert!(matches!(of("10*(y-x); x*(0.5-z)-y; x*y-8/3*z"), Some(Error::Still { .. })));
        assert!(matches!(of("0; 0; 0"), Some(Error::Still { .. })));
        assert!(matches!(of("x; y; z"), Some(Error::Escapes { .. })));
        assert!(matches!(Wrapped::new(3, &Settings::default()).err(), Some(Error::Short { .. })));
        // A pendulum goes around and is not chaotic; it can be wrapped around all the same, flat as it is.
        assert_eq!(of("0; z; -y"), None);
    }
}
