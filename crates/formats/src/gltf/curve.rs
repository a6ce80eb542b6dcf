//! Animation curves: keys and their interpolation (glTF 2.0 specification, appendix C).
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | vₖ, vₖ₊₁ | the values of the keys around a time | – |
//! | bₖ, aₖ₊₁ | the out-tangent of the first and the in-tangent of the second | 1/s |
//! | t_d | the time between them | s |
//! | t | fraction of the interval, 0 to 1 | – |

use std::rc::Rc;

use glam::{Quat, Vec3};

/// The interpolation between two keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Interpolation {
    /// The value of the previous key.
    Step,
    /// Linear, or along the shorter arc for rotations.
    Linear,
    /// A cubic. Each key has an in-tangent, a value and an out-tangent.
    CubicSpline,
}

impl Interpolation {
    /// From its name. Linear without one.
    pub(super) fn of(name: Option<&str>) -> Option<Self> {
        Some(match name {
            None | Some("LINEAR") => Self::Linear,
            Some("STEP") => Self::Step,
            Some("CUBICSPLINE") => Self::CubicSpline,
            Some(_) => return None,
        })
    }

    /// The number of values per key.
    pub(super) fn values_per_key(self) -> usize {
        if self == Self::CubicSpline { 3 } else { 1 }
    }
}

/// A value that can be interpolated.
pub(super) trait Value: Copy {
    /// Interpolates linearly, or along the shortest arc.
    fn between(self, other: Self, t: f32) -> Self;
    /// A weighted sum of values.
    fn sum(parts: [(Self, f32); 4]) -> Self;
}

impl Value for Vec3 {
    fn between(self, other: Self, t: f32) -> Self {
        self.lerp(other, t)
    }

    fn sum(parts: [(Self, f32); 4]) -> Self {
        parts.into_iter().map(|(value, share)| value * share).sum()
    }
}

impl Value for Quat {
    fn between(self, other: Self, t: f32) -> Self {
        self.slerp(other, t)
    }

    fn sum(parts: [(Self, f32); 4]) -> Self {
        let sum =
            parts.into_iter().fold(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), |sum, (q, share)| sum + q * share);
        // Half a turn between keys may pass through a zero quaternion, which becomes the identity.
        if sum.length_squared() > 1e-12 { sum.normalize() } else { Quat::IDENTITY }
    }
}

/// The keys of one property of one node: at least one key, ascending times, and the number of values that the interpolation needs.
#[derive(Debug, Clone)]
pub(super) struct Curve<V> {
    pub(super) times: Rc<[f64]>,
    pub(super) values: Vec<V>,
    pub(super) interpolation: Interpolation,
}

impl<V: Value> Curve<V> {
    /// The value of a key.
    pub(super) fn key(&self, index: usize) -> Option<V> {
        match self.interpolation {
            Interpolation::CubicSpline => self.values.get(3 * index + 1).copied(),
            _ => self.values.get(index).copied(),
        }
    }

    /// The value at a time. A key within the tolerance counts as exactly at the time. The caller keeps `past`, the key before the
    /// previous time, between calls with ascending times.
    pub(super) fn at(&self, time: f64, tolerance: f64, past: &mut usize) -> Option<V> {
        while self.times.get(*past + 1).is_some_and(|next| *next <= time + tolerance) {
            *past += 1;
        }
        let (start, value) = (*self.times.get(*past)?, self.key(*past)?);
        let (Some(end), Some(next)) = (self.times.get(*past + 1), self.key(*past + 1)) else {
            return Some(value);
        };
        if time <= start + tolerance || self.interpolation == Interpolation::Step {
            return Some(value);
        }
        let span = end - start;
        let t = ((time - start) / span) as f32;
        if self.interpolation == Interpolation::Linear {
            return Some(value.between(next, t));
        }
        let (out, into) = (*self.values.get(3 * *past + 2)?, *self.values.get(3 * *past + 3)?);
        let t_d = span as f32;
        let (t2, t3) = (t * t, t * t * t);
        Some(V::sum([
            (value, 2.0 * t3 - 3.0 * t2 + 1.0),
            (out, t_d * (t3 - 2.0 * t2 + t)),
            (next, -2.0 * t3 + 3.0 * t2),
            (into, t_d * (t3 - t2)),
        ]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(values: Vec<Vec3>, interpolation: Interpolation) -> Curve<Vec3> {
        Curve { times: [0.0, 1.0, 3.0].into(), values, interpolation }
    }

    #[test]
    fn values_between_keys_follow_the_interpolation() {
        let keys = vec![Vec3::ZERO, Vec3::X, Vec3::X * 5.0];
        let x = |curve: &Curve<Vec3>, time| curve.at(time, 1e-6, &mut 0).unwrap().x;
        let linear = curve(keys.clone(), Interpolation::Linear);
        assert_eq!(
            [-1.0, 0.0, 0.5, 1.0, 2.0, 3.0, 9.0].map(|t| x(&linear, t)),
            [0.0, 0.0, 0.5, 1.0, 3.0, 5.0, 5.0]
        );
        let step = curve(keys, Interpolation::Step);
        assert_eq!([0.5, 0.9999999, 1.0, 2.9, 3.0].map(|t| x(&step, t)), [0.0, 1.0, 1.0, 1.0, 5.0]);
        // x = t² has slopes 0, 2 and 6: a cubic through it with these slopes is itself.
        let parabola = [(0.0, 0.0), (2.0, 1.0), (6.0, 9.0)];
        let values =
            parabola.iter().flat_map(|(slope, x)| [Vec3::X * *slope, Vec3::X * *x, Vec3::X * *slope]);
        let cubic = curve(values.collect(), Interpolation::CubicSpline);
        for time in [0.0, 0.25, 1.0, 1.5, 2.75, 3.0] {
            assert!((f64::from(x(&cubic, time)) - time * time).abs() < 1e-5, "{time}");
        }
    }

    #[test]
    fn rotations_take_the_shorter_arc() {
        let quarter = Quat::from_rotation_y(1.0);
        let curve = Curve {
            times: [0.0, 1.0].into(),
            values: vec![Quat::IDENTITY, -quarter],
            interpolation: Interpolation::Linear,
        };
        let half = curve.at(0.5, 0.0, &mut 0).unwrap();
        assert!(half.dot(Quat::from_rotation_y(0.5)).abs() > 1.0 - 1e-6);
    }
}
