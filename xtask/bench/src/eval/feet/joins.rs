//! Joint speeds at joins.

use std::ops::Range;

use marey_motion::{Clip, WorldPose};
use marey_plan::Plan;

/// The time after a join that belongs to it, in seconds.
const JOIN_SECS: f64 = 0.6;

/// The 99th percentile of joint speeds at the joins of a result, in metres per second; `None` without joins.
pub(super) fn speed_at_joins_mps(plan: &Plan, clip: &Clip) -> Option<f64> {
    let frames = (JOIN_SECS * clip.rate_hz()).round() as usize;
    let pairs = plan.actors.first()?.placements.windows(2);
    let is_join = |pair: &&[marey_plan::Placement]| {
        pair[0].source != pair[1].source || pair[0].source_end != pair[1].source_start
    };
    let spans: Vec<Range<usize>> =
        pairs.filter(is_join).map(|pair| pair[1].start..pair[1].start + frames).collect();
    percentile_99(speeds_mps(clip, |frame| spans.iter().any(|span| span.contains(&frame))))
}

/// The 99th percentile of joint speeds of source clips, in metres per second.
pub(super) fn source_speed_mps<'a>(clips: impl Iterator<Item = &'a Clip>) -> Option<f64> {
    percentile_99(clips.flat_map(|clip| speeds_mps(clip, |_| true)).collect())
}

/// The speed of every joint in every frame that is asked for.
fn speeds_mps(clip: &Clip, is_asked: impl Fn(usize) -> bool) -> Vec<f32> {
    let mut world = WorldPose::scratch(clip.skeleton());
    let mut before: Vec<marey_motion::Vec3> = Vec::new();
    let mut speeds = Vec::new();
    for (frame, pose) in clip.poses().enumerate() {
        world.set(pose);
        if is_asked(frame) {
            let moved = before.iter().zip(&world.positions).map(|(from, to)| from.distance(*to));
            speeds.extend(moved.map(|metres| metres * clip.rate_hz() as f32));
        }
        before.clone_from(&world.positions);
    }
    speeds
}

fn percentile_99(mut speeds: Vec<f32>) -> Option<f64> {
    let last = speeds.len().checked_sub(1)?;
    let rank = (0.99 * last as f64).round() as usize;
    Some(f64::from(*speeds.select_nth_unstable_by(rank, f32::total_cmp).1))
}
