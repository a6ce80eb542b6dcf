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
use crate::smooth::SmoothPath;

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
    let paths = smoothed_points(clip);
    let lowest: Vec<(f32, f32)> = (0..clip.frames()).map(|frame| lowest_at(&paths, frame)).collect();
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

/// Smoothed paths of all joints and tips.
fn smoothed_points(clip: &Clip) -> Vec<SmoothPath> {
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
    paths.iter().map(|path| SmoothPath::fit(path, clip.rate_hz(), SMOOTHING_SECS)).collect()
}

/// Height and speed of the lowest point in a frame.
fn lowest_at(paths: &[SmoothPath], frame: usize) -> (f32, f32) {
    let points = paths.iter().map(|path| (path.points[frame].y, path.speeds_mps[frame]));
    points.fold((f32::INFINITY, 0.0), |low, point| if point.0 < low.0 { point } else { low })
}

/// The 5th percentile of the lowest points.
fn guess(mut heights: Vec<f32>) -> FloorEstimate {
    heights.sort_by(f32::total_cmp);
    let height_m = heights.get(heights.len() / 20).copied().unwrap_or(0.0);
    FloorEstimate { height_m, spread_m: 0.0, support: 0.0 }
}
