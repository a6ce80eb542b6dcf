//! Engines at work.

use axum::extract::State;
use axum::response::Response;
use marey::Outcome;
use marey::motion::Observer;
use marey::realise::{self, PlanSources, RealiseRequest};
use marey::sources::CorpusSources;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{AppState, JsonBody, Named, Numbered, answer, in_turn};
use crate::{MotionId, Planned, Result, Studio, StudioError, StudioResult, Work, codes, quoted, swap};

/// Has a panel do its work; the number of the job.
pub(super) async fn start(
    State(studio): AppState,
    Named(panel): Named,
    JsonBody(wish): JsonBody<Value>,
) -> Result<Response> {
    studio.find_panel(&panel)?;
    let doer = studio.clone();
    let job = studio.jobs.start(move |work| doer.run_panel(&panel, &wish, work))?;
    Ok(answer(&json!({ "job": job })))
}

/// Asks a panel a question; its answer.
pub(super) async fn look(
    State(studio): AppState,
    Named(panel): Named,
    JsonBody(wish): JsonBody<Value>,
) -> Result<Response> {
    let told = in_turn(&studio, move |studio| studio.ask_panel(&panel, &wish));
    Ok(answer(&told.await?))
}

/// What there is to say about a job.
pub(super) async fn news(State(studio): AppState, Numbered(job): Numbered) -> Result<Response> {
    Ok(answer(&studio.jobs.news(job).await?))
}

/// A job is not wanted any more.
pub(super) async fn cancel(State(studio): AppState, Numbered(job): Numbered) -> Result<Response> {
    studio.jobs.cancel(job)?;
    Ok(answer(&json!({})))
}

/// Which piece of a plan, and what in its place.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Other {
    actor: usize,
    placement: usize,
    candidate: usize,
}

/// Swaps a piece of a result's plan for another candidate and realises it again; the number of the job.
pub(super) async fn swap(
    State(studio): AppState,
    Numbered(number): Numbered,
    JsonBody(other): JsonBody<Other>,
) -> Result<Response> {
    studio.find_made(number)?;
    let doer = studio.clone();
    let job = studio.jobs.start(move |work| swapped(&doer, number, &other, work))?;
    Ok(answer(&json!({ "job": job })))
}

fn swapped(studio: &Studio, number: u64, other: &Other, work: &Work) -> Result<Vec<MotionId>> {
    let made = studio.find_made(number)?;
    work.at(0.1, "laying the piece")?;
    let fixed = || StudioError::new(&codes::NO_PLAN, "its pieces cannot be swapped one by one");
    let planned = made.planned.as_ref().filter(|_| made.can_swap()).ok_or_else(fixed)?;
    let observe = |progress| work.observe(progress);
    let context = studio.context(Observer::new(&observe))?;
    let Other { actor, placement, candidate } = *other;
    let corpus = CorpusSources::new(&context);
    let sources = PlanSources::new(&planned.plan, &corpus);
    let (plan, trace) = swap::swap(&planned.plan, &planned.trace, &sources, actor, placement, candidate)?;
    let name = made.take.name().to_owned();
    let request = RealiseRequest { plan: plan.to_json()?, name, ..RealiseRequest::default() };
    let Outcome { take, contacts, report, .. } = realise::run(&request, &context)?;
    // The engine's own command would choose the first again: the plan itself is what does the same.
    let corpus = quoted(&studio.path().display().to_string());
    let made = StudioResult {
        take,
        contacts,
        planned: Some(Planned { plan, trace }),
        report,
        command: format!("marey realise {corpus} plan.json -o motion.bvh"),
        files: vec![],
        notes: vec![],
        beside: made.beside,
        floor: made.floor.clone(),
        shows: Value::Null,
    };
    Ok(vec![MotionId::Made(studio.made.put(made))])
}
