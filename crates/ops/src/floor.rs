//! Where the floor is.
//!
//! The lowest point of a figure is on the floor whenever the figure rests on it; in the air it is above, and on the
//! move. So: of all frames in which the lowest point is slow, take the lowest level at which enough of them are. The
//! idea is that of every clean-up tool that drops a motion on the floor by its lowest point; taking levels instead
//! of the one lowest height keeps outliers, jumps and boxes out of it.
//!
//! Limits. The floor is level and there is one of it: on stairs or a slope, it is where the lowest stretch of it is,
//! and the spread says little. It is where the lowest *points* of the figure rest: a skeleton whose foot ends at
//! the ankle or at the toe joint, without a sole, has its floor that much too high. Who never rests (a swimmer, someone
//! on a bar, one long jump) has no floor: then it is where the figure was lowest, and `support` is 0. A treadmill's belt
//! moves with the foot, so that nothing on it is slow.

use marey_motion::{Clip, Vec3, WorldPose};
use serde::{Deserialize, Serialize};

use crate::level;
use crate::smooth::SmoothPath;

/// The floor under a motion.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Floor {
    /// Its height, in metres.
    pub height_m: f32,
    /// Half of the frames that rest on it have their lowest point this near to it, in metres.
    pub spread_m: f32,
    /// The share of all frames that rest on it, 0 to 1; 0 where none does, and the height is a guess.
    pub support: f32,
}

/// Slower than this, in metres a second, a point may be resting: above the jitter of capture, below any step.
const SLOW_MPS: f32 = 0.3;
/// Jitter shorter than this, in seconds, is smoothed away before speeds are taken.
const SMOOTHING_SECS: f64 = 0.04;
/// The least time a figure must rest for its floor to be known, in seconds.
const LEAST_REST_SECS: f64 = 0.15;

/// Finds the floor of a motion: exact to a few millimetres where a figure stands or walks on it.
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
/// # Ok::<(), marey_motion::Error>(())
/// ```
pub fn estimate(clip: &Clip) -> Floor {
    let paths = smoothed_points(clip);
    let lowest: Vec<(f32, f32)> = (0..clip.frames()).map(|frame| lowest_at(&paths, frame)).collect();
    let resting: Vec<f32> = lowest.iter().filter(|p| p.1 < SLOW_MPS).map(|p| p.0).collect();
    let least = (LEAST_REST_SECS * clip.rate_hz()).ceil() as usize;
    match level::lowest(resting) {
        Some(level) if level.count >= least.min(clip.frames()) => Floor {
            height_m: level.height_m,
            spread_m: level.spread_m,
            support: level.count as f32 / clip.frames() as f32,
        },
        _ => guess(lowest.iter().map(|p| p.0).collect()),
    }
}

/// Every joint and tip, smoothed.
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

/// Where the figure was lowest, but for the lowest twentieth of frames.
fn guess(mut heights: Vec<f32>) -> Floor {
    heights.sort_by(f32::total_cmp);
    let height_m = heights.get(heights.len() / 20).copied().unwrap_or(0.0);
    Floor { height_m, spread_m: 0.0, support: 0.0 }
}
