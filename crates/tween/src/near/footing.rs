//! Feet of predicted motion: held where they stand, moved as predicted in between.
//!
//! The prediction is near to what people do, so little has to be corrected. A foot that stands keeps the place of a given pose, or else
//! its mean place; the correction fades out before and after. A foot in the floor is lifted.

use std::ops::Range;
use std::sync::Arc;

use marey_motion::{CheckedAccess, Contacts, LocalPose, Skeleton, Vec3, WorldPose, smoothstep};
use marey_ops::sole::SolePoint;

use super::floor_lift::lifts_m;
use crate::Result;
use crate::leg::{Foot, Leg, Sole};
use crate::sole_contacts::{to_contacts, without_short_runs};
use crate::style_frames::SoleBits;

/// Shorter contacts are removed, in seconds.
const MIN_CONTACT_SECS: f64 = 0.1;
/// In shorter motion feet are not corrected: they slide no more than captured ones, in seconds.
const MIN_HOLD_SECS: f64 = 0.3;
/// Time in which a correction fades out before and after a contact, in seconds.
const FADE_SECS: f64 = 0.25;
/// A foot that would have to be moved by more than this does not stand, in metres.
const MAX_CORRECTION_M: f32 = 0.15;
/// A contact of both given poses whose places differ by more than this is divided by a step, in metres.
const SAME_PLACE_M: f32 = 0.03;
/// A sole point higher than this has no contact, in metres.
const MAX_HEIGHT_M: f32 = 0.08;

/// Holds feet where the votes say that they stand, and returns their contacts. The first and last pose do not change.
pub(crate) fn plant(
    skeleton: &Arc<Skeleton>,
    poses: &mut [LocalPose],
    votes: Vec<SoleBits>,
    rate_hz: f64,
    plants_feet: bool,
) -> Result<Contacts> {
    let points = SolePoint::all(skeleton);
    let min_frames = (MIN_CONTACT_SECS * rate_hz).ceil() as usize;
    let mut bits = without_short_runs(votes.into_iter(), points.len(), min_frames);
    let is_long = poses.len() as f64 >= MIN_HOLD_SECS * rate_hz;
    for leg in Leg::all(skeleton).iter().filter(|_| plants_feet && is_long) {
        hold(leg, skeleton, poses, &mut bits, rate_hz)?;
    }
    to_contacts(&bits, &points)
}

/// A sole point that stands.
struct Stand {
    frames: Range<usize>,
    /// Correction of each frame.
    offsets: Vec<Vec3>,
}

/// Holds one foot; clears the bits of contacts that it cannot keep.
fn hold(
    leg: &Leg,
    skeleton: &Arc<Skeleton>,
    poses: &mut [LocalPose],
    bits: &mut [SoleBits],
    rate_hz: f64,
) -> Result<()> {
    let fade = (FADE_SECS * rate_hz).ceil().max(1.0) as usize;
    let foot = |pose: &LocalPose| leg.foot(&WorldPose::of(skeleton, pose.view()));
    let feet: Vec<Foot> = poses.iter().map(foot).collect::<Result<_>>()?;
    let mut stands: Vec<Stand> = Vec::new();
    for sole in &leg.soles {
        let path: Vec<Vec3> = feet.iter().map(|foot| foot.point(sole.offset)).collect();
        for frames in runs(bits, sole.index) {
            let kept = place(&path, frames.clone(), sole)?
                .filter(|offsets| offsets.iter().all(|offset| offset.length() < MAX_CORRECTION_M));
            match kept {
                Some(offsets) => stands.push(Stand { frames, offsets }),
                None => bits.at_mut(frames)?.iter_mut().for_each(|bits| *bits &= !(1 << sole.index)),
            }
        }
    }
    let last = poses.len() - 1;
    let mut offsets: Vec<Vec3> =
        (0..poses.len()).map(|frame| correction(&stands, frame, last, fade)).collect::<Result<_>>()?;
    let height_m = |(foot, offset): (&Foot, &Vec3)| {
        let heights_m = leg.soles.iter().map(|sole| foot.point(sole.offset).y + offset.y - sole.rest_m);
        heights_m.reduce(f32::min).unwrap_or_default()
    };
    let heights_m: Vec<f32> = feet.iter().zip(&offsets).map(height_m).collect();
    for (offset, lift_m) in offsets.iter_mut().zip(lifts_m(&heights_m, rate_hz)) {
        offset.y += lift_m;
    }
    for ((pose, foot), offset) in poses.iter_mut().zip(&feet).zip(offsets).take(last).skip(1) {
        if offset.length_squared() > 1e-10 {
            leg.place(skeleton, pose, &Foot { ankle: foot.ankle + offset, ..*foot })?;
        }
    }
    Ok(())
}

/// Runs of frames in which a sole point is in contact.
fn runs(bits: &[SoleBits], sole: usize) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (frame, _) in bits.iter().enumerate().filter(|(_, bits)| **bits >> sole & 1 == 1) {
        match runs.last_mut() {
            Some(run) if run.end == frame => run.end += 1,
            _ => runs.push(frame..frame + 1),
        }
    }
    runs
}

/// The correction that keeps a sole point in place; `None` if it does not stand.
fn place(path: &[Vec3], frames: Range<usize>, sole: &Sole) -> Result<Option<Vec<Vec3>>> {
    let run = path.at(frames.clone())?;
    let (Some(&first), Some(&last)) = (run.first(), run.last()) else { return Ok(None) };
    let lowest = run.iter().map(|at| at.y - sole.rest_m).fold(f32::INFINITY, f32::min);
    if lowest > MAX_HEIGHT_M {
        return Ok(None);
    }
    let is_given = [frames.start == 0, frames.end == path.len()];
    let mean = run.iter().sum::<Vec3>() / run.len() as f32;
    let target = |share: f32| match is_given {
        [true, true] => first.lerp(last, share),
        [true, false] => first,
        [false, true] => last,
        [false, false] => mean.with_y(sole.rest_m.max(mean.y.min(sole.rest_m + 0.02))),
    };
    if is_given == [true, true] && first.with_y(0.0).distance(last.with_y(0.0)) > SAME_PLACE_M {
        return Ok(None);
    }
    let steps = run.len().saturating_sub(1).max(1) as f32;
    Ok(Some(run.iter().enumerate().map(|(index, at)| target(index as f32 / steps) - *at).collect()))
}

/// The correction of a foot in a frame: that of the sole points that stand, or the fading ones of the stands before and after.
fn correction(stands: &[Stand], frame: usize, last: usize, fade: usize) -> Result<Vec3> {
    let standing: Vec<Vec3> = stands
        .iter()
        .filter(|stand| stand.frames.contains(&frame))
        .map(|stand| Ok(*stand.offsets.at(frame - stand.frames.start)?))
        .collect::<Result<_>>()?;
    if !standing.is_empty() {
        return Ok(standing.iter().sum::<Vec3>() / standing.len() as f32);
    }
    let before = stands.iter().filter(|stand| stand.frames.end <= frame).max_by_key(|stand| stand.frames.end);
    let after =
        stands.iter().filter(|stand| stand.frames.start > frame).min_by_key(|stand| stand.frames.start);
    let faded = |distance: usize, room: usize, offset: Vec3| {
        let reach = fade.min(room).max(1);
        offset * smoothstep((1.0 - distance as f32 / reach as f32).max(0.0))
    };
    let end = after.map_or(last, |stand| stand.frames.start);
    let start = before.map_or(0, |stand| stand.frames.end - 1);
    let room = end - start;
    let back = before.map_or(Vec3::ZERO, |stand| {
        faded(frame - (stand.frames.end - 1), room, stand.offsets.last().copied().unwrap_or_default())
    });
    let ahead = after.map_or(Vec3::ZERO, |stand| {
        faded(stand.frames.start - frame, room, stand.offsets.first().copied().unwrap_or_default())
    });
    Ok(back + ahead)
}
