//! The exact start and end of a contact.
//!
//! Thresholds find contacts, but not their ends to the frame. A contact ends in one of two ways:
//!
//! - the point speeds up, as a ball does that leaves the floor. Its speed grows with the time, so it is
//!   extrapolated along the line through its crossings of both thresholds, to where it is 0;
//! - a heel rises about its ball. Its height grows with the square of the time and takes a tenth of a second
//!   to reach the threshold. So the square root of the height is extrapolated in the same way. A ball is not:
//!   before it leaves, people roll over the tips of their toes.
//!
//! The earlier one is the end of the contact. The start is found in the same way backwards in time, except that
//! speeds are not extrapolated: a foot that comes down stops abruptly.

use std::ops::Range;

use super::ContactSettings;
use crate::smooth::SmoothPath;
use crate::sole::SolePart;

/// The path of a point through a clip, and the level at which it rests.
pub(super) struct Motion<'a> {
    pub(super) path: &'a SmoothPath,
    pub(super) level_m: f32,
    pub(super) part: SolePart,
    pub(super) rate_hz: f64,
}

impl Motion<'_> {
    /// The speed of the point in a frame, in metres per second.
    pub(super) fn speed(&self, frame: usize) -> f32 {
        self.path.speeds_mps[frame]
    }

    /// The height of the point over its level in a frame, in metres.
    pub(super) fn height(&self, frame: usize) -> f32 {
        self.path.points[frame].y - self.level_m
    }
}

/// Moves both ends of a contact to where the point comes to rest and starts to leave, which is inside the given interval: a later
/// rise belongs to another contact.
pub(super) fn refined(span: Range<usize>, motion: &Motion<'_>, settings: &ContactSettings) -> Range<usize> {
    let middle = (span.start + span.end) / 2;
    let frames = |secs: f64| secs * motion.rate_hz;
    let ahead = middle..motion.path.points.len();
    let most = frames(settings.end_trim_secs);
    let speeds_up = speeding(ahead.clone(), motion, settings).map(|rise| rise.zero_at(most));
    let rises = match motion.part {
        SolePart::Heel => rising(ahead, motion, settings).map(|rise| rise.zero_at(most)),
        SolePart::Ball => None,
    };
    let back = (0..=middle).rev();
    let stops = speeding(back.clone(), motion, settings).map(|rise| rise.low_at);
    let comes_down =
        rising(back, motion, settings).map(|rise| rise.zero_at(frames(settings.start_trim_secs)));
    let end = earlier(speeds_up, rises);
    let start = earlier(stops, comes_down);
    let end = end.map_or(span.end, |frames| (middle + frames.ceil() as usize).min(span.end));
    let start =
        start.map_or(span.start, |frames| middle.saturating_sub(frames.floor() as usize).max(span.start));
    if start < end { start..end } else { span }
}

fn earlier(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// When a point that stands at first is fast.
fn speeding(
    frames: impl Iterator<Item = usize>,
    motion: &Motion<'_>,
    settings: &ContactSettings,
) -> Option<Rise> {
    let speeds = frames.map(|f| f64::from(motion.speed(f)));
    Rise::of(speeds, [settings.enter_speed_mps, settings.leave_speed_mps].map(f64::from))
}

/// When a point that stands at first is high, by the square root of its height.
fn rising(
    frames: impl Iterator<Item = usize>,
    motion: &Motion<'_>,
    settings: &ContactSettings,
) -> Option<Rise> {
    let roots = frames.map(|f| f64::from(motion.height(f).max(0.0)).sqrt());
    Rise::of(roots, [settings.enter_height_m, settings.leave_height_m].map(|m| f64::from(m).sqrt()))
}

/// The rise of a signal from below one threshold to above another, in frames.
#[derive(Debug, PartialEq)]
struct Rise {
    thresholds: [f64; 2],
    low_at: f64,
    high_at: f64,
}

impl Rise {
    /// The first crossing of the higher threshold, and the last crossing of the lower one before it; `None`
    /// without them.
    fn of(signal: impl Iterator<Item = f64>, thresholds: [f64; 2]) -> Option<Self> {
        let [low, high] = thresholds;
        let mut low_at = None;
        let mut before: Option<f64> = None;
        for (frame, value) in signal.enumerate() {
            if let Some(before) = before {
                let crossing = |bound: f64| frame as f64 - (value - bound) / (value - before);
                if before <= low && value > low {
                    low_at = Some(crossing(low));
                }
                if value > high {
                    let high_at = if before <= high { crossing(high) } else { frame as f64 };
                    return low_at.map(|low_at| Self { thresholds, low_at, high_at });
                }
            } else if value > high {
                return None;
            }
            before = Some(value);
        }
        None
    }

    /// Where the line through both crossings is 0, at most some frames before the first.
    fn zero_at(&self, most: f64) -> f64 {
        let [low, high] = self.thresholds;
        let back = (self.high_at - self.low_at) * low / (high - low).max(1e-6);
        (self.low_at - back.min(most)).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use marey_motion::Vec3;

    use super::*;

    fn settings() -> ContactSettings {
        ContactSettings {
            enter_speed_mps: 0.3,
            leave_speed_mps: 0.6,
            enter_height_m: 0.01,
            leave_height_m: 0.04,
            end_trim_secs: 0.09,
            start_trim_secs: 0.09,
            ..ContactSettings::default()
        }
    }

    /// Stands from frame 10 until frame 30; before and after, `signal` of the distance in frames.
    fn around(signal: impl Fn(f32) -> f32) -> Vec<f32> {
        (0..40).map(|f| signal((10 - f).max(f - 30).max(0) as f32)).collect()
    }

    #[test]
    fn rises_use_the_last_crossing_before_the_first() {
        let thresholds = [1.0, 2.5];
        let rise = Rise::of([0.0, 2.0, 0.5, 1.5, 3.5, 0.0, 9.0].into_iter(), thresholds).unwrap();
        assert_eq!(rise, Rise { thresholds, low_at: 2.5, high_at: 3.5 });
        assert!((rise.zero_at(9.0) - (2.5 - 1.0 / 1.5)).abs() < 1e-9);
        assert_eq!(rise.zero_at(0.5), 2.0);
        assert_eq!(Rise::of([0.0, 2.0].into_iter(), thresholds), None);
        assert_eq!(Rise::of([3.0, 4.0].into_iter(), thresholds), None);
        assert_eq!(Rise::of(std::iter::empty(), thresholds), None);
    }

    fn path(speeds_mps: Vec<f32>, heights: Vec<f32>) -> SmoothPath {
        SmoothPath { points: heights.into_iter().map(|y| Vec3::Y * y).collect(), speeds_mps }
    }

    fn motion(path: &SmoothPath) -> Motion<'_> {
        Motion { path, level_m: 0.0, part: SolePart::Heel, rate_hz: 30.0 }
    }

    #[test]
    fn slow_rises_are_extrapolated_to_the_floor() {
        // 2.5 mm after one frame, 1 cm after two, 4 cm after four: by the thresholds alone, from frame 8 to
        // 33.
        let path = path(around(|_| 0.1), around(|frames| 0.0025 * frames * frames));
        assert_eq!(refined(8..33, &motion(&path), &settings()), 10..30);
        let ball = Motion { part: SolePart::Ball, ..motion(&path) };
        assert_eq!(refined(8..33, &ball, &settings()), 10..33, "a ball rolls over the toes");
        let short = ContactSettings { end_trim_secs: 1.0 / 30.0, start_trim_secs: 0.0, ..settings() };
        assert_eq!(refined(8..33, &motion(&path), &short), 8..31, "no further back than it may");
    }

    #[test]
    fn fast_departures_end_where_the_speed_was_zero() {
        // 0.21 m/s more in every frame, from half a frame after it last stood; over the lower threshold after two frames.
        let path = path(around(|frames| 0.21 * (frames - 0.5).max(0.0)), around(|_| 0.0));
        assert_eq!(refined(8..34, &motion(&path), &settings()), 9..31);
        let short = ContactSettings { end_trim_secs: 0.5 / 30.0, ..settings() };
        assert_eq!(refined(8..34, &motion(&path), &short), 9..32, "no further back than it may");
    }

    #[test]
    fn a_point_that_is_neither_slow_nor_fast_in_the_middle_leaves_at_its_own_end() {
        // Between the thresholds of speed from the start, so that only the height shows when it leaves: much later, in another
        // contact.
        let speeds = (0..40)
            .map(|f| {
                if f < 5 {
                    0.5
                } else if f < 10 {
                    0.9
                } else {
                    0.1
                }
            })
            .collect();
        let heights = (0..40).map(|f| if f < 30 { 0.0 } else { 0.01 * (f - 30) as f32 }).collect();
        let path = path(speeds, heights);
        assert_eq!(refined(0..5, &motion(&path), &settings()), 0..5);
    }

    #[test]
    fn an_end_without_a_departure_stays() {
        let path = path(vec![0.0; 20], vec![0.0; 20]);
        assert_eq!(refined(0..20, &motion(&path), &settings()), 0..20);
        assert_eq!(refined(3..4, &motion(&path), &settings()), 3..4);
    }
}
