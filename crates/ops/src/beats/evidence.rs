//! How much speaks for a beat at each instant.

use marey_motion::{Clip, Vec3, WorldPose};

use super::Settings;
use crate::smooth::SmoothPath;

/// The least rate of evidence, in samples a second: a beat at 200 a minute has 30 of them.
const LEAST_RATE_HZ: f64 = 100.0;
/// A joint slower than this on average stands still, in metres a second.
const STILL_MPS: f32 = 0.02;

/// How much speaks for a beat, in deviations, `per_frame` samples a frame.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Evidence {
    pub(super) samples: Vec<f64>,
    pub(super) per_frame: usize,
    pub(super) rate_hz: f64,
}

impl Evidence {
    /// The evidence in a clip; `None` where nothing moves.
    pub(super) fn of(clip: &Clip, settings: &Settings) -> Option<Self> {
        let speed = mean_speed(clip, settings)?;
        let per_frame = (LEAST_RATE_HZ / clip.rate_hz()).ceil().max(1.0) as usize;
        Self::of_speed(&speed, clip.rate_hz(), per_frame, settings)
    }

    /// The evidence in a joint speed: how far it lies below its mean over a slow beat around.
    pub(super) fn of_speed(
        speed: &[f64],
        rate_hz: f64,
        per_frame: usize,
        settings: &Settings,
    ) -> Option<Self> {
        let reach = (0.5 * 60.0 / settings.slowest_bpm * rate_hz).round().max(1.0) as usize;
        let around = |f: usize| &speed[f.saturating_sub(reach)..(f + reach + 1).min(speed.len())];
        let below: Vec<f64> = (0..speed.len())
            .map(|f| around(f).iter().sum::<f64>() / around(f).len() as f64 - speed[f])
            .collect();
        let deviation = (below.iter().map(|v| v * v).sum::<f64>() / below.len().max(1) as f64).sqrt();
        let samples = finer(&below, per_frame).into_iter().map(|v| v / deviation).collect();
        (deviation > 1e-9).then_some(Self { samples, per_frame, rate_hz: rate_hz * per_frame as f64 })
    }
}

/// The mean over joints of their speeds, each over its own mean; `None` where none moves.
fn mean_speed(clip: &Clip, settings: &Settings) -> Option<Vec<f64>> {
    let joints: Vec<usize> =
        settings.roles.iter().filter_map(|&role| clip.skeleton().joint_of(role)).collect();
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

/// A signal with `per_frame` samples a frame, along cubics through its values (Catmull and Rom, 1974).
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
