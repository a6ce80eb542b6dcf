//! A weighted blend of motion segments that are aligned by key times.
//!
//! Park, Kwon, Shin and Shin, *Analysis and Synthesis of Interactive Two-Character Motions* (2004), section
//! 5.1.2: segments with the same number of key times (heel strike, toe off) are warped so that these
//! coincide, and their poses are blended. The duration between two key times is the weighted mean of the
//! durations in the segments. Root motion is blended as steps: each frame takes the weighted mean of the
//! translation and rotation of every segment in that time, relative to its current position. A blend of a
//! left and a right turn therefore goes straight on.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | w | weight of each segment, normalised to a sum of 1 | 1 |
//! | k | key times of each segment | frames |
//!
//! Rotations are averaged by [`mod@crate::rotation_mean`], which is correct for large spreads.
//!
//! Limits: joints of the same role must bend in the same direction; feet slide a little if strides differ
//! (realising plants them).

use marey_motion::{Clip, ClipParts, Ground, LocalPose, MotionError, Quat, Vec3};

use crate::Result;
use crate::rotation_mean::rotation_mean;

/// A clip to blend, with its key times.
#[derive(Debug, Clone, Copy)]
pub struct BlendSegment<'a> {
    /// The motion.
    pub clip: &'a Clip,
    /// Key times in frames of the clip, possibly fractional, ascending; the first is its start, the last its
    /// end.
    pub keys: &'a [f64],
}

/// Blends segments of one skeleton at a rate. The result starts at the origin, heading along +Z.
///
/// ```
/// use std::sync::Arc;
/// use marey_motion::{Clip, ClipParts, Joint, Quat, Skeleton, Vec3};
/// use marey_ops::blend::{BlendSegment, blend};
/// let joints = vec![
///     Joint::new("root", None, Vec3::Y),
///     Joint::new("arm", Some(0), Vec3::X),
///     Joint::new("hand", Some(1), Vec3::X),
/// ];
/// let skeleton = Arc::new(Skeleton::new(joints, vec![])?);
/// // One goes 1 m ahead in 10 frames, the other 4 m in 20.
/// let walk = |frames: usize, metres: f32| {
///     let positions = (0..=frames).map(|f| Vec3::new(0.0, 1.0, metres * f as f32 / frames as f32)).collect();
///     Clip::new(skeleton.clone(), 10.0, ClipParts { rotations: vec![Quat::IDENTITY; 3 * (frames + 1)], positions })
/// };
/// let (slow, fast) = (walk(10, 1.0)?, walk(20, 4.0)?);
/// let segments = [BlendSegment { clip: &slow, keys: &[0.0, 10.0] }, BlendSegment { clip: &fast, keys: &[0.0, 20.0] }];
/// let half = blend(&segments, &[1.0, 1.0], 10.0)?;
/// // Half of each: 1.5 s, 2.5 m; a frame's step is 2.5 m / 15.
/// assert_eq!(half.frames(), 15);
/// assert!((half.pose(3).root_position().z - 0.5).abs() < 1e-5);
/// # Ok::<(), marey_ops::OpsError>(())
/// ```
pub fn blend(segments: &[BlendSegment<'_>], weights: &[f32], rate_hz: f64) -> Result<Clip> {
    let weights = shares(segments, weights)?;
    let parts: Vec<Part> = segments.iter().map(Part::of).collect::<Result<_>>()?;
    let first = segments.first().ok_or(MotionError::Empty { what: "a list of segments" })?;
    let lengths = piece_lengths(segments, &weights, rate_hz);
    let total: f64 = lengths.iter().sum();
    let frames = (total.round() as usize).max(1);

    let skeleton = first.clip.skeleton();
    let mut out = ClipParts::default();
    let mut poses: Vec<LocalPose> = parts.iter().map(|_| LocalPose::rest(skeleton)).collect();
    let mut turns = vec![Quat::IDENTITY; parts.len()];
    let mut here = Ground::IDENTITY;
    let mut before: Option<Vec<Ground>> = None;
    for frame in 0..frames {
        let at = frame as f64 * total / frames as f64;
        let (piece, share) = piece_at(&lengths, at);
        let times = segments.iter().map(|s| s.keys[piece] + share * (s.keys[piece + 1] - s.keys[piece]));
        let mut grounds = Vec::with_capacity(parts.len());
        for ((part, pose), time) in parts.iter().zip(&mut poses).zip(times) {
            part.body.sample_into(time / part.body.rate_hz(), pose);
            grounds.push(part.ground_at(time));
        }
        if let Some(before) = &before {
            here = here * mean_step(before, &grounds, &weights);
        }
        for joint in 0..skeleton.len() {
            for (turn, pose) in turns.iter_mut().zip(&poses) {
                *turn = pose.rotations[joint];
            }
            out.rotations.push(rotation_mean(&turns, &weights));
        }
        for mover in 0..skeleton.movers().len() {
            out.positions
                .push(poses.iter().zip(&weights).map(|(pose, w)| pose.positions[mover] * *w).sum::<Vec3>());
        }
        let (joints, movers) = (frame * skeleton.len(), frame * skeleton.movers().len());
        out.rotations[joints] = here.rotation() * out.rotations[joints];
        out.positions[movers] = here.point(out.positions[movers]);
        before = Some(grounds);
    }
    Ok(Clip::new(skeleton.clone(), rate_hz, out)?)
}

/// Normalised weights, for segments that can be blended.
fn shares(segments: &[BlendSegment<'_>], weights: &[f32]) -> Result<Vec<f32>> {
    if weights.len() != segments.len() {
        let (found, wanted) = (weights.len(), segments.len());
        return Err(MotionError::Length { what: "weights", found, wanted }.into());
    }
    let sum: f32 = weights.iter().sum();
    // False for NaN.
    let can_be_shared = sum > 1e-6 && sum.is_finite();
    if !can_be_shared {
        return Err(MotionError::NotFinite { what: "a sum of weights above 0", frame: 0, joint: 0 }.into());
    }
    for segment in segments {
        let (first, keys) = (&segments[0], segment.keys);
        if segment.clip.skeleton() != first.clip.skeleton() {
            let joints = |clip: &Clip| format!("{} joints", clip.skeleton().len());
            let (first, second) = (joints(first.clip), joints(segment.clip));
            return Err(MotionError::Disagree { what: "skeleton", first, second }.into());
        }
        if keys.len() != first.keys.len() || keys.len() < 2 {
            let wanted = first.keys.len().max(2);
            return Err(MotionError::Length { what: "key times", found: keys.len(), wanted }.into());
        }
        let frames = segment.clip.frames();
        let inside = keys[0] >= 0.0 && keys[keys.len() - 1] <= frames as f64;
        if !inside || !keys.windows(2).all(|pair| pair[0] < pair[1]) {
            let (start, end) = (keys[0] as usize, keys[keys.len() - 1] as usize);
            return Err(MotionError::Range { start, end, frames }.into());
        }
    }
    Ok(weights.iter().map(|weight| weight / sum).collect())
}

/// The number of frames between neighbouring key times: the weighted mean, at least 1.
fn piece_lengths(segments: &[BlendSegment<'_>], weights: &[f32], rate_hz: f64) -> Vec<f64> {
    let pieces = segments[0].keys.len() - 1;
    let length = |segment: &BlendSegment<'_>, piece: usize| {
        (segment.keys[piece + 1] - segment.keys[piece]) / segment.clip.rate_hz() * rate_hz
    };
    let mean =
        |piece| segments.iter().zip(weights).map(|(s, w)| f64::from(*w) * length(s, piece)).sum::<f64>();
    (0..pieces).map(|piece| mean(piece).max(1.0)).collect()
}

/// The interval that contains a time, and the position in it.
fn piece_at(lengths: &[f64], mut at: f64) -> (usize, f64) {
    let last = lengths.len() - 1;
    for (piece, length) in lengths.iter().enumerate() {
        if at < *length || piece == last {
            return (piece, (at / length).min(1.0));
        }
        at -= length;
    }
    (last, 1.0)
}

/// A segment split into body and root motion.
struct Part {
    body: Clip,
    track: Vec<Ground>,
}

impl Part {
    fn of(segment: &BlendSegment<'_>) -> Result<Self> {
        let track = segment.clip.ground_track();
        Ok(Self { body: segment.clip.without_ground(&track)?, track: track.frames })
    }

    /// Ground position at a time in frames.
    fn ground_at(&self, at: f64) -> Ground {
        let last = self.track.len() - 1;
        let before = (at.max(0.0) as usize).min(last);
        let (a, b) = (self.track[before], self.track[(before + 1).min(last)]);
        let share = (at - before as f64).clamp(0.0, 1.0) as f32;
        let step = a.inverse() * b;
        a * Ground::new(step.x * share, step.z * share, step.yaw_rad * share)
    }
}

/// The weighted mean of the steps of the segments, each relative to its own position.
fn mean_step(before: &[Ground], after: &[Ground], weights: &[f32]) -> Ground {
    let (mut x, mut z, mut yaw_rad) = (0.0, 0.0, 0.0);
    for ((before, after), w) in before.iter().zip(after).zip(weights) {
        let step = before.inverse() * *after;
        x += w * step.x;
        z += w * step.z;
        yaw_rad += w * step.yaw_rad;
    }
    Ground::new(x, z, yaw_rad)
}

#[cfg(test)]
mod tests {
    use marey_examples::walk::{WalkSettings, walk};

    use super::*;
    use crate::gait;

    /// Cycles of a generated walk, from a left step to the next, with the right step between as a key time.
    fn cycles() -> Vec<(Clip, Vec<f64>)> {
        let settings = WalkSettings { duration_secs: 30.0, ..WalkSettings::default() };
        let example = walk(&settings).unwrap();
        let clip = example.take.first();
        let steps =
            gait::steps(example.truth.contacts().unwrap(), clip.rate_hz(), &gait::GaitSettings::default())
                .unwrap();
        let cycles = steps.windows(3).filter(|s| s[0].foot == s[2].foot && s[0].foot != s[1].foot);
        let cycles = cycles.filter(|s| s[0].foot == marey_motion::Side::Left && s[2].frame - s[0].frame < 90);
        cycles
            .map(|s| {
                let keys = [s[0].frame, s[1].frame, s[2].frame].map(|f| (f - s[0].frame) as f64).to_vec();
                (clip.slice(s[0].frame..s[2].frame + 1).unwrap(), keys)
            })
            .collect()
    }

    #[test]
    fn a_blend_of_one_segment_is_that_segment_at_the_origin() {
        let cycles = cycles();
        let segments: Vec<BlendSegment<'_>> =
            cycles.iter().take(3).map(|(clip, keys)| BlendSegment { clip, keys }).collect();
        let own = blend(&segments, &[0.0, 1.0, 0.0], 60.0).unwrap();
        let clip = &cycles[1].0;
        let wanted = clip.moved(clip.ground_track().frames[0].inverse()).world();
        assert_eq!(own.frames(), clip.frames() - 1);
        for frame in 0..own.frames() {
            for (a, b) in own.world().positions_at(frame).iter().zip(wanted.positions_at(frame)) {
                assert!(a.distance(*b) < 2e-3, "{frame}: {a} {b}");
            }
        }
    }

    #[test]
    fn blends_interpolate_time_and_root_motion() {
        let cycles = cycles();
        let length = |clip: &Clip| {
            let track = clip.ground_track().frames;
            (track[track.len() - 1].translation() - track[0].translation()).length()
        };
        for pair in cycles.windows(2).take(6) {
            let segments: Vec<BlendSegment<'_>> =
                pair.iter().map(|(clip, keys)| BlendSegment { clip, keys }).collect();
            let half = blend(&segments, &[1.0, 1.0], 60.0).unwrap();
            let mean = 0.5 * (pair[0].1[2] + pair[1].1[2]);
            assert!((half.frames() as f64 - mean).abs() <= 1.0);
            let (a, b) = (length(&pair[0].0), length(&pair[1].0));
            assert!(length(&half) > 0.85 * a.min(b) && length(&half) < 1.05 * a.max(b));
        }
    }

    #[test]
    fn invalid_blends_are_rejected() {
        let cycles = cycles();
        let (clip, keys) = &cycles[0];
        let segment = |keys| BlendSegment { clip, keys };
        assert!(blend(&[], &[], 60.0).is_err());
        assert!(blend(&[segment(keys)], &[], 60.0).is_err());
        assert!(blend(&[segment(keys)], &[f32::NAN], 60.0).is_err());
        assert!(blend(&[segment(keys)], &[0.0], 60.0).is_err());
        assert!(blend(&[segment(&[0.0])], &[1.0], 60.0).is_err());
        assert!(blend(&[segment(&[0.0, 500.0])], &[1.0], 60.0).is_err());
        assert!(blend(&[segment(&[5.0, 3.0])], &[1.0], 60.0).is_err());
        assert!(blend(&[segment(&[0.0, f64::NAN])], &[1.0], 60.0).is_err());
        assert!(blend(&[segment(keys), segment(&[0.0, 9.0])], &[1.0, 1.0], 60.0).is_err());
        let large = clip.clone().scaled(1.2).unwrap();
        assert!(blend(&[segment(keys), BlendSegment { clip: &large, keys }], &[1.0, 1.0], 60.0).is_err());
    }
}
