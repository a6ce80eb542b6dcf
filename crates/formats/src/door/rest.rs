//! A calibration pose in the first frame.

use marey_motion::{Clip, LocalPoseRef, Quat};

/// Whether the first frame is a pose put before the motion: every joint as at rest, but for the root, and far from
/// the second frame. Archives put a T-pose there for tools that want one.
pub(super) fn starts_at_rest(clip: &Clip) -> Option<String> {
    if clip.frames() < 3 {
        return None;
    }
    let (first, second, third) = (clip.pose(0), clip.pose(1), clip.pose(2));
    let joints = clip.skeleton().joints();
    let away =
        first.rotations.iter().zip(joints).skip(1).map(|(q, joint)| q.angle_between(joint.rest_rotation));
    let jump = largest_turn(first, second);
    let usual = largest_turn(second, third);
    // A degree of slack; then a jump that no one makes in a frame, and not what the motion does anyway.
    let is_rest = away.fold(0.0, f32::max) < 1f32.to_radians();
    (is_rest && jump > 8f32.to_radians() && jump > 3.0 * usual).then(|| {
        let degrees = jump.to_degrees();
        format!("frame 0 is the rest pose, {degrees:.0}° from frame 1")
    })
}

/// The largest turn of a joint between two poses.
fn largest_turn(a: LocalPoseRef<'_>, b: LocalPoseRef<'_>) -> f32 {
    let turn = |(a, b): (&Quat, &Quat)| a.angle_between(*b);
    a.rotations.iter().zip(b.rotations).skip(1).map(turn).fold(0.0, f32::max)
}
