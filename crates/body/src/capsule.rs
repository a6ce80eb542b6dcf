//! A capsule: a sphere swept along a line segment.

use marey_motion::Vec3;

/// All points within a radius of a line segment.
///
/// ```
/// use marey_body::Capsule;
/// use marey_motion::Vec3;
/// let upright = Capsule { from: Vec3::ZERO, to: Vec3::Y, radius_m: 0.1 };
/// let beside = Capsule { from: Vec3::X, to: Vec3::X + Vec3::Z, radius_m: 0.2 };
/// assert!((upright.gap_m(&beside) - 0.7).abs() < 1e-6);
/// assert_eq!(upright.nearest_on_axis(Vec3::new(3.0, 0.5, 0.0)), Vec3::new(0.0, 0.5, 0.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Capsule {
    /// One end of the axis, in metres.
    pub from: Vec3,
    /// The other end of the axis, in metres.
    pub to: Vec3,
    /// The radius, in metres.
    pub radius_m: f32,
}

impl Capsule {
    /// The distance between the surfaces of two capsules, in metres; negative if they overlap.
    pub fn gap_m(&self, other: &Capsule) -> f32 {
        let (a, b) = self.nearest_points(other);
        a.distance(b) - self.radius_m - other.radius_m
    }

    /// The point of the axis that is nearest to another point.
    pub fn nearest_on_axis(&self, point: Vec3) -> Vec3 {
        let axis = self.to - self.from;
        let fraction = ((point - self.from).dot(axis) / axis.length_squared().max(1e-12)).clamp(0.0, 1.0);
        self.from + axis * fraction
    }

    /// The two points, one on each axis, that are nearest to each other (Ericson, *Real-Time Collision Detection*, 2005,
    /// section 5.1.9).
    pub fn nearest_points(&self, other: &Capsule) -> (Vec3, Vec3) {
        let (d1, d2, r) = (self.to - self.from, other.to - other.from, self.from - other.from);
        let (a, e, f) = (d1.length_squared(), d2.length_squared(), d2.dot(r));
        let (c, b) = (d1.dot(r), d1.dot(d2));
        let small = 1e-12;
        let (s, t) = if a <= small && e <= small {
            (0.0, 0.0)
        } else if a <= small {
            (0.0, (f / e).clamp(0.0, 1.0))
        } else if e <= small {
            ((-c / a).clamp(0.0, 1.0), 0.0)
        } else {
            let denominator = a * e - b * b;
            let s = if denominator > small { ((b * f - c * e) / denominator).clamp(0.0, 1.0) } else { 0.0 };
            let t = (b * s + f) / e;
            if t < 0.0 {
                ((-c / a).clamp(0.0, 1.0), 0.0)
            } else if t > 1.0 {
                (((b - c) / a).clamp(0.0, 1.0), 1.0)
            } else {
                (s, t)
            }
        };
        (self.from + d1 * s, other.from + d2 * t)
    }

    /// The same capsule moved by an offset.
    pub fn moved(&self, offset: Vec3) -> Capsule {
        Capsule { from: self.from + offset, to: self.to + offset, ..*self }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn segment(from: Vec3, to: Vec3) -> Capsule {
        Capsule { from, to, radius_m: 0.0 }
    }

    /// The smallest distance over a fine grid of both segments.
    fn brute_force_m(one: Capsule, other: Capsule) -> f32 {
        let n = 60;
        let points = |s: Capsule| (0..=n).map(move |i| s.from.lerp(s.to, i as f32 / n as f32));
        points(one).flat_map(|a| points(other).map(move |b| a.distance(b))).fold(f32::INFINITY, f32::min)
    }

    fn point() -> impl Strategy<Value = Vec3> {
        (-1f32..1.0, -1f32..1.0, -1f32..1.0).prop_map(|(x, y, z)| Vec3::new(x, y, z))
    }

    proptest! {
        #[test]
        fn closed_form_equals_brute_force(a in point(), b in point(), c in point(), d in point()) {
            let (one, other) = (segment(a, b), segment(c, d));
            let (p, q) = one.nearest_points(&other);
            let brute_force = brute_force_m(one, other);
            prop_assert!(p.distance(q) <= brute_force + 1e-4 && brute_force - p.distance(q) < 0.04);
        }
    }

    #[test]
    fn degenerate_and_parallel_segments_have_nearest_points() {
        let (o, x, y) = (Vec3::ZERO, Vec3::X, Vec3::Y);
        for (one, other) in [
            (segment(o, o), segment(y, y)),
            (segment(o, o), segment(y - x, y + x)),
            (segment(o, x), segment(y, y + x)),
            (segment(y, y), segment(o, x)),
        ] {
            let (a, b) = one.nearest_points(&other);
            assert!((a.distance(b) - 1.0).abs() < 1e-6);
        }
    }
}
