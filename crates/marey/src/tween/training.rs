//! The motion of a corpus that is learned from, on one body.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::bodies::clips_on_bodies;
use crate::corpus::TakeInfo;
use crate::example_bodies::{BodyTally, is_other_body, report_retargeted};
use crate::example_selection::{readable, within_budget};
use crate::motion::{Clip, Report, Skeleton, Take};
use crate::plan::SourceRef;
use crate::sources::{SourceSettings, examples_on, seen};
use crate::usable_frames::{no_usable_frames, report_unusable, usable_stretches};
use crate::{Context, Error};

/// The shortest stretch between unusable frames that is learned from, in frames.
const LEAST_FRAMES: usize = 2;

/// A stretch of motion to learn from.
#[derive(Debug, Clone)]
pub(crate) struct TrainingClip {
    pub(crate) source: SourceRef,
    /// The frame of the source at which the clip starts.
    pub(crate) start: usize,
    pub(crate) clip: Clip,
}

impl TrainingClip {
    /// A time in the clip as a frame of its take, in the form in which it can be requested.
    pub(crate) fn selector(&self, secs: f64) -> String {
        let frame = self.start + (secs * self.clip.rate_hz()).round() as usize;
        format!("{}@{frame}", self.source.take)
    }
}

/// Reads the motion of `training`, or if it is empty that of takes of the corpus, by name or `#` and number; of all if none is named.
///
/// All clips are put on `body`, or on the body that lasts longest. Takes that cannot be used are left out and reported.
pub(crate) fn training_clips(
    training: &[Take],
    only: &[String],
    body: Option<&Arc<Skeleton>>,
    context: &Context<'_>,
    report: &mut Report,
) -> Result<Vec<TrainingClip>, Error> {
    let clips = match training {
        [] => read_clips(only, body, context, report)?,
        takes => clips_of(takes, body, context, report)?,
    };
    if clips.is_empty() {
        return Err(crate::motion::MotionError::Empty { what: "the corpus" }.into());
    }
    Ok(clips)
}

/// What clips of the corpus are part of: the content of the take, the actor, the first frame and the number of frames.
pub(crate) fn trained_parts(
    clips: &[TrainingClip],
    context: &Context<'_>,
) -> Result<Vec<(String, usize, usize, usize)>, Error> {
    let takes = context.corpus()?.takes()?;
    let contents: BTreeMap<&str, &str> =
        takes.iter().map(|take| (take.name.as_str(), take.content.as_str())).collect();
    let part = |TrainingClip { source, start, clip }: &TrainingClip| {
        let content = contents.get(source.take.as_str()).copied().unwrap_or_default();
        (content.to_owned(), source.actor, *start, clip.frames())
    };
    Ok(clips.iter().map(part).collect())
}

/// Names of the takes, without repetitions.
pub(crate) fn take_names<'a>(sources: impl Iterator<Item = &'a SourceRef>) -> Vec<String> {
    let mut names: Vec<String> = sources.map(|source| source.take.clone()).collect();
    names.dedup();
    names
}

/// Returns all actors of takes, on one body.
fn clips_of(
    takes: &[Take],
    body: Option<&Arc<Skeleton>>,
    context: &Context<'_>,
    report: &mut Report,
) -> Result<Vec<TrainingClip>, Error> {
    let mut skeletons = BTreeMap::new();
    let mut tally = BodyTally::default();
    for take in takes {
        for (index, actor) in take.actors().iter().enumerate() {
            tally.add(actor.clip.skeleton(), actor.clip.duration_secs());
            let source = SourceRef { take: take.name().to_owned(), actor: index };
            skeletons.insert(source, actor.clip.skeleton().clone());
        }
    }
    let Some(body) = body.or(tally.longest()) else { return Ok(vec![]) };
    let of_take = |take: &Take| -> Result<Vec<TrainingClip>, Error> {
        let seen = seen(take, context.observer())?;
        let clips: Vec<&Clip> = seen.iter().map(|example| &example.clip).collect();
        let clips = clips_on_bodies(&clips, &vec![body.clone(); clips.len()], context.observer())?;
        let source = |actor| SourceRef { take: take.name().to_owned(), actor };
        let clip = |(actor, clip)| TrainingClip { source: source(actor), start: 0, clip };
        Ok(clips.into_iter().enumerate().map(clip).collect())
    };
    let read = takes.iter().map(|take| (take.name().to_owned(), of_take(take)));
    let clips: Vec<_> = readable(read, context, report)?.into_iter().flatten().collect();
    report_other_bodies(&clips, &skeletons, report);
    Ok(clips)
}

/// Reads all actors of the chosen takes of the corpus, on one body: each stretch of usable frames, with its first frame.
fn read_clips(
    only: &[String],
    body: Option<&Arc<Skeleton>>,
    context: &Context<'_>,
    report: &mut Report,
) -> Result<Vec<TrainingClip>, Error> {
    let corpus = context.corpus()?;
    let frames = |info: &TakeInfo| info.frames * info.actors.len();
    let chosen = within_budget(corpus.select(only)?, frames, context.budget(), report);
    let mut tally = BodyTally::default();
    let mut skeletons = BTreeMap::new();
    for info in &chosen {
        for actor in 0..info.actors.len() {
            // A skeleton that cannot be read is reported with its take.
            if let Ok(skeleton) = corpus.skeleton(info.id, actor) {
                tally.add(&skeleton, info.duration_secs());
                skeletons.insert(SourceRef { take: info.name.clone(), actor }, skeleton);
            }
        }
    }
    let body = body.or(tally.longest());
    let clips_of = |info: &TakeInfo, report: &mut Report| -> Result<Vec<TrainingClip>, Error> {
        let actors =
            examples_on(&corpus, &info.name, &SourceSettings::default(), |_| body, context.observer())?;
        let usable = usable_stretches(0..info.frames, &corpus.unusable(info.id)?, LEAST_FRAMES);
        report_unusable(&info.name, info.frames, &usable, report);
        let mut clips = Vec::new();
        for (actor, example) in actors.into_iter().enumerate() {
            for frames in &usable {
                let source = SourceRef { take: info.name.clone(), actor };
                let clip = example.clip.slice(frames.clone())?;
                clips.push(TrainingClip { source, start: frames.start, clip });
            }
        }
        Ok(clips)
    };
    let mut clips = Vec::with_capacity(chosen.len());
    for (number, info) in chosen.iter().enumerate() {
        context.report("reading the examples", number, chosen.len())?;
        clips.push((info.name.clone(), clips_of(info, report)));
    }
    let clips: Vec<_> = readable(clips.into_iter(), context, report)?.into_iter().flatten().collect();
    if clips.is_empty() && !chosen.is_empty() {
        return Err(no_usable_frames(chosen.len()));
    }
    report_other_bodies(&clips, &skeletons, report);
    Ok(clips)
}

/// Reports how many of the clips that are used were retargeted from another body.
fn report_other_bodies(
    clips: &[TrainingClip],
    skeletons: &BTreeMap<SourceRef, Arc<Skeleton>>,
    report: &mut Report,
) {
    let is_other = |example: &&TrainingClip| {
        is_other_body(skeletons.get(&example.source), Some(example.clip.skeleton()))
    };
    report_retargeted(clips.iter().filter(is_other).count(), clips.len(), report);
}
