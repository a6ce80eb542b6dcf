//! The pelvis: its rotation, tilt, sway and height.
//!
//! Its height is that of an inverted pendulum, highest over the standing foot, above a level that is as high as both legs allow. No knee
//! is ever straighter than [`min_knee_fold_rad`], so the legs always reach the feet, and long steps lower the body.

use marey_motion::{Quat, Side, Vec3};

use super::travel::Moment;
use super::{Feet, GaitStyle, Travel};
use crate::curve::Curve;
use crate::figure::{Figure, Leg};
use crate::random::SmoothNoise;

/// The smallest fold of a knee, in radians: almost straight in standing, 11° in walking, as at heel strike. A straighter knee would
/// move abruptly, because near full extension its fold changes with the square root of the leg's length.
fn min_knee_fold_rad(moment: &Moment) -> f32 {
    (0.09 + 0.11 * moment.walking) as f32
}

/// Smoothing of the pelvis level: a moving average over this many seconds, applied three times.
const LEVEL_SECS: f64 = 0.3;

/// Amplitudes of the pelvis in ordinary walking, in metres and radians.
mod amplitude {
    /// Vertical.
    pub(super) const RISE_M: f64 = 0.0225;
    /// Towards the standing foot.
    pub(super) const SWAY_M: f64 = 0.022;
    /// Forward of its mean in double support, behind it over one foot.
    pub(super) const SURGE_M: f64 = 0.012;
    /// Forward on the side of the landing foot.
    pub(super) const TURN_RAD: f64 = 0.085;
    /// Up on the side of the standing foot.
    pub(super) const LIST_RAD: f64 = 0.055;
    /// Constant forward tilt.
    pub(super) const TILT_RAD: f64 = 0.04;
}

/// The pelvis in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PelvisPose {
    pub(crate) position: Vec3,
    pub(crate) rotation: Quat,
}

impl PelvisPose {
    /// The position of a hip joint.
    pub(crate) fn hip(&self, leg: &Leg) -> Vec3 {
        self.position + self.rotation * leg.hip
    }
}

/// The pelvis as a function of time.
#[derive(Debug, Clone)]
pub(crate) struct Pelvis {
    style: GaitStyle,
    /// Size of the body, relative to 1.72 m.
    size: f64,
    /// Idle motion in standing: sideways, forward, and tilt.
    idle: [SmoothNoise; 3],
    level: Curve,
}

impl Pelvis {
    /// Finds the level at which both legs reach their feet at all times.
    pub(crate) fn over(
        travel: &Travel,
        feet: &Feet,
        figure: &Figure,
        style: &GaitStyle,
        idle: [SmoothNoise; 3],
        duration_secs: f64,
    ) -> Self {
        let size = f64::from(figure.height_m) / 1.72;
        let mut pelvis = Self { style: *style, size, idle, level: Curve::sampled(0.0, |_| 0.0) };
        let allowed = Curve::sampled(duration_secs, |secs| {
            let moment = travel.at(secs);
            let pose = pelvis.at(&moment);
            let headroom = Side::BOTH.map(|side| {
                let reach_m = figure.leg(side).reach_m(min_knee_fold_rad(&moment));
                headroom_m(figure.leg(side), reach_m, &pose, feet.at(side, secs).ankle)
            });
            f64::from(headroom[0].min(headroom[1]))
        });
        pelvis.level = allowed.smoothly_below(LEVEL_SECS);
        pelvis
    }

    /// The pelvis at a moment of the body's travel.
    pub(crate) fn at(&self, moment: &Moment) -> PelvisPose {
        let (sin, cos) = moment.heading_rad.sin_cos();
        let (sway, surge) = (self.sway_m(moment), self.surge_m(moment));
        let position = Vec3::new(
            (moment.x + cos * sway + sin * surge) as f32,
            (self.level.at(moment.secs) + self.rise_m(moment)) as f32,
            (moment.z - sin * sway + cos * surge) as f32,
        );
        PelvisPose { position, rotation: self.rotation(moment) }
    }

    fn sway_m(&self, moment: &Moment) -> f64 {
        let stepping =
            amplitude::SWAY_M * f64::from(self.style.sway) * moment.walking * moment.side_wave(0.12);
        self.size * stepping + 0.006 * self.idle(0, moment) * (1.0 - 0.6 * moment.walking)
    }

    fn surge_m(&self, moment: &Moment) -> f64 {
        // A quarter of a step after the rise: fastest halfway between the feet.
        let stepping = -amplitude::SURGE_M * moment.stride * moment.step_wave(0.25);
        self.size * stepping + 0.004 * self.idle(1, moment)
    }

    fn idle(&self, which: usize, moment: &Moment) -> f64 {
        f64::from(self.style.variation) * self.idle[which].at(moment.secs)
    }

    fn rise_m(&self, moment: &Moment) -> f64 {
        let amount = moment.stride.abs().min(1.3).powi(2);
        self.size * amplitude::RISE_M * f64::from(self.style.bounce) * amount * moment.step_wave(0.06)
    }

    fn rotation(&self, moment: &Moment) -> Quat {
        let twist = f64::from(self.style.twist) * moment.stride;
        let yaw = moment.heading_rad + amplitude::TURN_RAD * twist * moment.stride_wave(0.0);
        let list = amplitude::LIST_RAD * moment.stride * moment.side_wave(0.15)
            + 0.25 * banking_rad(moment)
            + 0.01 * self.idle(2, moment);
        let tilt = amplitude::TILT_RAD + 0.3 * f64::from(self.style.lean_rad)
            - 0.02 * moment.stride * moment.step_wave(0.3);
        Quat::from_rotation_y(yaw as f32)
            * Quat::from_rotation_z(list as f32)
            * Quat::from_rotation_x(tilt as f32)
    }
}

/// Lean into a turn, which compensates half of the centrifugal acceleration.
pub(crate) fn banking_rad(moment: &Moment) -> f64 {
    -0.5 * moment.speed_mps * moment.turn_rad_per_sec / 9.81
}

/// The distance by which the pelvis could rise until the leg just reaches its ankle.
pub(crate) fn headroom_m(leg: &Leg, reach_m: f32, pose: &PelvisPose, ankle: Vec3) -> f32 {
    let hip = pose.hip(leg);
    let across = Vec3::new(ankle.x - hip.x, 0.0, ankle.z - hip.z).length();
    ankle.y + (reach_m * reach_m - across * across).max(0.0).sqrt() - hip.y
}
