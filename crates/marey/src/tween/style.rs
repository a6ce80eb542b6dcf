//! Learning the style of a corpus.

use std::sync::Arc;

use super::{MotionStyle, StyleCodes, StyleSettings, TweenError};
use crate::bodies::{BodyTally, on_body, report_retargeted};
use crate::example_selection::readable;
use crate::motion::{self, Clip, Report, Skeleton, Take};
use crate::plan::SourceRef;
use crate::sources::{SourceSettings, examples_on, seen};
use crate::{Context, Error};

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
    /// Source and frame rate of each clip.
    clips: Vec<(SourceRef, f64)>,
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
            let Some((_, first)) = clips.first() else {
                return Err(motion::MotionError::Empty { what: "the corpus" }.into());
            };
            let sources: Vec<&SourceRef> = clips.iter().map(|(source, _)| source).collect();
            let description = format!("style 1 {settings:?} {sources:?} {:?}", first.skeleton());
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
        clips: Vec<(SourceRef, Clip)>,
        report: Report,
        settings: &StyleSettings,
        known: Option<StyleCodes>,
        context: &Context<'_>,
    ) -> Result<Self, Error> {
        let Some((_, first)) = clips.first() else {
            return Err(motion::MotionError::Empty { what: "the corpus" }.into());
        };
        let (rate_hz, first) = (first.rate_hz(), first.clone());
        let sources = clips.iter().map(|(source, clip)| (source.clone(), clip.rate_hz())).collect();
        let clips: Vec<Clip> = clips.into_iter().map(|(_, clip)| clip).collect();
        let style =
            context.install(|| MotionStyle::learn_with(&clips, settings, known, context.observer()))??;
        Ok(Self { style, rate_hz, first, report, clips: sources })
    }

    /// Names of the takes, without repetitions.
    pub(crate) fn takes(&self) -> Vec<String> {
        let mut names: Vec<String> = self.clips.iter().map(|(source, _)| source.take.clone()).collect();
        names.dedup();
        names
    }

    /// Adds to an error the nearest reachable pose, in the form in which it can be requested.
    pub(crate) fn explain(&self, error: TweenError) -> Error {
        let nearest = match &error {
            TweenError::NotConnected { nearest: Some((clip, frame)), .. } => {
                self.clips.get(*clip).map(|(source, rate_hz)| {
                    let frame = *frame as f64 * rate_hz / self.style.settings().rate_hz;
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
) -> Result<Vec<(SourceRef, Clip)>, Error> {
    let actors = || takes.iter().flat_map(|take| take.actors().iter().map(|actor| &actor.clip));
    let mut tally = BodyTally::default();
    actors().for_each(|clip| tally.add(clip.skeleton(), clip.duration_secs()));
    let Some(body) = body.or(tally.longest()) else { return Ok(vec![]) };
    let of_take = |take: &Take| -> Result<Vec<(SourceRef, Clip)>, Error> {
        let is_alone = take.actors().len() == 1;
        let on_body = |(actor, example): (usize, crate::realise::SourceClip)| {
            let source = SourceRef { take: take.name().to_owned(), actor };
            Ok((source, on_body(&example.clip, body, is_alone)?))
        };
        seen(take)?.into_iter().enumerate().map(on_body).collect()
    };
    let read = takes.iter().map(|take| (take.name().to_owned(), of_take(take)));
    let clips: Vec<_> = readable(read, report)?.into_iter().flatten().collect();
    report_retargeted(actors().filter(|clip| clip.skeleton() != body).count(), clips.len(), report);
    Ok(clips)
}

/// Reads all actors of the chosen takes of the corpus, on one body.
fn read_clips(
    only: &[String],
    body: Option<&Arc<Skeleton>>,
    context: &Context<'_>,
    report: &mut Report,
) -> Result<Vec<(SourceRef, Clip)>, Error> {
    let corpus = context.corpus()?;
    let chosen = corpus.select(only)?;
    let mut tally = BodyTally::default();
    let mut skeletons = Vec::new();
    for info in &chosen {
        for actor in 0..info.actors.len() {
            // A skeleton that cannot be read is reported with its take.
            if let Ok(skeleton) = corpus.skeleton(info.id, actor).map(Arc::new) {
                tally.add(&skeleton, info.duration_secs());
                skeletons.push(skeleton);
            }
        }
    }
    let body = body.or(tally.longest());
    let clips_of = |name: &str| -> Result<Vec<(SourceRef, Clip)>, Error> {
        let actors = examples_on(&corpus, name, &SourceSettings::default(), |_| body)?;
        let source = |actor| SourceRef { take: name.to_owned(), actor };
        Ok(actors.into_iter().enumerate().map(|(actor, example)| (source(actor), example.clip)).collect())
    };
    let mut clips = Vec::with_capacity(chosen.len());
    for (number, info) in chosen.iter().enumerate() {
        context.report("reading the examples", number, chosen.len())?;
        clips.push((info.name.clone(), clips_of(&info.name)));
    }
    let clips: Vec<_> = readable(clips.into_iter(), report)?.into_iter().flatten().collect();
    report_retargeted(skeletons.iter().filter(|one| Some(*one) != body).count(), clips.len(), report);
    Ok(clips)
}
