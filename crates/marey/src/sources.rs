//! Takes of a corpus as sources of plans.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::bodies::check_likeness;
use crate::corpus::{self, AnnotationContent, ContactInterval, ContactTarget, Corpus, TakeId, TakeInfo};
use crate::measure::card::BaselineStatistics;
use crate::motion::{Clip, Coded, Observer, Role, Skeleton, Take};
use crate::ops;
use crate::ops::contacts::ContactSettings;
use crate::plan::{Plan, SourceRef};
use crate::realise::constrain::Hold;
use crate::realise::{PlanSources, RealiseError, SourceClip, Sources};
use crate::take_observation::TakeObservation;
use crate::{Context, Error};

/// The takes of a context's corpus as sources of plans. Each take is read once, when a plan first names it.
///
/// A plan names a take by its name, or by `#` and its number. Contacts and holds are as annotated in the corpus; those of
/// an actor without annotations are detected. Every take is moved onto the floor that it stands on, because captures
/// differ in where they measure heights from. Takes of other bodies than the plan's are retargeted.
///
/// ```
/// use marey::Context;
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
/// let sources = CorpusSources::new(&Context::with_corpus(corpus));
/// let source = sources.source_clip(&SourceRef { take: "walk".into(), actor: 0 })?;
/// assert_eq!(source.clip.frames(), 360);
/// assert!(!source.contacts.all().is_empty());
/// assert!(sources.source_clip(&SourceRef { take: "run".into(), actor: 0 }).is_err());
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CorpusSources<'a> {
    context: Context<'a>,
    /// The plan whose bodies the sources have.
    plan: Option<&'a Plan>,
    /// The actors of each take that was read, by the name that a plan used.
    takes: Mutex<BTreeMap<String, Vec<SourceClip>>>,
}

impl<'a> CorpusSources<'a> {
    /// The takes of a context's corpus; no takes if it has none.
    pub fn new(context: &Context<'a>) -> Self {
        Self { context: context.clone(), plan: None, takes: Mutex::default() }
    }

    /// The same sources on the bodies that a plan was made for.
    pub fn on_bodies_of(self, plan: &'a Plan) -> Self {
        Self { plan: Some(plan), ..self }
    }

    /// Every take of the corpus.
    pub fn takes(&self) -> Result<Vec<TakeInfo>, Error> {
        if !self.context.has_corpus() {
            return Ok(Vec::new());
        }
        Ok(self.context.corpus()?.takes()?)
    }

    /// Statistics of the sources that one actor of a plan uses, at the plan's rate.
    pub fn baseline(&self, plan: &Plan, actor: usize) -> Result<BaselineStatistics, RealiseError> {
        let placements = plan.actors.get(actor).map_or(&[] as &[_], |actor| &actor.placements);
        let mut used: Vec<&SourceRef> = placements.iter().map(|placement| &placement.source).collect();
        used.sort();
        used.dedup();
        let sources = PlanSources::new(plan, self);
        let clip = |source: &SourceRef| Ok(at_rate(sources.source_clip(source)?.clip, plan.rate_hz)?);
        let clips = used.into_iter().map(clip).collect::<Result<Vec<Clip>, RealiseError>>()?;
        Ok(BaselineStatistics::learn(&clips))
    }
}

/// A clip at a rate; as it is where it has it.
fn at_rate(clip: Clip, rate_hz: f64) -> Result<Clip, crate::motion::MotionError> {
    if clip.rate_hz() == rate_hz { Ok(clip) } else { clip.resampled(rate_hz) }
}

impl Sources for CorpusSources<'_> {
    fn source_clip(&self, source: &SourceRef) -> Result<SourceClip, RealiseError> {
        let unknown = || RealiseError::UnknownSource { source_ref: source.clone() };
        // A panic elsewhere leaves the map whole.
        let mut takes = self.takes.lock().unwrap_or_else(PoisonError::into_inner);
        if !takes.contains_key(&source.take) {
            let corpus = self.context.corpus().map_err(|_| unknown())?;
            let body = |actor: usize| self.plan?.body_of_source(&SourceRef { actor, ..source.clone() });
            let read =
                examples_on(&corpus, &source.take, &SourceSettings::default(), body, self.context.observer());
            let actors = read.map_err(|error| {
                if error.code().id.ends_with("/cancelled") {
                    return RealiseError::Cancelled { frame: 0, frames: 0 };
                }
                if error.code().id == corpus::codes::NO_TAKE.id {
                    return unknown();
                }
                RealiseError::Unreadable { source_ref: source.clone(), message: error.to_string() }
            })?;
            takes.insert(source.take.clone(), actors);
        }
        let found = takes.get(&source.take).and_then(|actors| actors.get(source.actor));
        found.cloned().ok_or_else(unknown)
    }
}

/// How a take becomes source clips.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SourceSettings {
    /// How contacts are detected in actors that have no annotated ones.
    pub contacts: ContactSettings,
    /// Whether the take is moved vertically so that its floor is at height 0.
    pub move_to_floor: bool,
}

impl Default for SourceSettings {
    fn default() -> Self {
        Self { contacts: ContactSettings::default(), move_to_floor: true }
    }
}

impl SourceSettings {
    /// For takes on uneven ground: foot plants may be several steps above each other, and there is no single floor.
    pub fn uneven_ground() -> Self {
        let contacts = ContactSettings { uneven_m: 0.4, floor_range_m: 5.0, ..ContactSettings::default() };
        Self { contacts, move_to_floor: false }
    }
}

/// Every actor of a take, with what is seen in its motion: when feet stand and hands hold. The take is put on the floor that
/// it was seen to rest on.
pub fn seen(take: &Take, observer: Observer<'_>) -> Result<Vec<SourceClip>, ops::OpsError> {
    on_floor(take, &TakeObservation::of(take, &SourceSettings::default(), observer)?)
}

/// Every actor of a take of a corpus. Annotated contacts and holds take precedence over detected ones.
#[cfg(any(feature = "follow", feature = "tween"))]
pub(crate) fn examples(
    corpus: &Corpus,
    name: &str,
    observer: Observer<'_>,
) -> Result<Vec<SourceClip>, corpus::CorpusError> {
    examples_on(corpus, name, &SourceSettings::default(), |_| None, observer)
}

/// [`examples`] with settings, each actor on the body that `body` returns for its index, or else on its own.
pub(crate) fn examples_on<'b>(
    corpus: &Corpus,
    name: &str,
    settings: &SourceSettings,
    body: impl Fn(usize) -> Option<&'b Arc<Skeleton>>,
    observer: Observer<'_>,
) -> Result<Vec<SourceClip>, corpus::CorpusError> {
    let info = corpus.info(corpus.find(name)?)?;
    let take = corpus.take(info.id)?;
    let observed = TakeObservation::kept(corpus, &info, settings, observer, || Ok(take.clone()))?;
    let holds = holds(corpus, &info, &observed, || Ok(take.clone()))?;
    let mut actors = on_floor(&take, &observed)?;
    for (actor, (example, holds)) in actors.iter_mut().zip(holds).enumerate() {
        let told = corpus.floor_contacts(info.id, actor)?;
        if !told.all().is_empty() {
            example.contacts = told;
        }
        example.holds = holds;
        if let Some(body) = body(actor).filter(|body| *body != example.clip.skeleton()) {
            check_likeness(example.clip.skeleton(), body)?;
            example.clip = corpus.retargeted(&info, actor, body, observer)?.lifted(-observed.floor_m)?;
        }
    }
    Ok(actors)
}

/// The holds of each actor of a take: as they were said, or else as they were detected. `read` returns the take.
pub(crate) fn holds(
    corpus: &Corpus,
    info: &TakeInfo,
    observed: &TakeObservation,
    read: impl Fn() -> Result<Take, corpus::CorpusError>,
) -> Result<Vec<Vec<Hold>>, corpus::CorpusError> {
    let said = touches_of_hands(corpus, info.id)?;
    if said.is_empty() {
        return Ok(observed.actors.iter().map(|actor| actor.holds.clone()).collect());
    }
    let take = read()?;
    Ok((0..info.actors.len()).map(|actor| holds_of(&take, actor, &said)).collect())
}

/// The actors of a take on its floor, with what was detected in their motion.
fn on_floor(take: &Take, observed: &TakeObservation) -> Result<Vec<SourceClip>, ops::OpsError> {
    let on_floor = take.actors().iter().zip(&observed.actors).map(|(actor, found)| {
        let clip = actor.clip.lifted(-observed.floor_m)?;
        let contacts = found.contacts(clip.frames())?;
        Ok(SourceClip { clip, contacts, holds: found.holds.clone() })
    });
    on_floor.collect()
}

const HANDS: [Role; 2] = [Role::LeftHand, Role::RightHand];

/// What was said about hands on hands, with the part and the number of the other.
fn touches_of_hands(
    corpus: &Corpus,
    take: TakeId,
) -> Result<Vec<(ContactInterval, usize, Role)>, corpus::CorpusError> {
    let hands = corpus.annotations(take)?.into_iter().filter_map(|annotation| match annotation.what {
        AnnotationContent::Contact(touch) => match touch.on {
            ContactTarget::Actor { actor, role } if HANDS.contains(&role) && HANDS.contains(&touch.role) => {
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
fn holds_of(take: &Take, actor: usize, said: &[(ContactInterval, usize, Role)]) -> Vec<Hold> {
    let path = |actor: usize, role: Role| take.actors().get(actor)?.clip.points(&[role]).ok();
    let hold = |(touch, with_actor, with_role): &(ContactInterval, usize, Role)| {
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
