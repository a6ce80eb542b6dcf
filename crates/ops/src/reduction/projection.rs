//! Lower bounds on distances of long vectors, by the few directions in which the vectors differ most.
//!
//! A projection onto orthonormal directions never lengthens a vector, and what is left of two vectors beside the directions differs by
//! at least the difference of its lengths. So with coordinates p and the length r of the rest,
//! ‖p(a) − p(c)‖² + (r(a) − r(c))² ≤ ‖a − c‖². Movements of bodies differ in few directions, so that the bound is close, and sixteen
//! numbers rule out most pairs.

use rayon::prelude::*;

/// Numbers of a bound: the coordinates and the length of the rest.
pub(super) const NUMBERS: usize = 16;
const DIRECTIONS: usize = NUMBERS - 1;
/// Largest number of vectors that the directions are computed from.
const SAMPLE: usize = 400;
/// Iterations of the subspace method. The bound holds for any directions; more iterations make it closer.
const ITERATIONS: usize = 4;
/// Allows for rounding, relative to a distance and to the longest vector, so that a bound never exceeds the distance.
const SLACK: f32 = 1e-4;

/// Orthonormal directions.
#[derive(Debug, Clone)]
pub(super) struct Projection {
    directions: Vec<Vec<f32>>,
    origin: Vec<f32>,
    /// Allows for rounding, in the unit of the vectors.
    slack: f32,
}

/// The coordinates of some vectors.
#[derive(Debug, Clone)]
pub(super) struct Projected(Vec<[f32; NUMBERS]>);

/// The largest bound that does not rule out a pair.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach(f32);

impl Projection {
    /// The main directions of vectors of one length: a subspace iteration on a sample.
    pub(super) fn of(vectors: &[Vec<f32>]) -> Self {
        let step = vectors.len().div_ceil(SAMPLE).max(1);
        let dims = vectors.first().map_or(0, Vec::len);
        let origin = mean(vectors.iter().step_by(step), dims);
        let sample: Vec<Vec<f32>> =
            vectors.iter().step_by(step).map(|vector| minus(vector, &origin)).collect();
        let spread = sample.len().div_ceil(DIRECTIONS).max(1);
        let mut directions: Vec<Vec<f32>> = sample.iter().step_by(spread).cloned().collect();
        orthonormalise(&mut directions);
        for _ in 0..ITERATIONS {
            directions =
                directions.par_iter().map(|direction| times_covariance(&sample, direction)).collect();
            orthonormalise(&mut directions);
        }
        let longest = vectors.iter().map(|vector| dot(vector, vector)).fold(0.0, f64::max).sqrt();
        Self { directions, origin, slack: SLACK * 0.1 * longest as f32 }
    }

    /// The coordinates of vectors of the same length.
    pub(super) fn project(&self, vectors: &[Vec<f32>]) -> Projected {
        let numbers = |vector: &Vec<f32>| {
            let vector = minus(vector, &self.origin);
            let mut numbers = [0.0f32; NUMBERS];
            let mut rest = dot(&vector, &vector);
            for (number, direction) in numbers.iter_mut().zip(&self.directions) {
                let coordinate = dot(&vector, direction);
                *number = coordinate as f32;
                rest -= coordinate * coordinate;
            }
            let [.., last] = &mut numbers;
            *last = rest.max(0.0).sqrt() as f32;
            numbers
        };
        Projected(vectors.par_iter().map(numbers).collect())
    }

    /// The reach of a squared distance: pairs beyond it are farther apart.
    pub(super) fn reach(&self, squared: f64) -> Reach {
        let distance = (squared.sqrt() as f32) * (1.0 + SLACK) + self.slack;
        Reach(distance * distance)
    }
}

impl Projected {
    /// Whether two vectors can be within reach of each other.
    pub(super) fn is_near(a: &[f32; NUMBERS], b: &[f32; NUMBERS], reach: Reach) -> bool {
        let mut sums = [0.0f32; 8];
        for (a, b) in a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0) {
            for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
                *sum += (a - b) * (a - b);
            }
        }
        sums.iter().sum::<f32>() <= reach.0
    }

    /// The numbers of each vector.
    pub(super) fn rows(&self) -> &[[f32; NUMBERS]] {
        &self.0
    }
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    let (a, b) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let mut sums = [0.0f64; 8];
    for (a, b) in a.0.iter().zip(b.0) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += f64::from(*a) * f64::from(*b);
        }
    }
    sums.iter().sum::<f64>() + a.1.iter().zip(b.1).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>()
}

fn minus(a: &[f32], b: &[f32]) -> Vec<f32> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

/// The mean of vectors of one length.
pub(super) fn mean<'a>(vectors: impl Iterator<Item = &'a Vec<f32>>, dims: usize) -> Vec<f32> {
    let (mut sum, mut count) = (vec![0.0f64; dims], 0.0f64);
    for vector in vectors {
        sum.iter_mut().zip(vector).for_each(|(sum, &v)| *sum += f64::from(v));
        count += 1.0;
    }
    sum.iter().map(|v| (v / count.max(1.0)) as f32).collect()
}

/// Xᵀ X v.
fn times_covariance(sample: &[Vec<f32>], direction: &[f32]) -> Vec<f32> {
    let mut product = vec![0.0f64; direction.len()];
    for vector in sample {
        let weight = dot(vector, direction);
        product.iter_mut().zip(vector).for_each(|(sum, &v)| *sum += weight * f64::from(v));
    }
    let length = product.iter().map(|v| v * v).sum::<f64>().sqrt().max(f64::MIN_POSITIVE);
    product.iter().map(|v| (v / length) as f32).collect()
}

/// Makes each direction orthogonal to those before it, twice because of rounding, and one long. One that depends on them becomes zero.
fn orthonormalise(directions: &mut [Vec<f32>]) {
    for place in 0..directions.len() {
        let (before, rest) = directions.split_at_mut(place);
        let Some(direction) = rest.first_mut() else { return };
        let first = dot(direction, direction).sqrt();
        for other in before.iter().chain(before.iter()) {
            let along = dot(direction, other);
            direction.iter_mut().zip(other).for_each(|(v, o)| *v -= (along * f64::from(*o)) as f32);
        }
        let length = dot(direction, direction).sqrt();
        let scale = if length > 1e-4 * first && length.is_normal() { 1.0 / length } else { 0.0 };
        direction.iter_mut().for_each(|v| *v = (f64::from(*v) * scale) as f32);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_near_pair_is_ruled_out(
            a in proptest::collection::vec(-9f32..9.0, 100), b in proptest::collection::vec(-9f32..9.0, 100), near in 0f32..1.0,
            others in proptest::collection::vec(proptest::collection::vec(-9f32..9.0, 100), 0..20),
        ) {
            // Also for vectors that are almost equal, where rounding counts most.
            let b: Vec<f32> = a.iter().zip(&b).map(|(a, b)| a + near * near * near * (b - a)).collect();
            let squared: f64 = a.iter().zip(&b).map(|(a, b)| f64::from(a - b).powi(2)).sum();
            let projection = Projection::of(&others);
            let projection = if others.is_empty() { Projection::of(&[a.clone(), b.clone()]) } else { projection };
            let projected = projection.project(&[a, b]);
            let [a, b] = projected.rows() else { unreachable!("two vectors") };
            prop_assert!(Projected::is_near(a, b, projection.reach(squared)));
        }
    }

    #[test]
    fn far_pairs_are_ruled_out() {
        let vectors: Vec<Vec<f32>> =
            (0..50).map(|i| (0..200).map(|d| (i as f32) * (d as f32 * 0.1).sin()).collect()).collect();
        let projection = Projection::of(&vectors);
        let projected = projection.project(&vectors);
        let is_near = |a: usize, b: usize, squared| {
            Projected::is_near(&projected.rows()[a], &projected.rows()[b], projection.reach(squared))
        };
        let squared = |a: usize, b: usize| -> f64 {
            vectors[a].iter().zip(&vectors[b]).map(|(a, b)| f64::from(a - b).powi(2)).sum()
        };
        // Vectors along one direction: the bound is the distance.
        assert!(is_near(3, 7, squared(3, 7)) && !is_near(3, 7, 0.9 * squared(3, 7)));
    }
}
