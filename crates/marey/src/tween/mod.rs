//! Motion through poses as people of a corpus move: the `tween` verb, and the engine of [`marey_tween`].

mod assembly;
mod details;
mod filler;
mod gaps;
mod keyframes;
mod pose;
mod pose_list;
mod request;
mod style;
mod training;

use std::collections::BTreeMap;

pub use details::{GapDetails, JointPath, StylePath, TweenDetails};
pub use marey_tween::*;
pub use pose::PoseSelector;
pub use request::{TweenMode, TweenRequest};

use assembly::Assembly;
use filler::GapFiller;
pub(crate) use gaps::LearnedGaps;
pub(crate) use keyframes::{of_keyframes, read_keyframes};
pub(crate) use pose::PoseReader;
use pose::ResolvedPose;
use pose_list::{listed, resolve_all};
use style::LearnedStyle;

use crate::motion::{Clip, Contacts, MotionError, Report, Take};
use crate::plan::{ActorPlan, Placement, Plan, PlanClip, Seed, SourceRef, Trace};
use crate::realise::{Realisation, RealiseSettings, SourceClip};
use crate::{Context, Error, Outcome};

/// Makes motion through poses, or fills the gaps of a clip.
///
/// # Errors
///
/// In the style mode, `tween/not-connected` if the style has no path between two poses; the message names the nearest reachable pose. The
/// near mode has an answer for every pose.
pub fn run(request: &TweenRequest, context: &Context<'_>) -> Result<Outcome<TweenDetails>, Error> {
    let mut report = Report::default();
    let request = &listed(request, context, &mut report)?;
    request.validate()?;
    context.report("reading the poses", 0, 3)?;
    let poses = resolve_all(request, context)?;
    // The request has a pose.
    let Some(first) = poses.first() else { return Err(MotionError::Empty { what: "the poses" }.into()) };
    let body = first.clip.skeleton().clone();
    context.report("learning from the corpus", 1, 3)?;
    let filler = GapFiller::learn(request, &body, context)?;
    context.report("filling the gaps", 2, 3)?;
    let assembly = match poses.as_slice() {
        [clip] => fill_clip(request, clip, &filler, context)?,
        [first, others @ ..] => through_poses(request, first, others, &filler, context)?,
        [] => return Err(MotionError::Empty { what: "the poses" }.into()),
    };
    let details = TweenDetails {
        mode: request.mode,
        gaps: assembly.gaps.clone(),
        paths: assembly.paths.clone(),
        takes: filler.takes(),
    };
    let (clip, contacts) = assembly.finish()?;
    let floor_m = if let [clip] = poses.as_slice() { clip.floor_m } else { 0.0 };
    let clip = clip.lifted(floor_m)?;
    let name = if request.name.is_empty() { "tween" } else { &request.name };
    report.absorb(filler.report().clone());
    outcome((clip, contacts), details, report, name, context)
}

/// The number of frames of a gap, if it is asked for.
fn gap_frames(request: &TweenRequest, gap: usize, rate_hz: f64) -> Option<usize> {
    match request.at_secs.get(gap..gap + 2) {
        Some([from, to]) => {
            // Rounded as times, so that the whole keeps its length.
            let frame = |secs: f64| (secs * rate_hz).round() as usize;
            Some((frame(*to) - frame(*from)).max(1) + 1)
        }
        _ => request.frames,
    }
}

/// The take before the first pose, motion through all poses, the take after the last.
fn through_poses(
    request: &TweenRequest,
    first: &ResolvedPose,
    others: &[ResolvedPose],
    filler: &GapFiller,
    context: &Context<'_>,
) -> Result<Assembly, Error> {
    let rate_hz = first.clip.rate_hz();
    // Frames before the first pose give its velocity, also if they are not returned.
    let head = first.clip.slice(0..first.frame + 1)?;
    let mut assembly = Assembly::new(&first.clip);
    let writes_takes = !request.gap_only && !request.closes;
    if writes_takes {
        assembly.play(&head)?;
    }
    for (gap, to) in others.iter().enumerate() {
        let frames = gap_frames(request, gap, rate_hz);
        context.budget().check_frames(frames.unwrap_or_default() as f64)?;
        let end = match request.places.get(gap).copied().flatten() {
            Some(place) => EndPlace::At(place),
            None => EndPlace::Free,
        };
        let is_last = gap + 1 == others.len();
        // Only the motion after the last pose goes on.
        let known = if is_last { to.frame..to.clip.frames() } else { to.frame..to.frame + 1 };
        let target = to.clip.slice(known)?;
        let from = if assembly.frames() > 0 { assembly.recent()? } else { head.clone() };
        let settings = GapSettings { rate_hz, frames, end };
        let filled = filler.fill((&from, from.frames() - 1), (&target, 0), &settings, context)?;
        assembly.fill(filled);
        if is_last && writes_takes && target.frames() > 1 {
            let here = target.slice(0..1)?.ground_track().frames.first().copied().unwrap_or_default();
            let there = assembly.ground()? * here.inverse();
            assembly.play(&target.slice(1..target.frames())?.moved(there))?;
        }
    }
    if request.closes {
        let from = assembly.clip()?;
        let settings =
            GapSettings { rate_hz, frames: gap_frames(request, others.len(), rate_hz), end: EndPlace::Free };
        let filled = filler.fill((&from, from.frames() - 1), (&from, 0), &settings, context)?;
        assembly.fill(filled);
    }
    Ok(assembly)
}

/// A clip with its gaps filled.
fn fill_clip(
    request: &TweenRequest,
    source: &ResolvedPose,
    filler: &GapFiller,
    context: &Context<'_>,
) -> Result<Assembly, Error> {
    let clip = &source.clip;
    let mut gaps = request.gaps.clone();
    gaps.sort_unstable();
    let mut assembly = Assembly::new(clip);
    let mut done = 0;
    for (start, end) in gaps {
        if start <= done || start >= end || end >= clip.frames() {
            let message = format!(
                "gap {start}..{end}: gaps lie inside the clip of {} frames, with a frame between them",
                clip.frames()
            );
            return Err(Error::usage(&crate::codes::TWEEN_REQUEST, message));
        }
        assembly.play(&clip.slice(done..start)?)?;
        let settings =
            GapSettings { rate_hz: clip.rate_hz(), frames: Some(end - start + 2), end: EndPlace::AsGiven };
        let before = clip.slice(done..start)?;
        let filled = filler.fill((&before, before.frames() - 1), (clip, end), &settings, context)?;
        assembly.fill(filled);
        done = end + 1;
    }
    if done < clip.frames() {
        assembly.play(&clip.slice(done..clip.frames())?)?;
    }
    Ok(assembly)
}

/// Turns motion into the outcome of a verb: a plan that carries the motion, realised.
fn outcome(
    (clip, contacts): (Clip, Contacts),
    details: TweenDetails,
    mut report: Report,
    name: &str,
    context: &Context<'_>,
) -> Result<Outcome<TweenDetails>, Error> {
    let source = SourceRef { take: name.to_owned(), actor: 0 };
    let placement = Placement {
        source: source.clone(),
        source_start: 0,
        source_end: clip.frames(),
        start: 0,
        frames: clip.frames(),
        key_times: vec![],
        world_from_source: Default::default(),
        mirrored: false,
    };
    // The motion is finished: its feet are planted.
    let passes = RealiseSettings { plant: None, constrain: None, ..RealiseSettings::default() };
    let realisation = Realisation { passes, ..Realisation::default() };
    let actor = ActorPlan { name: name.to_owned(), placements: vec![placement] };
    let mut plan = Plan { seed: Seed::default(), ..Plan::new(clip.rate_hz(), vec![actor]) };
    plan.clips = vec![PlanClip { source, clip, contacts, holds: vec![] }];
    realisation.write_to(&mut plan)?;
    let no_sources = BTreeMap::<SourceRef, SourceClip>::new();
    let realised = realisation.realise(&plan, &no_sources, context.observer(), Error::from)?;
    report.absorb(realised.report);
    Ok(Outcome {
        take: Take::new(name, realised.take.into_actors())?,
        contacts: realised.contacts,
        plan: Some(plan),
        trace: Trace::default(),
        report,
        details,
    })
}
