//! The performer's floor, from any start: refined as more of the performer is seen.
//!
//! The floor is where the feet are in the most upright half second seen so far in which a foot keeps still. A performer who begins by
//! hanging, lying or jumping is measured again after the first step on the floor. A floor that is lower by more than [`LOWER`] replaces a
//! more upright one, because nobody stands in the air.

use crate::error::codes;
use marey_motion::{Place, Report};

/// The length of a window, in seconds.
const WINDOW_SECS: f32 = 0.5;
/// A foot that moves less than this in a window keeps still, as a fraction of the body's height.
const STILL: f32 = 0.02;
/// A window is as upright as the head is high above the feet, as a fraction of the body's height; it counts from this on.
const UPRIGHT: f32 = 0.8;
/// A window is more upright than another if it is by this much.
const MORE_UPRIGHT: f32 = 0.01;
/// A floor that is lower by this is another floor, as a fraction of the body's height. Smaller differences are noise.
const LOWER: f32 = 0.02;
/// A floor that moves by more than this is reported, as a fraction of the body's height.
const REPORTED: f32 = 0.05;

/// The lowest foot and the head in a window.
#[derive(Debug, Clone, Copy)]
struct Window {
    secs: f32,
    lowest: [f32; 2],
    highest: [f32; 2],
    head: f32,
    frames: f32,
}

impl Window {
    const EMPTY: Self =
        Self { secs: 0.0, lowest: [f32::MAX; 2], highest: [f32::MIN; 2], head: 0.0, frames: 0.0 };
}

/// Tracks the floor.
#[derive(Debug, Clone)]
pub(crate) struct FloorTracker {
    floor_m: f32,
    height_m: f32,
    /// How upright the performer was when the floor was measured.
    upright: f32,
    window: Window,
}

impl FloorTracker {
    /// A tracker that starts with the floor of a calibration, on which the performer was this upright.
    pub(crate) fn new(floor_m: f32, height_m: f32, upright: f32) -> Self {
        Self { floor_m, height_m, upright, window: Window::EMPTY }
    }

    /// The height of the floor, in metres.
    pub(crate) fn floor_m(&self) -> f32 {
        self.floor_m
    }

    /// Adds the heights of both feet and of the head in a frame.
    pub(crate) fn add(
        &mut self,
        feet_m: [f32; 2],
        head_m: f32,
        secs: f32,
        frame: usize,
        report: &mut Report,
    ) {
        let window = &mut self.window;
        window.secs += secs;
        window.frames += 1.0;
        window.head += head_m;
        for (foot, m) in feet_m.into_iter().enumerate() {
            window.lowest[foot] = window.lowest[foot].min(m);
            window.highest[foot] = window.highest[foot].max(m);
        }
        if window.secs < WINDOW_SECS {
            return;
        }
        let window = std::mem::replace(&mut self.window, Window::EMPTY);
        let is_still = |foot: &usize| window.highest[*foot] - window.lowest[*foot] < STILL * self.height_m;
        let Some(foot) = [0, 1]
            .into_iter()
            .filter(is_still)
            .min_by(|a, b| window.lowest[*a].total_cmp(&window.lowest[*b]))
        else {
            return;
        };
        let lowest = window.lowest[0].min(window.lowest[1]);
        let floor_m = window.lowest[foot].midpoint(window.highest[foot]);
        // A foot that keeps still in the air, above the other one, shows no floor.
        if floor_m - lowest > STILL * self.height_m {
            return;
        }
        let upright = (window.head / window.frames - floor_m) / self.height_m;
        let is_lower = floor_m < self.floor_m - LOWER * self.height_m;
        let is_better =
            upright > self.upright + MORE_UPRIGHT && floor_m < self.floor_m + LOWER * self.height_m;
        if upright < UPRIGHT || !(is_lower || is_better) {
            return;
        }
        let change_m = floor_m - self.floor_m;
        if change_m.abs() > REPORTED * self.height_m {
            let message =
                format!("the performer's floor is {:.0} cm from where it seemed", 100.0 * change_m.abs());
            report.warn(&codes::RECALIBRATED, Place::default().frame(frame), message);
        }
        (self.floor_m, self.upright) = (floor_m, upright);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(tracker: &mut FloorTracker, feet_m: [f32; 2], head_m: f32) -> Report {
        let mut report = Report::default();
        for frame in 0..61 {
            tracker.add(feet_m, head_m, 1.0 / 60.0, frame, &mut report);
        }
        report
    }

    #[test]
    fn a_performer_who_begins_in_the_air_is_measured_again_on_the_floor() {
        // Hanging: straight, with the feet 40 cm above the floor.
        let mut tracker = FloorTracker::new(0.4, 1.7, 0.9);
        let report = add(&mut tracker, [0.0, 0.0], 1.55);
        assert!(tracker.floor_m().abs() < 1e-3);
        assert_eq!(report.codes(), ["perform/recalibrated"]);
        // Hanging again, lying and kneeling change nothing.
        for (feet_m, head_m) in [([0.4, 0.4], 2.0), ([0.0, 0.0], 0.3), ([-0.1, 0.3], 1.5)] {
            add(&mut tracker, feet_m, head_m);
            assert!(tracker.floor_m().abs() < 0.11, "{}", tracker.floor_m());
        }
    }

    #[test]
    fn a_jump_does_not_raise_the_floor() {
        let mut tracker = FloorTracker::new(0.0, 1.7, 0.9);
        let mut report = Report::default();
        for frame in 0..120 {
            let foot = 0.3 * (frame as f32 / 10.0).sin().abs();
            tracker.add([foot; 2], 1.55 + foot, 1.0 / 60.0, frame, &mut report);
        }
        assert_eq!(tracker.floor_m(), 0.0);
    }
}
