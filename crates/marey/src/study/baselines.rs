//! What engines are compared with: interpolation, and pieces of a clip in another order.

use std::ops::Range;

use crate::Error;
use crate::motion::{Clip, ClipParts, Ground, Quat, Take};
use crate::plan::Seed;

use super::shuffled;

/// Length of the gap that is filled, in seconds. In a shorter clip, it is a third of the clip.
const GAP_SECS: f64 = 1.0;
/// Length of the pieces that are put in another order, in seconds.
const PIECE_SECS: f64 = 1.0;

/// The frames in the middle of a take that are filled.
pub(super) fn gap(take: &Take) -> Range<usize> {
    let frames = take.frames();
    let length = ((GAP_SECS * take.rate_hz()).round() as usize).min(frames / 3).max(1);
    let start = frames.saturating_sub(length) / 2;
    start..(start + length).min(frames)
}

/// The take with its gap filled by spherical linear interpolation of every joint.
pub(super) fn slerp(take: &Take) -> Result<Take, Error> {
    let gap = gap(take);
    let fill = |clip: &Clip| {
        let (joints, movers) = (clip.skeleton().len(), clip.skeleton().movers().len());
        let mut parts = clip.clone().into_parts();
        let ClipParts { rotations, positions } = &mut parts;
        let (Some(before), after) = (gap.start.checked_sub(1), gap.end) else { return Ok(clip.clone()) };
        if after >= clip.frames() {
            return Ok(clip.clone());
        }
        for frame in gap.clone() {
            let share = (frame - before) as f32 / (after - before) as f32;
            for joint in 0..joints {
                let at =
                    |frame: usize| rotations.get(frame * joints + joint).copied().unwrap_or(Quat::IDENTITY);
                let turned = at(before).slerp(at(after), share);
                if let Some(rotation) = rotations.get_mut(frame * joints + joint) {
                    *rotation = turned;
                }
            }
            for mover in 0..movers {
                let at = |frame: usize| positions.get(frame * movers + mover).copied().unwrap_or_default();
                let moved = at(before).lerp(at(after), share);
                if let Some(position) = positions.get_mut(frame * movers + mover) {
                    *position = moved;
                }
            }
        }
        Ok(Clip::new(clip.skeleton().clone(), clip.rate_hz(), parts)?)
    };
    let clips = take.actors().iter().map(|actor| fill(&actor.clip));
    Ok(take.clone().with_clips(clips.collect::<Result<_, Error>>()?)?)
}

/// The take cut into pieces of equal length that are pasted in another order: each starts where the previous one ended, without
/// any transition.
pub(super) fn cut_and_paste(take: &Take, seed: Seed) -> Result<Take, Error> {
    let frames = take.frames();
    let length = ((PIECE_SECS * take.rate_hz()).round() as usize).clamp(1, frames);
    let count = frames.div_ceil(length);
    // A take of one piece stays as it is; the caller reports that.
    let orders = (0..).map(|stream| shuffled(count, seed, stream));
    let order = orders.take(100).find(|order| !order.iter().copied().eq(0..count)).unwrap_or_default();
    if order.is_empty() {
        return Ok(take.clone());
    }
    let lead = take.first().ground_track();
    let ground = |frame: usize| lead.frames.get(frame.min(frames - 1)).copied().unwrap_or(Ground::IDENTITY);
    let mut here = ground(0);
    let mut pieces: Vec<Vec<Clip>> = take.actors().iter().map(|_| Vec::new()).collect();
    for start in order.into_iter().map(|piece| piece * length) {
        let end = (start + length).min(frames);
        let moved = here * ground(start).inverse();
        for (pieces, actor) in pieces.iter_mut().zip(take.actors()) {
            pieces.push(actor.clip.slice(start..end)?.moved(moved));
        }
        here = moved * ground(end);
    }
    let clips = pieces.iter().map(|pieces| Ok(Clip::concat(pieces)?));
    Ok(take.clone().with_clips(clips.collect::<Result<_, Error>>()?)?)
}
