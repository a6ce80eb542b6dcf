//! Learning the style of a corpus.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{MotionStyle, StyleCodes, StyleSettings, TweenError};
use crate::bodies::{BodyTally, clips_on_bodies, is_other_body, report_retargeted};
use crate::corpus::TakeInfo;
use crate::example_selection::readable;
use crate::motion::{self, Clip, Report, Skeleton, Take};
use crate::plan::SourceRef;
use crate::sources::{SourceSettings, examples_on, seen};
use crate::usable_frames::{no_usable_frames, report_unusable, usable_stretches};
use crate::{Context, Error};

/// The shortest stretch between unusable frames that is learned from, in frames.
const LEAST_FRAMES: usize = 2;

/// Where a clip is from.
#[derive(Debug, Clone)]
struct ClipOrigin {
    source: SourceRef,
    /// The frame of the source at which the clip starts.
    start: usize,
    rate_hz: f64,
}

/// A style, and the clips that it was learned from.
#[derive(Debug)]
pub(crate) struct LearnedStyle {
    pub(crate) style: MotionStyle,
    /// Frame rate of the first clip.
    pub(crate) rate_hz: f64,
    /// The first clip.
    pub(crate) first: Clip,
    /// Takes that were left out or retargeted.
    pub(crate) report: Report,
    /// Where each clip is from.
    clips: Vec<ClipOrigin>,
}

impl LearnedStyle {
    /// Learns from `training`, or if it is empty from takes of the corpus, by name or `#` and number; from all if none is named.
    ///
    /// All clips are put on `body`, or on the body that lasts longest. Takes that cannot be used are left out and reported.
    pub(crate) fn new(
        training: &[Take],
        only: &[String],
        settings: &StyleSettings,
        body: Option<&Arc<Skeleton>>,
        context: &Context<'_>,
    ) -> Result<Arc<Self>, Error> {
        if !training.is_empty() {
            let mut report = Report::default();
            let clips = clips_of(training, body, &mut report)?;
            return Ok(Arc::new(Self::learn(clips, report, settings, None, context)?));
        }
        context.cached(("style", only, settings, body), || {
            let mut report = Report::default();
            let clips = read_clips(only, body, context, &mut report)?;
            let Some((.., first)) = clips.first() else {
                return Err(motion::MotionError::Empty { what: "the corpus" }.into());
            };
            let parts = clips.iter().map(|(source, start, clip)| (source, start, clip.frames()));
            let parts: Vec<_> = parts.collect();
            let description = format!("style 1 {settings:?} {parts:?} {:?}", first.skeleton());
            let stored = context.corpus()?.learned(&description)?;
            let known = stored.as_deref().and_then(StyleCodes::from_numbers);
            let is_known = known.is_some();
            let learned = Self::learn(clips, report, settings, known, context)?;
            if !is_known {
                context.corpus()?.keep_learned(&description, &learned.style.codes().to_numbers());
            }
            Ok(learned)
        })
    }

    fn learn(
        clips: Vec<(SourceRef, usize, Clip)>,
        report: Report,
        settings: &StyleSettings,
        known: Option<StyleCodes>,
        context: &Context<'_>,
    ) -> Result<Self, Error> {
        let Some((.., first)) = clips.first() else {
            return Err(motion::MotionError::Empty { what: "the corpus" }.into());
        };
        let (rate_hz, first) = (first.rate_hz(), first.clone());
        let origin = |(source, start, clip): &(SourceRef, usize, Clip)| ClipOrigin {
            source: source.clone(),
            start: *start,
            rate_hz: clip.rate_hz(),
        };
        let sources = clips.iter().map(origin).collect();
        let clips: Vec<Clip> = clips.into_iter().map(|(.., clip)| clip).collect();
        let style =
            context.install(|| MotionStyle::learn_with(&clips, settings, known, context.observer()))??;
        Ok(Self { style, rate_hz, first, report, clips: sources })
    }

    /// Names of the takes, without repetitions.
    pub(crate) fn takes(&self) -> Vec<String> {
        let mut names: Vec<String> = self.clips.iter().map(|origin| origin.source.take.clone()).collect();
        names.dedup();
        names
    }

    /// Adds to an error the nearest reachable pose, in the form in which it can be requested.
    pub(crate) fn explain(&self, error: TweenError) -> Error {
        let nearest = match &error {
            TweenError::NotConnected { nearest: Some((clip, frame)), .. } => {
                self.clips.get(*clip).map(|ClipOrigin { source, start, rate_hz }| {
                    let frame = *frame as f64 * rate_hz / self.style.settings().rate_hz + *start as f64;
                    format!("; the nearest posture that can be reached is {}@{}", source.take, frame.round())
                })
            }
            _ => None,
        };
        let message = format!("{error}{}", nearest.unwrap_or_default());
        Error { message, ..error.into() }
    }
}

/// Returns all actors of takes, on one body.
fn clips_of(
    takes: &[Take],
    body: Option<&Arc<Skeleton>>,
    report: &mut Report,
) -> Result<Vec<(SourceRef, usize, Clip)>, Error> {
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
    let of_take = |take: &Take| -> Result<Vec<(SourceRef, usize, Clip)>, Error> {
        let seen = seen(take)?;
        let clips: Vec<&Clip> = seen.iter().map(|example| &example.clip).collect();
        let clips = clips_on_bodies(&clips, &vec![body.clone(); clips.len()])?;
        let source = |actor| SourceRef { take: take.name().to_owned(), actor };
        Ok(clips.into_iter().enumerate().map(|(actor, clip)| (source(actor), 0, clip)).collect())
    };
    let read = takes.iter().map(|take| (take.name().to_owned(), of_take(take)));
    let clips: Vec<_> = readable(read, report)?.into_iter().flatten().collect();
    report_other_bodies(&clips, &skeletons, report);
    Ok(clips)
}

/// Reads all actors of the chosen takes of the corpus, on one body: each stretch of usable frames, with its first frame.
fn read_clips(
    only: &[String],
    body: Option<&Arc<Skeleton>>,
    context: &Context<'_>,
    report: &mut Report,
) -> Result<Vec<(SourceRef, usize, Clip)>, Error> {
    let corpus = context.corpus()?;
    let chosen = corpus.select(only)?;
    let mut tally = BodyTally::default();
    let mut skeletons = BTreeMap::new();
    for info in &chosen {
        for actor in 0..info.actors.len() {
            // A skeleton that cannot be read is reported with its take.
            if let Ok(skeleton) = corpus.skeleton(info.id, actor).map(Arc::new) {
                tally.add(&skeleton, info.duration_secs());
                skeletons.insert(SourceRef { take: info.name.clone(), actor }, skeleton);
            }
        }
    }
    let body = body.or(tally.longest());
    let clips_of = |info: &TakeInfo, report: &mut Report| -> Result<Vec<(SourceRef, usize, Clip)>, Error> {
        let actors = examples_on(&corpus, &info.name, &SourceSettings::default(), |_| body)?;
        let usable = usable_stretches(0..info.frames, &corpus.unusable(info.id)?, LEAST_FRAMES);
        report_unusable(&info.name, info.frames, &usable, report);
        let mut clips = Vec::new();
        for (actor, example) in actors.into_iter().enumerate() {
            for frames in &usable {
                let source = SourceRef { take: info.name.clone(), actor };
                clips.push((source, frames.start, example.clip.slice(frames.clone())?));
            }
        }
        Ok(clips)
    };
    let mut clips = Vec::with_capacity(chosen.len());
    for (number, info) in chosen.iter().enumerate() {
        context.report("reading the examples", number, chosen.len())?;
        clips.push((info.name.clone(), clips_of(info, report)));
    }
    let clips: Vec<_> = readable(clips.into_iter(), report)?.into_iter().flatten().collect();
    if clips.is_empty() && !chosen.is_empty() {
        return Err(no_usable_frames(chosen.len()));
    }
    report_other_bodies(&clips, &skeletons, report);
    Ok(clips)
}

/// Reports how many of the clips that are used were retargeted from another body.
fn report_other_bodies(
    clips: &[(SourceRef, usize, Clip)],
    skeletons: &BTreeMap<SourceRef, Arc<Skeleton>>,
    report: &mut Report,
) {
    let is_other = |(source, _, clip): &&(SourceRef, usize, Clip)| {
        is_other_body(skeletons.get(source), Some(clip.skeleton()))
    };
    report_retargeted(clips.iter().filter(is_other).count(), clips.len(), report);
}
