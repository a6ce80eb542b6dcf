//! The dance to vary: whole takes or tagged frames, with their motion.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::{Dance, DanceRecording, Phrase, VaryError};
use crate::bodies::clips_on_bodies;
use crate::corpus::{self, AnnotationContent, Corpus, TakeId};
use crate::example_bodies::{BodyTally, is_other_body, report_retargeted};
use crate::example_selection::{READING, longest_group, readable, report_left_out, within_budget};
use crate::motion::{Clip, Ground, Report, Skeleton, Tag, Take};
use crate::plan::{PlanBody, SourceRef};
use crate::realise::SourceClip;
use crate::sources::{SourceSettings, examples_on, seen};
use crate::usable_frames::{no_usable_frames, report_unusable, usable_stretches};
use crate::{ActorBodies, Context, Error};

/// The shortest stretch between unusable frames that is varied, in seconds: shorter ones are a twitch, not a phrase.
const LEAST_PHRASE_SECS: f64 = 0.5;

fn least_frames(rate_hz: f64) -> usize {
    (LEAST_PHRASE_SECS * rate_hz).ceil() as usize
}

/// A dance, and the motion of all its takes.
#[derive(Debug, Clone)]
pub struct DanceSources {
    /// The phrases to vary, in their order.
    pub dance: Dance,
    /// The motion that plans of the dance use.
    pub sources: BTreeMap<SourceRef, SourceClip>,
    /// The bodies of the actors, if the skeletons of some takes are others.
    pub bodies: Vec<PlanBody>,
    /// Takes that were left out or retargeted.
    pub report: Report,
}

/// The spans of one take to vary, before its motion is read.
struct DanceTake<T> {
    name: String,
    rate_hz: f64,
    /// Names of the actors; at least one.
    actors: Vec<String>,
    skeletons: Vec<Arc<Skeleton>>,
    spans: Vec<Range<usize>>,
    /// Where the motion is.
    motion: T,
}

impl DanceSources {
    /// Uses takes without their unusable frames. Motion of other bodies is retargeted onto those that the context asks for, or else
    /// onto those that last longest. Takes with another rate or number of actors than most of the motion are left out. Everything is reported.
    pub fn from_takes(recordings: &[DanceRecording], context: &Context<'_>) -> Result<Self, Error> {
        let mut report = Report::default();
        let mut takes = Vec::with_capacity(recordings.len());
        for DanceRecording { take, unusable } in recordings {
            let whole = 0..take.frames();
            let spans = usable_stretches(whole, unusable, least_frames(take.rate_hz()));
            report_unusable(take.name(), take.frames(), &spans, &mut report);
            takes.push(DanceTake {
                name: take.name().to_owned(),
                rate_hz: take.rate_hz(),
                actors: take.actors().iter().map(|actor| actor.name.clone()).collect(),
                skeletons: take.actors().iter().map(|actor| actor.clip.skeleton().clone()).collect(),
                spans,
                motion: take,
            });
        }
        takes.retain(|take| !take.spans.is_empty());
        if takes.is_empty() && !recordings.is_empty() {
            return Err(no_usable_frames(recordings.len()));
        }
        let read = |take: &DanceTake<&Take>, bodies: &[Arc<Skeleton>]| {
            let mut actors = seen(take.motion, context.observer())?;
            let clips: Vec<&Clip> = actors.iter().map(|actor| &actor.clip).collect();
            let clips = clips_on_bodies(&clips, bodies, context.observer())?;
            for (actor, clip) in actors.iter_mut().zip(clips) {
                actor.clip = clip;
            }
            Ok(actors)
        };
        Self::new(takes, context, report, read)
    }

    /// Uses takes of a corpus, by name or `#` and number; all if none is named. If tags are named, uses only the frames
    /// that have one of them. Unusable frames are left out and reported, and so are takes beyond the budget of examples. Bodies as in [`DanceSources::from_takes`].
    pub fn from_corpus(
        corpus: &Corpus,
        takes: &[String],
        tags: &[String],
        context: &Context<'_>,
    ) -> Result<Self, Error> {
        let mut report = Report::default();
        let frames = |info: &corpus::TakeInfo| info.frames * info.actors.len();
        let infos = within_budget(corpus.select(takes)?, frames, context.budget(), &mut report);
        let mut has_spans = false;
        let mut dance_take = |info: &corpus::TakeInfo| -> Result<DanceTake<()>, Error> {
            context.report(READING, 0, infos.len())?;
            let skeleton = |actor| Ok(corpus.skeleton(info.id, actor)?);
            let spans = match tags {
                [] => std::iter::once(0..info.frames).collect(),
                tags => tagged(corpus, info.id, tags)?,
            };
            has_spans |= !spans.is_empty();
            let unusable = corpus.unusable(info.id)?;
            let least = least_frames(info.rate_hz);
            let stretches = |span: &Range<usize>| usable_stretches(span.clone(), &unusable, least);
            let usable: Vec<Range<usize>> = spans.iter().flat_map(stretches).collect();
            report_unusable(&info.name, spans.iter().map(Range::len).sum(), &usable, &mut report);
            Ok(DanceTake {
                name: info.name.clone(),
                rate_hz: info.rate_hz,
                actors: info.actors.iter().map(|actor| actor.name.clone()).collect(),
                skeletons: (0..info.actors.len()).map(skeleton).collect::<Result<_, Error>>()?,
                spans: usable,
                motion: (),
            })
        };
        let read: Vec<_> = infos.iter().map(|info| (info.name.clone(), dance_take(info))).collect();
        let mut takes = readable(read.into_iter(), context, &mut report)?;
        takes.retain(|take| !take.spans.is_empty());
        if takes.is_empty() && has_spans {
            return Err(no_usable_frames(infos.len()));
        }
        if takes.is_empty() && !tags.is_empty() {
            return Err(VaryError::Phrase { problem: format!("no take has a tag {tags:?}") }.into());
        }
        Self::new(takes, context, report, |take, bodies| {
            let body = |actor| bodies.get(actor);
            Ok(examples_on(corpus, &take.name, &SourceSettings::default(), body, context.observer())?)
        })
    }

    /// Reads the takes that go together: they have the same frame rate and number of actors. If two takes have one name, the
    /// second gets a number.
    fn new<T>(
        takes: Vec<DanceTake<T>>,
        context: &Context<'_>,
        mut report: Report,
        read: impl Fn(&DanceTake<T>, &[Arc<Skeleton>]) -> Result<Vec<SourceClip>, Error>,
    ) -> Result<Self, Error> {
        let (takes, left_out) = longest_group(takes, DanceTake::duration_secs, DanceTake::goes_with);
        report_left_out(left_out.iter().map(|take| take.name.as_str()), takes.len(), &mut report);
        let bodies = bodies_of(&takes, context.bodies());
        let readings = takes.into_iter().map(|take| {
            let motion = read(&take, &bodies);
            (take.name.clone(), motion.map(|motion| (take, motion)))
        });
        let takes = readable(readings, context, &mut report)?;
        let none = || VaryError::Phrase { problem: "there are no takes".into() };
        let (first, _) = takes.first().ok_or_else(none)?;
        let mut dance = Dance { phrases: Vec::new(), rate_hz: first.rate_hz, actors: first.actors.clone() };
        let is_retargeted = |take: &DanceTake<T>| {
            take.skeletons.iter().zip(&bodies).any(|(own, body)| is_other_body(Some(own), Some(body)))
        };
        let retargeted = takes.iter().filter(|(take, _)| is_retargeted(take)).count();
        let has_other_skeletons = takes.iter().any(|(take, _)| take.skeletons != bodies);
        report_retargeted(retargeted, takes.len(), &mut report);
        let mut sources: BTreeMap<SourceRef, SourceClip> = BTreeMap::new();
        for (take, motion) in takes {
            let Some(leader) = motion.first() else { continue };
            let is_used = |name: &str| sources.keys().any(|source| source.take == name);
            let numbered = (2..).map(|number| format!("{}-{number}", take.name));
            let name = std::iter::once(take.name.clone()).chain(numbered).find(|name| !is_used(name));
            let name = name.unwrap_or_default();
            let track: Arc<[Ground]> = leader.clip.ground_track().frames.into();
            let phrase = |span| Phrase { take: name.clone(), span, track: track.clone() };
            dance.phrases.extend(take.spans.into_iter().map(phrase));
            for (actor, example) in motion.into_iter().enumerate() {
                sources.insert(SourceRef { take: name.clone(), actor }, example);
            }
        }
        let bodies = bodies.into_iter().enumerate().filter(|_| has_other_skeletons);
        let bodies = bodies.map(|(actor, skeleton)| PlanBody { actor, skeleton }).collect();
        Ok(Self { dance, sources, bodies, report })
    }
}

impl<T> DanceTake<T> {
    fn duration_secs(&self) -> f64 {
        self.spans.iter().map(ExactSizeIterator::len).sum::<usize>() as f64 / self.rate_hz
    }

    fn goes_with(&self, other: &Self) -> bool {
        self.actors.len() == other.actors.len() && self.rate_hz == other.rate_hz
    }
}

/// The body of each actor: the `asked` one for its name in the first take, or else the one that lasts longest among the actors of
/// that number.
fn bodies_of<T>(takes: &[DanceTake<T>], asked: &ActorBodies) -> Vec<Arc<Skeleton>> {
    let names = takes.first().map_or(&[] as &[_], |take| &take.actors);
    let body = |(actor, name): (usize, &String)| {
        let mut tally = BodyTally::default();
        for take in takes {
            take.skeletons.get(actor).into_iter().for_each(|one| tally.add(one, take.duration_secs()));
        }
        asked.of(name).or(tally.longest()).cloned()
    };
    names.iter().enumerate().filter_map(body).collect()
}

/// Returns the frames of a take that have one of some tags, in order and without overlaps.
fn tagged(corpus: &Corpus, take: TakeId, tags: &[String]) -> Result<Vec<Range<usize>>, corpus::CorpusError> {
    let annotations = corpus.annotations(take)?.into_iter();
    let ranges = annotations.filter_map(|annotation| match annotation.what {
        AnnotationContent::Tag(Tag { name, start, end }) if tags.contains(&name) => Some(start..end),
        _ => None,
    });
    let mut spans: Vec<Range<usize>> = ranges.collect();
    spans.sort_by_key(|span| (span.start, span.end));
    spans.dedup_by(|next, previous| {
        let overlaps = next.start <= previous.end;
        if overlaps {
            previous.end = previous.end.max(next.end);
        }
        overlaps
    });
    Ok(spans)
}
