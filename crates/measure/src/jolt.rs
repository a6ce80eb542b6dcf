//! Acceleration and jerk of joints.
//!
//! At a bad join, velocities jump. A jump appears as an acceleration: the change of the velocity of a joint
//! from one frame to the next, divided by the frame time. Captured motion has large accelerations too, when
//! feet hit the floor; so values are compared with a level that examples hardly ever exceed. Jerk, the change
//! of acceleration, is the usual measure of the smoothness of a whole motion.
//!
//! Markers jitter, and at a high rate their jitter outweighs any motion. So motions are compared without the
//! frequencies that people do not move at ([`jolts_without_noise`]).
//!
//! Limits: motions can be compared at the same rate only, because a higher rate shows sharper jumps.

use std::collections::VecDeque;

use marey_motion::{Clip, Vec3, WorldPose};
use serde::Serialize;

use crate::Worst;

/// Standard deviation of the Gaussian that removes the jitter of markers, in seconds.
const NOISE_SECS: f64 = 0.012;

/// The largest acceleration of any joint per frame, and the jerk.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Jolts {
    /// Per frame, in m/s²: the acceleration of frame f is between the frames before and after it; 0 for the
    /// first and the last.
    #[serde(skip)]
    pub by_frame_mps2: Vec<f32>,
    /// The joint with the largest acceleration in each frame.
    #[serde(skip)]
    pub joint_by_frame: Vec<usize>,
    /// The largest of all, in m/s².
    pub largest_mps2: f32,
    /// Its joint and frame.
    pub worst: Option<Worst>,
    /// Root mean square of the jerk of all joints, in m/s³.
    pub jerk_mps3: f64,
}

impl Jolts {
    /// A percentile of the acceleration, in m/s²: the median for 0.5.
    pub fn percentile_mps2(&self, share: f64) -> f32 {
        percentile_mps2(std::slice::from_ref(self), share)
    }

    /// The largest acceleration within some frames, in m/s², and its frame.
    pub fn largest_within(&self, frames: std::ops::Range<usize>) -> Option<(f32, usize)> {
        let frames = frames.start.min(self.by_frame_mps2.len())..frames.end.min(self.by_frame_mps2.len());
        let within = frames.clone().zip(self.by_frame_mps2.get(frames)?).map(|(frame, a)| (*a, frame));
        within.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
    }
}

/// A percentile of the acceleration over several clips, in m/s².
pub fn percentile_mps2(of: &[Jolts], share: f64) -> f32 {
    let mut all: Vec<f32> = of.iter().flat_map(|jolts| jolts.by_frame_mps2.iter().copied()).collect();
    all.sort_unstable_by(f32::total_cmp);
    let rank = (share.clamp(0.0, 1.0) * all.len().saturating_sub(1) as f64).round() as usize;
    all.get(rank).copied().unwrap_or(0.0)
}

/// Measures the accelerations of the joints of a clip.
///
/// ```
/// use std::sync::Arc;
/// use marey_motion::{Clip, ClipParts, Joint, Quat, Skeleton, Vec3};
/// // A point that stands, and from frame 3 on goes 2 m/s, at 10 Hz: a jump of 2 m/s in a tenth of a second.
/// let skeleton = Arc::new(Skeleton::new(vec![Joint::new("point", None, Vec3::ZERO)], vec![])?);
/// let positions = (0..8).map(|f: i32| Vec3::X * 0.2 * (f - 3).max(0) as f32).collect();
/// let clip = Clip::new(skeleton, 10.0, ClipParts { rotations: vec![Quat::IDENTITY; 8], positions })?;
/// let jolts = marey_measure::jolt::jolts(&clip);
/// assert!((jolts.largest_mps2 - 20.0).abs() < 1e-3);
/// assert_eq!(jolts.worst.as_ref().unwrap().frame, 3);
/// assert_eq!(jolts.percentile_mps2(0.5), 0.0);
/// # Ok::<(), marey_motion::MotionError>(())
/// ```
pub fn jolts(clip: &Clip) -> Jolts {
    jolts_of_smoothed(clip, &[1.0])
}

/// Measures the accelerations of the joints of a clip without the jitter of markers: paths are smoothed by a
/// Gaussian of 12 ms, which halves 15 Hz and leaves a rate of 30 Hz as it is. The first and last frames, which
/// cannot be smoothed, have no acceleration.
pub fn jolts_without_noise(clip: &Clip) -> Jolts {
    let deviation = NOISE_SECS * clip.rate_hz();
    let reach = (3.0 * deviation).floor() as usize;
    let weights: Vec<f64> =
        (0..=reach).map(|away| (-0.5 * (away as f64 / deviation).powi(2)).exp()).collect();
    let sum = 2.0 * weights.iter().sum::<f64>() - 1.0;
    jolts_of_smoothed(clip, &weights.iter().map(|weight| (weight / sum) as f32).collect::<Vec<_>>())
}

/// Accelerations of paths that are smoothed by symmetric weights, for distances of 0, 1, 2 … frames.
fn jolts_of_smoothed(clip: &Clip, weights: &[f32]) -> Jolts {
    let rate = clip.rate_hz() as f32;
    let reach = weights.len() - 1;
    let mut world = WorldPose::scratch(clip.skeleton());
    // The frames around the current one, and their mean.
    let mut around: VecDeque<Vec<Vec3>> = VecDeque::new();
    let mut positions: Vec<Vec3> = Vec::new();
    // The last three frames, newest last; empty at first.
    let mut before: [Vec<Vec3>; 3] = Default::default();
    let (mut by_frame_mps2, mut joint_by_frame) = (vec![0.0; clip.frames()], vec![0; clip.frames()]);
    let mut worst: Option<(f32, usize, usize)> = None;
    let (mut jerk, mut count) = (0.0f64, 0usize);
    for (newest, pose) in clip.poses().enumerate() {
        world.set(pose);
        let mut places =
            if around.len() > 2 * reach { around.pop_front().unwrap_or_default() } else { Vec::new() };
        places.clone_from(&world.positions);
        around.push_back(places);
        let Some(frame) = newest.checked_sub(reach).filter(|_| around.len() > 2 * reach) else { continue };
        positions.clear();
        let own = around.get(reach).into_iter().flatten();
        positions.extend(own.zip(weights.iter().take(1).cycle()).map(|(place, weight)| *place * *weight));
        for (away, weight) in weights.iter().enumerate().skip(1) {
            let (Some(before), Some(after)) = (around.get(reach - away), around.get(reach + away)) else {
                break;
            };
            for (sum, (before, after)) in positions.iter_mut().zip(before.iter().zip(after)) {
                *sum += (*before + *after) * *weight;
            }
        }
        let [earliest, earlier, last] = &before;
        let (mut largest_mps2, mut fastest) = (0.0, 0);
        let tracks = earlier.iter().zip(last).zip(&positions).enumerate();
        for (joint, ((&p0, &p1), &p2)) in tracks {
            let acceleration = ((p2 - p1) - (p1 - p0)) * rate * rate;
            let size = acceleration.length();
            if size > largest_mps2 {
                (largest_mps2, fastest) = (size, joint);
            }
            if worst.is_none_or(|(most, ..)| size > most) {
                worst = Some((size, joint, frame - 1));
            }
            if let Some(&first) = earliest.get(joint) {
                let before = ((p1 - p0) - (p0 - first)) * rate * rate;
                jerk += f64::from(((acceleration - before) * rate).length_squared());
                count += 1;
            }
        }
        // The acceleration is between the frames before and after it.
        let middle = by_frame_mps2.iter_mut().zip(&mut joint_by_frame).skip(frame.saturating_sub(1)).take(1);
        middle.for_each(|(mps2, joint)| (*mps2, *joint) = (largest_mps2, fastest));
        before.rotate_left(1);
        before[2].clone_from(&positions);
    }
    Jolts {
        by_frame_mps2,
        joint_by_frame,
        largest_mps2: worst.map_or(0.0, |(size, ..)| size),
        worst: worst.and_then(|(_, joint, frame)| Worst::of_joint(clip.skeleton(), joint, frame)),
        jerk_mps3: (jerk / count.max(1) as f64).sqrt(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use marey_motion::{ClipParts, Joint, Quat, Skeleton};

    use super::*;

    #[test]
    fn jerk_of_a_cubic_is_exact() {
        // x = t³: the jerk is 6 m/s³ everywhere, and third differences are exact.
        let skeleton = Arc::new(Skeleton::new(vec![Joint::new("p", None, Vec3::ZERO)], vec![]).unwrap());
        let positions = (0..20).map(|f| Vec3::X * (f as f32 / 10.0).powi(3)).collect();
        let parts = ClipParts { rotations: vec![Quat::IDENTITY; 20], positions };
        let found = jolts(&Clip::new(skeleton, 10.0, parts).unwrap());
        assert!((found.jerk_mps3 - 6.0).abs() < 0.01, "{}", found.jerk_mps3);
        // Acceleration 6 t: at frame 18, 10.8.
        assert!((found.largest_mps2 - 10.8).abs() < 0.01);
        assert_eq!(found.largest_within(0..6).unwrap().1, 5);
        assert_eq!(found.largest_within(40..50), None);
    }

    #[test]
    fn jitter_is_removed_and_motion_stays() {
        let skeleton = Arc::new(Skeleton::new(vec![Joint::new("p", None, Vec3::ZERO)], vec![]).unwrap());
        let clip = |jitter_m: f32, rate_hz: f64| {
            // A swing of 20 cm at 1 Hz: 7.9 m/s² at its ends.
            let swing = |f: usize| 0.2 * (std::f32::consts::TAU * f as f32 / rate_hz as f32).sin();
            let place =
                |f: usize| Vec3::X * (swing(f) + if f.is_multiple_of(2) { jitter_m } else { -jitter_m });
            let positions = (0..240).map(place).collect();
            let parts = ClipParts { rotations: vec![Quat::IDENTITY; 240], positions };
            Clip::new(skeleton.clone(), rate_hz, parts).unwrap()
        };
        let noisy = clip(0.001, 120.0);
        assert!(jolts(&noisy).largest_mps2 > 50.0);
        let found = jolts_without_noise(&noisy);
        assert!((found.largest_mps2 - 7.9).abs() < 0.5, "{}", found.largest_mps2);
        assert_eq!(found.by_frame_mps2.len(), 240);
        // At 30 Hz nothing is smoothed but a little.
        let slow = clip(0.0, 30.0);
        let (plain, smooth) = (jolts(&slow).largest_mps2, jolts_without_noise(&slow).largest_mps2);
        assert!((plain - smooth).abs() < 0.01 * plain, "{plain} {smooth}");
    }

    #[test]
    fn short_clips_have_no_jolts() {
        let skeleton = Arc::new(Skeleton::new(vec![Joint::new("p", None, Vec3::ZERO)], vec![]).unwrap());
        let parts = ClipParts { rotations: vec![Quat::IDENTITY; 2], positions: vec![Vec3::ZERO, Vec3::X] };
        let found = jolts(&Clip::new(skeleton, 10.0, parts).unwrap());
        assert_eq!((found.largest_mps2, found.jerk_mps3, found.worst), (0.0, 0.0, None));
    }
}
