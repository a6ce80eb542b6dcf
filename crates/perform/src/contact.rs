//! An intentional contact: a universal joint with a damped spring to the centre of mass (section 5).
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | r | from the centre of mass to the contact | m |
//! | r̂ | the performer's r, rotated to the world | m |
//! | ī, j̄ | pitch axis (to the character's left), roll axis (ahead) | |
//! | r^α, r^β | angle of r about ī, about j̄ | rad |
//! | ū, v̄ | r × ī, r × j̄: direction of the centre of mass as the angle grows | m |
//! | k_s, k_d | stiffness and damping | N/m, N s/m |
//!
//! Changed: the paper calls r^α the angle between r and the pitch axis, which a rotation about that axis does not change; here it is
//! the angle about the axis. f^α is multiplied by the lever ‖r‖, so gains are rates (1/s², 1/s) and do not depend on the arm's
//! length. The linear spring of eq. 2 is a joint of the physics engine, which solves it implicitly: it is stable for every gain, also
//! on light ropes. Its damping is relative to the performer's own rate, as in eq. 3 and 4, so a push-off is not damped.
//! If several limbs hold, they share the angular gains.

use glam::{Quat, Vec3};

use crate::dynamics::Dynamics;

/// The target of a contact, from the performer.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Wish {
    /// r̂, rotated to the world, in metres.
    pub(crate) r: Vec3,
    /// Its rate of change, in metres per second.
    pub(crate) rate: Vec3,
}

impl Wish {
    /// Interpolates between two targets.
    pub(crate) fn lerp(self, other: Wish, share: f32) -> Wish {
        Wish { r: self.r.lerp(other.r, share), rate: self.rate.lerp(other.rate, share) }
    }
}

/// f^α + f^β of eq. 3 and 4: the acceleration that the actuated joint gives the centre of mass, in m/s².
pub(crate) fn joint_acceleration(
    r: Vec3,
    rate: Vec3,
    wish: &Wish,
    yaw_rad: f32,
    gains: &Dynamics,
    share: f32,
) -> Vec3 {
    let heading = Quat::from_rotation_y(yaw_rad);
    let about = |axis: Vec3, stiffness: f32, damping: f32| {
        if stiffness == 0.0 && damping == 0.0 {
            return Vec3::ZERO;
        }
        let flat = |v: Vec3| v - axis * v.dot(axis);
        let (own, wished) = (flat(r), flat(wish.r));
        let lever = own.length();
        if lever < LEAST_LEVER_M || wished.length() < LEAST_LEVER_M {
            return Vec3::ZERO;
        }
        let error = axis.dot(own.cross(wished)).atan2(own.dot(wished));
        let own_rate = axis.dot(own.cross(rate)) / own.length_squared();
        let wished_rate = axis.dot(wished.cross(wish.rate)) / wished.length_squared();
        let along = r.cross(axis) / lever;
        along * (share * lever * (stiffness * error + damping * (wished_rate - own_rate)))
    };
    about(heading * Vec3::X, gains.pitch_stiffness, gains.pitch_damping)
        + about(heading * Vec3::Z, gains.roll_stiffness, gains.roll_damping)
}

/// A contact nearer to an axis than this has no defined angle about it, in metres.
const LEAST_LEVER_M: f32 = 0.05;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PITCH: Dynamics =
        Dynamics { pitch_stiffness: 10.0, pitch_damping: 2.0, roll_damping: 0.0, ..Dynamics::BAR };

    #[test]
    fn moving_the_hands_back_moves_the_body_ahead() {
        // The hands are a metre overhead; the performer's are 0.1 rad farther back. The body of a character hanging on a bar
        // accelerates ahead by 10 × 0.1 × the lever of one metre.
        let back = Vec3::new(0.0, 0.1f32.cos(), -0.1f32.sin());
        let wish = Wish { r: back, rate: Vec3::ZERO };
        let pulled = joint_acceleration(Vec3::Y, Vec3::ZERO, &wish, 0.0, &PITCH, 1.0);
        assert!(pulled.distance(Vec3::Z) < 1e-5, "{pulled}");
        // Facing +X, ahead is there.
        let wish = Wish { r: Vec3::new(-0.1f32.sin(), 0.1f32.cos(), 0.0), rate: Vec3::ZERO };
        let pulled = joint_acceleration(Vec3::Y, Vec3::ZERO, &wish, std::f32::consts::FRAC_PI_2, &PITCH, 0.5);
        assert!(pulled.distance(Vec3::X * 0.5) < 1e-5, "{pulled}");
    }

    proptest! {
        #[test]
        fn nothing_is_asked_for_where_both_agree_and_axes_without_gain_are_passive(
            x in -1f32..1.0, y in 0.3f32..1.0, z in -1f32..1.0, vx in -1f32..1.0, vz in -1f32..1.0, yaw in -3f32..3.0,
        ) {
            let (r, rate) = (Vec3::new(x, y, z), Vec3::new(vx, 0.1, vz));
            let agreed = joint_acceleration(r, rate, &Wish { r, rate }, yaw, &Dynamics::FLOOR, 1.0);
            prop_assert!(agreed.length() < 1e-3);
            let wish = Wish { r: Vec3::new(z, y, x), rate: Vec3::ZERO };
            let swing = joint_acceleration(r, rate, &wish, yaw, &PITCH, 1.0);
            // There is no force along the pitch axis, nor along r.
            let axis = Quat::from_rotation_y(yaw) * Vec3::X;
            prop_assert!(swing.dot(axis).abs() < 1e-3 && swing.dot(r).abs() < 1e-3);
        }
    }
}
