//! A corpus as recordings of two people, what was labelled and learnt kept in it; and a stage on which they go on.

mod stage;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::corpus::{self, Corpus, Maker, Segment, Span, TakeId};
use crate::duet::{self, Labelled, Labelling, Model, Movements, Pair, Performance, Structure, kept_apart};
use crate::motion::{Actor, Code, Coded, Place, Take};
use crate::plan::SourceRef;
use crate::realise::{self, Example, Realised, Settings};
use crate::sources::seen;

pub use stage::{Doing, Stage};

/// Recordings of two people.
#[derive(Debug, Clone)]
pub struct Pairs {
    /// The takes' names, in order.
    pub names: Vec<String>,
    /// The recordings.
    pub pairs: Vec<Pair>,
}

/// A model as a corpus keeps it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trained {
    /// The takes it was trained on, in order.
    pub takes: Vec<String>,
    /// What was learnt.
    pub model: Model,
}

/// Why something could not be done with recordings of a corpus.
#[derive(Debug)]
pub enum Error {
    /// The corpus refused.
    Corpus(corpus::Error),
    /// A movement could not be realised.
    Realise(realise::Error),
    /// The recordings, labels or the model were refused.
    Duet(duet::Error),
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Corpus(error) => error.fmt(f),
            Error::Realise(error) => error.fmt(f),
            Error::Duet(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl Coded for Error {
    fn code(&self) -> &'static Code {
        match self {
            Error::Corpus(error) => error.code(),
            Error::Realise(error) => error.code(),
            Error::Duet(error) => error.code(),
        }
    }

    fn place(&self) -> Place {
        match self {
            Error::Corpus(error) => error.place(),
            Error::Realise(error) => error.place(),
            Error::Duet(error) => error.place(),
        }
    }
}

impl From<corpus::Error> for Error {
    fn from(error: corpus::Error) -> Self {
        Error::Corpus(error)
    }
}

impl From<realise::Error> for Error {
    fn from(error: realise::Error) -> Self {
        Error::Realise(error)
    }
}

impl From<duet::Error> for Error {
    fn from(error: duet::Error) -> Self {
        Error::Duet(error)
    }
}

/// Who labels movements.
fn maker() -> Maker {
    Maker::method("duet")
}

/// What a group is called, where nobody has called it anything else.
fn group_name(group: usize) -> String {
    format!("movement {}", group + 1)
}

impl Pairs {
    /// Takes of a corpus, by name or # and number; where none is named, all takes of two. Each is put on the floor that it was seen to
    /// rest on; when feet stand is as annotated, or else as seen.
    pub fn of_corpus(corpus: &Corpus, takes: &[String]) -> Result<Self, Error> {
        let infos = match takes {
            [] => corpus.takes()?.into_iter().filter(|info| info.actors.len() == 2).collect(),
            names => names
                .iter()
                .map(|name| corpus.info(corpus.find(name)?))
                .collect::<corpus::Result<Vec<_>>>()?,
        };
        let (mut names, mut pairs) = (Vec::new(), Vec::new());
        for info in infos {
            pairs.push(pair(corpus, info.id)?);
            names.push(info.name);
        }
        if pairs.is_empty() {
            let found = corpus.takes()?.iter().map(|info| info.actors.len()).max().unwrap_or(0);
            return Err(duet::Error::People { found }.into());
        }
        Ok(Self { names, pairs })
    }

    /// Writes labels into the corpus as segments, one for each movement, named after its group. Movements that were labelled before
    /// go; what a person has changed stays.
    pub fn write(&self, corpus: &mut Corpus, labels: &Labelling) -> Result<(), Error> {
        for (number, name) in self.names.iter().enumerate() {
            let mut spans = Vec::new();
            for (actor, movements) in labels.people.iter().enumerate() {
                let own = movements.all.iter().filter(|movement| movement.pair == number);
                spans.extend(own.map(|movement| Span {
                    start: movement.frames.start,
                    end: movement.frames.end,
                    actor: Some(actor),
                    name: group_name(movement.group),
                }));
            }
            let take = corpus.find(name)?;
            corpus.cut(take, &spans, &maker())?;
        }
        Ok(())
    }

    /// The labels of the corpus: movements as they were found, or as a person has changed them. A group is what has one name.
    /// `None` where somebody has no movements.
    pub fn read(&self, corpus: &Corpus) -> Result<Option<Labelling>, Error> {
        let one = |person: usize| -> Result<Option<Movements>, Error> {
            let (mut all, mut groups) = (Vec::new(), BTreeMap::<String, usize>::new());
            for (number, name) in self.names.iter().enumerate() {
                let segments = corpus.segments_of(corpus.find(name)?)?;
                for segment in segments.into_iter().filter(|segment| is_movement(segment, person)) {
                    let next = groups.len();
                    let group = *groups.entry(segment.name).or_insert(next);
                    let structure = Structure::of(&self.pairs[number], person, &segment.frames);
                    all.push(Labelled { pair: number, frames: segment.frames, group, structure });
                }
            }
            let (movements, groups) = (all.len(), groups.len());
            let fitness = movements as f64 / groups.max(1) as f64;
            let found = Movements { all, groups, fitness, instants: movements + 1, iterations: 0 };
            Ok((movements > 0).then_some(found))
        };
        Ok(one(0)?.zip(one(1)?).map(|(one, other)| Labelling { people: [one, other] }))
    }
}

/// A movement of somebody, found or made by hand.
fn is_movement(segment: &Segment, person: usize) -> bool {
    segment.actor == Some(person) && (segment.maker == maker() || segment.maker == Maker::Person)
}

fn pair(corpus: &Corpus, id: TakeId) -> Result<Pair, Error> {
    let take = corpus.take(id)?;
    let examples = seen(&take).map_err(corpus::Error::from)?;
    let actors = take.actors().iter().zip(&examples);
    let actors =
        actors.map(|(actor, example)| Actor { name: actor.name.clone(), clip: example.clip.clone() });
    let level = Take::new(take.name(), actors.collect()).map_err(corpus::Error::from)?;
    let found = Pair::of_take(&level)?;
    let mut told = Vec::new();
    for (actor, person) in found.people.iter().enumerate() {
        let said = corpus.floor_contacts(id, actor)?;
        let contacts = if said.all().is_empty() { person.contacts.clone() } else { said };
        told.push((person.name.clone(), person.clip.clone(), contacts));
    }
    let told = <[_; 2]>::try_from(told).map_err(|told| duet::Error::People { found: told.len() })?;
    Ok(Pair::new(take.name(), told)?)
}

/// How movements of a pair are made one: over a quarter of a second, as they are short; and feet that stand are kept standing.
pub fn passes() -> Settings {
    let usual = Settings::default();
    Settings { join: realise::join::Settings { window_secs: 0.25, ..usual.join }, ..usual }
}

/// A run as motion.
pub fn realised(performance: &Performance) -> Result<Realised, Error> {
    realised_by(performance, &passes())
}

/// A run as motion, joined and planted as settings say.
pub fn realised_by(performance: &Performance, settings: &Settings) -> Result<Realised, Error> {
    let sources: BTreeMap<SourceRef, Example> = performance
        .movements
        .iter()
        .map(|(source, clip, contacts)| {
            let example = Example { clip: clip.clone(), contacts: contacts.clone(), holds: Vec::new() };
            (source.clone(), example)
        })
        .collect();
    let made = realise::realise(&performance.plan, &sources, settings)?;
    // A couple holds each other.
    if performance.in_unison {
        return Ok(made);
    }
    Ok(Realised { take: kept_apart(&made.take, &made.contacts)?, ..made })
}
