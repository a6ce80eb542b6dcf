//! The figures of a waltz, bar by bar, and the path of the couple.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, FRAC_PI_8, PI, TAU};

use rand::{Rng, RngExt};

use super::WaltzSettings;
use crate::couple::Path;
use crate::curve::Curve;

/// Beats per bar.
pub(super) const BEATS: usize = 3;
/// Duration of standing before the first beat, and smallest duration after the last, in seconds.
const READY_SECS: f64 = 1.0;
const REST_SECS: f64 = 1.6;
/// Lag of the body behind the foot, in beats.
const BODY_LAG_BEATS: f64 = 0.45;
/// Largest turn of a travelling bar, in radians.
const MAX_STEER_RAD: f64 = 0.5;

/// One bar: the displacements of the first and the second step, and the turn.
#[derive(Debug, Clone, Copy)]
struct Bar {
    label: &'static str,
    ahead_m: f64,
    sideways_m: f64,
    turn_rad: f64,
}

/// A waltz, bar by bar.
#[derive(Debug, Clone)]
pub(super) struct Bars {
    beat_secs: f64,
    bars: Vec<Bar>,
    /// Corners of the couple's path: time, x, z, heading.
    corners: Vec<[f64; 4]>,
}

impl Bars {
    /// Chooses figures until the time is up.
    pub(super) fn plan(settings: &WaltzSettings, rng: &mut impl Rng) -> Self {
        let beat_secs = 60.0 / settings.tempo_bpm;
        let max_bars = (settings.duration_secs - READY_SECS - REST_SECS) / (BEATS as f64 * beat_secs);
        let start = [0.0, settings.floor_m, 0.0, FRAC_PI_2];
        let mut waltz = Self { beat_secs, bars: Vec::new(), corners: vec![start] };
        while waltz.bars.len() + 2 <= max_bars as usize {
            let bars_left = max_bars as usize - waltz.bars.len();
            match rng.random_range(0..6) {
                0 => waltz.dance_in_place("box", 2, 0.0),
                1 if bars_left >= 4 => waltz.dance_in_place("left turn", 4, FRAC_PI_8),
                2 if bars_left >= 8 => waltz.dance_in_place("right turn", 8, -FRAC_PI_4),
                _ => waltz.travel(settings.floor_m),
            }
        }
        waltz
    }

    /// A figure on the spot: forward in even bars, back in odd ones.
    fn dance_in_place(&mut self, label: &'static str, bars: usize, turn_rad: f64) {
        for _ in 0..bars {
            let direction = if self.bars.len().is_multiple_of(2) { 1.0 } else { -1.0 };
            self.push(Bar { label, ahead_m: 0.30 * direction, sideways_m: -0.24 * direction, turn_rad });
        }
    }

    /// Two bars along the path around the floor, counter-clockwise.
    fn travel(&mut self, floor_m: f64) {
        for direction in [1.0, -1.0] {
            let [_, x, z, heading] = self.last();
            let away = x.hypot(z);
            // Along the circle, and back towards it if the couple has left it.
            let desired = x.atan2(z) + FRAC_PI_2 + (0.8 * (away - floor_m)).clamp(-0.8, 0.8);
            let error = (desired + 0.15 - heading + PI).rem_euclid(TAU) - PI;
            let turn_rad = error.clamp(-MAX_STEER_RAD, MAX_STEER_RAD);
            self.push(Bar { label: "ahead", ahead_m: 0.42, sideways_m: -0.14 * direction, turn_rad });
        }
    }

    fn push(&mut self, bar: Bar) {
        let beat = (BEATS * self.bars.len()) as f64;
        let [_, mut x, mut z, mut heading] = self.last();
        if self.bars.is_empty() {
            self.corners.push([self.secs_at(beat - 0.25), x, z, heading]);
        }
        // Forward, to the side, and the turn over all three steps.
        let steps = [
            (bar.ahead_m, 0.15 * bar.sideways_m, 0.35),
            (0.25 * bar.ahead_m.max(0.0), 0.85 * bar.sideways_m, 0.4),
            (0.0, 0.0, 0.25),
        ];
        for (i, (ahead, sideways, share)) in steps.into_iter().enumerate() {
            let (sin, cos) = (heading + 0.5 * share * bar.turn_rad).sin_cos();
            x += ahead * sin + sideways * cos;
            z += ahead * cos - sideways * sin;
            heading += share * bar.turn_rad;
            self.corners.push([self.secs_at(beat + i as f64 + BODY_LAG_BEATS), x, z, heading]);
        }
        self.bars.push(bar);
    }

    fn last(&self) -> [f64; 4] {
        self.corners.last().copied().unwrap_or_default()
    }

    pub(super) fn secs_at(&self, beat: f64) -> f64 {
        READY_SECS + beat * self.beat_secs
    }

    pub(super) fn beat_at(&self, secs: f64) -> f64 {
        (secs - READY_SECS) / self.beat_secs
    }

    pub(super) fn beats(&self) -> usize {
        BEATS * self.bars.len()
    }

    pub(super) fn labels(&self) -> impl Iterator<Item = &'static str> {
        self.bars.iter().map(|bar| bar.label)
    }

    /// The path of the middle of the couple.
    pub(super) fn path(&self, duration_secs: f64) -> Path {
        let curve = |i: usize| {
            let nodes: Vec<(f64, f64)> = self.corners.iter().map(|corner| (corner[0], corner[i])).collect();
            Curve::polyline(duration_secs, &nodes).smoothed(0.4 * self.beat_secs)
        };
        Path { x: curve(1), z: curve(2), heading_rad: curve(3) }
    }
}
