//! Forces of water on a body, and of hands on water (8.6).
//!
//! All forces scale with the immersed fraction of the body, so that a floating body comes to rest at the surface. Buoyancy carries the
//! weight, and drag slows the body. A hand that pushes backwards drives the body forward by its drag, which grows with the square of its
//! speed; in the recovery stroke, the hand has a third of that drag. A hand that sweeps sideways, in either direction, produces forward
//! lift (sculling).

use glam::{Quat, Vec3};

use crate::dynamics::WaterDynamics;

/// Drag of a hand in the recovery stroke, relative to the power stroke.
const RECOVERY_DRAG: f32 = 0.33;

/// The range of heights of the centre of mass between dry and fully immersed, in metres.
const THICKNESS_M: f32 = 0.3;

/// The immersed fraction of a body whose centre of mass is at this height above the surface, in metres.
pub(crate) fn immersed(above_m: f32) -> f32 {
    (0.5 - above_m / THICKNESS_M).clamp(0.0, 1.0)
}

/// The acceleration of a body by the water, in m/s². `velocity` is that of the body, `hands` are the velocities of the hands relative to
/// it, all in the world.
pub(crate) fn acceleration(
    water: &WaterDynamics,
    immersed: f32,
    gravity_mps2: f32,
    velocity: Vec3,
    hands: [Vec3; 2],
    yaw_rad: f32,
) -> Vec3 {
    let forward = Quat::from_rotation_y(yaw_rad) * Vec3::Z;
    let mut sum = Vec3::Y * (water.buoyancy * gravity_mps2) - velocity * water.drag;
    for hand in hands {
        let back = -hand.dot(forward);
        let across = hand + forward * back;
        let drag = water.hand_drag * if back > 0.0 { 1.0 } else { RECOVERY_DRAG };
        sum += forward * (drag * back * back.abs() + water.hand_lift * across.length_squared());
        // Vertical strokes have the same drag in both directions.
        sum.y -= water.hand_drag * RECOVERY_DRAG * across.y * across.y.abs();
    }
    immersed * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strokes_drive_the_body_forward_and_floating_does_not() {
        let water = WaterDynamics::default();
        let at = |hands: [Vec3; 2]| acceleration(&water, 1.0, 9.81, Vec3::ZERO, hands, 0.0) - Vec3::Y * 9.81;
        assert_eq!(at([Vec3::ZERO; 2]), Vec3::ZERO);
        let (power, recovery) = (at([Vec3::NEG_Z; 2]), at([Vec3::Z; 2]));
        assert!((power.z - 0.5).abs() < 1e-6 && (recovery.z + 0.165).abs() < 1e-6);
        assert!((at([Vec3::X, Vec3::NEG_X]).z - 0.16).abs() < 1e-6, "sculling");
        let slowed = acceleration(&water, 1.0, 9.81, Vec3::X, [Vec3::ZERO; 2], 0.0);
        assert!((slowed.x + 1.2).abs() < 1e-6);
    }

    #[test]
    fn a_floating_body_comes_to_rest_at_the_surface() {
        let water = WaterDynamics { buoyancy: 1.25, ..WaterDynamics::default() };
        let (mut above_m, mut velocity) = (0.1, 0.0);
        for _ in 0..2400 {
            let push =
                acceleration(&water, immersed(above_m), 9.81, Vec3::Y * velocity, [Vec3::ZERO; 2], 0.0);
            velocity += (push.y - 9.81) / 120.0;
            above_m += velocity / 120.0;
        }
        // Four fifths of the body are immersed.
        assert!((above_m + 0.09).abs() < 1e-2 && velocity.abs() < 1e-2, "{above_m} {velocity}");
    }
}
