//! The mean of rotations, correct for large spreads.
//!
//! Markley, Cheng, Crassidis and Oshman, *Averaging Quaternions* (2007): the mean is the unit quaternion q that makes
//! qᵀ M q largest, with M = Σ w q qᵀ; the eigenvector of the largest eigenvalue of M. The sign of a quaternion does not
//! matter, nor does the order of the rotations, unlike with chains of slerps or normalised sums.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | q, w | a rotation, its weight | 1 |
//! | M | the weighted sum of the outer products | 1 |
//!
//! Limits: if the largest eigenvalue is not unique (two opposite half turns), there is no single mean, and
//! one of the best is returned.

use glam::Quat;
use nalgebra::{Matrix4, Vector4};

/// The weighted mean of rotations; the first one if the weights are all zero, and the identity without
/// rotations. Weights may be negative as long as others outweigh them.
///
/// ```
/// use marey_motion::Quat;
/// use marey_ops::rotation_mean::rotation_mean;
/// // Turns of 0°, 90° and 180° about one axis: 90° on average, though the ends are half a turn apart.
/// let turn = |degrees: f32| Quat::from_rotation_y(degrees.to_radians());
/// let mean = rotation_mean(&[turn(0.0), turn(90.0), turn(180.0)], &[1.0, 1.0, 1.0]);
/// assert!(mean.angle_between(turn(90.0)) < 1e-3);
/// ```
pub fn rotation_mean(rotations: &[Quat], weights: &[f32]) -> Quat {
    if let Some(mean) = iterated(rotations, weights) {
        return mean;
    }
    let mut m = Matrix4::<f64>::zeros();
    for (q, &w) in rotations.iter().zip(weights) {
        let q = Vector4::from(q.to_array().map(f64::from));
        m += q * q.transpose() * f64::from(w);
    }
    let instead = rotations.first().copied().unwrap_or(Quat::IDENTITY);
    if m.iter().any(|x| !x.is_finite()) || m.norm() == 0.0 {
        return instead;
    }
    let eigen = m.symmetric_eigen();
    let largest = eigen.eigenvalues.imax();
    let v = eigen.eigenvectors.column(largest);
    let mean = Quat::from_xyzw(v[0] as f32, v[1] as f32, v[2] as f32, v[3] as f32).normalize();
    // With the sign of the first, so that a continuous motion has a continuous mean.
    if mean.dot(instead) < 0.0 { -mean } else { mean }
}

/// Power iteration from the first rotation, for rotations close to each other and non-negative weights.
/// `None` if it does not converge or might not find the largest eigenvalue.
fn iterated(rotations: &[Quat], weights: &[f32]) -> Option<Quat> {
    let first = *rotations.first()?;
    let pairs = || rotations.iter().zip(weights).map(|(q, &w)| (q.to_array().map(f64::from), f64::from(w)));
    let all: f64 = pairs().map(|(_, w)| w).sum();
    if weights.iter().any(|w| *w < 0.0) || !(all > 0.0 && all.is_finite()) {
        return None;
    }
    let dot = |a: &[f64; 4], b: &[f64; 4]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut mean = first.to_array().map(f64::from);
    for _ in 0..12 {
        // M mean = Σ w q (q · mean)
        let mut next = [0.0; 4];
        for (q, w) in pairs() {
            let share = w * dot(&q, &mean);
            next.iter_mut().zip(q).for_each(|(next, q)| *next += share * q);
        }
        let size = dot(&next, &next).sqrt();
        // Above half of the trace, no other eigenvalue can be larger.
        let is_largest = size > 0.6 * all;
        if !is_largest {
            return None;
        }
        next.iter_mut().for_each(|x| *x /= size);
        let moved = next.iter().zip(&mean).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        mean = next;
        if moved < 1e-9 {
            let mean = Quat::from_array(mean.map(|x| x as f32)).normalize();
            return Some(if mean.dot(first) < 0.0 { -mean } else { mean });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use proptest::prelude::*;

    use super::*;

    fn rotation() -> impl Strategy<Value = Quat> {
        (-3f32..3.0, -3f32..3.0, -3f32..3.0).prop_map(|(x, y, z)| Quat::from_scaled_axis(Vec3::new(x, y, z)))
    }

    /// The quantity that the mean maximises.
    fn agreement(q: Quat, rotations: &[Quat], weights: &[f32]) -> f32 {
        rotations.iter().zip(weights).map(|(r, w)| w * q.dot(*r).powi(2)).sum()
    }

    proptest! {
        #[test]
        fn no_other_rotation_scores_higher(
            list in prop::collection::vec((rotation(), 0.1f32..2.0), 1..6),
            tries in prop::collection::vec(rotation(), 50),
        ) {
            let (rotations, weights): (Vec<Quat>, Vec<f32>) = list.into_iter().unzip();
            let mean = rotation_mean(&rotations, &weights);
            let best = agreement(mean, &rotations, &weights);
            for other in tries.iter().chain(&rotations) {
                prop_assert!(agreement(*other, &rotations, &weights) <= best + 1e-4);
            }
            // Signs do not matter.
            let flipped: Vec<Quat> = rotations.iter().enumerate().map(|(i, q)| if i % 2 == 1 { -*q } else { *q }).collect();
            prop_assert!(agreement(rotation_mean(&flipped, &weights), &rotations, &weights) >= best - 1e-4);
        }

        #[test]
        fn mean_of_two_is_the_midpoint(a in rotation(), b in rotation()) {
            prop_assume!(a.dot(b).abs() > 0.05);
            let b = if a.dot(b) < 0.0 { -b } else { b };
            prop_assert!(1.0 - rotation_mean(&[a, b], &[1.0, 1.0]).dot(a.slerp(b, 0.5)).abs() < 1e-5);
        }
    }

    #[test]
    fn zero_weights_give_the_first_rotation() {
        let q = Quat::from_rotation_x(1.0);
        assert_eq!(rotation_mean(&[q], &[0.0]), q);
        assert_eq!(rotation_mean(&[q], &[f32::NAN]), q);
        assert_eq!(rotation_mean(&[], &[]), Quat::IDENTITY);
    }
}
