//! A path over the floor that the character follows.

use marey_motion::{Ground, Quat, Vec2, Vec3};
use serde::{Deserialize, Serialize};

use crate::{Result, TraverseError};

/// A polyline over the floor (x and z, in metres). The heading turns gradually around its corners. In JSON it is the list
/// of its points. The default is straight along +Z.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Vec2>", into = "Vec<Vec2>")]
pub struct GroundPath {
    points: Vec<Vec2>,
    /// Arc length at each point, in metres.
    along_m: Vec<f32>,
}

impl Default for GroundPath {
    fn default() -> Self {
        Self::straight()
    }
}

impl TryFrom<Vec<Vec2>> for GroundPath {
    type Error = TraverseError;

    fn try_from(points: Vec<Vec2>) -> Result<Self> {
        Self::new(points)
    }
}

impl From<GroundPath> for Vec<Vec2> {
    fn from(path: GroundPath) -> Self {
        path.points
    }
}

/// The heading is the direction between the points this far before and after, in metres: half a stride.
const HEADING_WINDOW_M: f32 = 0.35;

impl GroundPath {
    /// Creates a path from at least two points; consecutive points must differ.
    pub fn new(points: Vec<Vec2>) -> Result<Self> {
        if let Some(point) = points.iter().position(|point| !point.is_finite()) {
            return Err(TraverseError::Path { point, problem: "is not finite" });
        }
        if points.len() < 2 {
            return Err(TraverseError::Path { point: points.len(), problem: "is missing" });
        }
        if let Some(point) = points.windows(2).position(|pair| pair[0] == pair[1]) {
            return Err(TraverseError::Path { point: point + 1, problem: "repeats the previous point" });
        }
        let mut along_m = vec![0.0];
        for pair in points.windows(2) {
            along_m.push(along_m[along_m.len() - 1] + pair[0].distance(pair[1]));
        }
        Ok(Self { points, along_m })
    }

    /// A straight path along +Z.
    pub fn straight() -> Self {
        Self { points: vec![Vec2::ZERO, Vec2::Y], along_m: vec![0.0, 1.0] }
    }

    /// The points of the path: x and z, in metres.
    pub fn points(&self) -> &[Vec2] {
        &self.points
    }

    /// Length of the path, in metres.
    pub fn length_m(&self) -> f32 {
        self.along_m.last().copied().unwrap_or(0.0)
    }

    /// The point (x and z) at an arc length. The path continues straight beyond both ends.
    pub fn point_at(&self, along_m: f32) -> Vec2 {
        let end = self.along_m.partition_point(|at| *at <= along_m).clamp(1, self.points.len() - 1);
        let (from, to) = (self.points[end - 1], self.points[end]);
        let fraction = (along_m - self.along_m[end - 1]) / (self.along_m[end] - self.along_m[end - 1]);
        from + fraction * (to - from)
    }

    /// Position and heading at an arc length.
    pub(crate) fn ground(&self, along_m: f32) -> Ground {
        let at = self.point_at(along_m);
        let ahead = self.point_at(along_m + HEADING_WINDOW_M) - self.point_at(along_m - HEADING_WINDOW_M);
        Ground::new(at.x, at.y, ahead.x.atan2(ahead.y))
    }

    /// The arc length of the point of the path that is nearest to a position, near a known arc length: that of the hips of the same
    /// body.
    pub(crate) fn along_near(&self, position: Vec2, near_m: f32) -> f32 {
        // On a bend, the heading there differs from that of the hips: look again from there.
        (0..2).fold(near_m, |near_m, _| {
            let ground = self.ground(near_m);
            near_m + ground.inverse().point(Vec3::new(position.x, 0.0, position.y)).z
        })
    }

    /// Converts a joint's position and rotation from path coordinates to world coordinates.
    pub(crate) fn transform_joint(&self, position: &mut Vec3, rotation: &mut Quat) {
        if self.points[..] != [Vec2::ZERO, Vec2::Y] {
            *rotation = self.ground(position.z).rotation() * *rotation;
            *position = self.world_from_path(*position);
        }
    }

    /// Converts a point from path coordinates (x to the left of the path, y up, z along it) to world coordinates.
    pub(crate) fn world_from_path(&self, point: Vec3) -> Vec3 {
        self.ground(point.z).point(Vec3::new(point.x, point.y, 0.0))
    }
}

#[cfg(test)]
mod tests {
    use marey_motion::Coded;

    use super::*;

    #[test]
    fn path_turns_at_corners_and_extends_beyond_its_ends() {
        let path = GroundPath::new(vec![Vec2::ZERO, Vec2::new(0.0, 2.0), Vec2::new(2.0, 2.0)]).unwrap();
        assert_eq!(path.length_m(), 4.0);
        assert_eq!(path.point_at(3.0), Vec2::new(1.0, 2.0));
        assert_eq!(path.point_at(5.0), Vec2::new(3.0, 2.0));
        assert!((path.ground(2.0).yaw_rad - std::f32::consts::FRAC_PI_4).abs() < 1e-5);
        let straight = GroundPath::straight();
        let point = Vec3::new(0.1, 1.0, -3.0);
        assert!(straight.world_from_path(point).distance(point) < 1e-6);
    }

    #[test]
    fn invalid_points_are_rejected() {
        for points in [vec![Vec2::ZERO], vec![Vec2::ZERO, Vec2::NAN], vec![Vec2::X, Vec2::X]] {
            assert_eq!(GroundPath::new(points).unwrap_err().code().id, "traverse/path");
        }
    }
}
