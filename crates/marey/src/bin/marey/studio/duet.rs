//! The studio's panel for two who act on each other: by themselves, along a drawn path, or played by somebody.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::sync::Arc;

use marey::corpus::{Corpus, Said, TakeId};
use marey::duet::{
    Command, Duet, Kind, LabelSettings, Labelling, Model, ModelSettings, RunSettings, Way, label,
};
use marey::motion::{Actor, Clip, ClipParts, LocalPose, LocalPoseRef, Report, Skeleton, Tag, Take};
use marey::ops::OutOfRange;
use marey::pairs::{Pairs, Stage, realised};
use marey::plan::{Seed, Trace};
use marey::studio::{Ask, Fault, Floor, Live, Made, Motion, MotionId, Panel, Planned, Work, codes, quoted};
use serde::Deserialize;
use serde_json::{Value, json};

use super::drawn::table;
use super::kept::Kept;
use super::realise::understood;

/// How long movements are searched for where nobody has labelled them: enough for a bout of minutes.
const GENERATIONS: u32 = 400;
const PLATEAU: u32 = 120;
/// A path has no more points.
const MOST_POINTS: usize = 20_000;
/// How much of what was played is kept, in seconds.
const KEPT_SECS: f64 = 300.0;
/// How many commands wait to be obeyed.
const MOST_WAITING: usize = 2;

/// Pairs that go on.
#[derive(Debug, Default)]
pub(super) struct DuetPanel {
    kept: Kept<Trained>,
}

/// What was learned of a pair.
#[derive(Debug)]
struct Trained {
    duet: Duet,
    /// What the groups of each are called.
    names: [Vec<String>; 2],
    bodies: [Arc<Skeleton>; 2],
    was_labelled: bool,
}

/// What the page sends.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wish {
    /// The pair that was recorded, by the page's name of the take.
    take: String,
    seed: u64,
    temperature: f64,
    /// How long, where they are not played.
    #[serde(default)]
    secs: f64,
    /// Who goes along the path, or is played: 0 or 1.
    #[serde(default)]
    who: usize,
    /// The path: points on the floor, x and z, at a rate.
    #[serde(default)]
    path: Option<Path>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Path {
    points: Vec<[f64; 2]>,
    rate_hz: f64,
}

/// What the page says while it plays.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Word {
    /// A movement of this group.
    Group(usize),
    /// Any movement for this.
    Kind(Kind),
    /// Where to go; null: wherever they like.
    Place(Option<[f32; 2]>),
}

impl Panel for DuetPanel {
    fn name(&self) -> &'static str {
        "duet"
    }

    fn run(&self, ask: &Ask<'_>, work: &Work) -> Result<Vec<Made>, Fault> {
        let wish: Wish = understood(ask.wish)?;
        OutOfRange::check("secs", wish.secs, 1.0..=600.0).map_err(marey::duet::Error::from)?;
        let settings = wish.settings()?;
        let (name, trained) = self.trained(ask, &wish, &|share, doing| work.at(0.7 * share, doing))?;
        let way = wish.way(&trained.duet)?;
        work.at(0.75, "drawing movements")?;
        let frames = (wish.secs * trained.duet.rate_hz()).round() as usize;
        let run = trained.duet.perform(frames, way, &settings, Seed(wish.seed))?;
        work.at(0.85, "realising")?;
        let made = realised(&run)?;
        let attacks = run.played.iter().filter(|played| played.kind == Kind::Offensive).count();
        Ok(vec![Made {
            take: Take::new(format!("{name} goes on"), made.take.into_actors())?,
            contacts: made.contacts,
            report: made.report,
            command: wish.command(ask, &name, &trained),
            files: wish
                .path
                .iter()
                .map(|path| ("path.csv".to_owned(), table(&path.points, path.rate_hz).into_bytes()))
                .collect(),
            notes: vec![
                ("movements".into(), run.played.len().to_string()),
                ("attacks".into(), attacks.to_string()),
                ("groups".into(), trained.names.each_ref().map(Vec::len).map(|n| n.to_string()).join(", ")),
            ],
            beside: None,
            floor: Floor::Level,
            shows: Value::Null,
            planned: Some(Planned { plan: run.plan, trace: Trace::default(), again: None }),
        }])
    }

    fn play(&self, ask: &Ask<'_>, live: &mut Live) -> Result<Option<Made>, Fault> {
        let wish: Wish = understood(ask.wish)?;
        let settings = wish.settings()?;
        let (name, trained) = self.trained(ask, &wish, &|share, doing| live.at(share, doing))?;
        let mut stage = Stage::new(&trained.duet, &settings, Seed(wish.seed))?;
        let people = &trained.duet.model().people;
        let who = wish.who.min(1);
        let groups: Vec<Value> = people[who]
            .states
            .iter()
            .zip(&trained.names[who])
            .map(|(state, name)| json!({ "name": name, "kind": state.kind, "movements": state.movements }))
            .collect();
        let rate_hz = trained.duet.rate_hz();
        let first = stage.advance()?.map(|pose| pose.to_owned());
        let about = json!({ "rate_hz": rate_hz, "who": who, "groups": groups });
        live.open(
            &Motion {
                take: trained.take(&name, rate_hz, [&first].into_iter())?,
                contacts: vec![],
                floor_m: 0.0,
            },
            &about,
        );
        let mut kept: VecDeque<[LocalPose; 2]> = VecDeque::from([first]);
        let (mut place, mut told) = (None, Value::Null);
        while let Some(words) = live.next(rate_hz) {
            for word in words {
                let (group, kind) = match Word::deserialize(&word) {
                    Ok(Word::Group(group)) => (Some(group), None),
                    Ok(Word::Kind(kind)) => (None, Some(kind)),
                    Ok(Word::Place(to)) => {
                        place = to;
                        continue;
                    }
                    // What is not understood is not obeyed.
                    Err(_) => continue,
                };
                if stage.waiting(who) < MOST_WAITING {
                    // A group that there is not, or a place beyond the world, is not obeyed either.
                    let _ = stage.command(who, Command { group, kind, place });
                }
            }
            if place.is_some() && stage.waiting(who) == 0 {
                let _ = stage.command(who, Command { place, ..Command::default() });
            }
            let poses = stage.advance()?;
            kept.push_back(poses.map(|pose: LocalPoseRef<'_>| pose.to_owned()));
            if kept.len() as f64 > KEPT_SECS * rate_hz {
                kept.pop_front();
            }
            let said = json!({ "doing": stage.doing(), "waiting": stage.waiting(who) });
            let news = if said == told { Value::Null } else { said.clone() };
            told = said;
            if let Some(now) = kept.back() {
                live.show(&news, now.iter().map(LocalPose::view));
            }
        }
        let secs = kept.len() as f64 / rate_hz;
        let take = trained.take(&format!("{name} played"), rate_hz, kept.iter())?;
        Ok(Some(Made {
            contacts: Motion::seen(take.clone())?.contacts,
            take,
            planned: None,
            report: Report::default(),
            // What somebody played is not drawn again by any seed.
            command: String::new(),
            files: vec![],
            notes: vec![("played".into(), format!("{secs:.0} s"))],
            beside: None,
            floor: Floor::Level,
            shows: Value::Null,
        }))
    }
}

impl DuetPanel {
    /// The pair of a take, labelled where it was not, and trained; once for each.
    fn trained(
        &self,
        ask: &Ask<'_>,
        wish: &Wish,
        at: &(dyn Fn(f32, &'static str) -> Result<(), Fault> + Sync),
    ) -> Result<(String, Arc<Trained>), Fault> {
        let MotionId::Take(number) = wish.take.parse()? else {
            return Err(Fault::new(&codes::NO_MOTION, "a pair is a take of the corpus"));
        };
        let name = ask.corpus.info(TakeId(number))?.name;
        at(0.02, "reading the pair")?;
        let key = format!("{} {number}", ask.revision);
        let trained = self.kept.get(key, || {
            let pairs = Pairs::of_corpus(ask.corpus, std::slice::from_ref(&name))?;
            let known = pairs.read(ask.corpus)?;
            let was_labelled = known.is_some();
            let labels = match known {
                Some(labels) => labels,
                None => found(&pairs, at)?,
            };
            at(0.9, "learning what follows what")?;
            let model = Model::train(&pairs.pairs, &labels, &ModelSettings::default())?;
            let names = [0, 1].map(|person| called(ask.corpus, TakeId(number), &labels, person, &model));
            let bodies = |pairs: &Pairs| {
                let people = pairs.pairs.first().map(|pair| &pair.people);
                people.map(|people| people.each_ref().map(|person| person.clip.skeleton().clone()))
            };
            let bodies = bodies(&pairs).ok_or_else(|| Fault::new(&codes::NO_MOTION, "there is no pair"))?;
            Ok(Trained { duet: Duet::new(&pairs.pairs, model)?, names, bodies, was_labelled })
        })?;
        Ok((name, trained))
    }
}

/// Searches for the movements of a pair, telling how far it is; ends where it is not wanted any more.
fn found(
    pairs: &Pairs,
    at: &(dyn Fn(f32, &'static str) -> Result<(), Fault> + Sync),
) -> Result<Labelling, Fault> {
    const DOING: &str = "finding movements";
    let settings =
        LabelSettings { iterations: GENERATIONS, plateau: Some(PLATEAU), ..LabelSettings::default() };
    let labels = label(&pairs.pairs, &settings, Seed(1), &|progress| {
        let share = progress.iteration as f32 / GENERATIONS as f32;
        match at(0.05 + 0.8 * share, DOING) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    })?;
    at(0.85, DOING)?;
    Ok(labels)
}

/// What groups are called: by the tag that most of their frames have, where there is one; else by their number.
fn called(corpus: &Corpus, take: TakeId, labels: &Labelling, person: usize, model: &Model) -> Vec<String> {
    let tags: Vec<Tag> = corpus
        .annotations(take)
        .unwrap_or_default()
        .into_iter()
        .filter_map(|said| match said.what {
            Said::Tag(tag) => Some(tag),
            _ => None,
        })
        .collect();
    let (Some(own), Some(movements)) = (model.people.get(person), labels.people.get(person)) else {
        return vec![];
    };
    let name = |group: usize| {
        let mut shared: BTreeMap<&str, usize> = BTreeMap::new();
        for movement in movements.all.iter().filter(|movement| movement.group == group) {
            for tag in &tags {
                let both =
                    movement.frames.end.min(tag.end).saturating_sub(movement.frames.start.max(tag.start));
                // A tag may say what each does: "red guard, blue punch".
                let part = tag.name.split(", ").find_map(|part| part.strip_prefix(&format!("{} ", own.name)));
                *shared.entry(part.unwrap_or(&tag.name)).or_default() += both;
            }
        }
        let most = shared.into_iter().filter(|(_, frames)| *frames > 0).max_by_key(|(_, frames)| *frames);
        most.map_or_else(|| format!("movement {}", group + 1), |(name, _)| name.to_owned())
    };
    (0..own.states.len()).map(name).collect()
}

impl Trained {
    /// Poses of both as a take.
    fn take<'a>(
        &self,
        name: &str,
        rate_hz: f64,
        poses: impl Iterator<Item = &'a [LocalPose; 2]>,
    ) -> Result<Take, Fault> {
        let mut parts = [ClipParts::default(), ClipParts::default()];
        for both in poses {
            parts.iter_mut().zip(both).for_each(|(parts, pose)| parts.push(pose.view()));
        }
        let mut actors = Vec::new();
        for ((parts, skeleton), person) in parts.into_iter().zip(&self.bodies).zip(&self.duet.model().people)
        {
            let clip = Clip::new(skeleton.clone(), rate_hz, parts)?;
            actors.push(Actor { name: person.name.clone(), clip });
        }
        Ok(Take::new(name, actors)?)
    }
}

impl Wish {
    fn settings(&self) -> Result<RunSettings, Fault> {
        let settings = RunSettings { temperature: self.temperature, ..RunSettings::default() };
        settings.validate()?;
        Ok(settings)
    }

    fn way(&self, duet: &Duet) -> Result<Option<Way>, Fault> {
        let Some(path) = &self.path else { return Ok(None) };
        if !(2..=MOST_POINTS).contains(&path.points.len()) || self.who >= duet.model().people.len() {
            return Err(Fault::new(
                &codes::REQUEST,
                format!("a path has 2 to {MOST_POINTS} points, and one of two goes it"),
            ));
        }
        OutOfRange::check("rate_hz", path.rate_hz, 1.0..=1000.0).map_err(marey::duet::Error::from)?;
        let points = path.points.iter().enumerate();
        let points = points.map(|(number, [x, z])| [number as f64 / path.rate_hz, *x, *z]).collect();
        Ok(Some(Way { person: self.who, points }))
    }

    fn command(&self, ask: &Ask<'_>, name: &str, trained: &Trained) -> String {
        let (corpus, take) = (quoted(&ask.path.display().to_string()), quoted(name));
        let mut lines = String::new();
        if !trained.was_labelled {
            // Writing to a string cannot fail.
            let _ = writeln!(
                lines,
                "marey duet label {corpus} --only {take} --iterations {GENERATIONS} --plateau {PLATEAU}"
            );
        }
        let _ = writeln!(lines, "marey duet train {corpus} --only {take}");
        let Self { secs, seed, temperature, who, path, .. } = self;
        let _ = write!(
            lines,
            "marey duet run {corpus} -o duet.glb --secs {secs} --seed {seed} --temperature {temperature}"
        );
        if let (Some(_), Some(person)) = (path, trained.duet.model().people.get(*who)) {
            let _ = write!(lines, " --mode path --path path.csv --who {}", quoted(&person.name));
        }
        lines
    }
}
