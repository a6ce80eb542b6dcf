//! Realising a whole plan.

use std::collections::BTreeSet;

use marey_motion::{Actor, Clip, ClipParts, Contacts, Observer, Place, Report, Take};
use marey_ops::limit::JointLimit;
use marey_plan::{ActorPlan, Plan, SourceRef};
use rayon::prelude::*;

use crate::constrain::{self, Constrain};
use crate::plant::PlantSummary;
use crate::sole_touch::SoleTouch;
use crate::{Machine, MachineStep, PlanSources, RealiseError, RealiseSettings, Result, Sources, codes};

/// The motion that a plan describes.
#[derive(Debug, Clone, PartialEq)]
pub struct Realised {
    /// The motion of all actors.
    pub take: Take,
    /// The foot contacts of each actor.
    pub contacts: Vec<Contacts>,
    /// How many plants of each actor were kept; empty if feet are not planted.
    pub plants: Vec<PlantSummary>,
    /// Warnings.
    pub report: Report,
}

/// Realises a plan. Clips that the plan carries take precedence over those of `sources`. The result does not
/// depend on the number of threads.
pub fn realise(plan: &Plan, sources: &dyn Sources, settings: &RealiseSettings) -> Result<Realised> {
    realise_observed(plan, sources, settings, Observer::ignore())
}

/// [`realise`], which reports each frame to an observer and can be cancelled by it.
pub fn realise_observed(
    plan: &Plan,
    sources: &dyn Sources,
    settings: &RealiseSettings,
    observer: Observer<'_>,
) -> Result<Realised> {
    plan.validate()?;
    let sources: &dyn Sources = &PlanSources::new(plan, sources);
    let motions: Vec<ActorMotion> = plan
        .actors
        .par_iter()
        .enumerate()
        .map(|(number, actor)| realise_actor(number, actor, plan, sources, settings, observer))
        .collect::<Result<_>>()?;
    let (mut actors, mut contacts, mut plants) = (Vec::new(), Vec::new(), Vec::new());
    let mut report = Report::default();
    for (motion, actor) in motions.into_iter().zip(&plan.actors) {
        actors.push(Actor { name: actor.name.clone(), clip: motion.clip });
        contacts.push(motion.contacts);
        plants.extend(motion.plants);
        report.absorb(motion.report);
    }
    if let Some(settings) = &settings.constrain
        && !(plan.meetings.is_empty() && plan.targets.is_empty())
    {
        actors = apply_constraints(plan, actors, sources, settings, observer, &mut report)?;
    }
    Ok(Realised { take: Take::new("plan", actors)?, contacts, plants, report })
}

/// Reports that frames before this one are done. Fails if the observer cancels the work.
fn report_frame(observer: Observer<'_>, stage: &'static str, frame: usize, plan: &Plan) -> Result<()> {
    match observer.report(stage, frame, plan.frames()).is_continue() {
        true => Ok(()),
        false => Err(RealiseError::Cancelled { frame, frames: plan.frames() }),
    }
}

/// Applies meetings and targets, frame by frame.
fn apply_constraints(
    plan: &Plan,
    actors: Vec<Actor>,
    sources: &dyn Sources,
    settings: &constrain::ConstrainSettings,
    observer: Observer<'_>,
    report: &mut Report,
) -> Result<Vec<Actor>> {
    let bodies: Vec<_> = actors.iter().map(|actor| actor.clip.skeleton().clone()).collect();
    let mut constrain = Constrain::new(plan, &bodies, settings)?;
    if let Some(slack_rad) = settings.slack_rad {
        for (number, (actor, body)) in plan.actors.iter().zip(&bodies).enumerate() {
            let used: BTreeSet<&SourceRef> =
                actor.placements.iter().map(|placement| &placement.source).collect();
            let examples = used.into_iter().map(|source| Ok(sources.source_clip(source)?.clip));
            let examples = examples.collect::<Result<Vec<Clip>>>()?;
            constrain.limit(number, JointLimit::learn(body, &examples, slack_rad));
        }
    }
    let mut parts = vec![ClipParts::default(); actors.len()];
    for frame in 0..plan.frames() {
        report_frame(observer, "constrain", frame, plan)?;
        let mut poses: Vec<_> = actors.iter().map(|actor| actor.clip.pose(frame).to_owned()).collect();
        constrain.apply(frame, &mut poses)?;
        for (parts, pose) in parts.iter_mut().zip(&poses) {
            parts.push(pose.view());
        }
    }
    if let Some((count, first)) = constrain.missed() {
        let place = Place::default().frame(first);
        report.warn_many(&codes::MEETING_MISSED, place, count, "more than 1 cm or 0.01 rad are left");
    }
    let adjusted = actors.into_iter().zip(parts).zip(bodies);
    adjusted
        .map(|((actor, parts), body)| Ok(Actor { clip: Clip::new(body, plan.rate_hz, parts)?, ..actor }))
        .collect()
}

/// The result of one actor.
struct ActorMotion {
    clip: Clip,
    contacts: Contacts,
    plants: Option<PlantSummary>,
    report: Report,
}

fn realise_actor(
    number: usize,
    actor: &ActorPlan,
    plan: &Plan,
    sources: &dyn Sources,
    settings: &RealiseSettings,
    observer: Observer<'_>,
) -> Result<ActorMotion> {
    let rate_hz = plan.rate_hz;
    let mut machine: Option<Machine> = None;
    for (index, placement) in actor.placements.iter().enumerate() {
        let in_placement = |error| RealiseError::Placement {
            actor: number,
            name: actor.name.clone(),
            placement: index,
            start: placement.start,
            error: Box::new(error),
        };
        report_frame(observer, "realise", 0, plan)?;
        let example = sources.source_clip(&placement.source).map_err(in_placement)?;
        let machine = match &mut machine {
            Some(machine) => machine,
            None => machine.insert(Machine::new(example.clip.skeleton().clone(), rate_hz, *settings)?),
        };
        machine.push(placement, &example).map_err(in_placement)?;
    }
    let mut machine =
        machine.ok_or(marey_plan::PlanError::Empty { what: format!("the plan of {}", actor.name) })?;
    machine.finish();
    let (mut parts, mut touches) = (ClipParts::default(), Vec::new());
    while let MachineStep::Frame(frame) = machine.advance() {
        report_frame(observer, "realise", touches.len(), plan)?;
        parts.push(frame.pose);
        touches.push(frame.touch);
    }
    Ok(ActorMotion {
        clip: Clip::new(machine.skeleton().clone(), rate_hz, parts)?,
        contacts: SoleTouch::contacts(&touches)?,
        plants: machine.plant_summary(),
        report: machine.report(),
    })
}
