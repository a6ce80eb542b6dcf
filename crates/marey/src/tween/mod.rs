//! In-betweening in the style of a corpus: the `tween` verb, and the engine of [`marey_tween`].

mod pose;
mod style;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use marey_tween::*;
pub use pose::PoseSelector;
pub(crate) use style::LearnedStyle;

use crate::bodies::on_body;
use crate::motion::{Report, Take};
use crate::plan::{ActorPlan, Placement, Plan, PlanClip, Seed, SourceRef, Trace};
use crate::realise::{Realisation, RealiseSettings, SourceClip};
use crate::{Context, Error, Outcome};

/// A request for motion from one pose to another.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TweenRequest {
    /// Takes to learn the style from; if empty, takes of the corpus.
    #[serde(skip)]
    pub training: Vec<Take>,
    /// Takes of the corpus to learn the style from, by name or `#` and number; all if empty. Takes of other bodies are
    /// retargeted onto that of the first pose, or the one that the context asks for.
    pub only: Vec<String>,
    /// How the style is learned.
    pub style: StyleSettings,
    /// The first pose; without a frame, the last of its take.
    pub from: PoseSelector,
    /// The last pose; without a frame, the first of its take.
    pub to: PoseSelector,
    /// Number of frames, including both poses; `None` for the length of the likeliest path.
    pub frames: Option<usize>,
    /// How the path is searched.
    pub search: PathSearchSettings,
    /// Name of the resulting take; `tween` if empty.
    pub name: String,
}

impl TweenRequest {
    /// Checks everything that does not depend on the motion.
    pub fn validate(&self) -> Result<(), Error> {
        self.style.validate()?;
        TweenSettings { frames: self.frames, search: self.search, ..TweenSettings::default() }.validate()?;
        Ok(())
    }
}

/// What the engine reports about motion in a style.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TweenDetails {
    /// Number of steps of the path.
    pub steps: usize,
    /// Negative log-likelihood of the path, in nats.
    pub neg_log_likelihood: f64,
    /// Whether no path can be likelier.
    pub is_optimal: bool,
    /// Duration of a step in seconds.
    pub step_secs: f64,
    /// The path of each joint.
    pub joints: Vec<JointPath>,
    /// Takes that the style was learned from.
    pub takes: Vec<String>,
}

/// The path of one joint through its transition graph.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JointPath {
    /// Name of the joint.
    pub joint: String,
    /// Number of orientations of the joint.
    pub orientations: usize,
    /// Orientation at each step.
    pub states: Vec<u16>,
    /// Cost of each transition in nats.
    pub costs: Vec<Option<f32>>,
}

/// Makes the likeliest motion from one pose to another.
///
/// # Errors
///
/// `tween/not-connected` if the style has no path between the poses; the message names the nearest reachable pose.
pub fn run(request: &TweenRequest, context: &Context<'_>) -> Result<Outcome<TweenDetails>, Error> {
    request.validate()?;
    context.report("reading the poses", 0, 3)?;
    let mut from = request.from.resolve(true, context)?;
    let mut to = request.to.resolve(false, context)?;
    let body = context.body().unwrap_or(from.0.skeleton()).clone();
    for (clip, _) in [&mut from, &mut to] {
        *clip = on_body(clip, &body)?;
    }
    context.report("learning the style", 1, 3)?;
    let style = LearnedStyle::new(&request.training, &request.only, &request.style, Some(&body), context)?;
    context.report("searching the path", 2, 3)?;
    context.budget().check_frames(request.frames.unwrap_or_default() as f64)?;
    let settings = TweenSettings {
        rate_hz: style.rate_hz,
        frames: request.frames,
        search: request.search,
        ..TweenSettings::default()
    };
    let motion = context
        .install(|| tween(&style.style, (&from.0, from.1), (&to.0, to.1), &settings))?
        .map_err(|error| style.explain(error))?;
    let name = if request.name.is_empty() { "tween" } else { &request.name };
    outcome(motion, &style, Seed::default(), name, context)
}

/// Turns motion in a style into the outcome of a verb: a plan that carries the motion, realised.
pub(crate) fn outcome(
    motion: TweenMotion,
    style: &LearnedStyle,
    seed: Seed,
    name: &str,
    context: &Context<'_>,
) -> Result<Outcome<TweenDetails>, Error> {
    let TweenMotion { clip, contacts, path } = motion;
    let details = TweenDetails {
        steps: path.postures.len().saturating_sub(1),
        neg_log_likelihood: path.cost,
        is_optimal: path.is_optimal,
        step_secs: 1.0 / style.style.settings().rate_hz,
        joints: joint_paths(&style.style, &path),
        takes: style.takes(),
    };
    let source = SourceRef { take: name.to_owned(), actor: 0 };
    let placement = Placement {
        source: source.clone(),
        source_start: 0,
        source_end: clip.frames(),
        start: 0,
        frames: clip.frames(),
        key_times: vec![],
        world_from_source: Default::default(),
        mirrored: false,
    };
    // The motion is finished: its feet are planted.
    let passes = RealiseSettings { plant: None, constrain: None, ..RealiseSettings::default() };
    let realisation = Realisation { passes, ..Realisation::default() };
    let actor = ActorPlan { name: name.to_owned(), placements: vec![placement] };
    let mut plan = Plan { seed, ..Plan::new(clip.rate_hz(), vec![actor]) };
    plan.clips = vec![PlanClip { source, clip, contacts, holds: vec![] }];
    realisation.write_to(&mut plan)?;
    let no_sources = BTreeMap::<SourceRef, SourceClip>::new();
    let realised = realisation.realise(&plan, &no_sources, context.observer(), Error::from)?;
    let mut report = Report::default();
    report.absorb(style.report.clone());
    report.absorb(realised.report);
    Ok(Outcome {
        take: Take::new(name, realised.take.into_actors())?,
        contacts: realised.contacts,
        plan: Some(plan),
        trace: Trace::default(),
        report,
        details,
    })
}

fn joint_paths(style: &MotionStyle, path: &PosePath) -> Vec<JointPath> {
    let joints = style.skeleton().joints().iter().zip(style.graphs()).enumerate();
    let of_joint = |(index, (joint, graph)): (usize, (&crate::motion::Joint, &TransitionGraph))| {
        let states: Vec<u16> =
            path.postures.iter().filter_map(|posture| posture.get(index).copied()).collect();
        let cost = |pair: &[u16]| match pair {
            [from, to] => graph.cost(*from, *to),
            _ => None,
        };
        let costs = states.windows(2).map(cost).collect();
        JointPath { joint: joint.name.clone(), orientations: graph.len(), states, costs }
    };
    joints.map(of_joint).collect()
}
