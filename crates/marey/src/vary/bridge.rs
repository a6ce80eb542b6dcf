//! In-betweens at the cuts of a variation.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::Error;
use crate::motion::{Clip, Ground, MotionError};
use crate::plan::{Placement, Plan, PlanClip, SourceRef};
use crate::realise::{PlacementChain, SourceClip};
use crate::tween::{EndPlace, GapModel, GapMotion, GapSettings};

/// Longest time on either side of a cut that an in-between replaces, in seconds.
const SIDE_SECS: f64 = 0.2;
/// An in-between replaces at most this share of a piece on either side.
const MAX_SHARE: f64 = 0.3;

/// Replaces the motion around every cut of a plan with one actor by an in-between. The plan keeps its length and carries the in-betweens
/// as clips.
pub(super) fn bridge(
    plan: &Plan,
    sources: &BTreeMap<SourceRef, SourceClip>,
    model: &GapModel,
) -> Result<Plan, Error> {
    let placements = plan.actors.first().map_or(&[] as &[_], |actor| &actor.placements);
    let mut sources = sources.clone();
    let mut clips = Vec::new();
    let mut pieces: Vec<(SourceRef, Range<usize>)> = Vec::new();
    for (number, placement) in placements.iter().enumerate() {
        let mut span = placement.source_start..placement.source_end;
        let previous = number.checked_sub(1).and_then(|previous| placements.get(previous));
        if let Some(previous) = previous.filter(|previous| is_cut(previous, placement)) {
            let side = |piece: &Placement| (MAX_SHARE * piece.source_frames() as f64) as usize;
            let side = ((SIDE_SECS * plan.rate_hz) as usize).min(side(previous)).min(side(placement));
            if side > 0 {
                let motion = in_between(previous, placement, side, &sources, model)?;
                let source = SourceRef { take: format!("in-between {number}"), actor: 0 };
                pieces.iter_mut().last().into_iter().for_each(|(_, before)| before.end -= side);
                // The first and last frame belong to the pieces.
                pieces.push((source.clone(), 1..motion.clip.frames() - 1));
                span.start += side;
                let GapMotion { clip, contacts, .. } = motion;
                let example = SourceClip { clip: clip.clone(), contacts: contacts.clone(), holds: vec![] };
                sources.insert(source.clone(), example);
                clips.push(PlanClip { source, clip, contacts, holds: vec![] });
            }
        }
        pieces.push((placement.source.clone(), span));
    }
    let mut chain = PlacementChain::new(&sources);
    for (source, span) in pieces {
        let frames = span.len();
        chain.add(&source, span, frames)?;
    }
    let name = plan.actors.first().map_or("dancer", |actor| actor.name.as_str());
    Ok(Plan { seed: plan.seed, clips, ..chain.plan(name, plan.rate_hz) })
}

/// Whether a piece does not continue the previous one.
fn is_cut(previous: &Placement, next: &Placement) -> bool {
    previous.source != next.source || previous.source_end != next.source_start
}

/// Makes the motion that replaces `side` frames before and after a cut. It has two more frames, which are those around it.
fn in_between(
    previous: &Placement,
    next: &Placement,
    side: usize,
    sources: &BTreeMap<SourceRef, SourceClip>,
    model: &GapModel,
) -> Result<GapMotion, Error> {
    let clip = |placement: &Placement| sources.get(&placement.source).map(|example| &example.clip);
    let (Some(from), Some(to)) = (clip(previous), clip(next)) else {
        return Err(MotionError::Empty { what: "a source" }.into());
    };
    let (leave, enter) = (previous.source_end - side - 1, next.source_start + side);
    let ground = |clip: &Clip, frame: usize| -> Result<Ground, Error> {
        let frame = frame.min(clip.frames() - 1);
        let pose = clip.slice(frame..frame + 1)?;
        Ok(pose.ground_track().frames.first().copied().unwrap_or_default())
    };
    // The end of the previous piece and the start of the next are at one place.
    let cut = ground(from, previous.source_end)?;
    let end = cut * ground(to, next.source_start)?.inverse() * ground(to, enter)?;
    let settings =
        GapSettings { rate_hz: from.rate_hz(), frames: Some(2 * side + 2), end: EndPlace::At(end) };
    Ok(model.fill((from, leave), (to, enter), &settings)?)
}
