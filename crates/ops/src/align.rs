//! The horizontal rigid motion that best aligns one sequence of points with another.
//!
//! Hsu, Gentry and Popović, *Example-Based Control of Human Motion* (2004), equations 1 and 2: the distance
//! of two motions is the residual after the best rigid motion. Only translations along the floor and
//! rotations about the vertical are allowed, for which Kovar, Gleicher and Pighin (*Motion Graphs*, 2002)
//! give a closed form. It is used here with weights that need not sum to 1.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | x, a | the points that stay, the points that are moved | m |
//! | w | weight of each pair | 1 |
//! | M | `x_from_a`, the best motion of the floor | m, rad |
//! | D | `squared_m2`, the weighted sum of squares that is left | m² |
//! | c, s | cross terms: Σ w (x·a) and Σ w (x × a) on the floor, both about the means | m² |
//!
//! With θ the yaw, the residual on the floor is a constant − 2 (c cos θ + s sin θ), smallest at θ = atan2(s,
//! c).
//!
//! Limits: if all points of a sequence project to one spot of the floor, or the cross terms cancel, every
//! rotation is equally good, and none is applied. Sums are in double precision about the means, so that
//! precision does not suffer far from the origin.

use marey_motion::{Ground, Vec3};

use crate::Result;

/// The best horizontal motion, and its residual.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aligned {
    /// Maps the moved points onto the fixed ones.
    pub x_from_a: Ground,
    /// Weighted sum of the squared residual distances, in square metres: D of equation 1.
    pub squared_m2: f64,
    /// Sum of the weights.
    pub weight: f64,
}

impl Aligned {
    /// The weighted root mean square of the residual distances, in metres.
    pub fn rms_m(&self) -> f32 {
        if self.weight > 0.0 { (self.squared_m2 / self.weight).sqrt() as f32 } else { 0.0 }
    }
}

/// Aligns the points `a` with the points `x`, pair by pair; `weights` has one non-negative entry per pair.
///
/// ```
/// use marey_motion::Vec3;
/// use std::f32::consts::FRAC_PI_2;
/// // A stick of 2 m along X; the other one lies along Z, 3 m away, and one end is 1 m higher.
/// let x = [Vec3::ZERO, Vec3::X, Vec3::X * 2.0];
/// let a = [Vec3::new(3.0, 0.0, 2.0), Vec3::new(3.0, 0.0, 3.0), Vec3::new(3.0, 1.0, 4.0)];
/// let aligned = marey_ops::align::align(&x, &a, &[1.0; 3])?;
/// // A quarter turn to the left carries +Z to +X; only the height is left over: 1 m², a third of it on average.
/// assert!((aligned.x_from_a.yaw_rad - FRAC_PI_2).abs() < 1e-6);
/// assert!(aligned.x_from_a.point(a[1]).distance(x[1]) < 1e-6);
/// assert!((aligned.squared_m2 - 1.0).abs() < 1e-6);
/// assert!((aligned.rms_m() - (1f32 / 3.0).sqrt()).abs() < 1e-6);
/// # Ok::<(), marey_ops::OpsError>(())
/// ```
pub fn align(x: &[Vec3], a: &[Vec3], weights: &[f32]) -> Result<Aligned> {
    for (what, found) in [("points to be moved", a.len()), ("weights", weights.len())] {
        if found != x.len() {
            return Err(marey_motion::MotionError::Length { what, found, wanted: x.len() }.into());
        }
    }
    Ok(align_equal(x, a, weights))
}

/// [`align`] for arrays of equal length.
pub(crate) fn align_equal(x: &[Vec3], a: &[Vec3], weights: &[f32]) -> Aligned {
    let (mx, ma, weight) = means(x, a, weights);
    let (c, s) = cross_terms(x, a, weights, mx, ma);
    // Equation 2.
    let (sin, cos) = turn(c, s);
    // Equation 1.
    let mut squared_m2 = 0.0;
    for ((x, a), &w) in x.iter().zip(a).zip(weights) {
        let (px, pz) = (f64::from(x.x) - mx.0, f64::from(x.z) - mx.1);
        let (qx, qz) = (f64::from(a.x) - ma.0, f64::from(a.z) - ma.1);
        let dx = px - (cos * qx + sin * qz);
        let dz = pz - (cos * qz - sin * qx);
        let dy = f64::from(x.y) - f64::from(a.y);
        squared_m2 += f64::from(w) * (dx * dx + dy * dy + dz * dz);
    }
    let shift = (mx.0 - (cos * ma.0 + sin * ma.1), mx.1 - (cos * ma.1 - sin * ma.0));
    let x_from_a = Ground::new(shift.0 as f32, shift.1 as f32, sin.atan2(cos) as f32);
    Aligned { x_from_a, squared_m2, weight }
}

/// The weighted means on the floor, as (x, z), and the sum of the weights.
fn means(x: &[Vec3], a: &[Vec3], weights: &[f32]) -> ((f64, f64), (f64, f64), f64) {
    let (mut mx, mut ma, mut sum) = ((0.0, 0.0), (0.0, 0.0), 0.0);
    for ((x, a), &w) in x.iter().zip(a).zip(weights) {
        let w = f64::from(w);
        mx = (mx.0 + w * f64::from(x.x), mx.1 + w * f64::from(x.z));
        ma = (ma.0 + w * f64::from(a.x), ma.1 + w * f64::from(a.z));
        sum += w;
    }
    let share = if sum > 0.0 { 1.0 / sum } else { 0.0 };
    ((mx.0 * share, mx.1 * share), (ma.0 * share, ma.1 * share), sum)
}

/// c = Σ w (x·a), s = Σ w (x × a), on the floor and about the means.
fn cross_terms(x: &[Vec3], a: &[Vec3], weights: &[f32], mx: (f64, f64), ma: (f64, f64)) -> (f64, f64) {
    let (mut c, mut s) = (0.0, 0.0);
    for ((x, a), &w) in x.iter().zip(a).zip(weights) {
        let w = f64::from(w);
        let (px, pz) = (f64::from(x.x) - mx.0, f64::from(x.z) - mx.1);
        let (qx, qz) = (f64::from(a.x) - ma.0, f64::from(a.z) - ma.1);
        c += w * (px * qx + pz * qz);
        s += w * (px * qz - pz * qx);
    }
    (c, s)
}

/// Sine and cosine of atan2(s, c).
fn turn(c: f64, s: f64) -> (f64, f64) {
    let length = c.hypot(s);
    if length > 0.0 { (s / length, c / length) } else { (0.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The residual of a motion, summed point by point.
    fn left_by(ground: Ground, x: &[Vec3], a: &[Vec3], weights: &[f32]) -> f64 {
        let squares = x.iter().zip(a).zip(weights);
        squares.map(|((x, a), w)| f64::from(w * ground.point(*a).distance_squared(*x))).sum()
    }

    /// The smallest residual by a refined search over rotations; the best translation for a rotation joins
    /// the means.
    fn by_search(x: &[Vec3], a: &[Vec3], weights: &[f32]) -> f64 {
        let sum: f32 = weights.iter().sum();
        let mean = |points: &[Vec3]| {
            points.iter().zip(weights).map(|(p, w)| *p * *w).sum::<Vec3>() / sum.max(f32::MIN_POSITIVE)
        };
        let (mx, ma) = (mean(x), mean(a));
        let at = |yaw_rad: f32| {
            let shift = mx - Ground::new(0.0, 0.0, yaw_rad).point(ma);
            left_by(Ground::new(shift.x, shift.z, yaw_rad), x, a, weights)
        };
        let (mut middle, mut reach) = (0.0, std::f32::consts::PI);
        for _ in 0..6 {
            let tries = (-40..=40).map(|i| middle + reach * i as f32 / 40.0);
            middle = tries.min_by(|p, q| at(*p).total_cmp(&at(*q))).unwrap();
            reach /= 20.0;
        }
        at(middle)
    }

    fn pairs() -> impl Strategy<Value = Vec<(Vec3, Vec3, f32)>> {
        let point = || (-3f32..3.0, 0f32..2.0, -3f32..3.0).prop_map(|(x, y, z)| Vec3::new(x, y, z));
        proptest::collection::vec((point(), point(), 0f32..2.0), 1..40)
    }

    proptest! {
        #[test]
        fn residual_is_minimal(pairs in pairs(), off in (-5f32..5.0, -5f32..5.0, -0.5f32..0.5)) {
            let x: Vec<Vec3> = pairs.iter().map(|p| p.0).collect();
            let a: Vec<Vec3> = pairs.iter().map(|p| p.1).collect();
            let w: Vec<f32> = pairs.iter().map(|p| p.2).collect();
            let aligned = align(&x, &a, &w).unwrap();
            let slack = 1e-3 * (1.0 + aligned.squared_m2);
            prop_assert!((aligned.squared_m2 - by_search(&x, &a, &w)).abs() < slack);
            // The reported residual is that of the motion, and no other motion has a smaller one.
            prop_assert!((left_by(aligned.x_from_a, &x, &a, &w) - aligned.squared_m2).abs() < slack);
            let other = Ground::new(off.0, off.1, off.2) * aligned.x_from_a;
            prop_assert!(left_by(other, &x, &a, &w) > aligned.squared_m2 - slack);
        }

        #[test]
        fn alignment_recovers_a_rigid_motion(pairs in pairs(), yaw in -3.1f32..3.1, x in -50f32..50.0, z in -50f32..50.0) {
            let a: Vec<Vec3> = pairs.iter().map(|p| p.1).collect();
            let moved: Vec<Vec3> = a.iter().map(|p| Ground::new(x, z, yaw).point(*p)).collect();
            let aligned = align(&moved, &a, &vec![1.0; a.len()]).unwrap();
            prop_assert!(aligned.rms_m() < 1e-4, "{:?}", aligned);
        }
    }

    #[test]
    fn degenerate_points_give_no_rotation() {
        assert_eq!(align(&[], &[], &[]).unwrap().x_from_a, Ground::IDENTITY);
        let one = align(&[Vec3::X], &[Vec3::Z], &[1.0]).unwrap();
        assert_eq!((one.x_from_a.yaw_rad, one.rms_m()), (0.0, 0.0));
        let weightless = align(&[Vec3::X, Vec3::Y], &[Vec3::Z, Vec3::Y], &[0.0, 0.0]).unwrap();
        assert_eq!((weightless.squared_m2, weightless.rms_m()), (0.0, 0.0));
        assert!(align(&[Vec3::X], &[], &[1.0]).is_err() && align(&[Vec3::X], &[Vec3::X], &[]).is_err());
    }
}
