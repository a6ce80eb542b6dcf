//! From a request to motion.

use std::sync::Arc;

use super::leader::add_leader;
use super::{
    ControlSignal, ExamplePace, ExampleSet, Explanation, FollowRequest, Interpretation, LearntMetric,
    LiveFollower, Piece, SearchMode, codes, follow_explained, follow_observed,
};
use crate::bodies::partner_on_body;
use crate::motion::{Place, Report};
use crate::plan::Trace;
use crate::realise::constrain::propagate_holds;
use crate::realise::{PlanSources, Realisation, Realised, move_joins};
use crate::sources::CorpusSources;
use crate::{Context, Error, Outcome};

/// A segment that is repeated this often in a row is reported. A person who stands or hops on the spot repeats one a few times.
const MANY_REPETITIONS: usize = 6;

/// The name of the actor that follows.
const FOLLOWER: &str = "follower";

/// What `follow` reports besides motion and plan.
#[derive(Debug, Clone, PartialEq)]
pub struct FollowDetails {
    /// Which segments were used, when, where and how stretched.
    pub interpretation: Interpretation,
    /// Number of takes that were used as examples.
    pub examples: usize,
    /// The metric by which controls were compared; `None` for the plain one.
    pub metric: Option<LearntMetric>,
    /// Why these segments were used; empty unless the request asks for it with [`SearchMode::Explained`].
    pub explanation: Explanation,
}

/// A request with its signal and examples.
pub(crate) struct Prepared {
    pub(crate) signal: ControlSignal,
    pub(crate) examples: Arc<ExampleSet>,
    pub(crate) report: Report,
}

/// Follows a control with the segments of the context's corpus.
///
/// An actor that leads is the first actor of the result, the follower the second. Otherwise the follower is alone.
pub fn run(request: &FollowRequest, context: &Context<'_>) -> Result<Outcome<FollowDetails>, Error> {
    let prepared = prepare(request, context)?;
    context.install(|| answer(request, prepared, context))?
}

/// Reads the control and selects the examples.
pub(crate) fn prepare(request: &FollowRequest, context: &Context<'_>) -> Result<Prepared, Error> {
    request.validate()?;
    context.report("prepare", 0, 1)?;
    let corpus = context.corpus()?;
    let control = request.read_input(&corpus, context.observer())?;
    let selection = request.selection(&control)?;
    let choice = request.choice(&selection, context.bodies().of(FOLLOWER));
    let examples = context.cached(&choice, || ExampleSet::select(&corpus, &choice, context))?;
    let mut report = examples.report.clone();
    let pace = || ExamplePace::of(&examples.mapping, request.stretch);
    let signal = request.signal(control, selection, pace, &mut report)?;
    let rates = examples.mapping.examples().iter().map(|example| example.control.rate_hz());
    let fastest_hz = rates.fold(signal.points.rate_hz(), f64::max);
    context.budget().check_frames(signal.points.frames() as f64 / signal.points.rate_hz() * fastest_hz)?;
    Ok(Prepared { signal, examples, report })
}

fn answer(
    request: &FollowRequest,
    prepared: Prepared,
    context: &Context<'_>,
) -> Result<Outcome<FollowDetails>, Error> {
    let (interpretation, mut trace) = prepared.interpret(request, context)?;
    let Prepared { mut signal, examples, mut report } = prepared;
    if let Some((name, leader)) = &mut signal.leader
        && let Some(body) = context.bodies().of(name)
    {
        leader.clip = partner_on_body(&leader.clip, body, context.observer())?;
    }
    if interpretation.gap > 0.0 && request.mode != SearchMode::Live {
        let message =
            format!("another interpretation could cost up to {:.1} % less", 100.0 * interpretation.gap);
        report.warn(&codes::NOT_PROVEN, Place::default(), message);
    }
    let explanation = Explanation::new(&interpretation, &trace, &examples.mapping, examples.metric.as_ref());
    report_repetition(&interpretation, &examples, &mut report);
    let mut plan = match signal.leader {
        Some(_) => interpretation.plan(&examples.mapping, FOLLOWER)?,
        None => {
            // Nobody has to stay in step with a path, so the motion is as smooth as its examples.
            let rates = examples.mapping.examples().iter().map(|example| example.control.rate_hz());
            interpretation.at_rate(rates.fold(0.0, f64::max)).plan(&examples.mapping, FOLLOWER)?
        }
    };
    if let Some(leader) = &signal.leader {
        add_leader(&mut plan, &mut trace, leader, &interpretation, &examples);
    }
    plan.bodies.extend(examples.plan_body(plan.actors.len() - 1));
    context.report("realise", 0, 1)?;
    let realisation = Realisation::default().with_passes(&request.passes)?;
    realisation.write_to(&mut plan)?;
    if request.mode != SearchMode::Live {
        let sources = CorpusSources::new(context).on_bodies_of(&plan);
        let mut placements = plan.actors.last().map_or_else(Vec::new, |actor| actor.placements.clone());
        move_joins(&mut placements, plan.rate_hz, &sources, &realisation.passes.join)?;
        if let Some(follower) = plan.actors.last_mut() {
            follower.placements = placements;
        }
    }
    if request.keep_holds {
        let sources = CorpusSources::new(context).on_bodies_of(&plan);
        let meetings = propagate_holds(&plan, &PlanSources::new(&plan, &sources))?;
        plan.meetings.extend(meetings);
    }
    let sources = CorpusSources::new(context).on_bodies_of(&plan);
    let Realised { take, contacts, report: warnings, .. } =
        realisation.realise(&plan, &sources, context.observer(), Error::from)?;
    report.absorb(warnings);
    let details = FollowDetails {
        interpretation,
        examples: examples.mapping.examples().len(),
        metric: examples.metric.clone(),
        explanation,
    };
    Ok(Outcome { take, contacts, plan: Some(plan), trace, report, details })
}

/// Reports the segment that is repeated most often without another between. Walkers alternate their feet, so that repetition is a
/// sign of examples that do not move as the control does.
fn report_repetition(interpretation: &Interpretation, examples: &ExampleSet, report: &mut Report) {
    let runs = interpretation.pieces.chunk_by(|one, next| one.instance == next.instance);
    let longest = runs.max_by_key(|run| run.len()).filter(|run| run.len() >= MANY_REPETITIONS);
    let Some(longest @ [first, ..]) = longest else { return };
    let take = &examples.mapping.example_of(first.instance).source.take;
    let secs = longest.iter().map(|piece| piece.frames).sum::<usize>() as f64 / interpretation.rate_hz;
    let message = format!("a segment of {take:?}, {} times in {secs:.1} s", longest.len());
    let place = Place::default().frame(first.start);
    report.warn_many(&crate::codes::REPEATED_SEGMENT, place, longest.len(), message);
}

impl Prepared {
    /// Searches; the trace is empty unless the request asks for one.
    pub(crate) fn interpret(
        &self,
        request: &FollowRequest,
        context: &Context<'_>,
    ) -> Result<(Interpretation, Trace), Error> {
        let (mapping, control) = (&self.examples.mapping, &self.signal.points);
        let (constraints, settings) = (&request.constraints, request.settings());
        match request.mode {
            SearchMode::Optimal => {
                let found = follow_observed(mapping, control, constraints, &settings, context.observer())?;
                Ok((found, Trace::default()))
            }
            SearchMode::Explained => {
                Ok(follow_explained(mapping, control, constraints, &settings, context.observer())?)
            }
            SearchMode::Live => {
                let mut follower = LiveFollower::new(mapping, control.rate_hz(), &settings)?;
                let mut pieces = Vec::new();
                for frame in 0..control.frames() {
                    context.report("search", frame, control.frames())?;
                    pieces.extend(follower.push(control.frame(frame))?);
                }
                pieces.extend(follower.finish()?);
                let cost = |piece: &Piece| piece.interpretation + piece.continuity + piece.stretch_cost;
                let score = pieces.iter().map(cost).sum();
                let (rate_hz, frames) = (control.rate_hz(), control.frames());
                // Decisions that cannot be changed later are not optimal, and their gap is not known.
                Ok((Interpretation { rate_hz, frames, pieces, score, gap: 1.0 }, Trace::default()))
            }
        }
    }
}
