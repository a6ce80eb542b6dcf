//! Evidence for a beat at each instant.

use marey_motion::{Clip, Role, Vec3, WorldPose};

use super::BeatSettings;
use crate::smooth::SmoothPath;

/// Sampling rate of the evidence, per second: at least 30 samples per beat at 200 beats per minute.
const LEAST_RATE_HZ: f64 = 100.0;
/// A joint with a lower mean speed stands still, in metres per second.
const STILL_MPS: f32 = 0.02;
/// Standard deviation of the time of an instant, in seconds: dancers and detected contacts are off by a few
/// hundredths.
const INSTANT_SECS: f64 = 0.05;

/// Evidence for a beat, in standard deviations, with `per_frame` samples per frame.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Evidence {
    pub(super) samples: Vec<f64>,
    pub(super) per_frame: usize,
    pub(super) rate_hz: f64,
}

impl Evidence {
    /// Evidence from limbs that stop: the distance of the mean speed of some joints below its mean over a slow
    /// beat around. `None` if nothing moves.
    pub(super) fn of_stops(clip: &Clip, roles: &[Role], settings: &BeatSettings) -> Option<Self> {
        let speed = mean_speed(clip, roles, settings)?;
        let below: Vec<f64> = above_around(&speed, reach(clip.rate_hz(), settings)).map(|v| -v).collect();
        let per_frame = per_frame(clip);
        Self::new(finer(&below, per_frame), clip, per_frame)
    }

    /// Evidence from instants, ascending, in frames: their density above the mean over a slow beat around.
    /// `None` without instants.
    pub(super) fn of_instants(instants: &[f64], clip: &Clip, settings: &BeatSettings) -> Option<Self> {
        let per_frame = per_frame(clip);
        let rate_hz = clip.rate_hz() * per_frame as f64;
        let mut density = vec![0.0; (clip.frames() - 1) * per_frame + 1];
        let width = INSTANT_SECS * rate_hz;
        for at in instants.iter().map(|frame| frame * per_frame as f64) {
            let around = (at - 5.0 * width).max(0.0) as usize..(at + 5.0 * width).max(0.0) as usize + 1;
            for (sample, sum) in density.iter_mut().enumerate().take(around.end).skip(around.start) {
                *sum += (-0.5 * ((sample as f64 - at) / width).powi(2)).exp();
            }
        }
        let samples = above_around(&density, reach(rate_hz, settings)).collect();
        Self::new(samples, clip, per_frame)
    }

    /// Normalised samples; `None` if they are constant.
    fn new(mut samples: Vec<f64>, clip: &Clip, per_frame: usize) -> Option<Self> {
        let deviation = (samples.iter().map(|v| v * v).sum::<f64>() / samples.len().max(1) as f64).sqrt();
        samples.iter_mut().for_each(|v| *v /= deviation);
        (deviation > 1e-9).then_some(Self { samples, per_frame, rate_hz: clip.rate_hz() * per_frame as f64 })
    }
}

/// Number of samples in a frame.
fn per_frame(clip: &Clip) -> usize {
    (LEAST_RATE_HZ / clip.rate_hz()).ceil().max(1.0) as usize
}

/// Half of a slow beat, in samples.
fn reach(rate_hz: f64, settings: &BeatSettings) -> usize {
    (0.5 * 60.0 / settings.slowest_bpm * rate_hz).round().max(1.0) as usize
}

/// The difference of a signal from its mean over `reach` samples on either side.
fn above_around(signal: &[f64], reach: usize) -> impl Iterator<Item = f64> {
    let sums: Vec<f64> = std::iter::once(0.0)
        .chain(signal.iter().scan(0.0, |sum, v| {
            *sum += v;
            Some(*sum)
        }))
        .collect();
    signal.iter().enumerate().map(move |(at, v)| {
        let (from, until) = (at.saturating_sub(reach), (at + reach + 1).min(sums.len() - 1));
        v - (sums[until] - sums[from]) / (until - from) as f64
    })
}

/// The mean over joints of their speeds, each divided by its own mean; `None` if none moves.
fn mean_speed(clip: &Clip, roles: &[Role], settings: &BeatSettings) -> Option<Vec<f64>> {
    let joints: Vec<usize> = roles.iter().filter_map(|&role| clip.skeleton().joint_of(role)).collect();
    let mut paths = vec![Vec::with_capacity(clip.frames()); joints.len()];
    let mut world = WorldPose::scratch(clip.skeleton());
    for pose in clip.poses() {
        world.set(pose);
        for (path, &joint) in paths.iter_mut().zip(&joints) {
            path.push(world.positions[joint]);
        }
    }
    let mut sum = vec![0.0; clip.frames()];
    let mut moving = 0;
    for speeds in paths
        .iter()
        .map(|path: &Vec<Vec3>| SmoothPath::fit(path, clip.rate_hz(), settings.smoothing_secs).speeds_mps)
    {
        let mean = speeds.iter().sum::<f32>() / speeds.len() as f32;
        if mean > STILL_MPS {
            moving += 1;
            sum.iter_mut().zip(&speeds).for_each(|(sum, speed)| *sum += f64::from(speed / mean));
        }
    }
    (moving > 0).then(|| sum.iter().map(|v| v / f64::from(moving)).collect())
}

/// A signal with `per_frame` samples per frame, interpolated by cubics (Catmull and Rom, 1974).
fn finer(values: &[f64], per_frame: usize) -> Vec<f64> {
    let at = |i: isize| values[i.clamp(0, values.len() as isize - 1) as usize];
    let mut samples = Vec::with_capacity(values.len() * per_frame);
    for i in 0..values.len() as isize {
        let (a, b, c, d) = (at(i - 1), at(i), at(i + 1), at(i + 2));
        samples.extend((0..per_frame).map(|k| {
            let t = k as f64 / per_frame as f64;
            b + 0.5 * t * (c - a + t * (2.0 * a - 5.0 * b + 4.0 * c - d + t * (3.0 * (b - c) + d - a)))
        }));
    }
    samples.truncate((values.len().saturating_sub(1)) * per_frame + 1);
    samples
}
