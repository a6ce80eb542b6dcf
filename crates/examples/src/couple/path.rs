//! The path of a dancer over the floor.

use marey_motion::{Ground, Vec3};

use crate::curve::Curve;

/// The position and heading of a body on the floor at any time.
#[derive(Debug, Clone)]
pub(crate) struct Path {
    pub(crate) x: Curve,
    pub(crate) z: Curve,
    /// Not wrapped to one turn.
    pub(crate) heading_rad: Curve,
}

impl Path {
    /// Samples a place on the floor and a heading over a duration.
    pub(crate) fn sampled(duration_secs: f64, at: impl Fn(f64) -> [f64; 3]) -> Self {
        let axis = |i: usize| Curve::sampled(duration_secs, |secs| at(secs)[i]);
        Self { x: axis(0), z: axis(1), heading_rad: axis(2) }
    }

    /// A path at an offset from this one: to the left, forward, and rotated to the left.
    pub(crate) fn offset_by(&self, duration_secs: f64, beside: impl Fn(f64) -> [f64; 3]) -> Self {
        Self::sampled(duration_secs, |secs| {
            let ([sideways, ahead, turn], yaw) = (beside(secs), self.heading_rad.at(secs));
            let (sin, cos) = yaw.sin_cos();
            let x = self.x.at(secs) + sideways * cos + ahead * sin;
            [x, self.z.at(secs) - sideways * sin + ahead * cos, yaw + turn]
        })
    }

    pub(crate) fn at(&self, secs: f64) -> Ground {
        Ground::new(self.x.at(secs) as f32, self.z.at(secs) as f32, self.heading_rad.at(secs) as f32)
    }

    pub(crate) fn point(&self, secs: f64) -> Vec3 {
        self.at(secs).translation()
    }
}
