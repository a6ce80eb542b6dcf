//! A corpus as recordings of two people, what was labelled and learnt kept in it; and a stage on which they go on.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::corpus::{self, Corpus, Maker, Segment, Span, TakeId};
use crate::duet::{
    self, Command, Duet, Kind, Labelled, Labelling, Model, Movements, Pair, Performance, Played, RunSettings,
    Session, Structure,
};
use crate::motion::{Actor, Code, Coded, LocalPose, LocalPoseRef, Place, Take};
use crate::plan::{Seed, SourceRef};
use crate::realise::{self, Example, Machine, Realised, Settings, Step};
use crate::sources::seen;

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
            return Err(duet::Error::People { found: 0 }.into());
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
    let sources: BTreeMap<SourceRef, Example> = performance
        .movements
        .iter()
        .map(|(source, clip, contacts)| {
            let example = Example { clip: clip.clone(), contacts: contacts.clone(), holds: Vec::new() };
            (source.clone(), example)
        })
        .collect();
    Ok(realise::realise(&performance.plan, &sources, &passes())?)
}

/// Two who go on, frame by frame, while somebody gives commands.
///
/// ```
/// use std::ops::ControlFlow;
/// use marey::duet::{Command, Duet, Kind, LabelSettings, Model, ModelSettings, Pair, RunSettings, label};
/// use marey::examples::taekwondo::{TaekwondoSettings, taekwondo};
/// use marey::pairs::Stage;
/// use marey::plan::Seed;
/// let bout = TaekwondoSettings { duration_secs: 40.0, rate_hz: 30.0, ..TaekwondoSettings::default() };
/// let pairs = [Pair::of_take(&taekwondo(&bout)?.take)?];
/// let settings = LabelSettings { iterations: 20, ..LabelSettings::default() };
/// let labels = label(&pairs, &settings, Seed(1), &|_| ControlFlow::Continue(()))?;
/// let duet = Duet::new(&pairs, Model::train(&pairs, &labels, &ModelSettings::default())?)?;
/// let mut stage = Stage::new(&duet, &RunSettings::default(), Seed(1))?;
/// stage.command(0, Command { kind: Some(Kind::Normal), ..Command::default() })?;
/// for _ in 0..90 {
///     let [red, blue] = stage.advance()?;
///     assert!(red.root_position().distance(blue.root_position()) < 3.0);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Stage<'a> {
    session: Session<'a>,
    machines: [Machine; 2],
    poses: [LocalPose; 2],
    doing: [Doing; 2],
}

/// What somebody is about to do, or does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Doing {
    /// A movement of this group.
    pub group: usize,
    /// What it is for.
    pub kind: Kind,
    /// The frame in which it begins.
    pub start: usize,
    /// The frame in which the two touch.
    pub touch: Option<usize>,
}

impl Doing {
    fn of(played: &Played) -> Self {
        let Played { group, kind, touch, placement, .. } = played;
        Self { group: *group, kind: *kind, start: placement.start, touch: *touch }
    }
}

impl<'a> Stage<'a> {
    /// A stage for a trained pair.
    pub fn new(duet: &'a Duet, settings: &RunSettings, seed: Seed) -> Result<Self, Error> {
        let mut session = Session::new(duet, settings, seed)?;
        let first = session.advance()?;
        let [Some(one), Some(other)] =
            [0, 1].map(|person| first.iter().find(|played| played.person == person))
        else {
            return Err(duet::Error::People { found: first.len() }.into());
        };
        let live = Settings { join: passes().join, ..Settings::live() };
        let machine = |played: &Played| Machine::new(played.clip.skeleton().clone(), duet.rate_hz(), live);
        let poses = [one, other].map(|played| LocalPose::rest(played.clip.skeleton()));
        let doing = [one, other].map(Doing::of);
        let mut stage = Self { session, machines: [machine(one)?, machine(other)?], poses, doing };
        stage.push(&first)?;
        Ok(stage)
    }

    /// Puts a command at the end of somebody's queue ([`Session::command`]).
    pub fn command(&mut self, person: usize, command: Command) -> Result<(), Error> {
        Ok(self.session.command(person, command)?)
    }

    /// How many commands of somebody are not obeyed yet.
    pub fn waiting(&self, person: usize) -> usize {
        self.session.waiting(person)
    }

    /// The last movement that was settled for each.
    pub fn doing(&self) -> [Doing; 2] {
        self.doing
    }

    fn push(&mut self, begun: &[Played]) -> Result<(), Error> {
        for played in begun {
            self.doing[played.person] = Doing::of(played);
            let (clip, contacts) = (played.clip.clone(), played.contacts.clone());
            self.machines[played.person]
                .push(&played.placement, &Example { clip, contacts, holds: Vec::new() })?;
        }
        Ok(())
    }

    /// The next frame of both.
    pub fn advance(&mut self) -> Result<[LocalPoseRef<'_>; 2], Error> {
        for person in [0, 1] {
            loop {
                match self.machines[person].advance() {
                    Step::Moment(moment) => {
                        self.poses[person] = moment.pose.to_owned();
                        break;
                    }
                    Step::Wait => {
                        let begun = self.session.advance()?;
                        self.push(&begun)?;
                    }
                    Step::Done => break,
                }
            }
        }
        Ok([self.poses[0].view(), self.poses[1].view()])
    }
}
