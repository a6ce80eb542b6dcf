//! Recordings of two people in a corpus, and their labels.

use std::collections::BTreeMap;

use super::{DuetError, LabelledMovement, Labelling, MovementStructure, PersonMovements, RecordedPair};
use crate::corpus::{Corpus, Maker, Segment, Span, TakeId};
use crate::example_selection::{longest_group, readable, report_left_out};
use crate::motion::{Actor, Report, Take};
use crate::sources::seen;
use crate::{Context, Error};

/// Recordings of two people.
#[derive(Debug, Clone)]
pub struct DuetRecordings {
    /// Names of the takes.
    pub takes: Vec<String>,
    /// The recordings, in the same order; at least one.
    pub pairs: Vec<RecordedPair>,
    /// Takes that were left out.
    pub report: Report,
}

/// The method that labels are attributed to.
fn maker() -> Maker {
    Maker::method("duet")
}

impl DuetRecordings {
    /// Reads takes by name or `#` and number, or all takes of two people if none is named. Takes of other people than those of most
    /// of the motion are left out and reported.
    ///
    /// Each take is moved onto the floor that was detected in it. Foot contacts are taken from annotations, or detected if
    /// there are none.
    pub fn read(corpus: &Corpus, takes: &[String]) -> Result<Self, Error> {
        let mut infos = corpus.select(takes)?;
        let most_people = infos.iter().map(|info| info.actors.len()).max().unwrap_or(0);
        infos.retain(|info| info.actors.len() == 2 || !takes.is_empty());
        let mut report = Report::default();
        let pairs = infos.into_iter().map(|info| {
            let pair = read_pair(corpus, info.id).map(|pair| (info.name.clone(), pair));
            (info.name, pair)
        });
        let pairs = readable(pairs, &mut report)?;
        let (pairs, left_out) = longest_group(
            pairs,
            |(_, pair)| duration_secs(pair),
            |(_, one), (_, other)| same_people(one, other),
        );
        report_left_out(left_out.iter().map(|(name, _)| name.as_str()), pairs.len(), &mut report);
        if pairs.is_empty() {
            return Err(DuetError::People { found: most_people }.into());
        }
        let (takes, pairs) = pairs.into_iter().unzip();
        Ok(Self { takes, pairs, report })
    }

    /// Reads takes of the context's corpus, which is locked only while it reads.
    pub(super) fn from_context(context: &Context<'_>, takes: &[String]) -> Result<Self, Error> {
        let corpus = context.corpus()?;
        Self::read(&corpus, takes)
    }

    /// Returns the name of a group that nobody has renamed.
    pub fn group_name(group: usize) -> String {
        format!("movement {}", group + 1)
    }

    /// Stores labels in the corpus as segments, one for each movement, named after its group. Replaces earlier labels of this
    /// method; segments that a person has changed stay.
    pub fn store_labels(&self, corpus: &mut Corpus, labels: &Labelling) -> Result<(), Error> {
        for (number, name) in self.takes.iter().enumerate() {
            let mut spans = Vec::new();
            for (actor, movements) in labels.people.iter().enumerate() {
                let own = movements.all.iter().filter(|movement| movement.pair == number);
                spans.extend(own.map(|movement| Span {
                    start: movement.frames.start,
                    end: movement.frames.end,
                    actor: Some(actor),
                    name: Self::group_name(movement.group),
                }));
            }
            let take = corpus.find(name)?;
            corpus.cut(take, &spans, &maker())?;
        }
        Ok(())
    }

    /// Returns the labels in the corpus, as found or as changed by a person; `None` if a person has no movements. Segments with the
    /// same name form a group.
    pub fn labels(&self, corpus: &Corpus) -> Result<Option<Labelling>, Error> {
        let movements_of = |person: usize| -> Result<Option<PersonMovements>, Error> {
            let (mut all, mut groups) = (Vec::new(), BTreeMap::<String, usize>::new());
            for (number, name) in self.takes.iter().enumerate() {
                let segments = corpus.segments_of(corpus.find(name)?)?;
                for segment in segments.into_iter().filter(|segment| is_movement(segment, person)) {
                    let next = groups.len();
                    let group = *groups.entry(segment.name).or_insert(next);
                    let structure = MovementStructure::new(&self.pairs[number], person, &segment.frames);
                    all.push(LabelledMovement { pair: number, frames: segment.frames, group, structure });
                }
            }
            let (movements, groups) = (all.len(), groups.len());
            let fitness = movements as f64 / groups.max(1) as f64;
            let found = PersonMovements { all, groups, fitness, cut_points: movements + 1, iterations: 0 };
            Ok((movements > 0).then_some(found))
        };
        Ok(movements_of(0)?
            .zip(movements_of(1)?)
            .map(|(first, second)| Labelling { people: [first, second] }))
    }
}

/// Returns whether a segment is a movement of a person, found or made by hand.
fn is_movement(segment: &Segment, person: usize) -> bool {
    segment.actor == Some(person) && (segment.maker == maker() || segment.maker == Maker::Person)
}

fn duration_secs(pair: &RecordedPair) -> f64 {
    pair.people[0].clip.duration_secs()
}

/// Whether two recordings show the same two bodies at the same frame rate.
fn same_people(one: &RecordedPair, other: &RecordedPair) -> bool {
    one.people.iter().zip(&other.people).all(|(one, other)| {
        one.clip.skeleton() == other.clip.skeleton() && one.clip.rate_hz() == other.clip.rate_hz()
    })
}

/// Reads a take, on its floor, with its foot contacts.
fn read_pair(corpus: &Corpus, id: TakeId) -> Result<RecordedPair, Error> {
    let take = corpus.take(id)?;
    let examples = seen(&take)?;
    let actors = take.actors().iter().zip(&examples);
    let actors =
        actors.map(|(actor, example)| Actor { name: actor.name.clone(), clip: example.clip.clone() });
    let level = Take::new(take.name(), actors.collect())?;
    let found = RecordedPair::from_take(&level)?;
    let mut people = Vec::new();
    for (actor, person) in found.people.iter().enumerate() {
        let annotated = corpus.floor_contacts(id, actor)?;
        let contacts = if annotated.all().is_empty() { person.contacts.clone() } else { annotated };
        people.push((person.name.clone(), person.clip.clone(), contacts));
    }
    let people = <[_; 2]>::try_from(people).map_err(|people| DuetError::People { found: people.len() })?;
    Ok(RecordedPair::new(take.name(), people)?)
}
