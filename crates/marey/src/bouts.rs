//! Two who interact, from a corpus to motion: what `marey duet label`, `train` and `run` do.

use std::ops::ControlFlow;
use std::sync::Mutex;

use serde::Serialize;

use crate::codes;
use crate::corpus::Corpus;
use crate::duet::{
    self, Command, Duet, Kind, LabelSettings, Labelling, Model, ModelSettings, Movements, Performance,
    PersonModel, RunSettings, Session, Way, label,
};
use crate::failure::Failure;
use crate::motion::{PointClip, Report, Take};
use crate::ops::OutOfRange;
use crate::pairs::{Pairs, Trained, realised};
use crate::plan::Seed;
use crate::watch::Watch;

/// What models are called where nobody calls them anything else.
pub const USUAL_MODEL: &str = "duet";

/// How far movements are found, told with how fit the best of each are.
pub type LabelWatch<'a> = &'a (dyn Fn(u32, [f64; 2]) -> ControlFlow<()> + Sync);

/// Finds the movements of both in recordings, on several islands: searches that start from different chances and know nothing of each
/// other. Of each person the fittest movements are taken, of the first island that has them. One island is [`label`] itself.
pub fn islands(
    pairs: &Pairs,
    settings: &LabelSettings,
    seed: Seed,
    count: u64,
    watch: LabelWatch<'_>,
) -> Result<Labelling, Failure> {
    let mut found = Vec::new();
    for number in 0..count.max(1) {
        found.push(island(pairs, settings, seed, number, watch)?);
    }
    fittest(found)
}

/// One island: [`label`] by a seed of its own.
pub fn island(
    pairs: &Pairs,
    settings: &LabelSettings,
    seed: Seed,
    number: u64,
    watch: LabelWatch<'_>,
) -> Result<Labelling, Failure> {
    let both = Mutex::new([(0, 0.0); 2]);
    let told = |progress: duet::Progress| match both.lock() {
        Ok(mut both) => {
            both[progress.person] = (progress.iteration, progress.fitness);
            watch(both[0].0.min(both[1].0), [both[0].1, both[1].1])
        }
        Err(_) => ControlFlow::Continue(()),
    };
    Ok(label(&pairs.pairs, settings, Seed(seed.0.wrapping_add(number)), &told)?)
}

/// Of each person the fittest movements among islands; of those that are as fit, the first.
pub fn fittest(islands: Vec<Labelling>) -> Result<Labelling, Failure> {
    let best = |person: usize| -> Result<Movements, Failure> {
        let of = |labels: &Labelling| labels.people[person].clone();
        let fitter = |best: Movements, next: Movements| if next.fitness > best.fitness { next } else { best };
        let found = islands.iter().map(of).reduce(fitter);
        found.ok_or_else(|| Failure::settings("there must be an island"))
    };
    Ok(Labelling { people: [best(0)?, best(1)?] })
}

/// What was found of one of them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Found {
    /// Who.
    pub person: String,
    /// How many instants there were to choose from.
    pub instants: usize,
    /// How many movements were found.
    pub movements: usize,
    /// In how many groups.
    pub groups: usize,
    /// Movements over groups.
    pub fitness: f64,
    /// How many generations were searched.
    pub generations: u32,
}

/// Writes labels into the corpus as segments, and says what was found.
pub fn put_labels(corpus: &mut Corpus, pairs: &Pairs, labels: &Labelling) -> Result<Vec<Found>, Failure> {
    pairs.write(corpus, labels)?;
    let people = pairs.pairs.first().into_iter().flat_map(|pair| pair.people.iter());
    let found = labels.people.iter().zip(people).map(|(movements, person)| Found {
        person: person.name.clone(),
        instants: movements.instants,
        movements: movements.all.len(),
        groups: movements.groups,
        fitness: movements.fitness,
        generations: movements.iterations,
    });
    Ok(found.collect())
}

/// A group of movements, as it was learnt.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    /// Whose.
    pub person: String,
    /// Its number, from 1.
    pub group: usize,
    /// What it is for.
    pub kind: Kind,
    /// How many movements it has.
    pub movements: usize,
    /// How far the other is on average, in metres.
    pub distance_m: f64,
    /// Where the other is on average, in radians to the left.
    pub facing_rad: f64,
}

/// Learns from the labelled segments of a corpus, and keeps the model in it.
pub fn train(
    corpus: &mut Corpus,
    takes: &[String],
    model: &str,
    settings: &ModelSettings,
) -> Result<Vec<Group>, Failure> {
    let pairs = Pairs::of_corpus(corpus, takes)?;
    let none = || Failure::new(&codes::NO_LABELS, format!("takes {:?}", pairs.names));
    let labels = pairs.read(corpus)?.ok_or_else(none)?;
    let learnt = Model::train(&pairs.pairs, &labels, settings)?;
    let groups = learnt.people.iter().flat_map(groups).collect();
    let trained = Trained { takes: pairs.names, model: learnt };
    let text = serde_json::to_string_pretty(&trained).map_err(|error| unreadable(model, &error))?;
    corpus.put_model(model, &(text + "\n"))?;
    Ok(groups)
}

fn groups(person: &PersonModel) -> impl Iterator<Item = Group> + '_ {
    person.states.iter().enumerate().map(|(number, state)| Group {
        person: person.name.clone(),
        group: number + 1,
        kind: state.kind,
        movements: state.movements,
        distance_m: state.observed.mean[0],
        facing_rad: state.observed.mean[1],
    })
}

fn unreadable(model: &str, error: &serde_json::Error) -> Failure {
    Failure::new(&duet::codes::MODEL, format!("the model {model:?}: {error}"))
}

/// A model that a corpus keeps.
pub fn trained(corpus: &Corpus, model: &str) -> Result<Trained, Failure> {
    let none = || Failure::new(&codes::NO_MODEL, format!("no model {model:?}"));
    let text = corpus.model(model)?.ok_or_else(none)?;
    let trained: Trained = serde_json::from_str(&text).map_err(|error| unreadable(model, &error))?;
    trained.model.validate()?;
    Ok(trained)
}

/// How a trained pair goes on, as a person says it.
#[derive(Debug, Clone, PartialEq)]
pub struct Wish {
    /// The model's name.
    pub model: String,
    /// For how long, in seconds; default 30; 0.1 to 36000.
    pub secs: f64,
    /// Where chance starts; default 1.
    pub seed: u64,
    /// Who goes along the path or obeys the commands, by name; the first where nobody is named.
    pub who: Option<String>,
    /// Where to be when.
    pub path: Option<PointClip>,
    /// What is obeyed one after another, before the model decides alone.
    pub commands: Vec<Command>,
    /// How movements are drawn.
    pub settings: RunSettings,
}

impl Default for Wish {
    fn default() -> Self {
        Self {
            model: USUAL_MODEL.into(),
            secs: 30.0,
            seed: 1,
            who: None,
            path: None,
            commands: Vec::new(),
            settings: RunSettings::default(),
        }
    }
}

/// What two did.
#[derive(Debug)]
pub struct Bout {
    /// The motion of both.
    pub take: Take,
    /// Which movement is shown when and where, and how they came about.
    pub run: Performance,
    /// What was met on the way.
    pub report: Report,
}

impl Bout {
    /// How many movements were attacks.
    pub fn attacks(&self) -> usize {
        self.run.played.iter().filter(|played| played.kind == Kind::Offensive).count()
    }
}

impl Wish {
    /// Lets the pair of a corpus go on; their take gets this name.
    pub fn run(&self, corpus: &Corpus, name: &str, watch: Watch<'_>) -> Result<Bout, Failure> {
        let trained = trained(corpus, &self.model)?;
        let pairs = Pairs::of_corpus(corpus, &trained.takes)?;
        let duet = Duet::new(&pairs.pairs, trained.model)?;
        let labels = pairs.read(corpus)?;
        let run = self.perform(&duet, watch)?;
        let made = realised(&run)?;
        let mut report = made.report;
        let same = |now: &Labelling| {
            [0, 1].iter().all(|&person| now.people[person].all == duet.model().labels.people[person].all)
        };
        if !labels.as_ref().is_some_and(same) {
            report.warn(&codes::LABELS_CHANGED, Default::default(), "the model is as it was");
        }
        Ok(Bout { take: Take::new(name, made.take.into_actors())?, run, report })
    }

    fn perform(&self, duet: &Duet, watch: Watch<'_>) -> Result<Performance, Failure> {
        OutOfRange::check("secs", self.secs, 0.1..=36_000.0).map_err(duet::Error::from)?;
        let frames = (self.secs * duet.rate_hz()).round() as usize;
        let person = self.person(duet)?;
        let mut session = Session::new(duet, &self.settings, Seed(self.seed))?;
        if let Some(path) = &self.path {
            session.follow(Way { person, points: places(path) })?;
        }
        for command in &self.commands {
            session.command(person, *command)?;
        }
        let mut played = Vec::new();
        while session.planned() < frames {
            watch.tell("frames", session.planned(), frames)?;
            played.extend(session.advance()?);
        }
        Ok(duet.performance(played, frames, Seed(self.seed))?)
    }

    fn person(&self, duet: &Duet) -> Result<usize, Failure> {
        let Some(who) = &self.who else { return Ok(0) };
        let names = duet.model().people.each_ref().map(|person| person.name.as_str());
        names.iter().position(|name| name == who).ok_or_else(|| {
            Failure::new(&codes::NO_PERSON, format!("no {who:?}: they are {:?} and {:?}", names[0], names[1]))
        })
    }
}

/// Seconds, x and z of a path.
fn places(path: &PointClip) -> Vec<[f64; 3]> {
    let place = |frame: usize| {
        let at = path.get(frame, 0)?;
        Some([frame as f64 / path.rate_hz(), f64::from(at.x), f64::from(at.z)])
    };
    (0..path.frames()).filter_map(place).collect()
}

/// The command that a line says: a group's number, or normal, offensive or defensive; and if wanted where to go, as x and z. `None`
/// where it cannot be understood.
///
/// ```
/// use marey::bouts::command;
/// use marey::duet::{Command, Kind};
/// let attack = Command { kind: Some(Kind::Offensive), place: Some([1.0, -0.5]), ..Command::default() };
/// assert_eq!(command("offensive 1 -0.5"), Some(attack));
/// assert_eq!(command("3").and_then(|third| third.group), Some(2));
/// assert_eq!(command("sideways"), None);
/// ```
pub fn command(line: &str) -> Option<Command> {
    let mut words = line.split_whitespace();
    let what = words.next()?;
    let kind = match what {
        "normal" => Some(Kind::Normal),
        "offensive" => Some(Kind::Offensive),
        "defensive" => Some(Kind::Defensive),
        _ => None,
    };
    let group = match kind {
        Some(_) => None,
        None => Some(what.parse::<usize>().ok()?.checked_sub(1)?),
    };
    let place = match words.collect::<Vec<_>>().as_slice() {
        [] => None,
        [x, z] => Some([x.parse().ok()?, z.parse().ok()?]),
        _ => return None,
    };
    Some(Command { group, kind, place })
}
