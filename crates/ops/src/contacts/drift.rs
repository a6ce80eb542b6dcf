//! Vertical drift of feet that stand.
//!
//! A captured skeleton is stiffer than a person. While one leg carries the body, its foot rises or sinks with
//! the skeleton, in some takes by centimetres. That is not a step: heel and ball move together, whereas a foot
//! that leaves rises at one end first, or is fast. So the drift is the vertical movement that both parts of a
//! slow foot share, relative to the frame in which its pitch is the median of its stance. A rise of the heel
//! over a resting ball is no drift, and neither is a ball that sinks while the heel rises. Nor is what noise
//! moves: it is estimated for each take, from what smoothing removes while feet are slow.

use std::ops::Range;

use marey_motion::Vec3;

use super::ContactSettings;
use super::footing::Footing;
use super::near_footing;
use crate::smooth::SmoothPath;

/// Smaller movements are noise, in standard deviations of what smoothing removes from heights.
const NOISE_DEVIATIONS: f32 = 2.5;

/// The standard deviation of a normal distribution over its median absolute deviation.
const DEVIATION_OVER_MEDIAN: f32 = 1.483;

/// Limits of drift, in metres.
#[derive(Debug, Clone, Copy)]
pub(super) struct DriftLimits {
    /// A smaller movement is no drift; of a larger one, the rest is.
    least_m: f32,
    most_m: f32,
}

impl DriftLimits {
    /// The limits for a take, from the paths of its feet before and after smoothing.
    pub(super) fn of(paths: &[Vec<Vec3>], smooth: &[SmoothPath], settings: &ContactSettings) -> Self {
        let pairs = paths.iter().zip(smooth);
        let removed_m = pairs.flat_map(|(path, smooth)| {
            let frames = path.iter().zip(smooth.points.iter().zip(&smooth.speeds_mps));
            let slow = frames.filter(|(_, (_, speed))| **speed < settings.enter_speed_mps);
            slow.map(|(point, (smooth, _))| (point.y - smooth.y).abs())
        });
        let mut removed_m: Vec<f32> = removed_m.collect();
        let middle = removed_m.len() / 2;
        let median_m = match middle < removed_m.len() {
            true => *removed_m.select_nth_unstable_by(middle, f32::total_cmp).1,
            false => 0.0,
        };
        let noise_m = DEVIATION_OVER_MEDIAN * median_m;
        Self { least_m: NOISE_DEVIATIONS * noise_m, most_m: settings.drift_m }
    }

    /// The drift that a movement contains.
    fn drift_m(self, moved_m: f32) -> f32 {
        (moved_m.abs() - self.least_m).clamp(0.0, self.most_m).copysign(moved_m)
    }
}

/// Moves heel and ball of a foot back by the drift of their floor.
pub(super) fn remove(
    parts: [&mut SmoothPath; 2],
    footings: [&Footing; 2],
    rate_hz: f64,
    settings: &ContactSettings,
    limits: DriftLimits,
) {
    let [heel, ball] = parts;
    let foot = [(&*heel, footings[0]), (&*ball, footings[1])];
    let stances = near_footing(&foot, rate_hz, settings);
    let drifts_m = drifts_m(heel, ball, &stances, settings, limits);
    for path in [heel, ball] {
        for (point, drift_m) in path.points.iter_mut().zip(&drifts_m) {
            point.y -= drift_m;
        }
    }
}

/// The drift in every frame, in metres. Between two stances, it is that of the nearer one.
fn drifts_m(
    heel: &SmoothPath,
    ball: &SmoothPath,
    stances: &[Range<usize>],
    settings: &ContactSettings,
    limits: DriftLimits,
) -> Vec<f32> {
    let frames = heel.points.len().min(ball.points.len());
    let mut drifts_m: Vec<f32> = Vec::with_capacity(frames);
    for (number, stance) in stances.iter().enumerate() {
        let Some(anchor) = anchor(heel, ball, stance.clone(), settings) else { continue };
        let own = |frame: usize| {
            let moved = |path: &SmoothPath| path.points[frame].y - path.points[anchor].y;
            limits.drift_m(shared(moved(heel), moved(ball)))
        };
        // Just before and after, one part of the foot may still stand.
        let end = stances.get(number + 1).map_or(frames, |next| (stance.end + next.start) / 2);
        let known = drifts_m.len()..end;
        drifts_m.extend(known.map(|frame| own(frame.clamp(stance.start, stance.end - 1))));
    }
    drifts_m
}

/// The slow frame of a stance in which the foot has its median pitch: the height of the heel over the ball.
fn anchor(
    heel: &SmoothPath,
    ball: &SmoothPath,
    stance: Range<usize>,
    settings: &ContactSettings,
) -> Option<usize> {
    let is_slow =
        |frame: &usize| heel.speeds_mps[*frame].max(ball.speeds_mps[*frame]) < settings.enter_speed_mps;
    let rise_m = |frame: usize| heel.points[frame].y - ball.points[frame].y;
    let mut slow: Vec<usize> = stance.filter(is_slow).collect();
    let middle = slow.len() / 2;
    let by_rise = |a: &usize, b: &usize| rise_m(*a).total_cmp(&rise_m(*b)).then(a.cmp(b));
    (middle < slow.len()).then(|| *slow.select_nth_unstable_by(middle, by_rise).1)
}

/// The part of two movements that both share; 0 if they are opposite.
fn shared(a: f32, b: f32) -> f32 {
    if a * b > 0.0 { a.abs().min(b.abs()).copysign(a) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAMES: usize = 60;

    const STANCE: Range<usize> = 5..55;

    const NO_NOISE: DriftLimits = DriftLimits { least_m: 0.0, most_m: 0.05 };

    fn path(height: impl Fn(f32) -> f32) -> SmoothPath {
        SmoothPath {
            points: (0..FRAMES).map(|frame| Vec3::Y * height(frame as f32 / FRAMES as f32)).collect(),
            speeds_mps: vec![0.1; FRAMES],
        }
    }

    fn drifts(
        heel: &SmoothPath,
        ball: &SmoothPath,
        stances: &[Range<usize>],
        limits: DriftLimits,
    ) -> Vec<f32> {
        drifts_m(heel, ball, stances, &ContactSettings::default(), limits)
    }

    #[test]
    fn a_foot_that_rises_flat_drifts() {
        let rise = |t: f32| 0.04 * t;
        let [heel, ball] = [0.02, 0.05].map(|m| path(|t| m + rise(t)));
        let all = drifts(&heel, &ball, &[STANCE], NO_NOISE);
        for (frame, drift) in all.iter().enumerate().take(55).skip(5) {
            let wanted = rise((frame as f32 - 5.0) / FRAMES as f32);
            assert!((drift - all[5] - wanted).abs() < 1e-6, "{frame}: {drift}");
        }
        // Before and after, no farther.
        assert_eq!((all[0], all[59]), (all[5], all[54]));
    }

    #[test]
    fn a_heel_that_rises_over_its_ball_does_not_drift() {
        let heel = path(|t| if t < 0.6 { 0.0 } else { 0.1 * (t - 0.6) });
        for ball in [path(|_| 0.05), path(|t| 0.05 - 0.02 * t)] {
            let all = drifts(&heel, &ball, &[STANCE], NO_NOISE);
            assert!(all[36..].iter().all(|drift| drift.abs() < 1e-6), "{all:?}");
        }
    }

    #[test]
    fn drift_is_limited_and_stances_are_separate() {
        let [heel, ball] = [0.0, 0.03].map(|m| path(|t| m + 0.3 * t));
        let limited = drifts(&heel, &ball, &[STANCE], DriftLimits { most_m: 0.01, ..NO_NOISE });
        assert!(
            limited.iter().all(|drift| drift.abs() <= 0.01) && limited[54] == 0.01 && limited[5] == -0.01
        );
        let both = drifts(&heel, &ball, &[5..21, 41..55], DriftLimits { most_m: 0.2, ..NO_NOISE });
        assert_eq!((both[30], both[31]), (both[20], both[41]));
        assert_eq!(both.len(), FRAMES);
        assert!(drifts(&heel, &ball, &[], NO_NOISE).is_empty(), "a foot that never stands");
    }

    #[test]
    fn noise_is_no_drift() {
        let settings = ContactSettings { drift_m: 0.05, ..ContactSettings::default() };
        let smooth = path(|t| 0.02 * t);
        let shaken = |by: f32| -> Vec<Vec3> {
            let sign = |frame: usize| if frame.is_multiple_of(2) { 1.0 } else { -1.0 };
            smooth.points.iter().enumerate().map(|(f, point)| *point + Vec3::Y * (by * sign(f))).collect()
        };
        let clean = DriftLimits::of(&[shaken(0.0)], std::slice::from_ref(&smooth), &settings);
        assert!(clean.least_m < 1e-6 && (clean.drift_m(-0.02) + 0.02).abs() < 1e-6);
        let noisy = DriftLimits::of(&[shaken(0.004)], std::slice::from_ref(&smooth), &settings);
        assert!((noisy.least_m - 2.5 * 1.483 * 0.004).abs() < 1e-5, "{noisy:?}");
        assert_eq!(noisy.drift_m(0.01), 0.0);
        assert!((noisy.drift_m(-0.03) + 0.03 - noisy.least_m).abs() < 1e-6);
        let fast = SmoothPath { speeds_mps: vec![2.0; FRAMES], ..path(|_| 0.0) };
        assert_eq!(DriftLimits::of(&[shaken(0.004)], &[fast], &settings).least_m, 0.0);
    }
}
