//! A corpus as a mapping: which of its takes are control and target, and the whole motion behind them.

use std::collections::BTreeMap;
use std::str::FromStr;

use serde::Deserialize;

use crate::corpus::{Corpus, Maker, Said, Segment, Span, TakeInfo, Touched};
use crate::follow::{Control, Example, Instance, Interpretation, Mapping};
use crate::motion::{Clip, Code, Coded, Contact, Contacts, Place, Role};
use crate::plan::{ActorPlan, End, Meeting, Placement, Plan, SourceRef};
use crate::realise::constrain::Hold;
use crate::{codes, corpus, follow, motion, realise};

/// What leads. As text, `path`, `actor:NAME` or `points`.
///
/// ```
/// use marey::by_example::Lead;
/// assert_eq!("actor:leader".parse(), Ok(Lead::Actor("leader".into())));
/// assert!("hips".parse::<Lead>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum Lead {
    /// A way over the floor: the hips of each example's figure.
    Path,
    /// Another actor of the same take, by name.
    Actor(String),
    /// Points that are named after roles: the same joints of each example's figure.
    Points,
}

impl FromStr for Lead {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match (text, text.split_once(':')) {
            ("path", _) => Ok(Lead::Path),
            ("points", _) => Ok(Lead::Points),
            (_, Some(("actor", name))) if !name.is_empty() => Ok(Lead::Actor(name.into())),
            _ => Err("neither path, actor:NAME nor points".into()),
        }
    }
}

impl TryFrom<String> for Lead {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

/// Which part of a corpus is used, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// What leads.
    pub lead: Lead,
    /// What of it is compared.
    pub control: Control,
    /// Who answers, by name; the first actor who does not lead where nobody is named.
    pub target: Option<String>,
    /// Only segments that this maker cut; all where nobody is named.
    pub maker: Option<Maker>,
    /// Takes that are left out, by name.
    pub without: Vec<String>,
}

/// A mapping, and the motion that its plans use.
#[derive(Debug)]
pub struct CorpusMapping {
    /// The mapping.
    pub mapping: Mapping,
    /// The motion of every example's target.
    pub sources: BTreeMap<SourceRef, realise::Example>,
}

/// Why a corpus is no mapping.
#[derive(Debug)]
pub enum Error {
    /// The corpus refused.
    Corpus(corpus::Error),
    /// The mapping refused.
    Follow(follow::Error),
    /// No take has the actor that is asked for.
    NoActor(String),
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Corpus(error) => error.fmt(f),
            Error::Follow(error) => error.fmt(f),
            Error::NoActor(name) => write!(f, "no take has an actor {name:?} and somebody who answers"),
        }
    }
}

impl std::error::Error for Error {}

impl From<corpus::Error> for Error {
    fn from(error: corpus::Error) -> Self {
        Error::Corpus(error)
    }
}

impl From<follow::Error> for Error {
    fn from(error: follow::Error) -> Self {
        Error::Follow(error)
    }
}

impl From<motion::Error> for Error {
    fn from(error: motion::Error) -> Self {
        Error::Follow(error.into())
    }
}

impl Coded for Error {
    fn code(&self) -> &'static Code {
        match self {
            Error::Corpus(error) => error.code(),
            Error::Follow(error) => error.code(),
            Error::NoActor(_) => &codes::NO_LEADER,
        }
    }

    fn place(&self) -> Place {
        match self {
            Error::Corpus(error) => error.place(),
            Error::Follow(error) => error.place(),
            Error::NoActor(_) => Place::default(),
        }
    }
}

/// Makes a mapping of a corpus: every take with the actors that are asked for is an example, cut as its segments are.
pub fn mapping(corpus: &Corpus, choice: &Choice) -> Result<CorpusMapping, Error> {
    let used = choice.used(corpus, |segment| choice.takes(segment), |_| false)?;
    let mut sources = BTreeMap::new();
    for (info, target, follower) in &used.targets {
        let source = SourceRef { take: info.name.clone(), actor: *target };
        sources.insert(source, example(corpus, info, *target, follower)?);
    }
    Ok(CorpusMapping { mapping: used.mapping(choice)?, sources })
}

/// How pieces that were found by the example of others are called among the makers of segments.
pub const BY_EXAMPLES: &str = "examples";

/// Cuts takes by the example of those that are cut (Hsu, Gentry and Popović 2004, section 7): pieces of the takes among `anew`
/// which nobody has cut yet, each with its take. What was cut so before is no example, and is cut anew.
pub fn grown(
    corpus: &Corpus,
    choice: &Choice,
    anew: &[TakeInfo],
    settings: &follow::Settings,
    grow: &follow::GrowSettings,
) -> Result<Vec<(TakeInfo, Vec<Span>)>, Error> {
    let own = Maker::method(BY_EXAMPLES);
    let takes = |segment: &Segment| choice.takes(segment) && segment.maker != own;
    let used = choice.used(corpus, takes, |info| anew.iter().any(|other| other.id == info.id))?;
    let given = used.mapping(choice)?;
    let grown = follow::grow(&given, settings, grow)?;
    let mut found: Vec<(TakeInfo, Vec<Span>)> = Vec::new();
    for (number, (info, target, _)) in used.targets.iter().enumerate() {
        if given.instances().iter().any(|instance| instance.example == number) {
            continue;
        }
        // A piece of a couple is a piece of both.
        let is_one_of_many = info.actors.len() > 1 && !matches!(choice.lead, Lead::Actor(_));
        let span = |instance: &Instance| Span {
            start: instance.frames.start,
            end: instance.frames.end,
            actor: is_one_of_many.then_some(*target),
            name: instance.label.clone(),
        };
        let own = grown.instances().iter().filter(|instance| instance.example == number);
        found.push((info.clone(), own.map(span).collect()));
    }
    Ok(found)
}

/// What of a corpus is used: examples and how they are cut, and whose motion each is.
#[derive(Default)]
struct Used {
    examples: Vec<Example>,
    instances: Vec<Instance>,
    /// The take of each example, who answers in it, and that motion.
    targets: Vec<(TakeInfo, usize, Clip)>,
}

impl Used {
    fn mapping(&self, choice: &Choice) -> Result<Mapping, Error> {
        let (control, target) = (choice.control.weights(), Control::body().weights());
        Ok(Mapping::new(self.examples.clone(), self.instances.clone(), control, target)?)
    }
}

impl Choice {
    /// Who leads and who answers in a take, by number; `None` where somebody is missing.
    fn actors(&self, info: &TakeInfo) -> Option<(usize, usize)> {
        let named = |name: &str| info.actors.iter().position(|actor| actor.name == name);
        let target = self.target.as_deref();
        match &self.lead {
            Lead::Actor(name) => {
                let lead = named(name)?;
                let other = || (0..info.actors.len()).find(|&actor| actor != lead);
                Some((lead, target.map_or_else(other, named)?))
            }
            Lead::Path | Lead::Points => {
                let figure = target.map_or(Some(0), named)?;
                Some((figure, figure))
            }
        }
    }

    /// Whether a segment is used, whoever's it is.
    fn takes(&self, segment: &Segment) -> bool {
        self.maker.as_ref().is_none_or(|maker| *maker == segment.maker)
    }

    /// Every take with the actors that are asked for, cut as those of its segments are that are taken; takes without any only where
    /// they are wanted uncut.
    fn used(
        &self,
        corpus: &Corpus,
        takes: impl Fn(&Segment) -> bool,
        wanted_uncut: impl Fn(&TakeInfo) -> bool,
    ) -> Result<Used, Error> {
        let mut used = Used::default();
        let mut has_actors = false;
        for info in corpus.takes()? {
            let Some((lead, target)) = self.actors(&info) else { continue };
            has_actors = true;
            if self.without.contains(&info.name) {
                continue;
            }
            let is_theirs = |segment: &Segment| segment.actor.is_none_or(|one| one == lead || one == target);
            let mut cut = corpus.segments_of(info.id)?;
            cut.retain(|segment| is_theirs(segment) && takes(segment));
            if cut.is_empty() && !wanted_uncut(&info) {
                continue;
            }
            let take = corpus.take(info.id)?;
            let (leader, follower) = (&take.actors()[lead].clip, &take.actors()[target].clip);
            let example = used.examples.len();
            let instance = |cut: Segment| Instance { example, frames: cut.frames, label: cut.name };
            used.instances.extend(cut.into_iter().map(instance));
            used.examples.push(Example {
                source: SourceRef { take: info.name.clone(), actor: target },
                control: self.control.points(leader)?,
                target: Control::body().points(follower)?,
            });
            used.targets.push((info, target, follower.clone()));
        }
        match &self.lead {
            Lead::Actor(name) if !has_actors => Err(Error::NoActor(name.clone())),
            _ => Ok(used),
        }
    }
}

/// The motion of an actor, what of it stands when, and whom it holds.
fn example(corpus: &Corpus, info: &TakeInfo, actor: usize, clip: &Clip) -> Result<realise::Example, Error> {
    let (mut stands, mut holds) = (Vec::new(), Vec::new());
    for annotation in corpus.annotations(info.id)? {
        let Said::Contact(touch) = annotation.what else { continue };
        let frames = touch.frames();
        match touch.on {
            Touched::Floor if touch.actor == actor => stands.push(Contact { role: touch.role, frames }),
            // What lies on a back or a shoulder is not held by an arm on the other side.
            Touched::Actor { role, .. } if !HANDS.contains(&role) || !HANDS.contains(&touch.role) => {}
            Touched::Actor { actor: other, role } if touch.actor == actor => {
                holds.push(Hold {
                    role: touch.role,
                    with_actor: other,
                    with_role: role,
                    frames,
                    gap_m: HOLD_GAP_M,
                });
            }
            Touched::Actor { actor: own, role } if own == actor => {
                let (with_actor, with_role) = (touch.actor, touch.role);
                holds.push(Hold { role, with_actor, with_role, frames, gap_m: HOLD_GAP_M });
            }
            _ => {}
        }
    }
    let contacts = if stands.is_empty() {
        let found = crate::ops::contacts::detect(clip, &Default::default());
        found.map(|found| found.contacts).unwrap_or_default()
    } else {
        Contacts::new(stands, clip.frames())?
    };
    Ok(realise::Example { clip: clip.clone(), contacts, holds })
}

const HANDS: [Role; 2] = [Role::LeftHand, Role::RightHand];

/// How far hands are apart that hold each other, from wrist to wrist, in metres. A corpus does not keep it.
const HOLD_GAP_M: f32 = 0.09;

/// The plan of an interpretation, and the motion that it uses. Where a figure leads, it is in the plan, before the one who
/// answers.
pub fn planned(
    found: &CorpusMapping,
    mut interpretation: Interpretation,
    leader: Option<(&Clip, &str)>,
) -> Result<(Plan, BTreeMap<SourceRef, realise::Example>), Error> {
    if leader.is_none() {
        // A path has no motion of its own to keep in step with: the answer is as smooth as the examples.
        let rates = found.sources.values().map(|example| example.clip.rate_hz());
        interpretation = interpretation.at_rate(rates.fold(0.0, f64::max));
    }
    let plan = interpretation.plan(&found.mapping, "follower")?;
    let Some((leader, name)) = leader else { return Ok((plan, found.sources.clone())) };
    let stands =
        crate::ops::contacts::detect(leader, &Default::default()).map_err(follow::Error::from)?.contacts;
    Ok(with_leader(plan, leader.clone(), stands, found, &interpretation, name))
}

/// Puts the leader into a plan, before the one who answers, with the holds that the answer's examples had with theirs.
/// The leader is a take of its own, `control`, which is added to the sources.
fn with_leader(
    plan: Plan,
    leader: Clip,
    contacts: Contacts,
    found: &CorpusMapping,
    interpretation: &Interpretation,
    name: &str,
) -> (Plan, BTreeMap<SourceRef, realise::Example>) {
    let source = SourceRef { take: CONTROL.into(), actor: 0 };
    let frames = leader.frames();
    let own = Placement {
        source: source.clone(),
        source_start: 0,
        source_end: frames,
        start: 0,
        frames,
        key_times: vec![],
        world_from_source: Default::default(),
        mirrored: false,
    };
    let mut meetings = Vec::new();
    for (piece, placement) in interpretation.pieces.iter().zip(plan.actors.iter().flat_map(|a| &a.placements))
    {
        let Some(example) = found.sources.get(&found.mapping.example_of(piece.instance).source) else {
            continue;
        };
        for hold in &example.holds {
            // Where in the plan the hold is.
            let shows = |frame: &usize| {
                let at = placement.source_frame_at(*frame as f64);
                at >= hold.frames.start as f64 && at < hold.frames.end as f64
            };
            let shown: Vec<usize> = (0..placement.frames).filter(shows).collect();
            if let (Some(first), Some(last)) = (shown.first(), shown.last()) {
                meetings.push(Meeting {
                    one: End { actor: 0, role: hold.with_role },
                    other: End { actor: 1, role: hold.role },
                    start: placement.start + first,
                    end: placement.start + last + 1,
                    gap_m: hold.gap_m,
                });
            }
        }
    }
    let mut sources = found.sources.clone();
    sources.insert(source, realise::Example { clip: leader, contacts, holds: vec![] });
    let mut actors = vec![ActorPlan { name: name.into(), placements: vec![own] }];
    actors.extend(plan.actors);
    (Plan { actors, meetings, ..plan }, sources)
}

/// What the control is called among the takes of a plan.
pub const CONTROL: &str = "control";

/// The roles that points are named after.
pub fn roles_of(labels: &[String]) -> Result<Vec<Role>, String> {
    labels.iter().map(|label| label.parse::<Role>().map_err(|_| label.clone())).collect()
}
