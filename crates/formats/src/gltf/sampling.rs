//! The sample times of an animation: the rate of its keys, or a rate to sample at.
//!
//! Exporters bake a key for each frame, or omit keys if nothing changes. Either way the keys are on a grid, and at its rate
//! every key is exactly a frame. A few distant keys imply no rate, but are often on the grid of a common one. Keys that are on
//! no grid are sampled at 60 Hz, or at the rate set by the user.

use marey_motion::Place;

use super::codes;
use crate::{FormatsError, Limits};

/// The rate of animations without a uniform rate, in Hz.
pub(super) const DEFAULT_RATE_HZ: f64 = 60.0;

/// Common rates of animations, in Hz.
const COMMON_RATES_HZ: [f64; 8] = [24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 100.0, 120.0];

/// Uniform keys at a lower rate, in Hz, were set by an animator and are not frames.
const SLOWEST_HZ: f64 = 10.0;

/// Keys closer than this, in seconds, count as one.
const CLOSEST_SECS: f64 = 1e-4;

/// Largest distance of a key from its frame, in frames.
const OFF_GRID: f64 = 0.02;

/// The sample times of a take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SampleTimes {
    /// The time of the first frame.
    pub(super) start_secs: f64,
    pub(super) rate_hz: f64,
    pub(super) frames: usize,
    /// Whether the keys are on no grid, so that frames do not coincide with them.
    pub(super) is_resampled: bool,
}

impl SampleTimes {
    /// The sample times of an animation with keys at these ascending times. `override_hz` overrides the rate.
    pub(super) fn of(times: &[f64], override_hz: Option<f64>, limits: Limits) -> Result<Self, FormatsError> {
        let (Some(&start_secs), Some(&end)) = (times.first(), times.last()) else {
            let rate_hz = override_hz.unwrap_or(DEFAULT_RATE_HZ);
            return Ok(Self { start_secs: 0.0, rate_hz, frames: 1, is_resampled: false });
        };
        let grid =
            uniform_rate(times).or_else(|| COMMON_RATES_HZ.into_iter().find(|rate| is_on_grid(times, *rate)));
        let rate_hz = override_hz.or(grid).unwrap_or(DEFAULT_RATE_HZ);
        let last = ((end - start_secs) * rate_hz).round();
        if last >= limits.frames as f64 {
            let message = format!("{:.0} frames; the limit is {}", last + 1.0, limits.frames);
            return Err(FormatsError::refused(&codes::LIMIT, Place::default(), message));
        }
        let is_resampled = override_hz.is_none() && grid.is_none() && end > start_secs;
        Ok(Self { start_secs, rate_hz, frames: last as usize + 1, is_resampled })
    }

    /// The time of a frame.
    pub(super) fn time_of(&self, frame: usize) -> f64 {
        self.start_secs + frame as f64 / self.rate_hz
    }

    /// Largest distance of a key from its frame, in seconds.
    pub(super) fn tolerance_secs(&self) -> f64 {
        let end = self.time_of(self.frames);
        off_grid(self.rate_hz, end) / self.rate_hz
    }
}

/// Largest distance of a key from its frame, in frames. It grows with time, because single floats are coarse at late times.
fn off_grid(rate_hz: f64, latest_secs: f64) -> f64 {
    (OFF_GRID + rate_hz * latest_secs * 1.2e-7).min(0.3)
}

/// The rate of keys that are uniform or have gaps of whole frames.
fn uniform_rate(times: &[f64]) -> Option<f64> {
    let gaps =
        || times.windows(2).filter_map(|w| Some(w.get(1)? - w.first()?)).filter(|gap| *gap > CLOSEST_SECS);
    let least = gaps().reduce(f64::min)?;
    // A single gap between late times may be inexact, but the mean of all gaps of about its size is not.
    let (sum, count) =
        gaps().filter(|gap| *gap < 1.5 * least).fold((0.0, 0.0), |(s, n), gap| (s + gap, n + 1.0));
    let step = sum / count;
    let steps: f64 = gaps().map(|gap| (gap / step).round()).sum();
    let span = gaps().sum::<f64>();
    let latest = times.last().copied()?;
    let rate_hz = rounded_rate(steps / span, steps, span, latest);
    (rate_hz >= SLOWEST_HZ && is_on_grid(times, rate_hz)).then_some(rate_hz)
}

/// Rounds a rate to an integer, a television rate or two decimals, if that gives the same number of steps in the span within the
/// precision of single floats.
fn rounded_rate(rate_hz: f64, steps: f64, span_secs: f64, latest_secs: f64) -> f64 {
    let slack_secs = 1e-6 + 2.4e-7 * latest_secs;
    let television = (rate_hz * 1.001).round() / 1.001;
    let candidates = [rate_hz.round(), television, (rate_hz * 100.0).round() / 100.0];
    let fits = |candidate: &f64| *candidate > 0.0 && (steps / candidate - span_secs).abs() <= slack_secs;
    candidates.into_iter().find(fits).unwrap_or(rate_hz)
}

fn is_on_grid(times: &[f64], rate_hz: f64) -> bool {
    let (Some(start), Some(end)) = (times.first(), times.last()) else { return true };
    let slack = off_grid(rate_hz, *end);
    times.iter().map(|time| (time - start) * rate_hz).all(|frame| (frame - frame.round()).abs() <= slack)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sample_times(times: &[f64]) -> SampleTimes {
        SampleTimes::of(times, None, Limits::default()).unwrap()
    }

    fn keys(rate_hz: f64, frames: impl Iterator<Item = usize>) -> Vec<f64> {
        frames.map(|frame| f64::from((frame as f64 / rate_hz) as f32)).collect()
    }

    #[test]
    fn keys_with_gaps_have_the_rate_of_their_grid() {
        assert_eq!(sample_times(&keys(24.0, [0, 1, 5, 30].into_iter())).rate_hz, 24.0);
        // For distant keys, the first common rate that has a frame for each.
        assert_eq!(sample_times(&keys(30.0, [0, 15, 26].into_iter())).rate_hz, 30.0);
        assert_eq!(sample_times(&keys(30.0, [0, 15, 25].into_iter())).rate_hz, 24.0);
        let far = sample_times(&[0.0, 1.25, 2.5]);
        assert_eq!((far.rate_hz, far.frames, far.is_resampled), (24.0, 61, false));
    }

    #[test]
    fn keys_off_every_grid_are_resampled() {
        let odd = sample_times(&[0.0, 0.137, 0.311, 1.0]);
        assert_eq!((odd.rate_hz, odd.frames, odd.is_resampled), (60.0, 61, true));
        let override_hz = SampleTimes::of(&[0.0, 0.137, 0.311, 1.0], Some(10.0), Limits::default()).unwrap();
        assert_eq!((override_hz.rate_hz, override_hz.frames, override_hz.is_resampled), (10.0, 11, false));
        assert_eq!(sample_times(&[]).frames, 1);
        assert_eq!(sample_times(&[3.0]).frames, 1);
    }

    #[test]
    fn a_very_long_gap_between_keys_is_refused() {
        assert!(SampleTimes::of(&[0.0, 1e9], None, Limits::default()).is_err());
    }

    proptest! {
        #[test]
        fn baked_keys_keep_their_rate(frames in 2usize..2000, rate in prop::sample::select(vec![
            24.0, 25.0, 29.97, 30.0, 30_000.0 / 1001.0, 50.0, 59.94, 60.0, 90.0, 100.0, 119.88, 120.0, 240.0, 500.0,
        ])) {
            let found = sample_times(&keys(rate, 0..frames));
            prop_assert_eq!(found.frames, frames);
            prop_assert!((found.rate_hz / rate - 1.0).abs() < 2e-5 , "{} for {}", found.rate_hz, rate);
            if rate == rate.round() {
                prop_assert_eq!(found.rate_hz, rate);
            }
        }
    }
}
