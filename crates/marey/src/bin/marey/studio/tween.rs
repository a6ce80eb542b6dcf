//! The studio's panel for in-betweens: two postures are picked from any clips, and the way between them is found.

use std::collections::BTreeMap;
use std::sync::Arc;

use marey::corpus::{Corpus, TakeId, TakeInfo};
use marey::motion::{Clip, Report, Take};
use marey::plan::SourceRef;
use marey::realise::Sources;
use marey::sources::CorpusSources;
use marey::studio::{Ask, Fault, Floor, Made, MotionId, Panel, Work, codes, quoted};
use marey::tween::{Dependence, SearchSettings, Style, StyleSettings, Tween, TweenSettings, tween};
use serde::Deserialize;
use serde_json::{Value, json};

use super::kept::Kept;
use super::realise::understood;

/// How much motion a style is learned from at most, in seconds.
const MOST_SECS: f64 = 1800.0;

/// Ways between postures.
#[derive(Debug, Default)]
pub(super) struct TweenPanel {
    kept: Kept<Learned>,
}

/// A style and the takes that it was learned from.
#[derive(Debug)]
struct Learned {
    style: Style,
    takes: Vec<String>,
}

/// What the page sends.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wish {
    from: Posture,
    to: Posture,
    /// How long the way is to be; as long as it likes where it is not told.
    #[serde(default)]
    frames: Option<usize>,
    /// Which joints depend on which.
    #[serde(default)]
    network: Dependence,
    /// How many postures are looked at.
    effort: usize,
    /// The takes to learn from, by the page's names; all of the same body where there are none.
    #[serde(default)]
    examples: Vec<String>,
}

/// A frame of a take.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Posture {
    take: String,
    frame: usize,
}

impl Panel for TweenPanel {
    fn name(&self) -> &'static str {
        "tween"
    }

    fn run(&self, ask: &Ask<'_>, work: &Work) -> Result<Vec<Made>, Fault> {
        let wish: Wish = understood(ask.wish)?;
        work.at(0.05, "reading the postures")?;
        let sources = CorpusSources::new(Corpus::open_read_only(ask.path)?);
        let (from, from_clip) = wish.from.read(ask, &sources)?;
        let (to, to_clip) = wish.to.read(ask, &sources)?;
        work.at(0.15, "learning the style")?;
        let learned = self.learned(ask, &wish, &from_clip, &sources)?;
        work.at(0.5, "searching the way")?;
        let search = SearchSettings { most_postures: wish.effort, ..SearchSettings::default() };
        let settings = TweenSettings {
            rate_hz: from_clip.rate_hz(),
            frames: wish.frames,
            search,
            ..TweenSettings::default()
        };
        let ends = ((&from_clip, wish.from.frame), (&to_clip, wish.to.frame));
        let made = tween(&learned.style, ends.0, ends.1, &settings)?;
        let secs = made.clip.frames() as f64 / made.clip.rate_hz();
        let steps = made.way.postures.len() - 1;
        let shows = json!({ "way": shown_way(&learned.style, &made) });
        Ok(vec![Made {
            take: Take::solo(format!("{} to {}", from.name, to.name), made.clip),
            contacts: vec![made.contacts],
            planned: None,
            report: Report::default(),
            command: wish.command(ask, &from.name, &to.name, &learned),
            files: vec![],
            notes: vec![
                ("length".into(), format!("{secs:.2} s, {steps} steps")),
                ("unlikeliness".into(), format!("{:.0} nats", made.way.cost)),
                ("is the likeliest".into(), if made.way.proven { "proven" } else { "not proven" }.into()),
                ("learned from".into(), format!("{} takes", learned.takes.len())),
            ],
            beside: None,
            floor: Floor::Level,
            shows,
        }])
    }
}

impl Posture {
    /// The take and its first figure; refused where it has no such frame.
    fn read(&self, ask: &Ask<'_>, sources: &CorpusSources) -> Result<(TakeInfo, Clip), Fault> {
        let MotionId::Take(number) = self.take.parse()? else {
            return Err(Fault::new(
                &codes::NO_MOTION,
                "postures are picked from takes of the corpus; keep it first",
            ));
        };
        let info = ask.corpus.info(TakeId(number))?;
        if self.frame >= info.frames {
            let message =
                format!("{} has {} frames, and none of number {}", info.name, info.frames, self.frame);
            return Err(Fault::new(&codes::REQUEST, message));
        }
        let clip = sources.example(&SourceRef { take: info.name.clone(), actor: 0 })?.clip;
        Ok((info, clip))
    }
}

impl TweenPanel {
    /// The style of the takes that are named, or of all of one figure whose body is that of the first posture.
    fn learned(
        &self,
        ask: &Ask<'_>,
        wish: &Wish,
        like: &Clip,
        sources: &CorpusSources,
    ) -> Result<Arc<Learned>, Fault> {
        let mut named = Vec::new();
        for name in &wish.examples {
            match name.parse()? {
                MotionId::Take(number) => named.push(TakeId(number)),
                _ => return Err(Fault::new(&codes::NO_MOTION, "examples are takes of the corpus")),
            }
        }
        let mut takes = Vec::new();
        let mut secs = 0.0;
        for info in ask.corpus.takes()? {
            let fits = info.actors.len() == 1
                && (named.is_empty() || named.contains(&info.id))
                && ask.corpus.take_range(info.id, 0..1)?.first().skeleton() == like.skeleton();
            secs += if fits { info.duration_secs() } else { 0.0 };
            takes.extend(fits.then_some(info.name));
        }
        if secs > MOST_SECS {
            let most = format!(
                "{secs:.0} s of motion, of which {MOST_SECS} are learned from here; choose some takes"
            );
            return Err(Fault::new(&codes::TOO_LARGE, most));
        }
        let key = format!("{} {takes:?} {:?}", ask.revision, wish.network);
        self.kept.get(key, || {
            let clip = |name: &String| sources.example(&SourceRef { take: name.clone(), actor: 0 });
            let clips =
                takes.iter().map(|name| Ok(clip(name)?.clip)).collect::<Result<Vec<Clip>, Fault>>()?;
            let settings = StyleSettings { dependence: wish.network, ..StyleSettings::default() };
            Ok(Learned { style: Style::learn(&clips, &settings)?, takes })
        })
    }
}

impl Wish {
    fn command(&self, ask: &Ask<'_>, from: &str, to: &str, learned: &Learned) -> String {
        let posture = |name: &str, frame: usize| quoted(&format!("{name}@{frame}"));
        let network = match self.network {
            Dependence::Body => " --network body",
            Dependence::Learned => "",
            Dependence::None => " --network none",
        };
        let frames = self.frames.map_or(String::new(), |frames| format!(" --frames {frames}"));
        let only = learned.takes.iter().fold(String::new(), |words, name| words + " --only " + &quoted(name));
        format!(
            "marey tween {} {} {} -o way.bvh --effort {}{frames}{network}{only}",
            quoted(&ask.path.display().to_string()),
            posture(from, self.from.frame),
            posture(to, self.to.frame),
            self.effort,
        )
    }
}

/// The way through the graph of each joint: which orientation it has at each step, and how unlikely each step is, in nats.
fn shown_way(style: &Style, made: &Tween) -> Value {
    let joints = style.skeleton().joints().iter().enumerate();
    let postures = &made.way.postures;
    let rows: Vec<BTreeMap<&str, Value>> = joints
        .map(|(joint, about)| {
            let states: Vec<u16> =
                postures.iter().filter_map(|posture| posture.get(joint).copied()).collect();
            let cost = |pair: &[u16]| match pair {
                [from, to] => style.graphs().get(joint).and_then(|graph| graph.cost(*from, *to)),
                _ => None,
            };
            let costs: Vec<Option<f32>> = states.windows(2).map(cost).collect();
            BTreeMap::from([
                ("joint", about.name.clone().into()),
                ("orientations", style.graphs().get(joint).map_or(0, |graph| graph.len()).into()),
                ("states", states.into()),
                ("costs", json!(costs)),
            ])
        })
        .collect();
    json!({ "step_secs": 1.0 / style.settings().rate_hz, "joints": rows })
}
