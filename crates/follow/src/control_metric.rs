//! A metric of the control that is learnt from the examples.
//!
//! Hsu, Gentry and Popović (2004) compare controls by the plain distance of points (equation 1) and leave other metrics to future
//! work (section 7). Here deviations that examples of the same response show as well count less: controls are whitened by the
//! covariance within classes, as in linear discriminant analysis and relevant component analysis.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | z, y | the points of a sample on the floor, as complex numbers z + i x, and their heights | m |
//! | A, B | `floor`, `heights`: the maps of z and y | 1 |
//! | c | `translation_scale`: A maps equal points to equal points, c times as far away | 1 |
//! | D | \|A (x − M a)\|² + \|B (y − b)\|² | m² |
//!
//! A is linear over the complex numbers, so that it commutes with rotations about the vertical. It is determined up to a
//! rotation of its result, which is chosen so that a translation of the points is a translation of the mapped ones. The search is
//! therefore the same: it compares mapped points, and a translation that it finds is divided by c.

use marey_motion::{PointClip, Vec3};
use nalgebra::{Complex, DMatrix, DVector};

use crate::{Result, RigidMotion};

/// How much each deviation of a control point counts.
#[derive(Debug, Clone, PartialEq)]
pub struct ControlMetric {
    floor: DMatrix<Complex<f64>>,
    heights: DMatrix<f64>,
    translation_scale: f64,
}

/// The covariances of deviations on the floor and of heights, one row per point.
#[derive(Debug, Clone)]
pub(crate) struct ControlCovariance {
    pub(crate) floor: DMatrix<Complex<f64>>,
    pub(crate) heights: DMatrix<f64>,
}

impl ControlCovariance {
    pub(crate) fn zeros(points: usize) -> Self {
        Self { floor: DMatrix::zeros(points, points), heights: DMatrix::zeros(points, points) }
    }

    /// Adds the deviation of a sample.
    pub(crate) fn add(&mut self, deviation: &[Vec3]) {
        let complex = |p: &Vec3| Complex::new(f64::from(p.z), f64::from(p.x));
        for (row, p) in deviation.iter().enumerate() {
            for (column, q) in deviation.iter().enumerate() {
                self.floor[(row, column)] += complex(p) * complex(q).conj();
                self.heights[(row, column)] += f64::from(p.y) * f64::from(q.y);
            }
        }
    }

    /// The covariance of what is not in another one.
    pub(crate) fn without(&self, other: &Self) -> Self {
        Self { floor: &self.floor - &other.floor, heights: &self.heights - &other.heights }
    }

    /// The sum of the weighted variances.
    pub(crate) fn weighted_trace(&self, weights: &[f32]) -> f64 {
        let diagonal = |(point, &w): (usize, &f32)| {
            f64::from(w) * (self.floor[(point, point)].re + self.heights[(point, point)])
        };
        weights.iter().enumerate().map(diagonal).sum()
    }
}

impl ControlMetric {
    /// The metric that whitens a covariance. `shrinkage`, above 0 and at most 1, is the share of the plain metric's
    /// covariance. Deviations like those of the covariance cost as much on average as with the plain metric, so that the
    /// weight of continuity keeps its meaning. `None` if there are none.
    pub(crate) fn whitening(covariance: &ControlCovariance, weights: &[f32], shrinkage: f64) -> Option<Self> {
        let points = weights.len();
        let trace = covariance.weighted_trace(weights);
        let is_weighted = weights.iter().all(|&w| w > 0.0);
        if !(is_weighted && trace.is_finite() && trace > 0.0) {
            return None;
        }
        // The plain metric whitens variances that are inversely proportional to the weights: two on the floor, one of the height.
        let plain = |point: usize| trace / (3.0 * points as f64 * f64::from(weights[point]));
        let mut floor = covariance.floor.map(|value| value * (1.0 - shrinkage));
        let mut heights = covariance.heights.map(|value| value * (1.0 - shrinkage));
        for point in 0..points {
            floor[(point, point)] += 2.0 * shrinkage * plain(point);
            heights[(point, point)] += shrinkage * plain(point);
        }
        // Two degrees of freedom on the floor cost as much as two heights.
        let floor = floor.cholesky()?.inverse() * Complex::from(2.0);
        let heights = heights.cholesky()?.inverse();
        let cost = (&floor * &covariance.floor).trace().re + (&heights * &covariance.heights).trace();
        let scale = (trace / cost).sqrt();
        let floor = floor.cholesky()?.l().adjoint() * Complex::from(scale);
        let heights = heights.cholesky()?.l().transpose() * scale;
        let (floor, translation_scale) = with_equal_translations(floor)?;
        Some(Self { floor, heights, translation_scale })
    }

    /// Maps the points of whole samples.
    pub(crate) fn mapped(&self, points: &[Vec3]) -> Vec<Vec3> {
        let count = self.heights.nrows();
        let mut mapped = Vec::with_capacity(points.len());
        for sample in points.chunks_exact(count) {
            mapped.extend((0..count).map(|row| {
                let (mut on_floor, mut height) = (Complex::from(0.0), 0.0);
                for (column, p) in sample.iter().enumerate() {
                    on_floor += self.floor[(row, column)] * Complex::new(f64::from(p.z), f64::from(p.x));
                    height += self.heights[(row, column)] * f64::from(p.y);
                }
                Vec3::new(on_floor.im as f32, height as f32, on_floor.re as f32)
            }));
        }
        mapped
    }

    /// A clip of mapped points.
    pub(crate) fn mapped_clip(&self, clip: &PointClip) -> Result<PointClip> {
        let points = self.mapped(clip.flat());
        Ok(PointClip::complete(clip.labels().to_vec(), clip.rate_hz(), points)?)
    }

    /// The motion of the points whose mapped points move by `mapped`.
    pub(crate) fn unmapped_motion(&self, mapped: RigidMotion) -> RigidMotion {
        match mapped {
            RigidMotion::Ground(mut ground) => {
                ground.x = (f64::from(ground.x) / self.translation_scale) as f32;
                ground.z = (f64::from(ground.z) / self.translation_scale) as f32;
                RigidMotion::Ground(ground)
            }
            RigidMotion::Rigid { .. } => mapped,
        }
    }

    pub(crate) fn translation_scale(&self) -> f64 {
        self.translation_scale
    }

    /// What each point contributes to the cost of some deviations. The contributions add up to the whole cost; one is negative
    /// if a point makes up for the deviation of others.
    pub(crate) fn costs(&self, deviations: &[Vec3]) -> Vec<f64> {
        let count = self.heights.nrows();
        let complex = |p: &Vec3| Complex::new(f64::from(p.z), f64::from(p.x));
        let mut costs = vec![0.0; count];
        let mapped = self.mapped(deviations);
        for (deviation, mapped) in deviations.chunks_exact(count).zip(mapped.chunks_exact(count)) {
            for (point, p) in deviation.iter().enumerate() {
                let pull = |(row, q): (usize, &Vec3)| {
                    let on_floor = (self.floor[(row, point)] * complex(p)).conj() * complex(q);
                    on_floor.re + self.heights[(row, point)] * f64::from(p.y) * f64::from(q.y)
                };
                costs[point] += mapped.iter().enumerate().map(pull).sum::<f64>();
            }
        }
        costs
    }
}

/// The map with its result rotated so that equal points are mapped to equal points, and the factor by which those move away
/// from the origin.
fn with_equal_translations(map: DMatrix<Complex<f64>>) -> Option<(DMatrix<Complex<f64>>, f64)> {
    let count = map.nrows();
    let moved: DVector<Complex<f64>> = map.column_sum();
    let length: f64 = moved.norm();
    let scale = length / (count as f64).sqrt();
    let overlap = moved.sum();
    if !(scale > 0.0 && scale.is_finite()) {
        return None;
    }
    let phase = match overlap.norm() {
        norm if norm > 0.0 => overlap / norm,
        _ => Complex::from(1.0),
    };
    let wanted = DVector::from_element(count, phase * scale);
    // A reflection that maps one vector to the other, which have equal lengths and a real inner product.
    let across = &moved - &wanted;
    let squared = across.norm_squared();
    let mut rotated = map;
    if squared > 1e-24 * length * length {
        let along = across.adjoint() * &rotated;
        rotated -= across * along * Complex::from(2.0 / squared);
    }
    Some((rotated * phase.conj(), scale))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Transform;
    use crate::transform::squared;

    const WEIGHTS: [f32; 3] = [1.0, 2.0, 0.5];

    fn samples() -> impl Strategy<Value = Vec<Vec3>> {
        let point = (-2f32..2.0, 0f32..2.0, -2f32..2.0).prop_map(|(x, y, z)| Vec3::new(x, y, z));
        proptest::collection::vec(point, 12)
    }

    fn covariance(deviations: &[Vec3]) -> ControlCovariance {
        let mut covariance = ControlCovariance::zeros(WEIGHTS.len());
        deviations.chunks_exact(WEIGHTS.len()).for_each(|deviation| covariance.add(deviation));
        covariance
    }

    proptest! {
        #[test]
        fn motions_and_costs_are_those_of_the_points(
            seen in samples(), x in samples(), a in samples(), shrinkage in 0.02f64..0.9
        ) {
            let metric = ControlMetric::whitening(&covariance(&seen), &WEIGHTS, shrinkage).unwrap();
            // What the search finds for mapped points is a motion of the points themselves.
            let (motion, cost) =
                Transform::Ground.align(&metric.mapped(&x), &metric.mapped(&a), &[1.0; 12]).unwrap();
            let mut moved = Vec::new();
            metric.unmapped_motion(motion).apply(&a, &mut moved);
            let deviations: Vec<Vec3> = x.iter().zip(&moved).map(|(x, moved)| *x - *moved).collect();
            let mapped = metric.mapped(&deviations);
            let direct = squared(&mapped, &[Vec3::ZERO; 12], &[1.0; 12]);
            prop_assert!((direct - cost).abs() < 1e-3 * (1.0 + cost), "{direct} {cost}");
            let sum: f64 = metric.costs(&deviations).iter().sum();
            prop_assert!((sum - direct).abs() < 1e-4 * (1.0 + direct), "{sum} {direct}");
            // The deviations that it was learnt from cost as much as with the plain metric.
            let plain = squared(&seen, &[Vec3::ZERO; 12], &WEIGHTS.repeat(4));
            let learnt = squared(&metric.mapped(&seen), &[Vec3::ZERO; 12], &[1.0; 12]);
            prop_assert!((learnt - plain).abs() < 1e-3 * plain, "{learnt} {plain}");
        }

        #[test]
        fn the_whole_plain_metric_is_the_plain_metric(seen in samples(), x in samples()) {
            let metric = ControlMetric::whitening(&covariance(&seen), &WEIGHTS, 1.0).unwrap();
            let plain = squared(&x, &[Vec3::ZERO; 12], &WEIGHTS.repeat(4));
            let mapped = squared(&metric.mapped(&x), &[Vec3::ZERO; 12], &[1.0; 12]);
            prop_assert!((mapped - plain).abs() < 1e-3 * plain, "{mapped} {plain}");
        }
    }

    #[test]
    fn what_varies_within_a_class_counts_less() {
        // The first point varies ten times as much as the others.
        let noise = |i: usize| ((i * 37 % 19) as f32 - 9.0) * if i.is_multiple_of(3) { 0.1 } else { 0.01 };
        let seen: Vec<Vec3> = (0..60).map(|i| Vec3::new(noise(i), noise(i + 60), noise(i + 120))).collect();
        let metric = ControlMetric::whitening(&covariance(&seen), &WEIGHTS, 0.02).unwrap();
        let cost = |point: usize| {
            let mut off = [Vec3::ZERO; 3];
            off[point] = Vec3::X;
            squared(&metric.mapped(&off), &[Vec3::ZERO; 3], &[1.0; 3]) / f64::from(WEIGHTS[point])
        };
        assert!(cost(1) > 5.0 * cost(0) && cost(2) > 5.0 * cost(0), "{} {} {}", cost(0), cost(1), cost(2));
        assert!(ControlMetric::whitening(&covariance(&[Vec3::ZERO; 3]), &WEIGHTS, 0.1).is_none());
    }
}
