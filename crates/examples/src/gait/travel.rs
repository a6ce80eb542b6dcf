//! The path of the body over its footsteps, and the phase of its gait.
//!
//! Passages are interpolated linearly in time and smoothed over about one step: the body keeps a steady speed, cuts corners slightly,
//! and starts to move before its foot. Sway, bounce and arm swing are functions of the *phase*, which is an integer when the body passes
//! over a foot: even for the left foot, odd for the right.

use std::f64::consts::PI;

use marey_motion::Side;

use super::Footsteps;
use crate::curve::Curve;

/// Smoothing of the body's path: a moving average over this many seconds, applied three times.
const SMOOTHING_SECS: f64 = 0.28;

/// Position and gait phase of the body as functions of time.
#[derive(Debug, Clone)]
pub(crate) struct Travel {
    x: Curve,
    z: Curve,
    heading_rad: Curve,
    phase: Curve,
    stride: Curve,
    walking: Curve,
}

/// The state of the body's travel at an instant.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    pub(crate) secs: f64,
    pub(crate) x: f64,
    pub(crate) z: f64,
    pub(crate) heading_rad: f64,
    /// Speed along the heading, in metres per second.
    pub(crate) speed_mps: f64,
    /// Acceleration along the heading, in metres per second squared.
    pub(crate) acceleration_mps2: f64,
    /// Angular velocity to the left, in radians per second.
    pub(crate) turn_rad_per_sec: f64,
    /// Phase of the gait in steps: an integer over a foot, even over the left one.
    pub(crate) phase: f64,
    /// Relative step length: 1 in ordinary walking, 0 in standing, negative backwards.
    pub(crate) stride: f64,
    /// Degree of walking, from 0 in standing to 1.
    pub(crate) walking: f64,
}

impl Moment {
    /// A wave of +1 when the body is over the left foot and −1 over the right, delayed by `lag` steps.
    pub(crate) fn side_wave(&self, lag: f64) -> f64 {
        (PI * (self.phase - lag)).cos()
    }

    /// A wave of +1 half a step after the body is over the left foot, at the right heel strike, delayed by `lag` steps.
    pub(crate) fn stride_wave(&self, lag: f64) -> f64 {
        (PI * (self.phase - lag)).sin()
    }

    /// A wave of +1 when the body is over either foot and −1 halfway between, delayed by `lag` steps.
    pub(crate) fn step_wave(&self, lag: f64) -> f64 {
        (2.0 * PI * (self.phase - lag)).cos()
    }
}

impl Travel {
    pub(crate) fn over(footsteps: &Footsteps, duration_secs: f64) -> Self {
        let nodes = Nodes::of(footsteps);
        let smooth = |nodes: &[(f64, f64)]| Curve::polyline(duration_secs, nodes).smoothed(SMOOTHING_SECS);
        Self {
            x: smooth(&nodes.x),
            z: smooth(&nodes.z),
            heading_rad: smooth(&nodes.heading_rad),
            phase: Curve::polyline(duration_secs, &nodes.phase).smoothed(0.5 * SMOOTHING_SECS),
            stride: smooth(&nodes.stride),
            walking: Curve::polyline(duration_secs, &nodes.walking).smoothed(0.5 * SMOOTHING_SECS),
        }
    }

    pub(crate) fn at(&self, secs: f64) -> Moment {
        let heading_rad = self.heading_rad.at(secs);
        let h = 0.02;
        let (before, after) = (self.speed_at(secs - h), self.speed_at(secs + h));
        Moment {
            secs,
            x: self.x.at(secs),
            z: self.z.at(secs),
            heading_rad,
            speed_mps: self.speed_at(secs),
            acceleration_mps2: (after - before) / (2.0 * h),
            turn_rad_per_sec: self.heading_rad.rate_at(secs),
            phase: self.phase.at(secs),
            stride: self.stride.at(secs),
            walking: self.walking.at(secs),
        }
    }

    /// The heading at a time.
    pub(crate) fn heading_at(&self, secs: f64) -> f64 {
        self.heading_rad.at(secs)
    }

    fn speed_at(&self, secs: f64) -> f64 {
        let (sin, cos) = self.heading_rad.at(secs).sin_cos();
        self.x.rate_at(secs) * sin + self.z.rate_at(secs) * cos
    }
}

/// The corners of the polylines, (time, value).
#[derive(Default)]
struct Nodes {
    x: Vec<(f64, f64)>,
    z: Vec<(f64, f64)>,
    heading_rad: Vec<(f64, f64)>,
    phase: Vec<(f64, f64)>,
    stride: Vec<(f64, f64)>,
    walking: Vec<(f64, f64)>,
}

impl Nodes {
    fn of(footsteps: &Footsteps) -> Self {
        let mut nodes = Self::default();
        let passages = &footsteps.passages;
        let starts_right = passages.first().is_some_and(|p| p.side == Side::Right);
        for (i, passage) in passages.iter().enumerate() {
            let phase = (i + usize::from(starts_right)) as f64;
            for at in [passage.secs, passage.leave_secs] {
                nodes.x.push((at, passage.x));
                nodes.z.push((at, passage.z));
                nodes.heading_rad.push((at, passage.heading_rad));
                nodes.phase.push((at, phase));
            }
            let next = passages.get(i + 1);
            if passage.stands {
                nodes.stand(passage.secs, passage.step_secs, next.map(|p| (passage.leave_secs, p.step_secs)));
            } else {
                let stride = 0.5 * (passage.stride + next.map_or(0.0, |p| p.stride));
                nodes.stride.push((passage.secs, stride));
                nodes.walking.push((passage.secs, 1.0));
            }
        }
        nodes
    }

    /// Adds a stand from `from_secs` until the next start. The sway starts before the foot lifts.
    fn stand(&mut self, from_secs: f64, step_secs: f64, start: Option<(f64, f64)>) {
        self.stride.push((from_secs, 0.0));
        self.walking.push((from_secs - 0.5 * step_secs, 1.0));
        self.walking.push((from_secs + 0.2 * step_secs, 0.0));
        if let Some((leave_secs, step_secs)) = start {
            self.stride.push((leave_secs, 0.0));
            self.walking.push((leave_secs - 0.9 * step_secs, 0.0));
            self.walking.push((leave_secs - 0.3 * step_secs, 1.0));
        }
    }
}
