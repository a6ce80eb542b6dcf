//! What a stream shows of a performer in one frame: positions and rotations of joints, by role.

use glam::{Quat, Vec3};
use marey_motion::{Role, Side};

/// The number of roles.
const ROLES: usize = Role::ALL.len();
/// The largest valid coordinate, in metres.
const MAX_COORDINATE_M: f32 = 1000.0;

/// The markers of a performer in one frame: any number of joints, by role. A joint that is not visible is missing.
///
/// ```
/// use marey_motion::{Role, Vec3};
/// use marey_perform::Markers;
/// let mut markers = Markers::default();
/// markers.set_point(Role::Hips, Vec3::Y);
/// markers.set_point(Role::LeftHand, Vec3::NAN);
/// assert_eq!(markers.point(Role::Hips), Some(Vec3::Y));
/// // A position that is not finite counts as missing.
/// assert_eq!(markers.point(Role::LeftHand), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Markers {
    points: [Option<Vec3>; ROLES],
    rotations: [Option<Quat>; ROLES],
}

impl Default for Markers {
    fn default() -> Self {
        Self { points: [None; ROLES], rotations: [None; ROLES] }
    }
}

impl Markers {
    /// The position of a joint, in metres.
    pub fn point(&self, role: Role) -> Option<Vec3> {
        self.points[role as usize]
    }

    /// Sets the position of a joint, in metres. A position that is not finite, or farther than a kilometre away, counts as missing.
    pub fn set_point(&mut self, role: Role, point: Vec3) {
        let is_valid = point.is_finite() && point.abs().max_element() < MAX_COORDINATE_M;
        self.points[role as usize] = is_valid.then_some(point);
    }

    /// The rotation of a joint from the T-pose that faces +Z, in world coordinates.
    pub fn rotation(&self, role: Role) -> Option<Quat> {
        self.rotations[role as usize]
    }

    /// Sets the rotation of a joint from the T-pose, in world coordinates. A quaternion that is not a rotation counts as missing.
    pub fn set_rotation(&mut self, role: Role, rotation: Quat) {
        let is_valid = (rotation.length_squared() - 1.0).abs() < 0.1;
        self.rotations[role as usize] = is_valid.then(|| rotation.normalize());
    }

    /// The joints that have a position.
    pub fn visible(&self) -> impl Iterator<Item = (Role, Vec3)> + '_ {
        Role::ALL.iter().filter_map(|role| Some((*role, self.point(*role)?)))
    }

    /// These markers with every position multiplied by `factor`.
    pub(crate) fn scaled(&self, factor: f32) -> Self {
        Self { points: self.points.map(|point| point.map(|point| point * factor)), ..*self }
    }

    /// The left and the right joint of a paired role.
    pub(crate) fn pair(&self, role: Role) -> [Option<Vec3>; 2] {
        Side::BOTH.map(|side| self.point(role.on(side)))
    }

    /// The middle of the left and the right joint of a paired role.
    pub(crate) fn middle(&self, role: Role) -> Option<Vec3> {
        let [left, right] = self.pair(role);
        Some(left?.midpoint(right?))
    }

    /// The waist: the hips, or the middle of the belt.
    pub(crate) fn waist(&self) -> Option<Vec3> {
        self.point(Role::Hips).or_else(|| self.middle(Role::LeftUpperLeg))
    }
}
