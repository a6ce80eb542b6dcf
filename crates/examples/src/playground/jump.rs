//! A jump on the spot: crouch, push off over the balls of the feet, fly, land on them, and rise.

use marey_motion::{Vec3, smootherstep};

use super::hand_path::RELAXED;
use super::stance::Footing;
use crate::spline::quintic;

/// Standard gravity, in m/s².
const GRAVITY: f64 = 9.81;

/// A jump.
#[derive(Debug, Clone, Copy)]
pub(super) struct Jump {
    /// Size of the body, relative to 1.72 m.
    size: f64,
    /// Whether the knees are drawn up in the air.
    tucked: bool,
}

/// A body at an instant of a jump.
#[derive(Debug, Clone, Copy)]
pub(super) struct JumpState {
    /// Height of the pelvis above its standing position, in metres.
    pub(super) up_m: f64,
    /// Fold of the body, from 0 to 1.
    pub(super) fold: f64,
    pub(super) footing: Footing,
    pub(super) wrist: Vec3,
}

impl Jump {
    /// Drop of the pelvis before and after the flight, in metres.
    const CROUCH_M: f64 = 0.19;
    const ABSORB_M: f64 = 0.15;
    /// Height of the pelvis at take-off and at landing, in metres.
    const TAKE_OFF_M: f64 = 0.055;
    const LANDING_M: f64 = 0.02;
    /// Speed of the pelvis at take-off, in m/s.
    const TAKE_OFF_MPS: f64 = 2.15;
    /// Raise of the heels at take-off and at landing, in radians.
    const TAKE_OFF_RAD: f64 = 0.7;
    const LANDING_RAD: f64 = 0.35;
    /// Durations of the crouch, the push, the absorption of the landing, and the rise, in seconds.
    const CROUCH_SECS: f64 = 0.45;
    const PUSH_SECS: f64 = 0.26;
    const ABSORB_SECS: f64 = 0.20;
    const RISE_SECS: f64 = 0.5;
    /// Time in which the heels come down, in seconds.
    const HEELS_SECS: f64 = 0.09;

    pub(super) fn new(size: f64, tucked: bool) -> Self {
        Self { size, tucked }
    }

    /// The duration of the flight. Lengths and speeds scale with size, so that other durations are constant. Gravity does not scale, so
    /// the flight depends on size.
    fn flight_secs(&self) -> f64 {
        let (v, fall) =
            (Self::TAKE_OFF_MPS * self.size.sqrt(), (Self::TAKE_OFF_M - Self::LANDING_M) * self.size);
        (v + (v * v + 2.0 * GRAVITY * fall).sqrt()) / GRAVITY
    }

    /// The state at a time after the start of the jump.
    pub(super) fn at(&self, secs: f64) -> JumpState {
        let size = self.size;
        let v = Self::TAKE_OFF_MPS * size.sqrt();
        let flight = self.flight_secs();
        let off = Self::CROUCH_SECS + Self::PUSH_SECS;
        let on = off + flight;
        let (crouch, land) = (-Self::CROUCH_M * size, -Self::ABSORB_M * size);
        let (off_m, on_m) = (Self::TAKE_OFF_M * size, Self::LANDING_M * size);
        let still = |height: f64| [height, 0.0, 0.0];
        let mut footing = Footing::default();
        let up_m = if secs < Self::CROUCH_SECS {
            quintic(still(0.0), still(crouch), Self::CROUCH_SECS, secs.max(0.0) / Self::CROUCH_SECS)
        } else if secs < off {
            let s = (secs - Self::CROUCH_SECS) / Self::PUSH_SECS;
            // Heels rise in the last part of the push.
            footing.heel_up_rad = (Self::TAKE_OFF_RAD * smootherstep((s - 0.45) / 0.55)) as f32;
            quintic(still(crouch), [off_m, v, -GRAVITY], Self::PUSH_SECS, s)
        } else if secs < on {
            let (t, s) = (secs - off, (secs - off) / flight);
            let up_m = off_m + v * t - 0.5 * GRAVITY * t * t;
            footing.heel_up_rad = (Self::TAKE_OFF_RAD + (Self::LANDING_RAD - Self::TAKE_OFF_RAD) * s) as f32;
            let drawn_up =
                if self.tucked { 0.30 } else { 0.03 } * size * (std::f64::consts::PI * s).sin().powi(2);
            footing.ball_up_m = (up_m - off_m - s * (on_m - off_m) + drawn_up).max(1e-6) as f32;
            footing.ahead_m = (0.35 * drawn_up) as f32;
            up_m
        } else if secs < on + Self::ABSORB_SECS {
            let t = secs - on;
            footing.heel_up_rad = (Self::LANDING_RAD * (1.0 - smootherstep(t / Self::HEELS_SECS))) as f32;
            let falling = v - GRAVITY * flight;
            quintic([on_m, falling, -GRAVITY], still(land), Self::ABSORB_SECS, t / Self::ABSORB_SECS)
        } else {
            let s = ((secs - on - Self::ABSORB_SECS) / Self::RISE_SECS).min(1.0);
            quintic(still(land), still(0.0), Self::RISE_SECS, s)
        };
        let fold = (-up_m / (Self::CROUCH_M * size)).max(0.0);
        JumpState { up_m, fold, footing, wrist: self.wrist(secs, off, on) }
    }

    /// Position of the wrists: back in the crouch, up with the push, and down after landing.
    fn wrist(&self, secs: f64, off: f64, on: f64) -> Vec3 {
        let back = smootherstep(secs / 0.4);
        let up = smootherstep((secs - Self::CROUCH_SECS + 0.05) / (off + 0.08 - Self::CROUCH_SECS));
        let down = smootherstep((secs - on + 0.12) / 0.75);
        let angle = (0.12 - 0.75 * back + 2.7 * up - 1.95 * down) as f32;
        Vec3::new(RELAXED.x, -0.93 * angle.cos(), 0.93 * angle.sin())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jump_is_smooth_and_falls_freely() {
        for (size, tucked) in [(0.8, false), (1.0, true), (1.1, false)] {
            let jump = Jump::new(size, tucked);
            let h = 1e-3;
            for i in 1..1900 {
                let secs = f64::from(i) * h;
                let [a, b, c] = [-1.0, 0.0, 1.0].map(|d| jump.at(secs + d * h));
                let speed = (c.up_m - a.up_m) / (2.0 * h);
                assert!(speed.abs() < 3.0);
                let flies = [a, b, c].iter().all(|state| state.footing.ball_up_m > 0.0);
                let acceleration = (a.up_m - 2.0 * b.up_m + c.up_m) / (h * h);
                assert!(!flies || (acceleration + GRAVITY).abs() < 1e-3, "{secs}: {acceleration}");
                assert!((c.footing.heel_up_rad - a.footing.heel_up_rad).abs() < 0.05, "{secs}");
            }
            let end = jump.at(1.9);
            assert!(
                end.up_m.abs() < 1e-6 && end.fold < 1e-6 && end.wrist.distance(jump.at(0.0).wrist) < 1e-3
            );
        }
    }
}
