//! The path of a kicking foot: up into the chamber, out to its target, back, and down.
//!
//! The ankle moves along a smooth curve through these positions. The direction of the knee and the stretch of the foot are interpolated
//! with it. The kick arrives with zero speed, as between partners who do not hurt each other.

use marey_motion::{Quat, Vec3, smootherstep};
use marey_ops::ik::IkSettings;

use super::form::FootPart;
use crate::figure::{Leg, Sole};
use crate::gait::LegPose;
use crate::spline::quintic;

/// Speed of the ankle in the chamber, relative to the mean speed around it.
const THROUGH_CHAMBER: f32 = 0.7;
/// Vertical speed of the ankle at take-off and at landing, in metres per second.
const TAKE_OFF_MPS: f32 = 1.2;
const LANDING_MPS: f32 = 0.5;
/// The range of a kicking knee's fold, in radians.
pub(super) const KNEE: IkSettings = IkSettings { min_fold_rad: 0.12, max_fold_rad: 2.5 };

/// A kick, from the floor to the floor.
#[derive(Debug, Clone)]
pub(super) struct Kick {
    /// Times of take-off, chamber, contact, return to the chamber, and landing.
    secs: [f64; 5],
    ankles: [Vec3; 5],
    /// Velocity of the ankle at these times, in metres per second.
    velocities: [Vec3; 5],
    /// Direction of the knee at these times.
    poles: [Vec3; 5],
    stretch_rad: [f64; 2],
    /// Rotation of the foot at take-off and at landing.
    ends: [Quat; 2],
    /// Upward bend of the toes at take-off.
    toes_up_rad: f32,
}

/// The parameters of a [`Kick`].
pub(super) struct KickPath {
    pub(super) secs: [f64; 5],
    /// Position of the ankle at these times.
    pub(super) ankles: [Vec3; 5],
    pub(super) poles: [Vec3; 5],
    pub(super) stretch_rad: [f64; 2],
    pub(super) ends: [Quat; 2],
    pub(super) toes_up_rad: f32,
}

impl Kick {
    pub(super) fn new(path: KickPath) -> Self {
        let KickPath { secs, ankles, poles, stretch_rad, ends, toes_up_rad } = path;
        let through =
            |i: usize| THROUGH_CHAMBER * (ankles[i + 1] - ankles[i - 1]) / (secs[i + 1] - secs[i - 1]) as f32;
        let velocities =
            [Vec3::Y * TAKE_OFF_MPS, through(1), Vec3::ZERO, through(3), Vec3::NEG_Y * LANDING_MPS];
        Self { secs, ankles, velocities, poles, stretch_rad, ends, toes_up_rad }
    }

    /// The position of the ankle, on quintics with zero acceleration at their ends.
    fn ankle(&self, secs: f64) -> Vec3 {
        let (from, to) = self.between(secs);
        let span = self.secs[to] - self.secs[from];
        let state = |i: usize, axis: usize| {
            [f64::from(self.ankles[i][axis]), f64::from(self.velocities[i][axis]), 0.0]
        };
        let share = (secs - self.secs[from]) / span;
        Vec3::from([0, 1, 2].map(|axis| quintic(state(from, axis), state(to, axis), span, share) as f32))
    }

    /// Whether the foot is off the floor.
    pub(super) fn covers(&self, secs: f64) -> bool {
        (self.secs[0]..=self.secs[4]).contains(&secs)
    }

    /// Bends a leg with the hip at a position.
    pub(super) fn pose(&self, leg: &Leg, hip: Vec3, secs: f64) -> LegPose {
        let ankle = self.ankle(secs);
        let (from, to) = self.between(secs);
        let share = smootherstep((secs - self.secs[from]) / (self.secs[to] - self.secs[from]));
        let pole = self.poles[from].lerp(self.poles[to], share as f32);
        let stretch = |i: usize| match i {
            0 | 4 => 0.0,
            2 => self.stretch_rad[1],
            _ => self.stretch_rad[0],
        };
        let stretch_rad = stretch(from) + share * (stretch(to) - stretch(from));
        let mut leg = LegPose::folded(leg, hip, ankle, pole, &KNEE).stretched(stretch_rad as f32);
        // The foot has its rotation on the floor at take-off, and reaches it again before landing.
        let off_floor = smootherstep((secs - self.secs[0]) / (self.secs[1] - self.secs[0]) - 0.2);
        let down = smootherstep((secs - self.secs[3]) / (0.8 * (self.secs[4] - self.secs[3])));
        leg.foot = self.ends[0].slerp(leg.foot, off_floor as f32).slerp(self.ends[1], down as f32);
        leg.toes_up_rad = self.toes_up_rad * (1.0 - off_floor as f32);
        leg
    }

    /// The indices of the two key times around a time.
    fn between(&self, secs: f64) -> (usize, usize) {
        let to = self.secs.partition_point(|&at| at <= secs).clamp(1, 4);
        (to - 1, to)
    }
}

/// The position of the ankle that brings a part of the foot to a target.
pub(super) fn ankle_for(
    (leg, sole): (&Leg, Sole),
    hip: Vec3,
    target: Vec3,
    (part, pole, stretch_rad): (FootPart, Vec3, f64),
) -> Vec3 {
    let in_foot = in_foot(part, sole);
    let mut ankle = target;
    for _ in 0..8 {
        let folded = LegPose::folded(leg, hip, ankle, pole, &KNEE).stretched(stretch_rad as f32);
        ankle = target - folded.foot * in_foot;
    }
    ankle
}

/// A part of the foot, relative to the ankle.
pub(super) fn in_foot(part: FootPart, sole: Sole) -> Vec3 {
    match part {
        FootPart::Ball => sole.ball,
        FootPart::Heel => sole.heel,
        // Halfway to the ball, on the upper side.
        FootPart::Instep => 0.5 * sole.ball.with_y(0.0),
    }
}
