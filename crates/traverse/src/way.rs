//! A way over the floor that is gone along.

use marey_motion::{Ground, Quat, Vec2, Vec3};

use crate::{Error, Result};

/// A polyline over the floor: x and z, in metres. The way along it turns steadily around its corners.
#[derive(Debug, Clone, PartialEq)]
pub struct Way {
    points: Vec<Vec2>,
    /// How far along each point is, in metres.
    along_m: Vec<f32>,
}

/// The direction is taken between points so far before and behind, in metres: half a stride.
const LOOK_M: f32 = 0.35;

impl Way {
    /// Checks and keeps a way.
    pub fn new(points: Vec<Vec2>) -> Result<Self> {
        if let Some(point) = points.iter().position(|point| !point.is_finite()) {
            return Err(Error::Path { point, problem: "is not finite" });
        }
        if points.len() < 2 {
            return Err(Error::Path { point: points.len(), problem: "is missing" });
        }
        if let Some(point) = points.windows(2).position(|two| two[0] == two[1]) {
            return Err(Error::Path { point: point + 1, problem: "is where the one before is" });
        }
        let mut along_m = vec![0.0];
        for two in points.windows(2) {
            along_m.push(along_m[along_m.len() - 1] + two[0].distance(two[1]));
        }
        Ok(Self { points, along_m })
    }

    /// Straight along +Z.
    pub fn straight() -> Self {
        Self { points: vec![Vec2::ZERO, Vec2::Y], along_m: vec![0.0, 1.0] }
    }

    /// How long it is, in metres.
    pub fn length_m(&self) -> f32 {
        self.along_m.last().copied().unwrap_or(0.0)
    }

    /// The place so far along it: x and z. Before its start and behind its end it goes on straight.
    pub fn at(&self, along_m: f32) -> Vec2 {
        let part = self.along_m.partition_point(|at| *at <= along_m).clamp(1, self.points.len() - 1);
        let (from, to) = (self.points[part - 1], self.points[part]);
        let share = (along_m - self.along_m[part - 1]) / (self.along_m[part] - self.along_m[part - 1]);
        from + share * (to - from)
    }

    /// The place so far along it, turned the way it goes.
    pub(crate) fn ground(&self, along_m: f32) -> Ground {
        let at = self.at(along_m);
        let ahead = self.at(along_m + LOOK_M) - self.at(along_m - LOOK_M);
        Ground::new(at.x, at.y, ahead.x.atan2(ahead.y))
    }

    /// Carries a joint from beside the way to its place on it: where it is, and how it is turned.
    pub(crate) fn carry(&self, at: &mut Vec3, turn: &mut Quat) {
        if self.points[..] != [Vec2::ZERO, Vec2::Y] {
            *turn = self.ground(at.z).rotation() * *turn;
            *at = self.point(*at);
        }
    }

    /// A point beside the way: x is to its left, y up, z along it.
    pub(crate) fn point(&self, beside: Vec3) -> Vec3 {
        self.ground(beside.z).point(Vec3::new(beside.x, beside.y, 0.0))
    }
}

#[cfg(test)]
mod tests {
    use marey_motion::Coded;

    use super::*;

    #[test]
    fn a_way_goes_round_its_corners_and_on_beyond_its_ends() {
        let way = Way::new(vec![Vec2::ZERO, Vec2::new(0.0, 2.0), Vec2::new(2.0, 2.0)]).unwrap();
        assert_eq!(way.length_m(), 4.0);
        assert_eq!(way.at(3.0), Vec2::new(1.0, 2.0));
        assert_eq!(way.at(5.0), Vec2::new(3.0, 2.0));
        assert!((way.ground(2.0).yaw_rad - std::f32::consts::FRAC_PI_4).abs() < 1e-5);
        let straight = Way::straight();
        assert!(straight.point(Vec3::new(0.1, 1.0, -3.0)).distance(Vec3::new(0.1, 1.0, -3.0)) < 1e-6);
    }

    #[test]
    fn what_is_no_way_is_refused() {
        for points in [vec![Vec2::ZERO], vec![Vec2::ZERO, Vec2::NAN], vec![Vec2::X, Vec2::X]] {
            assert_eq!(Way::new(points).unwrap_err().code().id, "traverse/path");
        }
    }
}
