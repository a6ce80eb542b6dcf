//! The level on which heels or balls stand, along the path.
//!
//! A captured floor is seldom level: over a few metres it is off by centimetres. So the level is taken from
//! the seconds around each instant, and from both feet together: while one foot is in the air, the other one
//! stands.

use super::ContactSettings;
use crate::level;
use crate::smooth::SmoothPath;

/// Sampling interval of the level, in seconds; it is interpolated linearly.
const STEP_SECS: f64 = 0.25;

/// The level through a clip.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Footing {
    step_frames: f64,
    levels_m: Vec<f32>,
}

impl Footing {
    /// The level under the paths of one part of the sole, left and right; `None` if none of them ever rests.
    pub(super) fn under(paths: &[&SmoothPath], rate_hz: f64, settings: &ContactSettings) -> Option<Self> {
        let frames = paths.iter().map(|path| path.points.len()).max()?;
        let resting: Vec<Vec<(usize, f32)>> = paths.iter().map(|path| resting(path, settings)).collect();
        let all = resting.iter().flatten().map(|&(_, height)| height);
        let lowest_m = level::lowest(all.collect())?.height_m;
        let step_frames = (STEP_SECS * rate_hz).max(1.0);
        let half_frames = 0.5 * settings.level_secs * rate_hz;
        let steps = (frames as f64 / step_frames).ceil() as usize;
        let around = |step: usize| {
            let at = step as f64 * step_frames;
            let near = resting.iter().flat_map(|rests| within(rests, at - half_frames, at + half_frames));
            level::lowest(near.collect()).map(|level| level.height_m)
        };
        let levels: Vec<Option<f32>> = (0..=steps)
            .map(|step| around(step).filter(|height| height - lowest_m <= settings.floor_range_m))
            .collect();
        Some(Self { step_frames, levels_m: filled(&levels, lowest_m) })
    }

    /// The level at a frame.
    pub(super) fn at(&self, frame: usize) -> f32 {
        let place = frame as f64 / self.step_frames;
        let last = self.levels_m.len() - 1;
        let step = (place as usize).min(last);
        let share = (place - step as f64) as f32;
        let (a, b) = (self.levels_m[step], self.levels_m[(step + 1).min(last)]);
        a + (b - a) * share
    }
}

/// The frames in which a point is slow, and its heights there.
fn resting(path: &SmoothPath, settings: &ContactSettings) -> Vec<(usize, f32)> {
    let points = path.points.iter().zip(&path.speeds_mps).enumerate();
    let slow = points.filter(|(_, (_, speed))| **speed < settings.enter_speed_mps);
    slow.map(|(frame, (point, _))| (frame, point.y)).collect()
}

/// The heights of the frames between two instants.
fn within(rests: &[(usize, f32)], from: f64, until: f64) -> impl Iterator<Item = f32> {
    let start = rests.partition_point(|&(frame, _)| (frame as f64) < from);
    let end = rests.partition_point(|&(frame, _)| (frame as f64) <= until);
    rests[start..end].iter().map(|&(_, height)| height)
}

/// Known values, carried forward over gaps; before the first one, the first.
fn filled(levels: &[Option<f32>], instead: f32) -> Vec<f32> {
    let first = levels.iter().flatten().next().copied().unwrap_or(instead);
    let carried = levels.iter().scan(first, |last, level| {
        *last = level.unwrap_or(*last);
        Some(*last)
    });
    carried.collect()
}

#[cfg(test)]
mod tests {
    use marey_motion::Vec3;

    use super::*;

    /// A point that rests at a height that grows by `slope_m` per frame, but is fast every third second.
    fn path(frames: usize, slope_m: f32) -> SmoothPath {
        SmoothPath {
            points: (0..frames).map(|f| Vec3::Y * (slope_m * f as f32)).collect(),
            speeds_mps: (0..frames).map(|f| if f / 30 % 3 == 2 { 2.0 } else { 0.1 }).collect(),
        }
    }

    #[test]
    fn the_level_follows_a_slope() {
        let slope_m = 0.02 / 30.0;
        let footing = Footing::under(&[&path(300, slope_m)], 30.0, &ContactSettings::default()).unwrap();
        for frame in 40..260 {
            assert!(
                (footing.at(frame) - slope_m * frame as f32).abs() < 0.03,
                "{frame}: {}",
                footing.at(frame)
            );
        }
    }

    #[test]
    fn the_lower_foot_determines_the_floor() {
        let (low, high) = (path(300, 0.0), path(300, 0.0));
        let high = SmoothPath { points: high.points.iter().map(|p| *p + Vec3::Y * 0.2).collect(), ..high };
        let footing = Footing::under(&[&high, &low], 30.0, &ContactSettings::default()).unwrap();
        assert!((0..300).all(|frame| footing.at(frame).abs() < 1e-6));
    }

    #[test]
    fn moving_points_have_no_level() {
        let restless = SmoothPath { speeds_mps: vec![2.0; 90], ..path(90, 0.0) };
        assert_eq!(Footing::under(&[&restless], 30.0, &ContactSettings::default()), None);
        assert_eq!(Footing::under(&[], 30.0, &ContactSettings::default()), None);
    }
}
