//! Converts rotations to Euler angles.

use std::f64::consts::{PI, TAU};

use glam::{DQuat, DVec3};

use super::RotationOrder;
use super::channel::Axis;

/// Largest number of turns for which an angle stays continuous. Beyond it, the angle restarts near zero, because readers that keep
/// few digits lose a ten-thousandth of a degree by then.
const MAX_TURNS: f64 = 10.0;

/// The three angles of a rotation q = q₁ q₂ q₃ about the axes of the order, in radians, closest to those of the previous frame.
pub(crate) fn angles_of(q: DQuat, order: RotationOrder, past: Option<[f64; 3]>) -> [f64; 3] {
    use Axis::{X, Y, Z};
    let axes = order.axes();
    let sign = if matches!(axes, [X, Y, Z] | [Y, Z, X] | [Z, X, Y]) { 1.0 } else { -1.0 };
    let [ei, ej, ek] = axes.map(direction);
    let q = q.normalize();
    // cos b sin c and cos b cos c. If both vanish, c is arbitrary and keeps its previous value.
    let (sin_c, cos_c) = (-sign * (q * ej).dot(ei), (q * ei).dot(ei));
    let c = if sin_c.hypot(cos_c) > 1e-6 { sin_c.atan2(cos_c) } else { past.map_or(0.0, |[_, _, c]| c) };
    // The rotation without the third angle gives the first two, independent of rounding in the third.
    let left = q * DQuat::from_axis_angle(ek, -c);
    let a = (sign * (left * ej).dot(ek)).atan2((left * ej).dot(ej));
    let b = (sign * (left * ek).dot(ei)).atan2((left * ei).dot(ei));
    let Some(past) = past else { return [a, b, c] };
    // Each rotation has two triples of angles, plus whole turns. Use the closest.
    let candidates = [[a, b, c], [a + PI, PI - b, c + PI]].map(|triple| unwrap_near(triple, past));
    let distance = |t: &[f64; 3]| t.iter().zip(past).map(|(x, p)| (x - p).abs()).sum::<f64>();
    let [first, second] = candidates;
    let nearest = if distance(&second) + 1e-9 < distance(&first) { second } else { first };
    nearest
        .map(|angle| if angle.abs() > MAX_TURNS * TAU { angle - (angle / TAU).round() * TAU } else { angle })
}

/// Adds whole turns to each angle until it is within half a turn of the previous frame's.
fn unwrap_near(angles: [f64; 3], past: [f64; 3]) -> [f64; 3] {
    let [a, b, c] = angles;
    let [pa, pb, pc] = past;
    [(a, pa), (b, pb), (c, pc)].map(|(x, p)| x + ((p - x) / TAU).round() * TAU)
}

fn direction(axis: Axis) -> DVec3 {
    match axis {
        Axis::X => DVec3::X,
        Axis::Y => DVec3::Y,
        Axis::Z => DVec3::Z,
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use proptest::prelude::*;

    use super::*;

    /// The rotation by three angles.
    fn rotation_by(order: RotationOrder, angles: [f64; 3]) -> DQuat {
        let turns = order.axes().into_iter().zip(angles);
        turns.fold(DQuat::IDENTITY, |q, (axis, angle)| q * DQuat::from_axis_angle(direction(axis), angle))
    }

    proptest! {
        #[test]
        fn angles_restore_the_rotation_and_are_continuous(
            x in -7f64..7.0, y in -7f64..7.0, z in -7f64..7.0, step in -0.2f64..0.2,
        ) {
            for order in RotationOrder::ALL {
                let q = rotation_by(order, [x, y, z]);
                let first = angles_of(q, order, None);
                prop_assert!(rotation_by(order, first).dot(q).abs() > 1.0 - 1e-12);
                let q = rotation_by(order, [x + step, y, z]);
                let next = angles_of(q, order, Some(first));
                prop_assert!(rotation_by(order, next).dot(q).abs() > 1.0 - 1e-12);
                prop_assert!((next[0] - first[0]).abs() < 3.2);
            }
        }
    }

    #[test]
    fn gimbal_lock_keeps_the_third_angle() {
        for order in RotationOrder::ALL {
            for b in [FRAC_PI_2, -FRAC_PI_2] {
                let q = rotation_by(order, [0.3, b, 0.2]);
                let angles = angles_of(q, order, Some([0.3, b, 0.2]));
                assert!(rotation_by(order, angles).dot(q).abs() > 1.0 - 1e-12);
                assert!((angles[2] - 0.2).abs() < 1e-3, "{order}: {angles:?}");
            }
        }
    }

    #[test]
    fn angles_restart_after_ten_turns() {
        let mut past = None;
        let mut largest = 0f64;
        for step in 0..10_000 {
            let q = rotation_by(RotationOrder::Zxy, [f64::from(step) * 0.5, 0.0, 0.0]);
            let angles = angles_of(q, RotationOrder::Zxy, past);
            assert!(rotation_by(RotationOrder::Zxy, angles).dot(q).abs() > 1.0 - 1e-9);
            largest = largest.max(angles[0].abs());
            past = Some(angles);
        }
        assert!((9.0..=10.0).contains(&(largest / TAU)), "{largest}");
    }
}
