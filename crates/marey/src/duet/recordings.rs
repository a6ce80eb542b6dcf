//! Recordings of two people in a corpus, and their labels.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{DuetError, LabelledMovement, Labelling, MovementStructure, PersonMovements, RecordedPair};
use crate::bodies::{BodyTally, report_retargeted};
use crate::corpus::{Corpus, Maker, Segment, Span, TakeInfo};
use crate::example_selection::{longest_group, readable, report_left_out};
use crate::motion::{Actor, Report, Skeleton, Take};
use crate::sources::{SourceSettings, examples_on};
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
    /// Reads takes by name or `#` and number, or all takes of two people if none is named. Both people are put on the `asked`
    /// body, or else each on the body that lasts longest among the first or second people. Takes with another frame rate than
    /// most of the motion are left out. Both are reported.
    ///
    /// Each take is moved onto the floor that was detected in it. Foot contacts are taken from annotations, or detected if
    /// there are none.
    pub fn read(corpus: &Corpus, takes: &[String], asked: Option<&Arc<Skeleton>>) -> Result<Self, Error> {
        let mut infos = corpus.select(takes)?;
        let most_people = infos.iter().map(|info| info.actors.len()).max().unwrap_or(0);
        infos.retain(|info| info.actors.len() == 2 || !takes.is_empty());
        let mut report = Report::default();
        let (infos, left_out) =
            longest_group(infos, TakeInfo::duration_secs, |one, other| one.rate_hz == other.rate_hz);
        report_left_out(left_out.iter().map(|info| info.name.as_str()), infos.len(), &mut report);
        let mut tallies = [BodyTally::default(), BodyTally::default()];
        let mut skeletons = Vec::new();
        for info in &infos {
            // A skeleton that cannot be read is reported with its take.
            let both = [0, 1].map(|person| corpus.skeleton(info.id, person).ok().map(Arc::new));
            for (tally, skeleton) in tallies.iter_mut().zip(&both) {
                skeleton.iter().for_each(|skeleton| tally.add(skeleton, info.duration_secs()));
            }
            skeletons.push(both);
        }
        let bodies = tallies.each_ref().map(|tally| asked.or(tally.longest()));
        let pairs = infos.into_iter().zip(skeletons).map(|(info, skeletons)| {
            let is_retargeted = skeletons.iter().zip(bodies).any(|(own, body)| own.as_ref() != body);
            let pair = read_pair(corpus, &info, bodies);
            (info.name.clone(), pair.map(|pair| (info.name, pair, is_retargeted)))
        });
        let pairs = readable(pairs, &mut report)?;
        report_retargeted(
            pairs.iter().filter(|(.., is_retargeted)| *is_retargeted).count(),
            pairs.len(),
            &mut report,
        );
        if pairs.is_empty() {
            return Err(DuetError::People { found: most_people }.into());
        }
        let (takes, pairs) = pairs.into_iter().map(|(name, pair, _)| (name, pair)).unzip();
        Ok(Self { takes, pairs, report })
    }

    /// Reads takes of the context's corpus, which is locked only while it reads.
    pub(super) fn from_context(context: &Context<'_>, takes: &[String]) -> Result<Self, Error> {
        let corpus = context.corpus()?;
        Self::read(&corpus, takes, context.body())
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

/// Reads a take on bodies and on its floor, with its foot contacts.
fn read_pair(
    corpus: &Corpus,
    info: &TakeInfo,
    bodies: [Option<&Arc<Skeleton>>; 2],
) -> Result<RecordedPair, Error> {
    let body = |actor: usize| bodies.get(actor).copied().flatten();
    let examples = examples_on(corpus, &info.name, &SourceSettings::default(), body)?;
    let actors = info.actors.iter().zip(&examples);
    let actors =
        actors.map(|(actor, example)| Actor { name: actor.name.clone(), clip: example.clip.clone() });
    let level = Take::new(&info.name, actors.collect())?;
    let found = RecordedPair::from_take(&level)?;
    let mut people = Vec::new();
    for (actor, person) in found.people.iter().enumerate() {
        let annotated = corpus.floor_contacts(info.id, actor)?;
        let contacts = if annotated.all().is_empty() { person.contacts.clone() } else { annotated };
        people.push((person.name.clone(), person.clip.clone(), contacts));
    }
    let people = <[_; 2]>::try_from(people).map_err(|people| DuetError::People { found: people.len() })?;
    Ok(RecordedPair::new(&info.name, people)?)
}
