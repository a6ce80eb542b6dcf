//! Recordings of two people in a corpus, and their labels.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::{
    DuetError, LabelledMovement, Labelling, MovementStructure, PersonMovements, RecordedPair, RecordedPerson,
};
use crate::corpus::{Corpus, Maker, Segment, Span, TakeInfo};
use crate::example_bodies::{BodyTally, is_other_body, report_retargeted};
use crate::example_selection::{longest_group, readable, report_left_out};
use crate::motion::{Actor, Contact, Contacts, Observer, Place, Report, Skeleton, Take};
use crate::sources::{SourceSettings, examples_on};
use crate::usable_frames::{no_usable_frames, report_unusable, usable_stretches};
use crate::{Context, Error, codes};

/// The shortest stretch between unusable frames that is a recording, in seconds: a movement takes about half a second, and needs
/// one before and after it.
const LEAST_RECORDING_SECS: f64 = 1.5;

/// Recordings of two people.
#[derive(Debug, Clone)]
pub struct DuetRecordings {
    /// The recordings; at least one. A take with unusable frames has one for each stretch of usable ones.
    pub pairs: Vec<RecordedPair>,
    /// Where each recording is in the corpus.
    pub stretches: Vec<RecordedStretch>,
    /// Takes, frames and labels that were left out.
    pub report: Report,
}

/// Frames of a take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedStretch {
    /// Name of the take.
    pub take: String,
    /// The frames.
    pub frames: Range<usize>,
}

/// The method that labels are attributed to.
fn maker() -> Maker {
    Maker::method("duet")
}

impl DuetRecordings {
    /// Reads takes by name or `#` and number, or all takes of two people if none is named. Both people are put on the bodies that the
    /// context asks for, or else each on the body that lasts longest among the first or second people. Takes with another frame rate than
    /// most of the motion, and unusable frames, are left out. All is reported.
    ///
    /// Each take is moved onto the floor that was detected in it. Foot contacts are taken from annotations, or detected if
    /// there are none.
    pub fn read(corpus: &Corpus, takes: &[String], context: &Context<'_>) -> Result<Self, Error> {
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
            let both = [0, 1].map(|person| corpus.skeleton(info.id, person).ok());
            for (tally, skeleton) in tallies.iter_mut().zip(&both) {
                skeleton.iter().for_each(|skeleton| tally.add(skeleton, info.duration_secs()));
            }
            skeletons.push(both);
        }
        let named = |person: usize| {
            infos.first()?.actors.get(person).and_then(|actor| context.bodies().of(&actor.name))
        };
        let [first, second] = &tallies;
        let bodies = [named(0).or(first.longest()), named(1).or(second.longest())];
        let pairs = infos.into_iter().zip(skeletons).map(|(info, skeletons)| {
            let is_retargeted =
                skeletons.iter().zip(bodies).any(|(own, body)| is_other_body(own.as_ref(), body));
            let pairs = read_pairs(corpus, &info, bodies, context.observer());
            (info.name.clone(), pairs.map(|pairs| (info, pairs, is_retargeted)))
        });
        let read = readable(pairs, context, &mut report)?;
        if read.is_empty() {
            return Err(DuetError::People { found: most_people }.into());
        }
        let retargeted = read.iter().filter(|(.., is_retargeted)| *is_retargeted).count();
        report_retargeted(retargeted, read.len(), &mut report);
        let takes = read.len();
        let (mut stretches, mut pairs) = (Vec::new(), Vec::new());
        for (info, found, _) in read {
            let frames: Vec<Range<usize>> = found.iter().map(|(frames, _)| frames.clone()).collect();
            report_unusable(&info.name, info.frames, &frames, &mut report);
            for (frames, pair) in found {
                stretches.push(RecordedStretch { take: info.name.clone(), frames });
                pairs.push(pair);
            }
        }
        if pairs.is_empty() {
            return Err(no_usable_frames(takes));
        }
        Ok(Self { pairs, stretches, report })
    }

    /// The people of the first recording.
    pub(super) fn people(&self) -> impl Iterator<Item = &RecordedPerson> {
        self.pairs.first().into_iter().flat_map(|pair| &pair.people)
    }

    /// Names of the takes, without repetitions.
    pub fn takes(&self) -> Vec<String> {
        let mut names: Vec<String> = self.stretches.iter().map(|stretch| stretch.take.clone()).collect();
        names.dedup();
        names
    }

    /// Reads takes of the context's corpus, which is locked only while it reads.
    pub(super) fn from_context(context: &Context<'_>, takes: &[String]) -> Result<Self, Error> {
        let corpus = context.corpus()?;
        Self::read(&corpus, takes, context)
    }

    /// Returns the name of a group that nobody has renamed.
    pub fn group_name(group: usize) -> String {
        format!("movement {}", group + 1)
    }

    /// Stores labels in the corpus as segments, one for each movement, named after its group. Replaces earlier labels of this
    /// method; segments that a person has changed stay.
    pub fn store_labels(&self, corpus: &mut Corpus, labels: &Labelling) -> Result<(), Error> {
        for name in self.takes() {
            let mut spans = Vec::new();
            for (actor, movements) in labels.people.iter().enumerate() {
                spans.extend(movements.all.iter().filter_map(|movement| {
                    let stretch = self.stretches.get(movement.pair).filter(|stretch| stretch.take == name)?;
                    Some(Span {
                        start: stretch.frames.start + movement.frames.start,
                        end: stretch.frames.start + movement.frames.end,
                        actor: Some(actor),
                        name: Self::group_name(movement.group),
                    })
                }));
            }
            let take = corpus.find(&name)?;
            corpus.cut(take, &spans, &maker())?;
        }
        Ok(())
    }

    /// Returns the labels in the corpus, as found or as changed by a person; `None` if a person has no movements. Segments with the
    /// same name form a group. Those with unusable frames are left out and reported.
    pub fn labels(&mut self, corpus: &Corpus) -> Result<Option<Labelling>, Error> {
        let mut unusable = 0;
        let mut movements_of = |person: usize| -> Result<Option<PersonMovements>, Error> {
            let (mut all, mut groups) = (Vec::new(), BTreeMap::<String, usize>::new());
            for name in self.takes() {
                let segments = corpus.segments_of(corpus.find(&name)?)?;
                for segment in segments.into_iter().filter(|segment| is_movement(segment, person)) {
                    let Some((pair, frames)) = self.locate(&name, &segment.frames) else {
                        unusable += 1;
                        continue;
                    };
                    let next = groups.len();
                    let group = *groups.entry(segment.name).or_insert(next);
                    let Some(recorded) = self.pairs.get(pair) else { continue };
                    let structure = MovementStructure::new(recorded, person, &frames);
                    all.push(LabelledMovement { pair, frames, group, structure });
                }
            }
            let (movements, groups) = (all.len(), groups.len());
            let fitness = movements as f64 / groups.max(1) as f64;
            let found = PersonMovements { all, groups, fitness, cut_points: movements + 1, iterations: 0 };
            Ok((movements > 0).then_some(found))
        };
        let (first, second) = (movements_of(0)?, movements_of(1)?);
        self.report.warn_many(&codes::UNUSABLE_SEGMENT, Place::default(), unusable, "labelled movements");
        Ok(first.zip(second).map(|(first, second)| Labelling { people: [first, second] }))
    }

    /// The recording that has all of some frames of a take, and its own numbers of them.
    fn locate(&self, take: &str, frames: &Range<usize>) -> Option<(usize, Range<usize>)> {
        let has_all = |stretch: &RecordedStretch| {
            stretch.take == take && stretch.frames.start <= frames.start && frames.end <= stretch.frames.end
        };
        let (number, stretch) = self.stretches.iter().enumerate().find(|(_, stretch)| has_all(stretch))?;
        let start = stretch.frames.start;
        Some((number, frames.start - start..frames.end - start))
    }
}

/// Returns whether a segment is a movement of a person, found or made by hand.
fn is_movement(segment: &Segment, person: usize) -> bool {
    segment.actor == Some(person) && (segment.maker == maker() || segment.maker == Maker::Person)
}

/// Reads a take on bodies and on its floor, with its foot contacts: each stretch of usable frames.
fn read_pairs(
    corpus: &Corpus,
    info: &TakeInfo,
    bodies: [Option<&Arc<Skeleton>>; 2],
    observer: Observer<'_>,
) -> Result<Vec<(Range<usize>, RecordedPair)>, Error> {
    let body = |actor: usize| bodies.get(actor).copied().flatten();
    let examples = examples_on(corpus, &info.name, &SourceSettings::default(), body, observer)?;
    let least = (LEAST_RECORDING_SECS * info.rate_hz).ceil() as usize;
    let mut pairs = Vec::new();
    for frames in usable_stretches(0..info.frames, &corpus.unusable(info.id)?, least) {
        let mut actors = Vec::new();
        for (actor, example) in info.actors.iter().zip(&examples) {
            actors.push(Actor { name: actor.name.clone(), clip: example.clip.slice(frames.clone())? });
        }
        let level = Take::new(&info.name, actors)?;
        let found = RecordedPair::from_take(&level)?;
        let mut people = Vec::new();
        for (actor, person) in found.people.iter().enumerate() {
            let annotated = within(&corpus.floor_contacts(info.id, actor)?, &frames)?;
            let contacts = if annotated.all().is_empty() { person.contacts.clone() } else { annotated };
            people.push((person.name.clone(), person.clip.clone(), contacts));
        }
        let people =
            <[_; 2]>::try_from(people).map_err(|people| DuetError::People { found: people.len() })?;
        pairs.push((frames, RecordedPair::new(&info.name, people)?));
    }
    Ok(pairs)
}

/// The contacts within some frames, numbered from the first of them.
fn within(contacts: &Contacts, frames: &Range<usize>) -> Result<Contacts, Error> {
    let inside = |contact: &Contact| {
        let (start, end) = (contact.frames.start.max(frames.start), contact.frames.end.min(frames.end));
        (start < end).then(|| Contact { frames: start - frames.start..end - frames.start, ..contact.clone() })
    };
    Ok(Contacts::new(contacts.all().iter().filter_map(inside).collect(), frames.len())?)
}
