//! Projection from the world to the picture.

use glam::{Vec2, Vec3};

use crate::View;

/// Tangent of half the vertical field of view. It is narrow, so that bodies are hardly distorted.
const HALF_VIEW_TAN: f32 = 0.22;

/// The axes of a camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CameraAxes {
    /// To the right of the picture.
    pub(crate) right: Vec3,
    /// Up the picture.
    pub(crate) up: Vec3,
    /// Towards the viewer.
    pub(crate) back: Vec3,
}

impl CameraAxes {
    /// A view of a figure that faces `ahead`, a unit vector on the floor.
    pub(crate) fn of(view: View, ahead: Vec3) -> CameraAxes {
        let (turn_deg, pitch_deg): (f32, f32) = match view {
            View::ThreeQuarter => (40.0, 15.0),
            View::Front => (0.0, 8.0),
            View::Side => (90.0, 8.0),
            View::Top => (180.0, 90.0),
        };
        let to_right_side = ahead.cross(Vec3::Y);
        let (sin, cos) = turn_deg.to_radians().sin_cos();
        let level = ahead * cos + to_right_side * sin;
        let (sin, cos) = pitch_deg.to_radians().sin_cos();
        let (back, up) = (level * cos + Vec3::Y * sin, Vec3::Y * cos - level * sin);
        CameraAxes { right: up.cross(back), up, back }
    }

    /// A vector of the world in the axes of the camera: right, up, towards the camera.
    pub(crate) fn rotate(&self, v: Vec3) -> Vec3 {
        Vec3::new(self.right.dot(v), self.up.dot(v), self.back.dot(v))
    }
}

/// The part of a picture that a camera fills, in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Viewport {
    pub(crate) width_px: f32,
    pub(crate) height_px: f32,
}

impl Viewport {
    /// Pixels per metre at a distance of one metre.
    fn focal_px(&self) -> f32 {
        0.5 * self.width_px.min(self.height_px) / HALF_VIEW_TAN
    }

    /// The distance of the camera at which a ball at `offset`, in camera axes, is completely visible.
    pub(crate) fn distance_to_see(&self, offset: Vec3, radius: f32) -> f32 {
        let focal = self.focal_px();
        let across = (offset.x.abs() + radius) * focal / (0.5 * self.width_px);
        let along = (offset.y.abs() + radius) * focal / (0.5 * self.height_px);
        across.max(along) + offset.z
    }
}

/// A point of the world in the picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ProjectedPoint {
    /// Pixels from the left and the top.
    pub(crate) at: Vec2,
    /// Metres from the camera, along its axis.
    pub(crate) depth_m: f32,
    /// Pixels per metre at the point.
    pub(crate) px_per_m: f32,
}

/// A pinhole camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Camera {
    pub(crate) axes: CameraAxes,
    pub(crate) target: Vec3,
    pub(crate) distance_m: f32,
    centre: Vec2,
    focal_px: f32,
}

impl Camera {
    /// A camera with `target` in the middle of the picture, at a distance.
    pub(crate) fn new(axes: CameraAxes, target: Vec3, distance_m: f32, viewport: Viewport) -> Camera {
        let centre = 0.5 * Vec2::new(viewport.width_px, viewport.height_px);
        Camera { axes, target, distance_m, centre, focal_px: viewport.focal_px() }
    }

    /// Projects a point to the picture. `None` if it is behind the camera or too close to it.
    pub(crate) fn project(&self, point: Vec3) -> Option<ProjectedPoint> {
        let v = self.axes.rotate(point - self.target);
        let depth_m = self.distance_m - v.z;
        if depth_m.is_nan() || depth_m < 0.02 * self.distance_m {
            return None;
        }
        let px_per_m = self.focal_px / depth_m;
        Some(ProjectedPoint { at: self.centre + Vec2::new(v.x, -v.y) * px_per_m, depth_m, px_per_m })
    }

    /// Pixels per metre at the target.
    pub(crate) fn px_per_m(&self) -> f32 {
        self.focal_px / self.distance_m
    }

    /// The direction from a point to the camera.
    pub(crate) fn direction_from(&self, point: Vec3) -> Vec3 {
        (self.target + self.axes.back * self.distance_m - point).normalize_or(self.axes.back)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VIEWPORT: Viewport = Viewport { width_px: 400.0, height_px: 300.0 };

    fn camera(view: View) -> Camera {
        Camera::new(CameraAxes::of(view, Vec3::Z), Vec3::Y, 5.0, VIEWPORT)
    }

    #[test]
    fn axes_are_orthogonal_and_right_handed() {
        for view in View::ALL {
            let axes = CameraAxes::of(view, Vec3::new(0.6, 0.0, 0.8));
            assert!((axes.right.cross(axes.up) - axes.back).length() < 1e-5, "{view}");
            assert!((axes.right.length() - 1.0).abs() < 1e-5 && axes.right.y.abs() < 1e-5);
        }
    }

    #[test]
    fn each_view_has_its_direction() {
        let seen = |view, p: Vec3| camera(view).project(p + Vec3::Y).unwrap().at - VIEWPORT_CENTRE;
        assert!(seen(View::Front, Vec3::X).x > 100.0, "left of the figure is right in the picture");
        assert!(seen(View::Side, Vec3::Z).x > 100.0, "ahead is to the right");
        assert!(seen(View::Top, Vec3::Z).y < -100.0, "ahead is up");
        assert!(seen(View::Top, Vec3::X).x < -100.0, "left is left");
        assert!(seen(View::ThreeQuarter, Vec3::Y).y < -100.0, "up is up");
    }

    const VIEWPORT_CENTRE: Vec2 = Vec2::new(200.0, 150.0);

    #[test]
    fn points_farther_away_are_closer_to_the_horizon() {
        let camera = camera(View::Front);
        let horizon = camera.project(camera.target - Vec3::Z * 1e6).unwrap().at.y;
        let heights: Vec<f32> = (0..20).map(|z| camera.project(-Vec3::Z * z as f32).unwrap().at.y).collect();
        assert!(heights.windows(2).all(|w| w[1] < w[0] && w[1] > horizon));
    }

    #[test]
    fn a_metre_at_the_target_has_the_given_number_of_pixels() {
        let camera = camera(View::Front);
        let a = camera.project(Vec3::Y - 0.5 * camera.axes.up).unwrap();
        let b = camera.project(Vec3::Y + 0.5 * camera.axes.up).unwrap();
        assert!((a.at.distance(b.at) - camera.px_per_m()).abs() < 1e-2);
        assert!((a.depth_m - 5.0).abs() < 1e-5);
    }

    #[test]
    fn the_ball_just_fits_from_the_computed_distance() {
        let (offset, radius) = (Vec3::new(0.7, -0.4, 0.3), 0.1);
        let axes = CameraAxes::of(View::Side, Vec3::Z);
        let distance = VIEWPORT.distance_to_see(offset, radius);
        let camera = Camera::new(axes, Vec3::ZERO, distance, VIEWPORT);
        let world = axes.right * offset.x + axes.up * offset.y + axes.back * offset.z;
        let spot = camera.project(world).unwrap();
        let edges = [spot.at.x + radius * spot.px_per_m - 400.0, spot.at.y + radius * spot.px_per_m - 300.0];
        assert!(edges.iter().all(|&e| e < 1e-2) && edges.iter().any(|&e| e > -1e-2), "{edges:?}");
    }

    #[test]
    fn points_behind_the_camera_are_not_projected() {
        assert_eq!(camera(View::Front).project(Vec3::Z * 6.0), None);
    }
}
