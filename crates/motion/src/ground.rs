//! Rigid motions in the ground plane.

use std::f32::consts::{PI, TAU};
use std::ops::Mul;

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

/// A rigid motion that maps the floor to itself: a rotation about the vertical, then a horizontal
/// translation.
///
/// Variables are named `target_from_source`: `world_from_source * point_in_source` is the point in the world.
///
/// ```
/// use marey_motion::{Ground, Vec3};
/// use std::f32::consts::FRAC_PI_2;
/// let world_from_body = Ground::new(1.0, 0.0, FRAC_PI_2);
/// // A quarter turn to the left carries "ahead" (+Z) to "left" (+X).
/// let ahead = world_from_body.point(Vec3::Z);
/// assert!((ahead - Vec3::new(2.0, 0.0, 0.0)).length() < 1e-6);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Ground {
    /// Translation along X, in metres.
    pub x: f32,
    /// Translation along Z, in metres.
    pub z: f32,
    /// Rotation about +Y in radians, counter-clockwise seen from above, in −π..π.
    pub yaw_rad: f32,
}

impl Ground {
    /// The identity.
    pub const IDENTITY: Ground = Ground { x: 0.0, z: 0.0, yaw_rad: 0.0 };

    /// A translation and a rotation; the rotation is wrapped to −π..π.
    pub fn new(x: f32, z: f32, yaw_rad: f32) -> Self {
        Self { x, z, yaw_rad: wrap_angle(yaw_rad) }
    }

    /// The ground position and heading of a joint. The heading is the component of its rotation about the
    /// vertical.
    ///
    /// `None` if the rotation turns the vertical upside down, because the heading is undefined.
    pub fn under(position: Vec3, rotation: Quat) -> Option<Self> {
        // The twist of q about Y is (0, y, 0, w) normalised.
        let length = rotation.y.hypot(rotation.w);
        (length > 1e-4).then(|| {
            Self::new(position.x, position.z, 2.0 * (rotation.y / length).atan2(rotation.w / length))
        })
    }

    /// The rotation as a quaternion.
    pub fn rotation(self) -> Quat {
        Quat::from_rotation_y(self.yaw_rad)
    }

    /// The translation as a vector.
    pub fn translation(self) -> Vec3 {
        Vec3::new(self.x, 0.0, self.z)
    }

    /// Transforms a point.
    pub fn point(self, point: Vec3) -> Vec3 {
        self.direction(point) + self.translation()
    }

    /// Transforms a direction: rotates without translating.
    pub fn direction(self, v: Vec3) -> Vec3 {
        let (sin, cos) = self.yaw_rad.sin_cos();
        Vec3::new(cos * v.x + sin * v.z, v.y, cos * v.z - sin * v.x)
    }

    /// The inverse motion.
    pub fn inverse(self) -> Self {
        let back = Ground { x: 0.0, z: 0.0, yaw_rad: -self.yaw_rad };
        let shift = back.direction(-self.translation());
        Self::new(shift.x, shift.z, -self.yaw_rad)
    }

    /// Whether every number is finite.
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.z.is_finite() && self.yaw_rad.is_finite()
    }
}

impl Mul for Ground {
    type Output = Ground;

    #[expect(clippy::suspicious_arithmetic_impl, reason = "turns about one axis compose by adding")]
    fn mul(self, inner: Ground) -> Ground {
        let shift = self.point(inner.translation());
        Ground::new(shift.x, shift.z, self.yaw_rad + inner.yaw_rad)
    }
}

/// The same angle in −π..π.
fn wrap_angle(angle_rad: f32) -> f32 {
    if (-PI..=PI).contains(&angle_rad) { angle_rad } else { (angle_rad + PI).rem_euclid(TAU) - PI }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn close(a: Vec3, b: Vec3) -> bool {
        (a - b).length() < 1e-4
    }

    proptest! {
        #[test]
        fn composition_and_inverse_agree_with_points(
            a in (-9f32..9.0, -9f32..9.0, -9f32..9.0), b in (-9f32..9.0, -9f32..9.0, -9f32..9.0),
            p in (-9f32..9.0, -9f32..9.0, -9f32..9.0),
        ) {
            let (a, b) = (Ground::new(a.0, a.1, a.2), Ground::new(b.0, b.1, b.2));
            let p = Vec3::new(p.0, p.1, p.2);
            prop_assert!(close((a * b).point(p), a.point(b.point(p))));
            prop_assert!(close(a.inverse().point(a.point(p)), p));
            prop_assert!(close(a.point(p), a.rotation() * p + a.translation()));
        }

        #[test]
        fn heading_of_a_yawed_joint_is_its_yaw(yaw in -3.1f32..3.1, pitch in -1.5f32..1.5) {
            let q = Quat::from_rotation_y(yaw) * Quat::from_rotation_x(pitch);
            let g = Ground::under(Vec3::new(1.0, 2.0, 3.0), q).unwrap();
            prop_assert!((g.yaw_rad - yaw).abs() < 1e-4);
            prop_assert_eq!((g.x, g.z), (1.0, 3.0));
        }
    }

    #[test]
    fn upside_down_rotations_have_no_heading() {
        assert_eq!(Ground::under(Vec3::ZERO, Quat::from_rotation_x(PI)), None);
    }
}
