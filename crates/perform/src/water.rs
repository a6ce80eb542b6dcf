//! What water does to a body, and hands to water (8.6).
//!
//! At the surface a body is half in the water: what the water does comes and goes with how much of the body is in it, so that who
//! floats comes to rest instead of being thrown out and falling in again. Buoyancy bears the weight; the body's way through the
//! water is slowed. A hand that presses back drives the body ahead by its drag, which grows with the square of its speed; a hand that comes ahead again is narrow and has a third of it. A hand that
//! sweeps across gives lift, ahead, whichever way it sweeps: sculling.

use glam::{Quat, Vec3};

use crate::dynamics::Water;

/// Drag of a hand that comes ahead, over that of one that presses back.
const RECOVERY: f32 = 0.33;

/// How far a body at the surface reaches from above it to below, in metres.
const THICKNESS_M: f32 = 0.3;

/// How much of a body is in the water, its centre of mass so high above the surface, in metres.
pub(crate) fn immersed(above_m: f32) -> f32 {
    (0.5 - above_m / THICKNESS_M).clamp(0.0, 1.0)
}

/// What the water does to each kilogram of a body, in m/s²: how much of it is immersed, its velocity, and that of its hands against it,
/// in the world.
pub(crate) fn acceleration(
    water: &Water,
    immersed: f32,
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
    immersed * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strokes_drive_ahead_and_floating_does_not() {
        let water = Water::default();
        let at = |hands: [Vec3; 2]| acceleration(&water, 1.0, 9.81, Vec3::ZERO, hands, 0.0) - Vec3::Y * 9.81;
        assert_eq!(at([Vec3::ZERO; 2]), Vec3::ZERO);
        let (press, recover) = (at([Vec3::NEG_Z; 2]), at([Vec3::Z; 2]));
        assert!((press.z - 0.5).abs() < 1e-6 && (recover.z + 0.165).abs() < 1e-6);
        assert!((at([Vec3::X, Vec3::NEG_X]).z - 0.16).abs() < 1e-6, "sculling");
        let slowed = acceleration(&water, 1.0, 9.81, Vec3::X, [Vec3::ZERO; 2], 0.0);
        assert!((slowed.x + 1.2).abs() < 1e-6);
    }

    #[test]
    fn who_floats_comes_to_rest_at_the_surface() {
        let water = Water { buoyancy: 1.25, ..Water::default() };
        let (mut above_m, mut velocity) = (0.1, 0.0);
        for _ in 0..2400 {
            let push =
                acceleration(&water, immersed(above_m), 9.81, Vec3::Y * velocity, [Vec3::ZERO; 2], 0.0);
            velocity += (push.y - 9.81) / 120.0;
            above_m += velocity / 120.0;
        }
        // Four fifths of the body are in the water.
        assert!((above_m + 0.09).abs() < 1e-2 && velocity.abs() < 1e-2, "{above_m} {velocity}");
    }
}
