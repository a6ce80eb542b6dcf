//! One swing of a foot: off the floor, through the air, and down again.
//!
//! The pitch of the foot is one smooth curve from heel-off to foot-flat. While the ball or the heel is down, the foot rotates about that
//! point, so the pitch defines its pose. In the air, the ankle moves from its velocity at take-off to its velocity at landing, and the
//! lowest point of the sole keeps a clearance.

use std::f64::consts::TAU;

use marey_motion::{Ground, Quat, Vec3, smootherstep};

use super::footsteps::Foothold;
use crate::figure::{Sole, sign};
use crate::spline::{Spline, quintic};

/// A foot at an instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FootPose {
    /// Position of the ankle.
    pub(crate) ankle: Vec3,
    /// World rotation of the foot.
    pub(crate) rotation: Quat,
    /// Direction of the foot over the floor.
    pub(crate) yaw_rad: f32,
    /// Upward bend of the toes against the foot, in radians.
    pub(crate) toes_up_rad: f32,
}

/// The pitch of a foot in an ordinary step, in radians, toes up positive.
mod pitch {
    /// At heel strike.
    pub(super) const STRIKE: f64 = 0.42;
    /// At its steepest, early in the swing.
    pub(super) const PUSH: f64 = -1.12;
    /// Largest roll of a foot, relative to an ordinary step.
    pub(super) const MOST: f64 = 1.02;
    /// At toe-off, relative to [`PUSH`].
    pub(super) const LIFT_SHARE: f64 = 0.62;
}

/// Acceleration of the ankle at landing, relative to the mean speed of the swing divided by its duration.
const LANDING_BRAKE: f64 = -7.0;

/// Smallest distance between the centre lines of the feet, in metres: the width of a foot.
const FEET_APART_M: f32 = 0.09;
/// Step size and number of steps in the search for a path around the standing foot.
const BOW_STEP_M: f32 = 0.01;
const BOW_STEPS: usize = 25;

/// A swing from one hold to the next of the same foot.
#[derive(Debug, Clone)]
pub(crate) struct Swing {
    from: Ground,
    to: Ground,
    lift_secs: f64,
    land_secs: f64,
    yaw_change_rad: f64,
    /// Pitch over time, from heel-off to foot-flat.
    pitch: Spline,
    /// Height of the lowest point of the sole over the fraction of the swing.
    clearance: Spline,
    /// Height of the swing, relative to an ordinary step.
    relative_height: f64,
    /// Position, velocity and acceleration of the ankle along x and z at take-off and landing.
    ends: [[[f64; 3]; 2]; 2],
    /// Sideways bow of the path at its middle, around the standing foot.
    bow: Vec3,
    sole: Sole,
}

impl Swing {
    /// The swing from one hold, past the standing foot, to the next.
    pub(crate) fn new(from: &Foothold, past: &Foothold, to: &Foothold, sole: Sole, roll: f64) -> Self {
        let push = (roll * (0.2 + 0.8 * from.push.max(0.0))).min(pitch::MOST);
        let strike = (roll * to.strike.max(0.04)).min(pitch::MOST);
        let mut swing = Self {
            from: from.place,
            to: to.place,
            lift_secs: from.lift_secs,
            land_secs: to.land_secs,
            yaw_change_rad: yaw_change_rad(from, to),
            pitch: pitch_curve(from, to, push, strike),
            relative_height: to.clearance,
            clearance: clearance_curve(push, to.clearance * f64::from(sole.ankle_height_m())),
            ends: [[[0.0; 3]; 2]; 2],
            bow: Vec3::ZERO,
            sole,
        };
        swing.ends = [swing.take_off_state(), swing.landing_state()];
        swing.bow_around(past.place, sign(from.side));
        swing
    }

    /// Bows the path outwards, to the foot's own side, until it clears the standing foot.
    fn bow_around(&mut self, standing: Ground, side: f32) {
        let out = (self.from.direction(Vec3::X) + self.to.direction(Vec3::X)).normalize_or(Vec3::X) * side;
        for step in 0..BOW_STEPS {
            self.bow = out * (BOW_STEP_M * step as f32);
            if self.distance_to(standing) >= FEET_APART_M {
                return;
            }
        }
    }

    /// The smallest distance, seen from above, between the centre lines of this foot and of a standing one.
    fn distance_to(&self, standing: Ground) -> f32 {
        let stands = [self.sole.heel, self.sole.toe].map(|p| standing.point(p.with_y(0.0)));
        let shares = (1..20).map(|i| 0.05 * f64::from(i));
        let feet = shares.map(|u| self.at(self.lift_secs + u * (self.land_secs - self.lift_secs)));
        feet.flat_map(|foot| {
            [self.sole.heel, 0.5 * (self.sole.heel + self.sole.ball), self.sole.ball, self.sole.toe]
                .map(|p| distance_to_line((foot.ankle + foot.rotation * p).with_y(0.0), stands))
        })
        .fold(f32::INFINITY, f32::min)
    }

    /// The foot at a time from heel-off to foot-flat.
    pub(crate) fn at(&self, secs: f64) -> FootPose {
        let pitch = self.pitch.at(secs);
        if secs < self.lift_secs {
            pose_about(self.from, self.ball_on_floor(), self.sole.ball, pitch, (-pitch).max(0.0))
        } else if secs >= self.land_secs {
            pose_about(self.to, self.heel_on_floor(), self.sole.heel, pitch, 0.0)
        } else {
            self.in_air(secs, pitch)
        }
    }

    fn in_air(&self, secs: f64, pitch: f64) -> FootPose {
        let span = self.land_secs - self.lift_secs;
        let u = (secs - self.lift_secs) / span;
        let yaw = f64::from(self.from.yaw_rad) + self.yaw_change_rad * smootherstep((u - 0.05) / 0.85);
        let bow = self.bow * (4.0 * u * (1.0 - u)).powi(3) as f32;
        let over_floor = |axis: usize| quintic(self.ends[0][axis], self.ends[1][axis], span, u) as f32;
        let height = self.clearance.at(u) + self.ankle_over_sole(pitch, u);
        // The toes trail on the floor at first, then follow the foot. In a scuffing step they stay level.
        let toes_up = -pitch * (1.0 - self.relative_height * smootherstep(u / 0.5));
        FootPose {
            ankle: Vec3::new(over_floor(0), height as f32, over_floor(1)) + bow,
            rotation: Quat::from_rotation_y(yaw as f32) * pitched(pitch),
            yaw_rad: yaw as f32,
            toes_up_rad: toes_up as f32,
        }
    }

    /// Height of the ankle above the lowest point of the sole: the larger of the heights above ball and heel, with a smooth transition
    /// in the air.
    fn ankle_over_sole(&self, pitch: f64, u: f64) -> f64 {
        let turned = |point: Vec3| f64::from((pitched(pitch) * point).y);
        let heel = -turned(self.sole.heel);
        let ball = f64::from(self.sole.ball_height_m()) - turned(self.sole.ball);
        let rounding = 0.05 * (4.0 * u * (1.0 - u)).powi(2);
        let overlap = (rounding - (heel - ball).abs()).max(0.0);
        let extra = if rounding > 0.0 { overlap * overlap / (4.0 * rounding) } else { 0.0 };
        heel.max(ball) + extra
    }

    fn ball_on_floor(&self) -> Vec3 {
        self.from.point(Vec3::new(self.sole.ball.x, self.sole.ball_height_m(), self.sole.ball.z))
    }

    fn heel_on_floor(&self) -> Vec3 {
        self.to.point(Vec3::new(self.sole.heel.x, 0.0, self.sole.heel.z))
    }

    fn take_off_state(&self) -> [[f64; 3]; 2] {
        let ankle = |secs| self.from.rotation() * pitched(self.pitch.at(secs)) * -self.sole.ball;
        state(self.ball_on_floor(), ankle, self.lift_secs)
    }

    /// The ankle lands with the velocity of its rotation about the heel, and still decelerating: a foot lands late and firmly.
    fn landing_state(&self) -> [[f64; 3]; 2] {
        let ankle = |secs| self.to.rotation() * pitched(self.pitch.at(secs)) * -self.sole.heel;
        let mut state = state(self.heel_on_floor(), ankle, self.land_secs);
        let span = self.land_secs - self.lift_secs;
        for (axis, displacement) in [self.to.x - self.from.x, self.to.z - self.from.z].into_iter().enumerate()
        {
            state[axis][2] = LANDING_BRAKE * f64::from(displacement) / (span * span);
        }
        state
    }
}

/// The rotation of a foot during the swing. It follows the body, also beyond half a turn.
fn yaw_change_rad(from: &Foothold, to: &Foothold) -> f64 {
    let nearest = f64::from((from.place.inverse() * to.place).yaw_rad);
    let body = to.heading_rad - from.heading_rad;
    nearest + TAU * ((body - nearest) / TAU).round()
}

/// The distance from a point to a line segment.
fn distance_to_line(point: Vec3, ends: [Vec3; 2]) -> f32 {
    let line = ends[1] - ends[0];
    let share = (point - ends[0]).dot(line) / line.length_squared().max(1e-12);
    point.distance(ends[0] + line * share.clamp(0.0, 1.0))
}

/// Position, velocity and acceleration along x and z of a point that rotates about a pivot, by finite differences.
fn state(pivot: Vec3, from_pivot: impl Fn(f64) -> Vec3, secs: f64) -> [[f64; 3]; 2] {
    let h = 1e-3;
    let near = [-h, 0.0, h].map(|away| from_pivot(secs + away));
    [0, 2].map(|axis| {
        let [a, b, c] = near.map(|p| f64::from(p[axis]));
        [f64::from(pivot[axis]) + b, (c - a) / (2.0 * h), (c - 2.0 * b + a) / (h * h)]
    })
}

/// A foot that rotates about a point of its sole.
fn pose_about(place: Ground, pivot: Vec3, in_foot: Vec3, pitch: f64, toes_up: f64) -> FootPose {
    let rotation = place.rotation() * pitched(pitch);
    FootPose {
        ankle: pivot - rotation * in_foot,
        rotation,
        yaw_rad: place.yaw_rad,
        toes_up_rad: toes_up as f32,
    }
}

/// A foot that stands on its ball at a place, rotated about it to the left, with the heel raised.
pub(crate) fn on_ball(sole: Sole, place: Ground, turn_rad: f64, heel_up_rad: f64) -> FootPose {
    let ball = place.point(Vec3::new(sole.ball.x, sole.ball_height_m(), sole.ball.z));
    let turned = Ground::new(place.x, place.z, place.yaw_rad + turn_rad as f32);
    pose_about(turned, ball, sole.ball, -heel_up_rad, heel_up_rad)
}

/// The rotation by a pitch. Toes up is a negative rotation about X.
fn pitched(pitch_rad: f64) -> Quat {
    Quat::from_rotation_x(-pitch_rad as f32)
}

/// The pitch of a swing, with keys from measured walks: slow at take-off, steepest soon after, level at three quarters of the swing,
/// toes up before heel strike.
fn pitch_curve(from: &Foothold, to: &Foothold, push: f64, strike: f64) -> Spline {
    let (push, strike) = (push * pitch::PUSH, strike * pitch::STRIKE);
    let roll_off = |s: f64| from.heel_off_secs + s * (from.lift_secs - from.heel_off_secs);
    let air = |s: f64| from.lift_secs + s * (to.land_secs - from.lift_secs);
    Spline::level_ended(vec![
        (from.heel_off_secs, 0.0),
        (roll_off(0.5), 0.13 * push),
        (from.lift_secs, pitch::LIFT_SHARE * push),
        (air(0.22), push),
        (air(0.5), 0.57 * push),
        (air(0.76), 0.1 * strike),
        (air(0.93), 0.95 * strike),
        (to.land_secs, strike),
        (to.flat_secs, 0.0),
    ])
}

/// Height of the lowest point of the sole: high behind, low as the foot passes the other, and lowest before landing.
fn clearance_curve(push: f64, height_m: f64) -> Spline {
    let unit = height_m * (0.35 + 0.65 * push);
    Spline::level_ended(vec![
        (0.0, 0.0),
        (0.3, 1.15 * unit),
        (0.62, 0.5 * unit),
        (0.85, 0.24 * unit),
        (1.0, 0.0),
    ])
}
