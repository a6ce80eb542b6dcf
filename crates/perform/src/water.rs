//! What water does to a body, and hands to water (8.6).
//!
//! Buoyancy bears the weight; the body's way through the water is slowed. A hand that presses back drives the body ahead by its
//! drag, which grows with the square of its speed; a hand that comes ahead again is narrow and has a third of it. A hand that
//! sweeps across gives lift, ahead, whichever way it sweeps: sculling.

use glam::{Quat, Vec3};

use crate::dynamics::Water;

/// Drag of a hand that comes ahead, over that of one that presses back.
const RECOVERY: f32 = 0.33;

/// What the water does to each kilogram of a body, in m/s²: its velocity, and that of its hands against it, in the world.
pub(crate) fn acceleration(
    water: &Water,
    gravity_mps2: f32,
    velocity: Vec3,
    hands: [Vec3; 2],
    yaw_rad: f32,
) -> Vec3 {
    let ahead = Quat::from_rotation_y(yaw_rad) * Vec3::Z;
    let mut sum = Vec3::Y * (water.buoyancy * gravity_mps2) - velocity * water.drag;
    for hand in hands {
        let back = -hand.dot(ahead);
        let across = hand + ahead * back;
        let drag = water.hand_drag * if back > 0.0 { 1.0 } else { RECOVERY };
        sum += ahead * (drag * back * back.abs() + water.hand_lift * across.length_squared());
        // Up and down hands press as well, both ways alike.
        sum.y -= water.hand_drag * RECOVERY * across.y * across.y.abs();
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strokes_drive_ahead_and_floating_does_not() {
        let water = Water::default();
        let at = |hands: [Vec3; 2]| acceleration(&water, 9.81, Vec3::ZERO, hands, 0.0) - Vec3::Y * 9.81;
        assert_eq!(at([Vec3::ZERO; 2]), Vec3::ZERO);
        let (press, recover) = (at([Vec3::NEG_Z; 2]), at([Vec3::Z; 2]));
        assert!((press.z - 0.5).abs() < 1e-6 && (recover.z + 0.165).abs() < 1e-6);
        assert!((at([Vec3::X, Vec3::NEG_X]).z - 0.16).abs() < 1e-6, "sculling");
        let slowed = acceleration(&water, 9.81, Vec3::X, [Vec3::ZERO; 2], 0.0);
        assert!((slowed.x + 1.2).abs() < 1e-6);
    }
}
