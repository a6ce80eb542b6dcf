//! The baseline for in-betweens: interpolation of each joint from one pose to the other.

use marey_motion::{Clip, ClipParts, LocalPoseRef, MotionError};

/// Interpolates between two poses, both included: rotations spherically, positions linearly.
pub(super) fn slerp(
    clip: &Clip,
    from: LocalPoseRef<'_>,
    to: LocalPoseRef<'_>,
    frames: usize,
) -> Result<Clip, MotionError> {
    let mut parts = ClipParts::default();
    for frame in 0..frames {
        let share = frame as f32 / frames.saturating_sub(1).max(1) as f32;
        parts.rotations.extend(from.rotations.iter().zip(to.rotations).map(|(a, b)| a.slerp(*b, share)));
        parts.positions.extend(from.positions.iter().zip(to.positions).map(|(a, b)| a.lerp(*b, share)));
    }
    Clip::new(clip.skeleton().clone(), clip.rate_hz(), parts)
}
