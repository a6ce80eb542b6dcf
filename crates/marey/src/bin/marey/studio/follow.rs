//! The studio's panel for control by example: a drawn path is walked along, a leader followed.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::sync::Arc;

use marey::by_example::{Choice, CorpusMapping, Lead, mapping, planned};
use marey::corpus::{Corpus, TakeId, TakeInfo};
use marey::follow::{Control, PathSettings, Settings, follow_explained, path_control, too_fast};
use marey::formats::bvh::{self, BvhOptions};
use marey::motion::{Clip, PointClip, Report, Skeleton, Take, Vec3};
use marey::realise::{self, Realised, realise};
use marey::studio::{Again, Ask, Fault, Floor, Made, MotionId, Panel, Planned, Work, codes, quoted};
use serde::Deserialize;
use serde_json::Value;

use super::drawn::table;
use super::kept::Kept;
use super::realise::understood;

/// A path has no more points.
const MOST_POINTS: usize = 20_000;

/// Paths and partners.
#[derive(Debug, Default)]
pub(super) struct FollowPanel {
    kept: Kept<CorpusMapping>,
}

/// What the page sends.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wish {
    /// What leads.
    lead: Leading,
    /// How much continuity weighs.
    #[serde(default)]
    k: Option<f64>,
    /// The takes to learn from, by the page's names; the usual ones where there are none.
    #[serde(default)]
    examples: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum Leading {
    /// A path that was drawn: points on the floor, x and z, at a rate.
    Path {
        points: Vec<[f32; 2]>,
        rate_hz: f64,
        #[serde(default)]
        smooth_m: f64,
        #[serde(default)]
        smooth_secs: f64,
    },
    /// An actor of a take.
    Actor { take: String, actor: String },
}

/// What is to be answered.
struct Controlled {
    points: PointClip,
    leader: Option<(Clip, String)>,
    choice: Choice,
    settings: Settings,
    /// Words of the command, and the file that they name.
    words: String,
    file: (String, Vec<u8>),
    beside: Option<i64>,
}

impl Panel for FollowPanel {
    fn name(&self) -> &'static str {
        "follow"
    }

    fn run(&self, ask: &Ask<'_>, work: &Work) -> Result<Vec<Made>, Fault> {
        let wish: Wish = understood(ask.wish)?;
        work.at(0.05, "learning from the examples")?;
        let control = wish.control(ask)?;
        let found = self.mapping(ask, &control.choice)?;
        let mut report = match &control.leader {
            None => too_fast(&control.points, &found.mapping, control.settings.stretch_secs),
            Some(_) => Report::default(),
        };
        work.at(0.4, "searching")?;
        let watch = |done: usize, frames: usize| {
            let share = done as f32 / frames.max(1) as f32;
            match work.at(0.4 + 0.3 * share, "searching") {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        };
        let found_way = follow_explained(&found.mapping, &control.points, &[], &control.settings, &watch);
        // Who cancelled it is told so.
        work.at(0.7, "planning")?;
        let (interpretation, mut trace) = found_way?;
        let (by_control, by_continuity) = interpretation.parts();
        let pieces = interpretation.pieces.len();
        let leader = control.leader.as_ref().map(|(clip, name)| (clip, name.as_str()));
        let (plan, sources) = planned(&found, interpretation, leader)?;
        if leader.is_some() {
            // The leader is the first actor of the plan.
            trace.choices.iter_mut().for_each(|choice| choice.actor += 1);
        }
        work.at(0.75, "realising")?;
        let settings = realise::Settings::default();
        let Realised { take, contacts, report: on_the_way } = realise(&plan, &sources, &settings)?;
        report.absorb(on_the_way);
        let name = if leader.is_some() { "follower" } else { "walk along a path" };
        let again = Again { sources: Arc::new(sources), settings };
        Ok(vec![Made {
            take: Take::new(name, take.into_actors())?,
            contacts,
            planned: Some(Planned { plan, trace, again: Some(again) }),
            report,
            command: format!("marey follow {} {}", quoted(&ask.path.display().to_string()), control.words),
            files: vec![control.file],
            notes: vec![
                ("pieces".into(), pieces.to_string()),
                ("examples".into(), found.mapping.examples().len().to_string()),
                ("interpretation".into(), format!("{by_control:.3} m²")),
                ("continuity".into(), format!("{by_continuity:.3} m²")),
            ],
            beside: control.beside,
            floor: Floor::Level,
            shows: Value::Null,
        }])
    }
}

impl FollowPanel {
    /// What the examples teach, learned once for each choice of them.
    fn mapping(&self, ask: &Ask<'_>, choice: &Choice) -> Result<Arc<CorpusMapping>, Fault> {
        self.kept.get(format!("{} {choice:?}", ask.revision), || Ok(mapping(ask.corpus, choice)?))
    }
}

impl Wish {
    fn control(&self, ask: &Ask<'_>) -> Result<Controlled, Fault> {
        match &self.lead {
            Leading::Path { points, rate_hz, smooth_m, smooth_secs } => {
                let path = PathSettings {
                    smooth_m: *smooth_m,
                    smooth_secs: *smooth_secs,
                    ..PathSettings::default()
                };
                self.path(ask, points, *rate_hz, &path)
            }
            Leading::Actor { take, actor } => self.actor(ask, take, actor),
        }
    }

    fn path(
        &self,
        ask: &Ask<'_>,
        drawn: &[[f32; 2]],
        rate_hz: f64,
        path: &PathSettings,
    ) -> Result<Controlled, Fault> {
        if !(2..=MOST_POINTS).contains(&drawn.len()) {
            return Err(Fault::new(&codes::REQUEST, format!("a path has 2 to {MOST_POINTS} points")));
        }
        let points = drawn.iter().map(|[x, z]| Some(Vec3::new(*x, 0.0, *z))).collect();
        let control = path_control(&PointClip::new(vec!["path".into()], rate_hz, points)?, path)?;
        let settings = self.settings(Settings { k: 2.0, ..Settings::default() })?;
        let alone = |info: &TakeInfo| info.actors.len() == 1;
        let without = self.left_out(ask.corpus, alone, |_| 0)?;
        let mut words = format!("path.csv -o walk.bvh --control path --k {}", settings.k);
        if path.smooth_m > 0.0 {
            // Writing to a string cannot fail.
            let _ = write!(words, " --smooth-space {}", path.smooth_m);
        }
        if path.smooth_secs > 0.0 {
            let _ = write!(words, " --smooth-time {}", path.smooth_secs);
        }
        Ok(Controlled {
            points: control,
            leader: None,
            words: words + &flags(&without),
            choice: Choice { lead: Lead::Path, control: Control::hips(), target: None, maker: None, without },
            settings,
            file: ("path.csv".into(), table(drawn, rate_hz).into_bytes()),
            beside: None,
        })
    }

    fn actor(&self, ask: &Ask<'_>, take: &str, actor: &str) -> Result<Controlled, Fault> {
        let MotionId::Take(number) = take.parse()? else {
            return Err(Fault::new(&codes::NO_MOTION, "a leader is an actor of a take of the corpus"));
        };
        let own = ask.corpus.info(TakeId(number))?;
        let motion = ask.corpus.take(own.id)?;
        let clip = motion.actors().iter().find(|one| one.name == actor).map(|one| one.clip.clone());
        let clip = clip.ok_or_else(|| {
            Fault::new(&marey::codes::NO_LEADER, format!("no actor {actor:?} in {}", own.name))
        })?;
        let settings = self.settings(Settings { k: 0.5, stretch_secs: 0.15, ..Settings::default() })?;
        let leads = |info: &TakeInfo| info.actors.iter().position(|one| one.name == actor);
        // What really was is not to be copied.
        let pair = |info: &TakeInfo| info.id != own.id && info.actors.len() > 1 && leads(info).is_some();
        let answers = |info: &TakeInfo| usize::from(leads(info) == Some(0));
        let without = self.left_out(ask.corpus, pair, answers)?;
        let words = format!(
            "lead.bvh -o pair.bvh --control {} --k {} --stretch {}{}",
            quoted(&format!("actor:{actor}")),
            settings.k,
            settings.stretch_secs,
            flags(&without)
        );
        Ok(Controlled {
            points: Control::body().points(&clip)?,
            leader: Some((clip, actor.to_owned())),
            choice: Choice {
                lead: Lead::Actor(actor.to_owned()),
                control: Control::body(),
                target: None,
                maker: None,
                without,
            },
            settings,
            words,
            file: ("lead.bvh".into(), bvh::write(&motion, &BvhOptions::default()).0),
            beside: Some(number),
        })
    }

    /// As `marey follow` has it unless told otherwise: the first and last piece may be cut.
    fn settings(&self, usual: Settings) -> Result<Settings, Fault> {
        let k = self.k.unwrap_or(usual.k);
        let settings = Settings { k, free_start: true, free_end: true, ..usual };
        settings.validate()?;
        Ok(settings)
    }

    /// The takes that are not learned from: all but those that are named, or where none is, all but the usual ones; and of
    /// those, all whose answering figure has another body than most, since one figure has one body.
    fn left_out(
        &self,
        corpus: &Corpus,
        usual: impl Fn(&TakeInfo) -> bool,
        who: impl Fn(&TakeInfo) -> usize,
    ) -> Result<Vec<String>, Fault> {
        let mut named = Vec::new();
        for name in &self.examples {
            match name.parse()? {
                MotionId::Take(number) => named.push(TakeId(number)),
                _ => return Err(Fault::new(&codes::NO_MOTION, "examples are takes of the corpus")),
            }
        }
        let used = |info: &TakeInfo| if named.is_empty() { usual(info) } else { named.contains(&info.id) };
        let takes = corpus.takes()?;
        let mut bodies: Vec<(Arc<Skeleton>, Vec<TakeId>, f64)> = Vec::new();
        for info in takes.iter().filter(|info| used(info)) {
            let first = corpus.take_range(info.id, 0..1)?;
            let Some(actor) = first.actors().get(who(info)) else { continue };
            let body = actor.clip.skeleton();
            match bodies.iter_mut().find(|(known, ..)| known == body) {
                Some((_, ids, secs)) => {
                    ids.push(info.id);
                    *secs += info.duration_secs();
                }
                None => bodies.push((body.clone(), vec![info.id], info.duration_secs())),
            }
        }
        let most = bodies.into_iter().reduce(|most, other| if other.2 > most.2 { other } else { most });
        let kept = most.map(|(_, ids, _)| ids).unwrap_or_default();
        Ok(takes.iter().filter(|info| !kept.contains(&info.id)).map(|info| info.name.clone()).collect())
    }
}

fn flags(without: &[String]) -> String {
    without.iter().fold(String::new(), |words, name| words + " --without " + &quoted(name))
}
