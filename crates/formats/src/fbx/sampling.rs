//! The sample times of a stack: rate, first frame and number of frames.
//!
//! A file declares a frame rate, but that is the rate of a program's time line, which captured motion need not follow. If keys
//! are uniform in time but not at frames of the declared rate, the keys are the frames. Nothing moves before the first key and
//! after the last, so that time is omitted.

use marey_motion::{Place, Report};

use super::codes;
use super::keys::Keys;

/// The rate if neither the file nor its keys imply one.
const DEFAULT_RATE_HZ: f64 = 30.0;

/// Plausible frame rates.
const POSSIBLE_HZ: std::ops::RangeInclusive<f64> = 1.0..=10_000.0;

/// Uniform keys at a lower rate were set by hand, so the motion between them matters.
const LEAST_BAKED_HZ: f64 = 10.0;

/// Smallest number of uniform keys that counts as baked.
const LEAST_BAKED_KEYS: usize = 8;

/// Largest distance of a key from a frame it belongs to, in frames.
const ON_FRAME: f64 = 0.05;

/// Added to each frame's time, in seconds, so that a step whose time was rounded up has started.
const AFTER_STEP_SECS: f64 = 1e-9;

/// The sample times of a stack.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SampleTimes {
    begin_secs: f64,
    end_secs: f64,
    pub(super) rate_hz: f64,
    /// Whether neither the file nor its keys imply the rate.
    pub(super) assumed: bool,
}

/// The time range and rates declared for a stack.
#[derive(Debug, Clone, Copy)]
pub(super) struct DeclaredRate {
    /// The time range of the stack. Ignored if its end is not after its beginning.
    pub(super) span_secs: (f64, f64),
    /// The file's frame rate.
    pub(super) file_hz: f64,
    /// The rate set by the user.
    pub(super) override_hz: Option<f64>,
}

impl SampleTimes {
    /// The sample time of a single pose.
    pub(super) fn still(declared: DeclaredRate) -> Self {
        let stated = declared.override_hz.or_else(|| possible(declared.file_hz));
        let rate_hz = stated.unwrap_or(DEFAULT_RATE_HZ);
        Self { begin_secs: 0.0, end_secs: 0.0, rate_hz, assumed: stated.is_none() }
    }

    /// The sample times of a stack. `None` if it has no keys.
    pub(super) fn of(name: &str, keys: &Keys, declared: DeclaredRate, report: &mut Report) -> Option<Self> {
        let (first, last) = (*keys.times.first()?, *keys.times.last()?);
        let (rate_hz, assumed) = match (declared.override_hz, possible(declared.file_hz)) {
            (Some(rate_hz), _) => (rate_hz, false),
            (None, stated) => match (uniform_rate(&keys.times), stated) {
                (Some(even), Some(stated)) if !is_multiple(stated, even) => (even, false),
                (Some(even), None) => (even, false),
                (_, Some(stated)) => (stated, false),
                (None, None) => (DEFAULT_RATE_HZ, true),
            },
        };
        if assumed {
            report.warn(&codes::RATE_ASSUMED, Place::default(), format!("{DEFAULT_RATE_HZ} Hz for {name:?}"));
        }
        let (begin, end) = declared.span_secs;
        let (begin_secs, end_secs) = match end > begin && begin <= last && end >= first {
            true if keys.continues => (begin, end),
            true => (begin.max(first), end.min(last)),
            false => (first, last),
        };
        let times = Self { begin_secs, end_secs, rate_hz, assumed };
        times.report_lost(name, keys, declared, report);
        Some(times)
    }

    /// The number of frames, at least one.
    pub(super) fn frames(&self) -> usize {
        ((self.end_secs - self.begin_secs) * self.rate_hz + ON_FRAME).max(0.0) as usize + 1
    }

    /// The time of a frame.
    pub(super) fn secs(&self, frame: usize) -> f64 {
        (self.begin_secs + frame as f64 / self.rate_hz + AFTER_STEP_SECS).min(self.end_secs)
    }

    fn report_lost(&self, name: &str, keys: &Keys, declared: DeclaredRate, report: &mut Report) {
        let slack = 0.5 / self.rate_hz;
        let is_inside = |secs: f64| (self.begin_secs - slack..=self.end_secs + slack).contains(&secs);
        let outside = keys.times.iter().filter(|time| !is_inside(**time)).count();
        let message = format!("{outside} key times outside the time range of {name:?}");
        report.warn_many(&codes::KEYS_OUTSIDE, Place::default(), outside, message);

        let (begin, end) = declared.span_secs;
        if end > begin && !(is_inside(begin) && is_inside(end)) {
            let span = format!("{:.3} to {:.3} s", self.begin_secs, self.end_secs);
            let message = format!("{name:?} declares {begin:.3} to {end:.3} s; read from {span}");
            report.warn(&codes::STILL_ENDS, Place::default(), message);
        }

        let off_frame = |time: &&f64| {
            let frames = (**time - self.begin_secs) * self.rate_hz;
            is_inside(**time) && (frames - frames.round()).abs() > ON_FRAME
        };
        // No warning for a rate set by the user.
        if declared.override_hz.is_none() {
            let between = keys.times.iter().filter(off_frame).count();
            let message = format!("{between} key times of {name:?} at {} Hz", self.rate_hz);
            report.warn_many(&codes::BETWEEN_FRAMES, Place::default(), between, message);
        }
    }
}

fn possible(rate_hz: f64) -> Option<f64> {
    POSSIBLE_HZ.contains(&rate_hz).then_some(rate_hz)
}

/// Whether a rate is a multiple of another.
fn is_multiple(rate_hz: f64, of_hz: f64) -> bool {
    let ratio = rate_hz / of_hz;
    ratio > 0.5 && (ratio - ratio.round()).abs() < 1e-3
}

/// The rate of keys that are uniform in time.
fn uniform_rate(times: &[f64]) -> Option<f64> {
    let (first, last) = (*times.first()?, *times.last()?);
    let rate_hz =
        times.len().checked_sub(1).filter(|_| times.len() >= LEAST_BAKED_KEYS)? as f64 / (last - first);
    let is_even =
        times.iter().enumerate().all(|(i, time)| ((time - first) * rate_hz - i as f64).abs() <= ON_FRAME);
    // Times are integers of a small unit, so that 30 Hz may come out slightly lower.
    let near = rate_hz.round();
    let rate_hz = if (rate_hz - near).abs() < 1e-4 * near { near } else { rate_hz };
    possible(rate_hz).filter(|rate| is_even && *rate >= LEAST_BAKED_HZ)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(times: impl Iterator<Item = f64>) -> Keys {
        Keys { animated: vec![], times: times.collect(), continues: false, disordered: 0, others: 0 }
    }

    fn times(keys: &Keys, span_secs: (f64, f64), file_hz: f64) -> (SampleTimes, Vec<&'static str>) {
        let mut report = Report::default();
        let declared = DeclaredRate { span_secs, file_hz, override_hz: None };
        (SampleTimes::of("walk", keys, declared, &mut report).unwrap(), report.codes())
    }

    #[test]
    fn uniform_keys_off_the_declared_frames_define_the_rate() {
        let even = |rate: f64, count: usize| keys((0..count).map(move |i| 2.0 + i as f64 / rate));
        let rate = |keys: &Keys, file_hz| times(keys, (0.0, 0.0), file_hz).0.rate_hz;
        assert_eq!(rate(&even(120.0, 50), 30.0), 120.0);
        assert_eq!(rate(&even(25.0, 50), 30.0), 25.0);
        assert_eq!(rate(&even(60.0, 50), f64::NAN), 60.0);
        // Every second frame, set by hand, or too few keys.
        assert_eq!(rate(&even(12.0, 50), 24.0), 24.0);
        assert_eq!(rate(&even(3.1, 50), 24.0), 24.0);
        assert_eq!(rate(&even(50.0, 5), 24.0), 24.0);
        assert_eq!(rate(&keys([0.0, 0.1, 0.7].into_iter()), 0.0), DEFAULT_RATE_HZ);
        let (times, codes) = times(&even(120.0, 50), (0.0, 0.0), 30.0);
        assert_eq!((times.frames(), times.assumed), (50, false));
        assert!(codes.is_empty());
        assert!((times.secs(12) - 2.1).abs() < 1e-8 && times.secs(49) <= 2.0 + 49.0 / 120.0);
    }

    #[test]
    fn samples_cover_the_keys_within_the_declared_span() {
        let ten = keys((0..=10).map(|i| i as f64 / 10.0));
        assert_eq!(times(&ten, (0.0, 1.0), 10.0).1, [""; 0]);
        let (cut, codes) = times(&ten, (0.2, 0.5), 10.0);
        assert_eq!((cut.frames(), codes), (4, vec!["fbx/keys-outside"]));
        let (long, codes) = times(&ten, (-1.0, 1e6), 10.0);
        assert_eq!((long.frames(), codes), (11, vec!["fbx/still-ends"]));
        // A span that does not overlap the keys.
        assert_eq!(times(&ten, (5.0, 6.0), 10.0).0.frames(), 11);
        // Repeating motion continues.
        let repeated = Keys { continues: true, ..keys((0..=10).map(|i| i as f64 / 10.0)) };
        assert_eq!(times(&repeated, (0.0, 3.0), 10.0).0.frames(), 31);
        assert_eq!(times(&keys([0.0, 0.13, 0.5].into_iter()), (0.0, 0.5), 10.0).1, ["fbx/between-frames"]);
    }
}
