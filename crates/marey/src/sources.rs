//! A corpus as the keeper of the examples that plans name.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::corpus::{self, Corpus, Said, TakeId, TakeInfo, Touch, Touched};
use crate::measure::card::Habits;
use crate::motion::{Clip, Coded, Role, Take};
use crate::ops;
use crate::ops::contacts::{self, Detected};
use crate::plan::{Plan, SourceRef};
use crate::realise::constrain::{self, Hold};
use crate::realise::{Error, Example, Result, Sources};

/// Gives the takes of a corpus to [`realise`](crate::realise), each read once, when it is first asked for.
///
/// A take is meant by its name, or by `#` and its number. When its feet stand and its hands hold is as annotated in the
/// corpus, whether by a person or a method; of an actor without annotations, as seen in the motion. Every take is put on the
/// floor it was seen to rest on, since rooms differ in where they count heights from.
///
/// ```
/// use marey::corpus::{Corpus, Provenance};
/// use marey::examples::walk::{WalkSettings, walk};
/// use marey::plan::SourceRef;
/// use marey::realise::Sources;
/// use marey::sources::CorpusSources;
/// # let folder = std::env::temp_dir().join(format!("marey-sources-doc-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let path = folder.join("walks.marey");
/// let mut corpus = Corpus::create(&path)?;
/// let walk = walk(&WalkSettings { duration_secs: 6.0, ..WalkSettings::default() })?;
/// corpus.add(&walk.take, &Provenance::default())?;
/// let sources = CorpusSources::new(corpus);
/// let example = sources.example(&SourceRef { take: "walk".into(), actor: 0 })?;
/// assert_eq!(example.clip.frames(), 360);
/// assert!(!example.contacts.all().is_empty());
/// assert!(sources.example(&SourceRef { take: "run".into(), actor: 0 }).is_err());
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CorpusSources {
    open: Mutex<Open>,
}

/// The corpus, and the actors of the takes that were read, by the name they were asked for by.
#[derive(Debug)]
struct Open {
    corpus: Corpus,
    read: BTreeMap<String, Vec<Example>>,
}

impl CorpusSources {
    /// The takes of a corpus.
    pub fn new(corpus: Corpus) -> Self {
        Self { open: Mutex::new(Open { corpus, read: BTreeMap::new() }) }
    }

    /// Every take of the corpus.
    pub fn takes(&self) -> corpus::Result<Vec<TakeInfo>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).corpus.takes()
    }

    /// What the examples are like that one actor of a plan uses, at the plan's rate.
    pub fn habits(&self, plan: &Plan, actor: usize) -> Result<Habits> {
        let placements = plan.actors.get(actor).map_or(&[][..], |actor| &actor.placements);
        let mut sources: Vec<&SourceRef> = placements.iter().map(|placement| &placement.source).collect();
        sources.sort();
        sources.dedup();
        let at_rate = |source: &SourceRef| Ok(at_rate(self.example(source)?.clip, plan.rate_hz)?);
        Ok(Habits::learn(&sources.into_iter().map(at_rate).collect::<Result<Vec<Clip>>>()?))
    }
}

/// A clip at a rate; as it is where it has it.
fn at_rate(clip: Clip, rate_hz: f64) -> crate::motion::Result<Clip> {
    if clip.rate_hz() == rate_hz { Ok(clip) } else { clip.resampled(rate_hz) }
}

impl Sources for CorpusSources {
    fn example(&self, source: &SourceRef) -> Result<Example> {
        // Nothing is changed half-way: what another thread left is whole.
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let unknown = || Error::UnknownSource { source_ref: source.clone() };
        if !open.read.contains_key(&source.take) {
            let examples = examples(&open.corpus, &source.take).map_err(|error| {
                if error.code().id == corpus::codes::NO_TAKE.id {
                    return unknown();
                }
                Error::Unreadable { source_ref: source.clone(), message: error.to_string() }
            })?;
            open.read.insert(source.take.clone(), examples);
        }
        let example = open.read.get(&source.take).and_then(|actors| actors.get(source.actor));
        example.cloned().ok_or_else(unknown)
    }
}

/// Every actor of a take, with what is seen in its motion: when feet stand and hands hold. The take is put on the floor that
/// it was seen to rest on.
pub fn seen(take: &Take) -> ops::Result<Vec<Example>> {
    let found = take
        .actors()
        .iter()
        .map(|actor| contacts::detect(&actor.clip, &contacts::Settings::default()))
        .collect::<ops::Result<Vec<Detected>>>()?;
    let floors = found.iter().filter(|found| found.floor.support > 0.0).map(|found| found.floor.height_m);
    let floor_m = floors.reduce(f32::min).unwrap_or(0.0);
    let mut examples = Vec::new();
    for (number, (actor, found)) in take.actors().iter().zip(found).enumerate() {
        let clip = actor.clip.lifted(-floor_m)?;
        examples.push(Example { clip, contacts: found.contacts, holds: constrain::held(take, number) });
    }
    Ok(examples)
}

/// Every actor of a take, with what is known of it: as annotated, or else as seen.
fn examples(corpus: &Corpus, name: &str) -> corpus::Result<Vec<Example>> {
    let id = corpus.find(name)?;
    let take = corpus.take(id)?;
    let said = touches_of_hands(corpus, id)?;
    let mut examples = seen(&take)?;
    for (actor, example) in examples.iter_mut().enumerate() {
        let told = corpus.floor_contacts(id, actor)?;
        if !told.all().is_empty() {
            example.contacts = told;
        }
        if !said.is_empty() {
            example.holds = holds_of(&take, actor, &said);
        }
    }
    Ok(examples)
}

const HANDS: [Role; 2] = [Role::LeftHand, Role::RightHand];

/// What was said about hands on hands, with the part and the number of the other.
fn touches_of_hands(corpus: &Corpus, take: TakeId) -> corpus::Result<Vec<(Touch, usize, Role)>> {
    let hands = corpus.annotations(take)?.into_iter().filter_map(|annotation| match annotation.what {
        Said::Contact(touch) => match touch.on {
            Touched::Actor { actor, role } if HANDS.contains(&role) && HANDS.contains(&touch.role) => {
                Some((touch, actor, role))
            }
            _ => None,
        },
        _ => None,
    });
    Ok(hands.collect())
}

/// The holds of an actor as they were said, at the distance that the hands keep on average. A hand that the body does not
/// have holds nothing.
fn holds_of(take: &Take, actor: usize, said: &[(Touch, usize, Role)]) -> Vec<Hold> {
    let path = |actor: usize, role: Role| take.actors().get(actor)?.clip.points(&[role]).ok();
    let hold = |(touch, with_actor, with_role): &(Touch, usize, Role)| {
        let (one, other) = (path(actor, touch.role)?, path(*with_actor, *with_role)?);
        let pairs = one.flat().iter().zip(other.flat()).take(touch.end).skip(touch.start);
        let apart: Vec<f32> = pairs.map(|(one, other)| one.distance(*other)).collect();
        Some(Hold {
            role: touch.role,
            with_actor: *with_actor,
            with_role: *with_role,
            frames: touch.frames(),
            gap_m: apart.iter().sum::<f32>() / apart.len().max(1) as f32,
        })
    };
    said.iter().filter(|(touch, ..)| touch.actor == actor).filter_map(hold).collect()
}
