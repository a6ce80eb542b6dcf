//! The dance to vary: whole takes or tagged frames, with their motion.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::{Dance, Phrase, VaryError};
use crate::Error;
use crate::corpus::{self, AnnotationContent, Corpus, TakeId, TakeInfo};
use crate::example_selection::{longest_group, readable, report_left_out};
use crate::motion::{Ground, Report, Tag, Take};
use crate::plan::SourceRef;
use crate::realise::SourceClip;
use crate::sources::{examples, seen};

/// A dance, and the motion of all its takes.
#[derive(Debug, Clone)]
pub struct DanceSources {
    /// The phrases to vary, in their order.
    pub dance: Dance,
    /// The motion that plans of the dance use.
    pub sources: BTreeMap<SourceRef, SourceClip>,
    /// Takes that were left out.
    pub report: Report,
}

/// The spans of one take to vary.
struct DanceTake {
    name: String,
    /// Names of the actors.
    actors: Vec<String>,
    /// Motion of the actors; at least one.
    sources: Vec<SourceClip>,
    spans: Vec<Range<usize>>,
}

impl DanceSources {
    /// Uses whole takes. Takes that do not go together with most of the motion are left out and reported.
    pub fn from_takes(takes: &[Take]) -> Result<Self, Error> {
        let read = |take: &Take| {
            Ok(DanceTake {
                name: take.name().to_owned(),
                actors: take.actors().iter().map(|actor| actor.name.clone()).collect(),
                sources: seen(take)?,
                spans: std::iter::once(0..take.frames()).collect(),
            })
        };
        let mut report = Report::default();
        let takes = readable(takes.iter().map(|take| (take.name().to_owned(), read(take))), &mut report)?;
        Self::new(takes, report)
    }

    /// Uses takes of a corpus, by name or `#` and number; all if none is named. If tags are named, uses only the frames
    /// that have one of them.
    pub fn from_corpus(corpus: &Corpus, takes: &[String], tags: &[String]) -> Result<Self, Error> {
        let read = |info: &TakeInfo| -> Result<Option<DanceTake>, Error> {
            let spans = match tags {
                [] => std::iter::once(0..info.frames).collect(),
                tags => tagged(corpus, info.id, tags)?,
            };
            if spans.is_empty() {
                return Ok(None);
            }
            let actors = info.actors.iter().map(|actor| actor.name.clone()).collect();
            Ok(Some(DanceTake {
                name: info.name.clone(),
                actors,
                sources: examples(corpus, &info.name)?,
                spans,
            }))
        };
        let chosen = corpus.select(takes)?;
        let chosen = chosen.iter().filter_map(|info| Some((info.name.clone(), read(info).transpose()?)));
        let mut report = Report::default();
        let takes = readable(chosen, &mut report)?;
        if takes.is_empty() && !tags.is_empty() {
            return Err(VaryError::Phrase { problem: format!("no take has a tag {tags:?}") }.into());
        }
        Self::new(takes, report)
    }

    /// Uses the takes that go together: they have the same bodies, frame rate and number of actors. If two takes have one name,
    /// the second gets a number.
    fn new(takes: Vec<DanceTake>, mut report: Report) -> Result<Self, Error> {
        let (takes, left_out) = longest_group(takes, DanceTake::duration_secs, DanceTake::goes_with);
        report_left_out(left_out.iter().map(|take| take.name.as_str()), takes.len(), &mut report);
        let none = || VaryError::Phrase { problem: "there are no takes".into() };
        let first = takes.first().ok_or_else(none)?;
        let mut dance = Dance { phrases: Vec::new(), rate_hz: first.rate_hz(), actors: first.actors.clone() };
        let mut sources: BTreeMap<SourceRef, SourceClip> = BTreeMap::new();
        for take in takes {
            let is_used = |name: &str| sources.keys().any(|source| source.take == name);
            let numbered = (2..).map(|number| format!("{}-{number}", take.name));
            let name = std::iter::once(take.name.clone()).chain(numbered).find(|name| !is_used(name));
            let name = name.unwrap_or_default();
            let track: Arc<[Ground]> = take.leader().clip.ground_track().frames.into();
            let phrase = |span| Phrase { take: name.clone(), span, track: track.clone() };
            dance.phrases.extend(take.spans.into_iter().map(phrase));
            for (actor, example) in take.sources.into_iter().enumerate() {
                sources.insert(SourceRef { take: name.clone(), actor }, example);
            }
        }
        Ok(Self { dance, sources, report })
    }
}

impl DanceTake {
    /// The first actor, which the others move with.
    fn leader(&self) -> &SourceClip {
        &self.sources[0]
    }

    fn rate_hz(&self) -> f64 {
        self.leader().clip.rate_hz()
    }

    fn duration_secs(&self) -> f64 {
        self.spans.iter().map(ExactSizeIterator::len).sum::<usize>() as f64 / self.rate_hz()
    }

    fn goes_with(&self, other: &Self) -> bool {
        let bodies = self.sources.iter().zip(&other.sources);
        self.sources.len() == other.sources.len()
            && self.rate_hz() == other.rate_hz()
            && bodies.into_iter().all(|(one, other)| one.clip.skeleton() == other.clip.skeleton())
    }
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
