//! The cyclic path of each wrist in each activity, and when the hand is closed.
//!
//! Positions are relative to the shoulder (outwards, up, forward), in the frame of the chest, in arm lengths.

use std::f64::consts::{PI, TAU};

use marey_motion::{Side, Vec3};

use crate::curve::Curve;
use crate::spline::quintic;

/// The path of a hand through a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HandPath {
    /// Hangs at the side.
    Hang,
    /// Both hands hold a bar overhead and move forward and back.
    Bar,
    /// Hand over hand, pulling a rope down.
    Rope,
    /// The hands alternate forward and back at the sides.
    Stride,
    /// Both hands move forward, out and around to the chest.
    Stroke,
    /// Both hands stay overhead.
    Up,
    /// The right hand waves beside the head.
    Wave,
    /// Hand over hand from rung to rung, forward.
    Rungs,
    /// Hand over hand up a wall.
    Rocks,
    /// Hand under hand down a pole.
    Pole,
}

/// Fraction of a cycle in which a hand pulls the rope. In the rest it reaches up, open.
pub(super) const PULL_FRACTION: f64 = 0.6;
/// Length of the pull, in arm lengths.
pub(super) const PULL: f64 = 0.85;
/// Backward movement of a hand with its rung, in arm lengths.
const RUNGS: f64 = 0.6;
/// Height at which the hand lets go.
const ROPE_LOW: f64 = -0.08;
/// Fraction of a cycle over which corners are rounded.
const ROUNDING: f64 = 0.07;

/// Position of a relaxed hand.
pub(super) const RELAXED: Vec3 = Vec3::new(0.12, -0.923, 0.111);

/// The paths of all activities.
#[derive(Debug, Clone)]
pub(super) struct Hands {
    stroke: [ClosedPath; 3],
}

impl Hands {
    pub(super) fn new() -> Self {
        // The breast-stroke: together to the front, out and around, to the chest.
        const SHARES: [f64; 6] = [0.0, 0.22, 0.40, 0.55, 0.70, 0.82];
        const PLACES: [[f64; 6]; 3] = [
            [-0.22, -0.27, -0.26, 0.30, 0.68, 0.45],
            [-0.16, -0.02, 0.04, 0.02, -0.06, -0.22],
            [0.34, 0.72, 0.92, 0.86, 0.52, 0.30],
        ];
        Self { stroke: PLACES.map(|places| ClosedPath::through(&SHARES, &places)) }
    }

    /// The position of the wrist at a fraction of the cycle. Values beyond 0 to 1 wrap around.
    pub(super) fn at(&self, path: HandPath, side: Side, share: f64) -> Vec3 {
        let turn = (TAU * alternating(side, share)).sin() as f32;
        let both = (TAU * share).sin() as f32;
        let arc =
            |radius: f32, angle: f32, out: f32| Vec3::new(out, -radius * angle.cos(), radius * angle.sin());
        match path {
            HandPath::Hang => RELAXED,
            HandPath::Bar => arc(0.95, PI as f32 - 0.12 - 0.55 * both, -0.04),
            HandPath::Rope => rope(alternating(side, share).rem_euclid(1.0)),
            HandPath::Stride => arc(0.94, 0.08 + 0.5 * turn, 0.12),
            HandPath::Stroke => Vec3::from(self.stroke.each_ref().map(|path| path.at(share) as f32)),
            HandPath::Up => Vec3::new(-0.04, 0.95, 0.14 + 0.03 * both),
            HandPath::Wave if side == Side::Right => Vec3::new(0.38 + 0.13 * both, 0.42, 0.28),
            HandPath::Wave => RELAXED,
            HandPath::Rungs => rungs(alternating(side, share).rem_euclid(1.0)),
            HandPath::Rocks => rocks(alternating(side, share).rem_euclid(1.0)),
            HandPath::Pole => pole((1.0 - alternating(side, share)).rem_euclid(1.0)),
        }
    }
}

impl HandPath {
    /// Whether the hand is closed.
    pub(super) fn is_closed(self, side: Side, share: f64) -> bool {
        match self {
            HandPath::Bar | HandPath::Up => true,
            HandPath::Rope | HandPath::Rungs | HandPath::Rocks => {
                alternating(side, share).rem_euclid(1.0) < PULL_FRACTION
            }
            HandPath::Pole => (1.0 - alternating(side, share)).rem_euclid(1.0) < PULL_FRACTION,
            HandPath::Hang | HandPath::Stride | HandPath::Stroke | HandPath::Wave => false,
        }
    }
}

/// The phase of a side. The right side is half a cycle behind the left.
fn alternating(side: Side, share: f64) -> f64 {
    if side == Side::Left { share } else { share + 0.5 }
}

/// A hand on a rope: down with it, then up again, slightly outwards.
fn rope(share: f64) -> Vec3 {
    let (up, reaching) = pulled_height(share, ROPE_LOW + PULL, PULL);
    let swell = (PI * reaching).sin().powi(2) as f32;
    Vec3::new(-0.30 + 0.22 * swell, up as f32, 0.42 - 0.06 * swell)
}

/// A hand on a pole: the rope movement reversed in time and closer to the body.
fn pole(share: f64) -> Vec3 {
    rope(share) - Vec3::Z * 0.14
}

/// A hand on a ladder overhead: back with the rung, then forward to another, slightly below.
fn rungs(share: f64) -> Vec3 {
    let (ahead, reaching) = pulled_height(share, 0.5 * RUNGS, RUNGS);
    let swell = (PI * reaching).sin().powi(2) as f32;
    Vec3::new(-0.15, 0.9 - 0.07 * swell, ahead as f32)
}

/// A hand on a wall: down with its rock, then up to another, away from the wall.
fn rocks(share: f64) -> Vec3 {
    let (up, reaching) = pulled_height(share, ROPE_LOW + PULL, PULL);
    let swell = (PI * reaching).sin().powi(2) as f32;
    Vec3::new(0.16, up as f32, 0.46 - 0.1 * swell)
}

/// Height of a hand or foot that pulls a rope down at a constant speed, then reaches up again; and the progress of the reach, which
/// is 0 while it holds.
pub(super) fn pulled_height(share: f64, high: f64, pull: f64) -> (f64, f64) {
    let pace = -pull / PULL_FRACTION;
    if share < PULL_FRACTION {
        return (high + pace * share, 0.0);
    }
    // It releases and grasps the rope at the rope's speed.
    let reaching = (share - PULL_FRACTION) / (1.0 - PULL_FRACTION);
    (quintic([high - pull, pace, 0.0], [high, pace, 0.0], 1.0 - PULL_FRACTION, reaching), reaching)
}

/// A periodic function of the cycle.
#[derive(Debug, Clone)]
pub(super) struct ClosedPath {
    /// Three periods of one second each. The middle one is used.
    periods: Curve,
}

impl ClosedPath {
    /// Linear interpolation of keys with rounded corners. The first key is at 0.
    pub(super) fn through(shares: &[f64], values: &[f64]) -> Self {
        let keys = || shares.iter().copied().zip(values.iter().copied());
        let periods =
            (0..=3).flat_map(|period| keys().map(move |(at, value)| (f64::from(period) + at, value)));
        let nodes: Vec<(f64, f64)> = periods.collect();
        Self { periods: Curve::polyline(3.0, &nodes).smoothed(ROUNDING) }
    }

    pub(super) fn at(&self, share: f64) -> f64 {
        self.periods.at(1.0 + share.rem_euclid(1.0))
    }
}
