//! Every engine at work on generated motion: its input beside its output.

use std::fs;

use marey::corpus::{Corpus, Provenance};
use marey::duet::label::{self, DuetLabelRequest};
use marey::duet::train::{self, DuetTrainRequest};
use marey::duet::{self, DuetLabelSettings, DuetRequest};
use marey::examples::ballet::{BalletSettings, ballet};
use marey::examples::luxo::{Crossing, LuxoSettings, luxo, terrain};
use marey::examples::taekwondo::{TaekwondoSettings, taekwondo};
use marey::examples::walk::{WalkSettings, walk};
use marey::examples::waltz::{WaltzSettings, waltz};
use marey::examples::{CorpusExample, Example, ExampleCut};
use marey::follow::{self, ControlInput, FollowRequest};
use marey::formats::file::make_folder;
use marey::measure::card::BaselineStatistics;
use marey::motion::{Clip, Role, Take};
use marey::perform::{self, PerformRequest};
use marey::plan::{Plan, SourceRef};
use marey::realise::{self, PlacementChain, RealiseRequest};
use marey::sources::CorpusSources;
use marey::traverse::{self, TraverseRequest};
use marey::tween::{self, PoseSelector, TweenRequest};
use marey::vary::{self, VaryRequest};
use marey::{Context, Error, Outcome};
use serde_json::json;

use super::motion::DemoMotion;
use super::{DemoArgs, Exhibit};

/// Number and duration of the walks in the corpus, in seconds.
const WALKS: u64 = 3;
const WALK_SECS: f64 = 40.0;
/// Number of strides of the plan that is realised.
const STRIDES: usize = 6;
/// Duration of the walk that is followed, in seconds.
const FOLLOWED_SECS: f64 = 12.0;
/// Duration and frame rate of the bout, as in the paper, and duration of the result.
const BOUT_SECS: f64 = 60.0;
const BOUT_HZ: f64 = 30.0;
const DUET_SECS: f64 = 16.0;
/// Number of generations of the search for movements: few, to be quick.
const GENERATIONS: u32 = 100;
/// Length of the terrain to cross, in metres.
const TERRAIN_M: f32 = 3.0;
/// How much of the adventure is shown, in seconds: the first bars.
const PERFORMED_SECS: f64 = 12.0;
/// Duration of the dance that is varied, in seconds.
const DANCE_SECS: f64 = 16.0;
/// Number of phrases that a style is learned from.
const PHRASES: usize = 12;

/// Runs every engine.
pub(super) fn all(args: &DemoArgs) -> Result<Vec<Exhibit<DemoMotion>>, Error> {
    let material = Material::new(args)?;
    Ok(vec![
        material.realise()?,
        material.follow()?,
        material.duet()?,
        material.traverse()?,
        perform()?,
        vary(args.seed)?,
        tween(args.seed)?,
    ])
}

/// Generated motion, and a corpus that contains it.
struct Material {
    walks: Vec<Example>,
    bout: Example,
    lamp: Crossing,
    context: Context<'static>,
    seed: u64,
}

impl Material {
    /// Generates motion and writes the corpus `examples.marey`.
    fn new(args: &DemoArgs) -> Result<Self, Error> {
        let seed = args.seed;
        let walks = (0..WALKS).map(|walker| generate_walk(seed.wrapping_add(10 + walker), WALK_SECS));
        let walks = walks.collect::<Result<Vec<Example>, Error>>()?;
        let bout = taekwondo(&TaekwondoSettings {
            seed,
            duration_secs: BOUT_SECS,
            rate_hz: BOUT_HZ,
            ..TaekwondoSettings::default()
        })?;
        let lamp = luxo(&LuxoSettings { seed, ..LuxoSettings::default() })?;
        let path = args.folder.join("examples.marey");
        make_folder(&args.folder).map_err(|error| Error::from(error).in_file(&args.folder))?;
        args.force.check(&path)?;
        if path.exists() {
            fs::remove_file(&path).map_err(|error| marey::formats::FormatsError::file(&path, error))?;
        }
        let mut corpus = Corpus::create(&path).map_err(|error| Error::from(error).in_file(&path))?;
        for (number, walk) in walks.iter().enumerate() {
            CorpusExample::new(&walk_name(number), walk.clone(), ExampleCut::Steps)?.add_to(&mut corpus)?;
        }
        let lamp_name = lamp.example.take.name();
        CorpusExample::new(lamp_name, lamp.example.clone(), ExampleCut::Labels)?.add_to(&mut corpus)?;
        // Without segments: `duet` finds the movements itself.
        corpus.add(&bout.take, &Provenance::default())?;
        Ok(Self { walks, bout, lamp, context: Context::with_corpus(corpus), seed })
    }

    /// Strides of two walks in turn: placed one after the other without joining, and realised.
    fn realise(&self) -> Result<Exhibit<DemoMotion>, Error> {
        let plan = self.plan_of_strides()?.to_json()?;
        let raw = json!({ "plant": null, "join": { "method": "none" } });
        let baseline = learn(self.walks.iter().take(2));
        let realise = |caption, passes: serde_json::Value| -> Result<DemoMotion, Error> {
            let passes = passes.as_object().cloned().unwrap_or_default();
            let request = RealiseRequest { plan: plan.clone(), passes, ..RealiseRequest::default() };
            output("realise", caption, realise::run(&request, &self.context)?, &baseline)
        };
        let motions = vec![realise("input", raw)?, realise("output", json!({}))?];
        let about =
            "A plan of strides of two walks in turn: placed one after the other, then joined and planted";
        Ok(exhibit("realise", about, motions))
    }

    fn plan_of_strides(&self) -> Result<Plan, Error> {
        let sources = CorpusSources::new(&self.context);
        let mut chain = PlacementChain::new(&sources);
        for stride in 0..STRIDES {
            let walker = stride % 2;
            let cuts = self.walks[walker].truth.cuts().iter();
            let plants: Vec<usize> =
                cuts.filter(|cut| cut.name == Role::LeftFoot.name()).map(|cut| cut.frame).collect();
            // The first steps start the walk.
            if let Some(&[from, to]) = plants.get(stride + 2..stride + 4) {
                let source = SourceRef { take: walk_name(walker), actor: 0 };
                chain.add(&source, from..to, to - from)?;
            }
        }
        Ok(chain.plan("walker", self.walks[0].take.rate_hz()))
    }

    /// A walk along the path of another walk, which is not among the examples.
    fn follow(&self) -> Result<Exhibit<DemoMotion>, Error> {
        let unseen = generate_walk(self.seed, FOLLOWED_SECS)?;
        let request = FollowRequest {
            input: ControlInput::Take(unseen.take.clone()),
            examples: (0..self.walks.len()).map(walk_name).collect(),
            ..FollowRequest::default()
        };
        let outcome = follow::run(&request, &self.context)?;
        let baseline = learn(self.walks.iter());
        let motions = vec![
            DemoMotion { baseline: Some(baseline.clone()), ..input("follow", &unseen)? },
            output("follow", "output", outcome, &baseline)?,
        ];
        let about = "Steps of three walks, chosen and placed to follow the hips of an unseen walk";
        Ok(exhibit("follow", about, motions))
    }

    /// A bout, and new motion of its fighters.
    fn duet(&self) -> Result<Exhibit<DemoMotion>, Error> {
        let takes = vec![self.bout.take.name().to_owned()];
        let seed = self.seed;
        let settings = DuetLabelSettings { iterations: GENERATIONS, ..DuetLabelSettings::default() };
        let request =
            DuetLabelRequest { takes: takes.clone(), seed, settings, ..DuetLabelRequest::default() };
        label::run(&request, &self.context)?;
        train::run(&DuetTrainRequest { takes, ..DuetTrainRequest::default() }, &self.context)?;
        let request = DuetRequest { secs: DUET_SECS, seed, ..DuetRequest::default() };
        let outcome = duet::run(&request, &self.context)?;
        let baseline = learn([&self.bout].into_iter());
        let motions = vec![input("duet", &self.bout)?, output("duet", "output", outcome, &baseline)?];
        let about =
            "Movements of two fighters, found in a bout and recombined so that each reacts to the other";
        Ok(exhibit("duet", about, motions))
    }

    /// A lamp crosses a terrain that is not among its examples.
    fn traverse(&self) -> Result<Exhibit<DemoMotion>, Error> {
        let terrain = terrain(&LuxoSettings {
            seed: self.seed.wrapping_add(1),
            length_m: TERRAIN_M,
            gaps: false,
            ..LuxoSettings::default()
        })?;
        let request = TraverseRequest {
            takes: vec![self.lamp.example.take.name().to_owned()],
            terrain: terrain.clone(),
            seed: self.seed,
            ..TraverseRequest::default()
        };
        let outcome = traverse::run(&request, &self.context)?;
        let baseline = learn([&self.lamp.example].into_iter());
        let on = |terrain, motion| DemoMotion { terrain: Some(terrain), ..motion };
        let lamp = DemoMotion { baseline: Some(baseline.clone()), ..input("traverse", &self.lamp.example)? };
        let motions = vec![
            on(self.lamp.terrain.clone(), lamp),
            on(terrain, output("traverse", "output", outcome, &baseline)?),
        ];
        let about = "Hops of a lamp on one terrain, chosen and adapted to cross another one";
        Ok(exhibit("traverse", about, motions))
    }
}

/// A generated player performs the first part of the adventure.
fn perform() -> Result<Exhibit<DemoMotion>, Error> {
    let request = PerformRequest::default();
    let outcome = perform::run(&request, &Context::new())?;
    let frames = 0..outcome.take.frames().min((PERFORMED_SECS * outcome.take.rate_hz()) as usize);
    let performer = outcome.details.recording.clip()?.slice(frames.clone())?;
    let character = outcome.take.first().slice(frames)?;
    let baseline = BaselineStatistics::learn(std::slice::from_ref(&performer));
    let motion = |caption, clip| {
        let take = Take::solo("performer", clip);
        shown("perform", caption, take, Some(&baseline))
    };
    let motions = vec![motion("input", performer)?, motion("output", character)?];
    let about = "A player in an empty room drives a character along bars, in a world with its own physics";
    Ok(exhibit("perform", about, motions))
}

/// A waltz, and a variation of it.
fn vary(seed: u64) -> Result<Exhibit<DemoMotion>, Error> {
    let dance = waltz(&WaltzSettings { seed, duration_secs: DANCE_SECS, ..WaltzSettings::default() })?;
    let request = VaryRequest { motion: vec![dance.take.clone().into()], seed, ..VaryRequest::default() };
    let outcome = vary::run(&request, &Context::new())?;
    let baseline = learn([&dance].into_iter());
    let motions = vec![input("vary", &dance)?, output("vary", "output", outcome, &baseline)?];
    let about = "A waltz wrapped around a strange attractor, and replayed along a different trajectory";
    Ok(exhibit("vary", about, motions))
}

/// Two phrases of ballet, and motion from the middle of one to the middle of the other.
fn tween(seed: u64) -> Result<Exhibit<DemoMotion>, Error> {
    let phrases = ballet(&BalletSettings { seed, phrases: PHRASES, ..BalletSettings::default() })?;
    // All phrases start and end in the same pose.
    let middle = |phrase: &Example| PoseSelector::Frame(phrase.take.clone(), Some(phrase.take.frames() / 2));
    let request = TweenRequest {
        poses: vec![middle(&phrases[0]), middle(&phrases[PHRASES - 1])],
        gap_only: true,
        training: phrases.iter().map(|phrase| phrase.take.clone()).collect(),
        ..TweenRequest::default()
    };
    let outcome = tween::run(&request, &Context::new())?;
    let baseline = learn(phrases.iter());
    let first = DemoMotion { baseline: Some(baseline.clone()), ..input("tween", &phrases[0])? };
    let motions = vec![first, output("tween", "output", outcome, &baseline)?];
    let about = "From a pose of one phrase of ballet to a pose of another, in the style of twelve phrases";
    Ok(exhibit("tween", about, motions))
}

fn generate_walk(seed: u64, duration_secs: f64) -> Result<Example, Error> {
    Ok(walk(&WalkSettings { seed, duration_secs, ..WalkSettings::default() })?)
}

fn walk_name(number: usize) -> String {
    format!("walk-{}", number + 1)
}

/// Statistics of all actors of examples.
fn learn<'a>(examples: impl Iterator<Item = &'a Example>) -> BaselineStatistics {
    let clips: Vec<Clip> =
        examples.flat_map(|example| example.take.actors()).map(|actor| actor.clip.clone()).collect();
    BaselineStatistics::learn(&clips)
}

/// An example as the input of an engine. It is not compared with itself.
fn input(engine: &str, example: &Example) -> Result<DemoMotion, Error> {
    shown(engine, "input", example.take.clone(), None)
}

fn output<D>(
    engine: &str,
    caption: &str,
    outcome: Outcome<D>,
    baseline: &BaselineStatistics,
) -> Result<DemoMotion, Error> {
    shown(engine, caption, outcome.take, Some(baseline))
}

fn shown(
    engine: &str,
    caption: &str,
    take: Take,
    baseline: Option<&BaselineStatistics>,
) -> Result<DemoMotion, Error> {
    let stem = format!("{engine}-{caption}");
    Ok(DemoMotion {
        caption: caption.to_owned(),
        take: Take::new(stem.clone(), take.into_actors())?,
        stem,
        terrain: None,
        baseline: baseline.cloned(),
        first_frame: 0,
        companions: Vec::new(),
    })
}

fn exhibit(name: &str, about: &str, motions: Vec<DemoMotion>) -> Exhibit<DemoMotion> {
    Exhibit { name: name.into(), about: about.into(), motions }
}
