//! Floor detection.
//!
//! The lowest point of a character is on the floor while the character rests on it; in the air it is above
//! and moves. So, among all frames in which the lowest point is slow, the floor is the lowest level that
//! enough of them share. Clean-up tools commonly drop a motion by its single lowest point; a level is robust
//! against outliers, jumps and boxes.
//!
//! Limits. There is one level floor: on stairs or a slope it is the lowest flat stretch, and the spread means
//! little. It is found from the lowest *points* of the skeleton: if the foot ends at the ankle or toe joint
//! without a sole, the floor is too high by that much. If a character never rests (swimming, hanging from a
//! bar, one long jump), the height is that of its lowest point and `support` is 0. On a treadmill the feet
//! move with the belt, so nothing is slow.

use marey_motion::{Clip, Vec3, WorldPose};
use serde::{Deserialize, Serialize};

use crate::level;
use crate::smooth::SmoothingWindow;

/// The floor under a motion.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct FloorEstimate {
    /// Its height, in metres.
    pub height_m: f32,
    /// The median distance of the resting frames from the floor, in metres.
    pub spread_m: f32,
    /// The share of all frames that rest on the floor, 0 to 1; 0 if none does and the height is a guess.
    pub support: f32,
}

/// Points slower than this may be resting, in metres per second: above the jitter of capture, below any step.
const SLOW_MPS: f32 = 0.3;
/// Standard deviation for smoothing before velocities are computed, in seconds.
const SMOOTHING_SECS: f64 = 0.04;
/// The shortest total rest that determines a floor, in seconds.
const LEAST_REST_SECS: f64 = 0.15;

/// Finds the floor of a motion, accurate to a few millimetres if the character stands or walks.
///
/// ```
/// use std::sync::Arc;
/// use marey_motion::{Clip, ClipParts, Joint, Quat, Skeleton, Vec3};
/// // A head on a body on a foot, one metre apart: it stands for a second with its foot at 3 cm, then flies off.
/// let joints = vec![
///     Joint::new("head", None, Vec3::ZERO),
///     Joint::new("body", Some(0), Vec3::NEG_Y),
///     Joint::new("foot", Some(1), Vec3::NEG_Y),
/// ];
/// let skeleton = Arc::new(Skeleton::new(joints, vec![])?);
/// let heights = (0..60).map(|f| if f < 30 { 2.03 } else { 2.03 + 0.1 * (f - 29) as f32 });
/// let parts = ClipParts { rotations: vec![Quat::IDENTITY; 180], positions: heights.map(|y| Vec3::Y * y).collect() };
/// let floor = marey_ops::floor::estimate(&Clip::new(skeleton, 30.0, parts)?);
/// assert!((floor.height_m - 0.03).abs() < 1e-3);
/// assert!((0.4..0.5).contains(&floor.support));
/// # Ok::<(), marey_motion::MotionError>(())
/// ```
pub fn estimate(clip: &Clip) -> FloorEstimate {
    let lowest = lowest_points(&point_paths(clip), clip.rate_hz());
    let resting: Vec<f32> = lowest.iter().filter(|p| p.1 < SLOW_MPS).map(|p| p.0).collect();
    let least = (LEAST_REST_SECS * clip.rate_hz()).ceil() as usize;
    match level::lowest(resting) {
        Some(level) if level.count >= least.min(clip.frames()) => FloorEstimate {
            height_m: level.height_m,
            spread_m: level.spread_m,
            support: level.count as f32 / clip.frames() as f32,
        },
        _ => guess(lowest.iter().map(|p| p.0).collect()),
    }
}

/// The height of the floor that several actors share: the lowest one that any of them rests on. `None` if none of them
/// rests on a floor.
///
/// ```
/// use marey_ops::floor::{FloorEstimate, shared_height_m};
/// let floor = |height_m, support| FloorEstimate { height_m, spread_m: 0.0, support };
/// // One stands on the ground, one on a box, one never rests.
/// assert_eq!(shared_height_m([floor(0.1, 0.5), floor(0.4, 0.9), floor(-2.0, 0.0)]), Some(0.1));
/// assert_eq!(shared_height_m([floor(-2.0, 0.0)]), None);
/// ```
pub fn shared_height_m(floors: impl IntoIterator<Item = FloorEstimate>) -> Option<f32> {
    floors.into_iter().filter(|floor| floor.support > 0.0).map(|floor| floor.height_m).reduce(f32::min)
}

/// Paths of all joints and tips.
fn point_paths(clip: &Clip) -> Vec<Vec<Vec3>> {
    let skeleton = clip.skeleton();
    let mut paths: Vec<Vec<Vec3>> =
        vec![Vec::with_capacity(clip.frames()); skeleton.len() + skeleton.tips().len()];
    let mut world = WorldPose::scratch(skeleton);
    for pose in clip.poses() {
        world.set(pose);
        for (path, point) in paths.iter_mut().zip(world.positions.iter().copied().chain(world.tips())) {
            path.push(point);
        }
    }
    paths
}

/// Smoothing moves no point farther out of the range of its neighbours than this by rounding, in metres.
const ROUNDING_M: f32 = 1e-4;

/// Height and speed of the lowest point in each frame, after smoothing.
///
/// Smoothed heights are means of the heights around them, so that only the few points whose heights come near the lowest have to be
/// smoothed. At the ends of a clip, lines are extended, and all points are.
fn lowest_points(paths: &[Vec<Vec3>], rate_hz: f64) -> Vec<(f32, f32)> {
    let window = SmoothingWindow::new(rate_hz, SMOOTHING_SECS);
    let (reach, frames) = (window.reach(), paths.first().map_or(0, Vec::len));
    let block = reach.max(8);
    let extents: Vec<Vec<(f32, f32)>> = paths.iter().map(|path| height_extents(path, block)).collect();
    let all: Vec<usize> = (0..paths.len()).collect();
    let mut near: Vec<usize> = Vec::new();
    let mut lowest = Vec::with_capacity(frames);
    for frame in 0..frames {
        if frame % block == 0 {
            near = near_lowest(&extents, frame / block);
        }
        let is_whole = frame >= reach && frame + reach < frames;
        let points = if is_whole { &near } else { &all };
        lowest.push(lowest_at(paths, points, frame, &window));
    }
    lowest
}

/// The least and greatest height in each block of frames.
fn height_extents(path: &[Vec3], block: usize) -> Vec<(f32, f32)> {
    let of = |points: &[Vec3]| {
        points.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), p| (low.min(p.y), high.max(p.y)))
    };
    path.chunks(block).map(of).collect()
}

/// The points that can be the lowest in a block, whatever smoothing does with it and its two neighbours.
fn near_lowest(extents: &[Vec<(f32, f32)>], block: usize) -> Vec<usize> {
    let around = |blocks: &[(f32, f32)]| {
        let here = &blocks[block.saturating_sub(1)..(block + 2).min(blocks.len())];
        here.iter()
            .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), one| (low.min(one.0), high.max(one.1)))
    };
    let around: Vec<(f32, f32)> = extents.iter().map(|blocks| around(blocks)).collect();
    let bound = around.iter().map(|(_, high)| *high).fold(f32::INFINITY, f32::min) + ROUNDING_M;
    (0..around.len()).filter(|&point| around[point].0 <= bound).collect()
}

/// Height and speed of the lowest of some points in a frame.
fn lowest_at(paths: &[Vec<Vec3>], points: &[usize], frame: usize, window: &SmoothingWindow) -> (f32, f32) {
    let mut low = (f32::INFINITY, Vec3::ZERO);
    for &point in points {
        let (position, velocity) = window.line_at(&paths[point], frame);
        if position.y < low.0 {
            low = (position.y, velocity);
        }
    }
    (low.0, low.1.length())
}

/// The 5th percentile of the lowest points.
fn guess(mut heights: Vec<f32>) -> FloorEstimate {
    heights.sort_by(f32::total_cmp);
    let height_m = heights.get(heights.len() / 20).copied().unwrap_or(0.0);
    FloorEstimate { height_m, spread_m: 0.0, support: 0.0 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::smooth::SmoothPath;

    /// The lowest of all points, each smoothed in every frame.
    fn lowest_of_all(paths: &[Vec<Vec3>], rate_hz: f64) -> Vec<(f32, f32)> {
        let smooth: Vec<SmoothPath> =
            paths.iter().map(|path| SmoothPath::fit(path, rate_hz, SMOOTHING_SECS)).collect();
        let at = |frame: usize| {
            let points = smooth.iter().map(|path| (path.points[frame].y, path.speeds_mps[frame]));
            points.fold((f32::INFINITY, 0.0), |low, point| if point.0 < low.0 { point } else { low })
        };
        (0..paths[0].len()).map(at).collect()
    }

    proptest! {
        #[test]
        fn few_smoothed_points_have_the_lowest_of_all(
            heights in prop::collection::vec((-2f32..2.0, 0f32..1.0, 0f32..9.0), 1..9),
            frames in 1usize..120, rate_hz in prop::sample::select(vec![10.0, 30.0, 60.0, 120.0]),
        ) {
            let path = |&(height, swing, phase): &(f32, f32, f32)| -> Vec<Vec3> {
                let at = |frame: usize| Vec3::new(frame as f32, height + swing * (phase + 0.3 * frame as f32).sin(), 0.0);
                (0..frames).map(at).collect()
            };
            let paths: Vec<Vec<Vec3>> = heights.iter().map(path).collect();
            prop_assert_eq!(lowest_points(&paths, rate_hz), lowest_of_all(&paths, rate_hz));
        }
    }
}
