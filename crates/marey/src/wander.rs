//! Free movement through the examples of a corpus: the `wander` verb.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::bodies::on_body;
use crate::motion::{Report, Take};
use crate::plan::{ActorPlan, Placement, Plan, PlanBody, PlanClip, Seed, SourceRef, Trace};
use crate::realise::{Realisation, SourceClip};
use crate::sources::{CorpusSources, seen};
use crate::tween::{LearnedGaps, PoseReader, PoseSelector, WalkPiece, WanderSettings};
use crate::{Context, Error, Outcome, codes};

/// A request for free movement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WanderRequest {
    /// Takes to play; if empty, takes of the corpus.
    #[serde(skip)]
    pub training: Vec<Take>,
    /// Takes of the corpus to play, by name or `#` and number; all if empty. Takes of other bodies are retargeted onto that of the first
    /// pose, or the one that the context asks for.
    pub only: Vec<String>,
    /// The movement starts at the moment that is most like this pose; `None` for the first frame of the first take.
    pub from: Option<PoseSelector>,
    /// Duration in seconds; default 10.
    pub secs: f64,
    /// Random seed; default 1.
    pub seed: u64,
    /// How the walk through the examples is made.
    pub settings: WanderSettings,
    /// Name of the resulting take.
    pub name: String,
}

impl Default for WanderRequest {
    fn default() -> Self {
        Self {
            training: vec![],
            only: vec![],
            from: None,
            secs: 10.0,
            seed: 1,
            settings: WanderSettings::default(),
            name: "wander".into(),
        }
    }
}

impl WanderRequest {
    /// Checks everything that does not depend on the motion.
    pub fn validate(&self) -> Result<(), Error> {
        let secs = crate::ops::OutOfRange::check("secs", self.secs, 0.0..=1e9);
        secs.map_err(crate::tween::TweenError::from)?;
        Ok(self.settings.validate()?)
    }
}

/// What is known about free movement.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WanderDetails {
    /// Takes that could be played.
    pub takes: Vec<String>,
    /// Number of jumps from one moment to another.
    pub jumps: usize,
}

/// Moves freely: plays examples of the corpus and jumps between moments that are alike.
pub fn run(request: &WanderRequest, context: &Context<'_>) -> Result<Outcome<WanderDetails>, Error> {
    request.validate()?;
    context.report("reading the first pose", 0, 3)?;
    let from = request.from.as_ref().map(|from| PoseReader::new(context).read(from, false)).transpose()?;
    context.report("learning from the corpus", 1, 3)?;
    let body = context.body().or(from.as_ref().map(|from| from.clip.skeleton()));
    let learned = LearnedGaps::to_walk(&request.training, &request.only, body, context)?;
    context.report("walking", 2, 3)?;
    let rate_hz = learned.clips.first().map_or(30.0, |clip| clip.clip.rate_hz());
    context.budget().check_frames(request.secs * rate_hz)?;
    let from = match from {
        Some(from) => Some((on_body(&from.clip, learned.model.skeleton(), context.observer())?, from.frame)),
        None => None,
    };
    let from = from.as_ref().map(|(clip, frame)| (clip, *frame));
    let seed = Seed(request.seed);
    let walk =
        || learned.model.walk_observed(from, request.secs, &request.settings, seed, context.observer());
    let pieces = context.install(walk)??;
    let frames = ((request.secs * rate_hz).round() as usize).max(1);
    let actor =
        ActorPlan { name: request.name.clone(), placements: placements(&pieces, &learned, rate_hz, frames) };
    let mut plan = Plan { seed, ..Plan::new(rate_hz, vec![actor]) };
    let mut report = Report::default();
    report.absorb(learned.report.clone());
    let realisation = Realisation::default();
    realisation.write_to(&mut plan)?;
    let body = learned.model.skeleton();
    let realised = if request.training.is_empty() {
        if learned.report.has(&codes::RETARGETED) {
            plan.bodies = vec![PlanBody { actor: 0, skeleton: body.clone() }];
        }
        let sources = CorpusSources::new(context).on_bodies_of(&plan);
        context.install(|| realisation.realise(&plan, &sources, context.observer(), Error::from))??
    } else {
        let mut used: BTreeSet<SourceRef> = BTreeSet::new();
        plan.actors.iter().flat_map(|actor| &actor.placements).for_each(|placement| {
            used.insert(placement.source.clone());
        });
        for take in &request.training {
            for (actor, example) in seen(take, context.observer())?.into_iter().enumerate() {
                let source = SourceRef { take: take.name().to_owned(), actor };
                if used.contains(&source) {
                    let SourceClip { clip, contacts, holds } = example;
                    plan.clips.push(PlanClip {
                        source,
                        clip: on_body(&clip, body, context.observer())?,
                        contacts,
                        holds,
                    });
                }
            }
        }
        let no_sources = BTreeMap::<SourceRef, SourceClip>::new();
        context.install(|| realisation.realise(&plan, &no_sources, context.observer(), Error::from))??
    };
    report.absorb(realised.report);
    let details = WanderDetails { takes: learned.takes(), jumps: pieces.len().saturating_sub(1) };
    Ok(Outcome {
        take: Take::new(&request.name, realised.take.into_actors())?,
        contacts: realised.contacts,
        plan: Some(plan),
        trace: Trace::default(),
        report,
        details,
    })
}

/// The pieces of a walk as uses of their takes, `frames` frames in all.
fn placements(pieces: &[WalkPiece], learned: &LearnedGaps, rate_hz: f64, frames: usize) -> Vec<Placement> {
    let mut placements: Vec<Placement> = Vec::with_capacity(pieces.len());
    let mut secs = 0.0;
    for (number, piece) in pieces.iter().enumerate() {
        let Some(example) = learned.clips.get(piece.clip) else { continue };
        let start = placements.last().map_or(0, Placement::end);
        secs += piece.secs.end - piece.secs.start;
        let is_last = number + 1 == pieces.len();
        let end = if is_last { frames } else { ((secs * rate_hz).round() as usize).min(frames) };
        let at = |secs: f64| ((secs * example.clip.rate_hz()).round() as usize).min(example.clip.frames());
        let (from, to) = (at(piece.secs.start), at(piece.secs.end));
        if end <= start || from >= to {
            continue;
        }
        placements.push(Placement {
            source: example.source.clone(),
            source_start: example.start + from,
            source_end: example.start + to,
            start,
            frames: end - start,
            key_times: vec![],
            world_from_source: piece.world_from_clip,
            mirrored: piece.is_mirrored,
        });
    }
    placements
}
