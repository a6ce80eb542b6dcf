//! The dance to vary: whole takes or tagged frames, with their motion.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::{Dance, Phrase, VaryError};
use crate::Error;
use crate::corpus::{self, AnnotationContent, Corpus, TakeId};
use crate::motion::{Ground, Tag, Take};
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
}

impl DanceSources {
    /// Uses whole takes.
    pub fn from_takes(takes: &[Take]) -> Result<Self, Error> {
        let mut builder = DanceBuilder::default();
        for take in takes {
            let names = take.actors().iter().map(|actor| actor.name.clone()).collect();
            let whole = 0..take.frames();
            builder.add(take.name(), names, seen(take)?, std::slice::from_ref(&whole))?;
        }
        builder.build()
    }

    /// Uses takes of a corpus, by name or `#` and number; all if none is named. If tags are named, uses only the frames
    /// that have one of them.
    pub fn from_corpus(corpus: &Corpus, takes: &[String], tags: &[String]) -> Result<Self, Error> {
        let chosen = match takes {
            [] => corpus.takes()?,
            names => names
                .iter()
                .map(|name| corpus.info(corpus.find(name)?))
                .collect::<Result<_, corpus::CorpusError>>()?,
        };
        let mut builder = DanceBuilder::default();
        for info in chosen {
            let spans = match tags {
                [] => std::iter::once(0..info.frames).collect(),
                tags => tagged(corpus, info.id, tags)?,
            };
            if !spans.is_empty() {
                let names = info.actors.iter().map(|actor| actor.name.clone()).collect();
                builder.add(&info.name, names, examples(corpus, &info.name)?, &spans)?;
            }
        }
        if builder.phrases.is_empty() && !tags.is_empty() {
            return Err(VaryError::Phrase { problem: format!("no take has a tag {tags:?}") }.into());
        }
        builder.build()
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

#[derive(Default)]
struct DanceBuilder {
    phrases: Vec<Phrase>,
    sources: BTreeMap<SourceRef, SourceClip>,
    /// Frame rate and actors of the first take.
    first: Option<(f64, Vec<String>)>,
}

impl DanceBuilder {
    /// Adds spans of a take, which must have the rate and number of actors of the first. If the name is already used, a
    /// number is appended.
    fn add(
        &mut self,
        name: &str,
        actors: Vec<String>,
        examples: Vec<SourceClip>,
        spans: &[Range<usize>],
    ) -> Result<(), Error> {
        let Some(leader) = examples.first() else { return Ok(()) };
        let rate_hz = leader.clip.rate_hz();
        let (first_hz, first_actors) = self.first.get_or_insert_with(|| (rate_hz, actors.clone()));
        let refuse = |problem: String| Err(VaryError::Phrase { problem }.into());
        if *first_hz != rate_hz {
            return refuse(format!("{name:?} has {rate_hz} frames a second, the first take has {first_hz}"));
        }
        if first_actors.len() != actors.len() {
            let (found, expected) = (actors.len(), first_actors.len());
            return refuse(format!("{name:?} has {found} actors, the first take has {expected}"));
        }
        let is_used = |name: &str| self.sources.keys().any(|source| source.take == name);
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let take = std::iter::once(name.to_owned()).chain(numbered).find(|name| !is_used(name));
        let take = take.unwrap_or_else(|| name.to_owned());
        let track: Arc<[Ground]> = leader.clip.ground_track().frames.into();
        self.phrases.extend(spans.iter().map(|span| Phrase {
            take: take.clone(),
            span: span.clone(),
            track: track.clone(),
        }));
        for (actor, example) in examples.into_iter().enumerate() {
            self.sources.insert(SourceRef { take: take.clone(), actor }, example);
        }
        Ok(())
    }

    fn build(self) -> Result<DanceSources, Error> {
        let none = VaryError::Phrase { problem: "there are no takes".into() };
        let (rate_hz, actors) = self.first.ok_or(none)?;
        Ok(DanceSources { dance: Dance { phrases: self.phrases, rate_hz, actors }, sources: self.sources })
    }
}
