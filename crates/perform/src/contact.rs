//! A contact of a hand or foot: a universal joint with a damped spring to the centre of mass (section 5).
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | r | from the centre of mass to the contact | m |
//! | r̂ | the performer's r, rotated to the world | m |
//! | ī, j̄ | pitch axis (to the character's left), roll axis (forward) | |
//! | r^α, r^β | angle of r about ī, about j̄ | rad |
//! | ū, v̄ | r × ī, r × j̄: direction of the centre of mass as the angle grows | m |
//! | k_s, k_d | stiffness and damping | N/m, N s/m |
//!
//! Changed: the paper calls r^α the angle between r and the pitch axis, which a rotation about that axis does not change; here it is
//! the angle about the axis. f^α is multiplied by the lever ‖r‖, so gains are rates (1/s², 1/s) and do not depend on the arm's
//! length. The linear spring of eq. 2 is a joint of the physics engine, which solves it implicitly: it is stable for every gain, even
//! on light ropes. Its damping is relative to the performer's own rate, as in eq. 3 and 4, so a push-off is not damped.
//! Limbs that hold at the same time share the angular gains.

use glam::{Quat, Vec3};

use crate::dynamics::Dynamics;

/// The position of a contact relative to the centre of mass that the performer asks for.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct ContactTarget {
    /// r̂, rotated to the world, in metres.
    pub(crate) r: Vec3,
    /// Its rate of change, in metres per second.
    pub(crate) rate: Vec3,
}

impl ContactTarget {
    /// Interpolates between two targets.
    pub(crate) fn lerp(self, other: ContactTarget, t: f32) -> ContactTarget {
        ContactTarget { r: self.r.lerp(other.r, t), rate: self.rate.lerp(other.rate, t) }
    }
}

/// f^α + f^β of eq. 3 and 4: the acceleration of the centre of mass by the actuated joint, in m/s². `gain_share` is the fraction of the
/// gains that this limb applies.
pub(crate) fn joint_acceleration(
    r: Vec3,
    rate: Vec3,
    target: &ContactTarget,
    yaw_rad: f32,
    gains: &Dynamics,
    gain_share: f32,
) -> Vec3 {
    let heading = Quat::from_rotation_y(yaw_rad);
    let about = |axis: Vec3, stiffness: f32, damping: f32| {
        if stiffness == 0.0 && damping == 0.0 {
            return Vec3::ZERO;
        }
        let flat = |v: Vec3| v - axis * v.dot(axis);
        let (own, wanted) = (flat(r), flat(target.r));
        let lever = own.length();
        if lever < MIN_LEVER_M || wanted.length() < MIN_LEVER_M {
            return Vec3::ZERO;
        }
        let error = axis.dot(own.cross(wanted)).atan2(own.dot(wanted));
        let own_rate = axis.dot(own.cross(rate)) / own.length_squared();
        let wanted_rate = axis.dot(wanted.cross(target.rate)) / wanted.length_squared();
        let along = r.cross(axis) / lever;
        along * (gain_share * lever * (stiffness * error + damping * (wanted_rate - own_rate)))
    };
    about(heading * Vec3::X, gains.pitch_stiffness, gains.pitch_damping)
        + about(heading * Vec3::Z, gains.roll_stiffness, gains.roll_damping)
}

/// A contact closer to an axis than this has no well-defined angle about it, in metres.
const MIN_LEVER_M: f32 = 0.05;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PITCH: Dynamics =
        Dynamics { pitch_stiffness: 10.0, pitch_damping: 2.0, roll_damping: 0.0, ..Dynamics::BAR };

    #[test]
    fn moving_the_hands_back_accelerates_the_body_forward() {
        // The hands are one metre overhead; the performer's are 0.1 rad farther back. The body of a character hanging on a bar
        // accelerates forward by 10 × 0.1 × a lever of one metre.
        let back = Vec3::new(0.0, 0.1f32.cos(), -0.1f32.sin());
        let target = ContactTarget { r: back, rate: Vec3::ZERO };
        let pulled = joint_acceleration(Vec3::Y, Vec3::ZERO, &target, 0.0, &PITCH, 1.0);
        assert!(pulled.distance(Vec3::Z) < 1e-5, "{pulled}");
        // A character that faces +X accelerates along +X.
        let target = ContactTarget { r: Vec3::new(-0.1f32.sin(), 0.1f32.cos(), 0.0), rate: Vec3::ZERO };
        let pulled =
            joint_acceleration(Vec3::Y, Vec3::ZERO, &target, std::f32::consts::FRAC_PI_2, &PITCH, 0.5);
        assert!(pulled.distance(Vec3::X * 0.5) < 1e-5, "{pulled}");
    }

    proptest! {
        #[test]
        fn a_reached_target_causes_no_force_and_axes_without_gain_are_passive(
            x in -1f32..1.0, y in 0.3f32..1.0, z in -1f32..1.0, vx in -1f32..1.0, vz in -1f32..1.0, yaw in -3f32..3.0,
        ) {
            let (r, rate) = (Vec3::new(x, y, z), Vec3::new(vx, 0.1, vz));
            let at_target = joint_acceleration(r, rate, &ContactTarget { r, rate }, yaw, &Dynamics::FLOOR, 1.0);
            prop_assert!(at_target.length() < 1e-3);
            let target = ContactTarget { r: Vec3::new(z, y, x), rate: Vec3::ZERO };
            let swing = joint_acceleration(r, rate, &target, yaw, &PITCH, 1.0);
            // There is no force along the pitch axis, nor along r.
            let axis = Quat::from_rotation_y(yaw) * Vec3::X;
            prop_assert!(swing.dot(axis).abs() < 1e-3 && swing.dot(r).abs() < 1e-3);
        }
    }
}
