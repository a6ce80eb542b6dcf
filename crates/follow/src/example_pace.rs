//! How fast the examples of a mapping move and turn, and where a path asks for more.

use marey_motion::{Code, Place, PointClip, Report, Vec3};

use crate::{Mapping, codes};

/// How fast the examples move and turn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExamplePace {
    /// Median speed of the instances that move, by time, in metres per second.
    pub usual_mps: f64,
    /// The speed of the fastest instance at its shortest duration, in metres per second.
    pub max_mps: f64,
    /// The turn rate that one in fifty instances exceeds, at its shortest duration, in radians per second.
    pub max_turn_rad_per_sec: f64,
}

/// A pace for examples that stand: comfortable walking.
const WALKING_MPS: f64 = 1.3;
/// Slower instances stand or turn on the spot; they do not count for the usual pace, in metres per second.
const MOVING_MPS: f64 = 0.25;
/// The share of instances whose turn rate may be exceeded, as measuring errors may be among them.
const TURN_PERCENTILE: f64 = 0.98;
/// The slowest turn rate that is assumed of any body, in radians per second.
const MIN_TURN_RAD_PER_SEC: f64 = 0.5;
/// Time to either side over which speeds and turns of a path are measured, in seconds.
const REACH_SECS: f64 = 0.25;

impl ExamplePace {
    /// Measures the instances of a mapping whose durations may change by the factor 1 + `stretch`.
    pub fn of(mapping: &Mapping, stretch: f64) -> Self {
        let mut speeds: Vec<(f64, f64)> = Vec::new();
        let mut turns: Vec<f64> = Vec::new();
        let mut max_mps = 0f64;
        for (number, instance) in mapping.instances().iter().enumerate() {
            let clip = &mapping.example_of(number).control;
            let frames = instance.frames.clone();
            let along = (frames.start + 1..frames.end)
                .map(|frame| middle(clip, frame).distance(middle(clip, frame - 1)))
                .sum::<f32>();
            let turn = heading(clip, frames.start).angle_between(heading(clip, frames.end - 1));
            let secs = mapping.duration_secs(number);
            let speed = f64::from(along) / secs;
            max_mps = max_mps.max(speed);
            turns.push(f64::from(turn) / secs);
            if speed > MOVING_MPS {
                speeds.push((speed, secs));
            }
        }
        speeds.sort_by(|a, b| a.0.total_cmp(&b.0));
        turns.sort_by(f64::total_cmp);
        let half = 0.5 * speeds.iter().map(|(_, secs)| secs).sum::<f64>();
        let mut passed = 0.0;
        let median = speeds.iter().find(|(_, secs)| {
            passed += secs;
            passed >= half
        });
        let turn = turns.get((turns.len().saturating_sub(1) as f64 * TURN_PERCENTILE).ceil() as usize);
        let faster = 1.0 + stretch;
        Self {
            usual_mps: median.map_or(WALKING_MPS, |(speed, _)| *speed),
            max_mps: max_mps * faster,
            max_turn_rad_per_sec: (turn.copied().unwrap_or(0.0) * faster).max(MIN_TURN_RAD_PER_SEC),
        }
    }

    /// Warns about the part of a control that is faster than the examples. The warning names the first frame and the number
    /// of frames.
    pub fn speed_warnings(&self, control: &PointClip) -> Report {
        warnings(control, &codes::TOO_FAST, |at| at.speed_mps, self.max_mps, "m/s")
    }

    /// Warns likewise about the part that turns more sharply. Meant for paths: the hips of a person who walks straight ahead
    /// turn at every step.
    pub fn turn_warnings(&self, control: &PointClip) -> Report {
        warnings(control, &codes::TOO_SHARP, |at| at.turn_rad_per_sec, self.max_turn_rad_per_sec, "rad/s")
    }
}

/// How fast a path moves and turns at a frame.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PathDemand {
    pub(crate) speed_mps: f64,
    pub(crate) turn_rad_per_sec: f64,
}

impl PathDemand {
    /// Measures every frame of a control of hip points, over a quarter of a second to either side.
    pub(crate) fn of(control: &PointClip) -> Vec<Self> {
        let reach = (REACH_SECS * control.rate_hz()).ceil().max(1.0) as usize;
        let last = control.frames() - 1;
        let at = |frame: usize| {
            let (from, to) = (frame.saturating_sub(reach), (frame + reach).min(last));
            let secs = (to - from).max(1) as f64 / control.rate_hz();
            let offset = middle(control, to).distance(middle(control, from));
            let turn = heading(control, from).angle_between(heading(control, to));
            Self { speed_mps: f64::from(offset) / secs, turn_rad_per_sec: f64::from(turn) / secs }
        };
        (0..control.frames()).map(at).collect()
    }
}

/// A demand this much above what the examples do is neither reported nor changed.
pub(crate) const TOLERANCE: f64 = 1.02;

fn warnings(
    control: &PointClip,
    code: &'static Code,
    demand: fn(&PathDemand) -> f64,
    most: f64,
    unit: &str,
) -> Report {
    let demands: Vec<f64> = PathDemand::of(control).iter().map(demand).collect();
    let beyond: Vec<usize> = (0..demands.len()).filter(|&frame| demands[frame] > TOLERANCE * most).collect();
    let mut report = Report::default();
    if let Some(&first) = beyond.first() {
        let largest = demands.iter().copied().fold(0.0, f64::max);
        let message = format!("{largest:.2} {unit}; the examples reach {most:.2} {unit}");
        report.warn_many(code, Place::default().frame(first), beyond.len(), message);
    }
    report
}

fn middle(clip: &PointClip, frame: usize) -> Vec3 {
    let points = clip.frame(frame);
    points.iter().sum::<Vec3>() / points.len().max(1) as f32
}

/// The direction from the last point to the first on the floor: from the right hip to the left.
fn heading(clip: &PointClip, frame: usize) -> Vec3 {
    let points = clip.frame(frame);
    let offset = points.first().zip(points.last()).map_or(Vec3::ZERO, |(first, last)| *first - *last);
    Vec3::new(offset.x, 0.0, offset.z).try_normalize().unwrap_or(Vec3::X)
}
