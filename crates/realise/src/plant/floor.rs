//! Feet that a join pushes into the floor or drags along it.
//!
//! A part of a sole should be no lower than when the foot stands, and higher the faster it moves. The lift is
//! rounded off, so that a foot that comes down slows down instead of stopping abruptly. Captured soles sink
//! into the floor and scuff along it, so only the difference to the source is corrected: motion that is not
//! joined stays as it is.

use marey_motion::{Vec3, smoothstep};

use super::leg::smooth_max;

/// Feet closer to the floor than this slow down, in metres.
const ROUND_M: f32 = 0.02;

/// The clearance grows from the speed at which a foot may stand to this multiple of it.
const FAST: f32 = 3.0;

/// The floor under a part of a sole.
#[derive(Debug, Clone, Copy)]
pub(super) struct Level {
    /// Height of the part when the foot stands, in metres.
    pub(super) stands_m: f32,
    /// Additional height at full speed, in metres.
    pub(super) clearance_m: f32,
    /// Highest speed at which a foot may stand, in metres per second.
    pub(super) slow_mps: f32,
}

impl Level {
    /// The lift of a part of a sole, in metres, from its position and speed and those of its source.
    pub(super) fn lift_m(&self, is: (Vec3, f32), own: (Vec3, f32)) -> f32 {
        (self.missing_height_m(is) - self.missing_height_m(own)).max(0.0)
    }

    /// The height that is missing, in metres.
    fn missing_height_m(&self, (at, speed_mps): (Vec3, f32)) -> f32 {
        let clear_m = self.clearance_m
            * smoothstep((speed_mps - self.slow_mps) / (FAST * self.slow_mps - self.slow_mps));
        let over_m = at.y - self.stands_m - clear_m;
        smooth_max(over_m, 0.0, ROUND_M) - over_m
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feet_are_lifted_out_of_the_floor_and_off_it_when_fast() {
        let level = Level { stands_m: 0.02, clearance_m: 0.03, slow_mps: 0.3 };
        let at = |y: f32| Vec3::Y * y;
        let own = (at(0.2), 0.0);
        // 5 cm below its standing height, and slow: lifted by 5 cm. High above the floor: not lifted.
        assert!((level.lift_m((at(-0.03), 0.0), own) - 0.05).abs() < 1e-6);
        assert_eq!(level.lift_m((at(0.2), 2.0), own), 0.0);
        // On the floor and fast: by the clearance, and half the clearance at half of it.
        assert!((level.lift_m((at(0.02), 1.0), own) - 0.03).abs() < 1e-6);
        let middle = level.lift_m((at(-0.03), 0.6), own);
        assert!((middle - 0.065).abs() < 1e-6);
        // At least as high as in the source: not lifted.
        assert_eq!(level.lift_m((at(-0.03), 1.0), (at(-0.03), 1.0)), 0.0);
        assert_eq!(level.lift_m((at(-0.02), 1.0), (at(-0.03), 1.0)), 0.0);
        assert!((level.lift_m((at(-0.05), 1.0), (at(-0.03), 1.0)) - 0.02).abs() < 1e-6);
    }
}
