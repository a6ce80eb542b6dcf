//! Resamples a path at a uniform rate.
//!
//! A path is a polyline with a time for each corner. The distance along it, s(t), is a monotone cubic on each segment, after
//! F. Fritsch and J. Butland, "A method for constructing local monotone piecewise cubic interpolants" (1984). Every sample is on
//! the polyline, the speed is continuous if the times allow it, and pauses are kept. If the file has speeds, they are the
//! slopes, and s(t) is the parabola of constant acceleration.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | tᵢ, sᵢ | time of a corner, and its distance along the path | seconds, metres |
//! | hᵢ, dᵢ | duration of a segment, and its mean speed (sᵢ₊₁ − sᵢ) / hᵢ | seconds, metres per second |
//! | mᵢ | speed at a corner | metres per second |

use glam::{DVec3, Vec3};
use marey_motion::{Place, Report};

use super::codes;
use super::path_points::TimedPath;
use crate::{FormatsError, Limits};

/// The rate of a path without a uniform rate, in Hz.
const DEFAULT_RATE_HZ: f64 = 60.0;

/// Largest deviation of uniform times, as a fraction of the period.
const UNIFORM_TOLERANCE: f64 = 0.02;

/// Largest number of frames per point: ten minutes at 60 Hz. A few points must not become gigabytes.
const MAX_FRAMES_PER_POINT: usize = 36_000;

/// Bytes of memory per frame.
const FRAME_BYTES: usize = 64;

/// A path at a uniform rate.
#[derive(Debug, PartialEq)]
pub(super) struct ResampledPath {
    pub(super) points: Vec<Option<Vec3>>,
    pub(super) rate_hz: f64,
    /// Whether the rate is that of the file's times.
    pub(super) is_own_rate: bool,
}

/// Keeps points that are uniform in time, unless another rate is set. Resamples the path otherwise.
pub(super) fn resample(
    path: &TimedPath,
    override_hz: Option<f64>,
    limits: Limits,
    report: &mut Report,
) -> Result<ResampledPath, FormatsError> {
    let own =
        uniform_rate(path).filter(|own| override_hz.is_none_or(|rate_hz| (rate_hz / own - 1.0).abs() < 1e-9));
    let rate_hz = own.or(override_hz).unwrap_or(DEFAULT_RATE_HZ);
    let length_secs = path.secs.last().copied().unwrap_or(0.0);
    // Up to the end, without an extra frame because of rounding.
    let steps = (length_secs * rate_hz - 1e-6).ceil().max(0.0);
    let frames = if own.is_some() { path.places.len() as f64 } else { steps + 1.0 };
    check_limits(frames, path.places.len(), limits)?;
    if own.is_some() || path.places.len() == 1 {
        let points = path.places.iter().map(|place| Some(place.as_vec3())).collect();
        return Ok(ResampledPath { points, rate_hz, is_own_rate: own.is_some() });
    }
    let count = path.places.len();
    let message = format!("{count} points in {length_secs:.3} s, resampled at {rate_hz} Hz");
    report.warn(&codes::RESAMPLED, Place::default(), message);
    let mut walk = PathSampler::along(path);
    let points = (0..frames as usize).map(|frame| walk.at(frame as f64 / rate_hz)).map(|p| Some(p.as_vec3()));
    Ok(ResampledPath { points: points.collect(), rate_hz, is_own_rate: false })
}

fn check_limits(frames: f64, points: usize, limits: Limits) -> Result<(), FormatsError> {
    let max_frames = limits.frames.min(limits.memory_bytes / FRAME_BYTES);
    let max_frames = max_frames.min(points.saturating_mul(MAX_FRAMES_PER_POINT));
    if frames > max_frames as f64 {
        let message = format!("{frames} frames for {points} points exceed the limit of {max_frames}");
        return Err(FormatsError::refused(&codes::LIMIT, Place::default(), message));
    }
    Ok(())
}

/// The rate of the file's times, if they are uniform.
pub(super) fn uniform_rate(path: &TimedPath) -> Option<f64> {
    let steps = path.secs.len().checked_sub(1).filter(|steps| *steps > 0)?;
    let period = path.secs.last()? / steps as f64;
    let is_uniform =
        |(i, secs): (usize, &f64)| (secs - i as f64 * period).abs() <= UNIFORM_TOLERANCE * period;
    if path.speeds.is_some() || !path.secs.iter().enumerate().all(is_uniform) {
        return None;
    }
    // Times with few digits give a rate that is almost an integer.
    let rate_hz = 1.0 / period;
    let whole = rate_hz.round();
    let rate_hz = if (rate_hz / whole - 1.0).abs() < 5e-4 { whole } else { rate_hz };
    (1e-3..=1e6).contains(&rate_hz).then_some(rate_hz)
}

/// A segment of a path.
#[derive(Debug, Clone, Copy)]
struct Segment {
    /// Start time and duration: tᵢ, hᵢ.
    start: f64,
    duration: f64,
    from: DVec3,
    to: DVec3,
    /// Length, and speeds at both ends: sᵢ₊₁ − sᵢ, mᵢ, mᵢ₊₁.
    length: f64,
    speeds: [f64; 2],
}

/// Samples a path at increasing times.
struct PathSampler {
    segments: Vec<Segment>,
    now: usize,
}

impl PathSampler {
    fn along(path: &TimedPath) -> Self {
        let corners: Vec<(f64, DVec3)> = path.secs.iter().copied().zip(path.places.iter().copied()).collect();
        let mut segments: Vec<Segment> = corners
            .array_windows()
            .map(|[(start, from), (end, to)]| Segment {
                start: *start,
                duration: end - start,
                from: *from,
                to: *to,
                length: from.distance(*to),
                speeds: [0.0; 2],
            })
            .collect();
        let speeds = path.speeds.clone().unwrap_or_else(|| monotone_speeds(&segments));
        for (segment, ends) in segments.iter_mut().zip(speeds.array_windows()) {
            segment.speeds = *ends;
        }
        Self { segments, now: 0 }
    }

    /// The position at a time. Times must not decrease between calls.
    fn at(&mut self, secs: f64) -> DVec3 {
        while self.segments.get(self.now + 1).is_some_and(|next| next.start <= secs) {
            self.now += 1;
        }
        self.segments.get(self.now).map_or(DVec3::ZERO, |segment| segment.at(secs))
    }
}

impl Segment {
    /// The position on the segment, by a cubic with the given speeds at both ends.
    fn at(&self, secs: f64) -> DVec3 {
        // A segment may be shorter than the resolution of time: a millimetre at the end of a path of centuries.
        if self.length == 0.0 || self.duration == 0.0 {
            return self.to;
        }
        let u = ((secs - self.start) / self.duration).clamp(0.0, 1.0);
        // At most 3 by the choice of speeds, and 2 if the file has speeds; more only if a quotient overflows.
        let [m0, m1] = self.speeds.map(|speed| (speed * self.duration / self.length).min(3.0));
        let share = u * u * (3.0 - 2.0 * u) + m0 * u * (1.0 - u) * (1.0 - u) - m1 * u * u * (1.0 - u);
        self.from.lerp(self.to, share.clamp(0.0, 1.0))
    }
}

/// Speeds at corners that keep s(t) monotone: the weighted harmonic mean of the adjacent segments' speeds, 0 beside a pause.
fn monotone_speeds(segments: &[Segment]) -> Vec<f64> {
    let mean = |segment: &Segment| segment.length / segment.duration;
    let inner = segments.array_windows().map(|[before, after]| {
        let (d0, d1) = (mean(before), mean(after));
        if d0 == 0.0 || d1 == 0.0 {
            return 0.0;
        }
        let (w0, w1) = (2.0 * after.duration + before.duration, after.duration + 2.0 * before.duration);
        (w0 + w1) / (w0 / d0 + w1 / d1)
    });
    let ends = |segment: Option<&Segment>| segment.map(mean).into_iter();
    ends(segments.first()).chain(inner).chain(ends(segments.last())).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn timed(points: &[(f64, f64, f64)], speeds: Option<Vec<f64>>) -> TimedPath {
        TimedPath {
            places: points.iter().map(|(_, x, z)| DVec3::new(*x, 0.0, *z)).collect(),
            secs: points.iter().map(|(t, _, _)| *t).collect(),
            speeds,
            is_map: false,
        }
    }

    fn resampled(path: &TimedPath, rate_hz: Option<f64>) -> ResampledPath {
        resample(path, rate_hz, Limits::default(), &mut Report::default()).unwrap()
    }

    #[test]
    fn uniform_points_are_kept_and_rounded_times_are_uniform() {
        let path = timed(&[(0.0, 0.0, 0.0), (0.0333, 1.0, 0.0), (0.0667, 1.0, 5.0), (0.1, 2.0, 5.0)], None);
        let kept = resampled(&path, None);
        assert_eq!((kept.rate_hz, kept.is_own_rate), (30.0, true));
        assert_eq!(kept.points[2], Some(Vec3::new(1.0, 0.0, 5.0)));
        assert_eq!(resampled(&path, Some(60.0)).points.len(), 7);
    }

    #[test]
    fn segments_below_the_time_resolution_are_skipped() {
        let blink = timed(&[(0.0, 0.0, 0.0), (1e-310, 5.0, 0.0), (1.0, 6.0, 0.0)], None);
        let late = timed(&[(0.0, 0.0, 0.0), (1.0, 1.0, 0.0), (1.0, 1.0 + 1e-17, 0.0)], Some(vec![1.0; 3]));
        for path in [blink, late] {
            assert!(resampled(&path, Some(60.0)).points.iter().all(|point| point.unwrap().is_finite()));
        }
    }

    #[test]
    fn constant_acceleration_is_a_parabola() {
        // From rest to 2 m/s over 4 m takes 4 s: s = t² / 4.
        let path = timed(&[(0.0, 0.0, 0.0), (4.0, 4.0, 0.0)], Some(vec![0.0, 2.0]));
        let found = resampled(&path, Some(1.0));
        let x: Vec<f32> = found.points.iter().map(|point| point.unwrap().x).collect();
        assert_eq!(x, [0.0, 0.25, 1.0, 2.25, 4.0]);
    }

    /// The distance of a point from the nearest segment, by exhaustive search.
    fn off_line(path: &TimedPath, point: DVec3) -> f64 {
        let off = |pair: &[DVec3]| {
            let along = pair[1] - pair[0];
            let share = ((point - pair[0]).dot(along) / along.length_squared().max(1e-30)).clamp(0.0, 1.0);
            point.distance(pair[0] + along * share)
        };
        path.places.windows(2).map(off).fold(f64::MAX, f64::min)
    }

    proptest! {
        #[test]
        fn samples_lie_on_the_line_in_order_and_reach_its_end(
            steps in prop::collection::vec((0.01f64..2.0, -3.0f64..3.0, -3.0f64..3.0), 2..12),
            rate_hz in 5.0f64..90.0,
        ) {
            let mut t = -steps[0].0;
            let points: Vec<_> = steps.iter().map(|(dt, x, z)| { t += dt; (t, *x, *z) }).collect();
            let path = timed(&points, None);
            let found = resampled(&path, Some(rate_hz));
            let places: Vec<DVec3> = found.points.iter().map(|p| p.unwrap().as_dvec3()).collect();
            prop_assert!(places.iter().all(|place| off_line(&path, *place) < 1e-5));
            prop_assert!(places[0].distance(path.places[0]) < 1e-5);
            prop_assert!(places.last().unwrap().distance(*path.places.last().unwrap()) < 1e-5);
            // Along a straight line, positions increase for any times.
            let straight = timed(&points.iter().scan(0.0, |x, (t, dx, _)| { *x += dx.abs(); Some((*t, *x, 0.0)) }).collect::<Vec<_>>(), None);
            let x: Vec<f32> = resampled(&straight, Some(rate_hz)).points.iter().map(|p| p.unwrap().x).collect();
            prop_assert!(x.is_sorted());
        }

        #[test]
        fn corners_are_reached_on_time(steps in prop::collection::vec((1u32..20, -3.0f64..3.0), 3..10)) {
            // Times are whole frames, so each corner is a sample.
            let mut frame = 0;
            let points: Vec<_> = steps.iter().map(|(n, x)| { frame += n; (f64::from(frame - steps[0].0) / 60.0, *x, 1.0) }).collect();
            let path = timed(&points, None);
            let found = resampled(&path, Some(60.0));
            for (secs, x, _) in points {
                let sample = found.points[(secs * 60.0).round() as usize].unwrap();
                prop_assert!((f64::from(sample.x) - x).abs() < 1e-4);
            }
        }
    }
}
