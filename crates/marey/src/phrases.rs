//! What there is to vary: whole takes, or what is tagged in them, and the motion behind it.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::corpus::{self, Corpus, Said, TakeId};
use crate::motion::{Code, Coded, Ground, Place, Tag, Take};
use crate::plan::SourceRef;
use crate::realise::{Example, Sources};
use crate::sources::{CorpusSources, seen};
use crate::vary::{self, Dance, Phrase};

/// A dance, and the motion of everybody in it.
#[derive(Debug, Clone)]
pub struct Phrases {
    /// Which frames of which takes, in their order.
    pub dance: Dance,
    /// The motion that its plans use.
    pub sources: BTreeMap<SourceRef, Example>,
}

/// Why there is nothing to vary.
#[derive(Debug)]
pub enum Error {
    /// The corpus refused, or a take could not be understood.
    Corpus(corpus::Error),
    /// A take could not be given.
    Realise(crate::realise::Error),
    /// Takes do not fit each other, or nothing has the tag.
    Vary(vary::Error),
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Corpus(error) => error.fmt(f),
            Error::Realise(error) => error.fmt(f),
            Error::Vary(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl Coded for Error {
    fn code(&self) -> &'static Code {
        match self {
            Error::Corpus(error) => error.code(),
            Error::Realise(error) => error.code(),
            Error::Vary(error) => error.code(),
        }
    }

    fn place(&self) -> Place {
        match self {
            Error::Corpus(error) => error.place(),
            Error::Realise(error) => error.place(),
            Error::Vary(error) => error.place(),
        }
    }
}

impl From<corpus::Error> for Error {
    fn from(error: corpus::Error) -> Self {
        Error::Corpus(error)
    }
}

impl From<crate::realise::Error> for Error {
    fn from(error: crate::realise::Error) -> Self {
        Error::Realise(error)
    }
}

impl Phrases {
    /// Whole takes, one after another.
    ///
    /// ```
    /// use marey::examples::walk::{WalkSettings, walk};
    /// use marey::phrases::Phrases;
    /// use marey::plan::Seed;
    /// use marey::vary::{Settings, Travel};
    /// let walk = walk(&WalkSettings { duration_secs: 6.0, rate_hz: 30.0, ..WalkSettings::default() })?;
    /// let phrases = Phrases::of_takes(&[walk.take.clone(), walk.take])?;
    /// let settings = Settings::default();
    /// let wrapped = phrases.dance.wrapped(&settings)?;
    /// let varied = phrases.dance.vary(&wrapped, &settings, Travel::Onward, None, Seed(1))?;
    /// assert_eq!(varied.plan.frames(), 360);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_takes(takes: &[Take]) -> Result<Self, Error> {
        let mut gathered = Gathered::default();
        for take in takes {
            let examples = seen(take).map_err(corpus::Error::from)?;
            let names = take.actors().iter().map(|actor| actor.name.clone()).collect();
            gathered.add(take.name(), names, examples, std::slice::from_ref(&(0..take.frames())))?;
        }
        gathered.done()
    }

    /// Takes of a corpus, by name or # and number; all where none is named. Where tags are named, only the frames that have one
    /// of them.
    pub fn of_corpus(corpus: Corpus, takes: &[String], tags: &[String]) -> Result<Self, Error> {
        let chosen = match takes {
            [] => corpus.takes()?,
            names => names.iter().map(|name| corpus.info(corpus.find(name)?)).collect::<Result<_, _>>()?,
        };
        let mut spans = Vec::new();
        for info in chosen {
            let whole = std::iter::once(0..info.frames);
            let of_take = if tags.is_empty() { whole.collect() } else { tagged(&corpus, info.id, tags)? };
            spans.push((info, of_take));
        }
        if spans.iter().all(|(_, spans)| spans.is_empty()) {
            let what = if tags.is_empty() {
                "there are no takes".into()
            } else {
                format!("no take has a tag {tags:?}")
            };
            return Err(Error::Vary(vary::Error::Phrase { problem: what }));
        }
        let sources = CorpusSources::new(corpus);
        let mut gathered = Gathered::default();
        for (info, spans) in spans.iter().filter(|(_, spans)| !spans.is_empty()) {
            let of_actor = |actor: usize| sources.example(&SourceRef { take: info.name.clone(), actor });
            let examples = (0..info.actors.len()).map(of_actor).collect::<Result<Vec<_>, _>>()?;
            let names = info.actors.iter().map(|actor| actor.name.clone()).collect();
            gathered.add(&info.name, names, examples, spans)?;
        }
        gathered.done()
    }
}

/// The frames of a take that have one of some tags, in their order; what overlaps is one.
fn tagged(corpus: &Corpus, take: TakeId, tags: &[String]) -> corpus::Result<Vec<Range<usize>>> {
    let said = corpus.annotations(take)?.into_iter().filter_map(|annotation| match annotation.what {
        Said::Tag(Tag { name, start, end }) if tags.contains(&name) => Some(start..end),
        _ => None,
    });
    let mut spans: Vec<Range<usize>> = said.collect();
    spans.sort_by_key(|span| (span.start, span.end));
    spans.dedup_by(|next, before| {
        let overlaps = next.start <= before.end;
        if overlaps {
            before.end = before.end.max(next.end);
        }
        overlaps
    });
    Ok(spans)
}

/// What was gathered so far.
#[derive(Default)]
struct Gathered {
    phrases: Vec<Phrase>,
    sources: BTreeMap<SourceRef, Example>,
    /// The rate and the actors of the first take.
    first: Option<(f64, Vec<String>)>,
}

impl Gathered {
    /// Adds spans of a take, which must fit the takes before. A take whose name is taken gets a number behind it.
    fn add(
        &mut self,
        name: &str,
        actors: Vec<String>,
        examples: Vec<Example>,
        spans: &[Range<usize>],
    ) -> Result<(), Error> {
        let Some(leader) = examples.first() else { return Ok(()) };
        let rate_hz = leader.clip.rate_hz();
        let (wanted_hz, wanted) = self.first.get_or_insert_with(|| (rate_hz, actors.clone()));
        let unfit = |problem: String| Err(Error::Vary(vary::Error::Phrase { problem }));
        if *wanted_hz != rate_hz {
            return unfit(format!("{name:?} has {rate_hz} frames a second, the first take {wanted_hz}"));
        }
        if wanted.len() != actors.len() {
            return unfit(format!("{name:?} has {} actors, the first take {}", actors.len(), wanted.len()));
        }
        let is_taken = |name: &str| self.sources.keys().any(|source| source.take == name);
        let numbers = (2..).map(|number| format!("{name}-{number}"));
        let take = std::iter::once(name.to_owned()).chain(numbers).find(|name| !is_taken(name));
        let take = take.unwrap_or_else(|| name.to_owned());
        let track: std::sync::Arc<[Ground]> = leader.clip.ground_track().frames.into();
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

    fn done(self) -> Result<Phrases, Error> {
        let nothing = vary::Error::Phrase { problem: "there are no takes".into() };
        let (rate_hz, actors) = self.first.ok_or(Error::Vary(nothing))?;
        Ok(Phrases { dance: Dance { phrases: self.phrases, rate_hz, actors }, sources: self.sources })
    }
}
