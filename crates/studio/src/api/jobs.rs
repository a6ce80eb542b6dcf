//! Panels at work, and edits of their plans.

use axum::Json;
use axum::extract::{RawQuery, State};
use marey::motion::Observer;
use marey::realise::{self, PlanSources, RealiseRequest, swap_candidate};
use marey::sources::CorpusSources;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{AppState, CharacterChoice, JsonBody, JsonResult, PathName, PathNumber, run_limited};
use crate::work::JobResult;
use crate::{CommandLine, MotionId, Studio, StudioError, StudioResult, Work, codes};

/// Starts the work of a panel and returns the number of the job. With `character=2` in the query, it makes motion for the body of
/// that character, and with `character=3:red` for the actor `red` only.
pub(super) async fn start(
    State(studio): AppState,
    PathName(panel): PathName,
    RawQuery(query): RawQuery,
    JsonBody(message): JsonBody<Value>,
) -> JsonResult {
    studio.panel(&panel)?;
    let choice = CharacterChoice::of_query(query.as_deref())?;
    let runner = studio.clone();
    let job = studio.jobs.start(move |work| runner.run_panel(&panel, &message, &choice, work))?;
    Ok(Json(json!({ "job": job })))
}

/// The preview of a panel.
pub(super) async fn preview(
    State(studio): AppState,
    PathName(panel): PathName,
    JsonBody(message): JsonBody<Value>,
) -> JsonResult {
    let preview = run_limited(&studio, move |studio| studio.preview_panel(&panel, &message));
    Ok(Json(preview.await?))
}

/// The state of a job.
pub(super) async fn state(State(studio): AppState, PathNumber(job): PathNumber) -> JsonResult {
    Ok(Json(studio.jobs.state(job).await?))
}

/// Cancels a job.
pub(super) async fn cancel(State(studio): AppState, PathNumber(job): PathNumber) -> JsonResult {
    studio.jobs.cancel(job)?;
    Ok(Json(json!({})))
}

/// A piece of a plan, and the candidate that replaces it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SwapMessage {
    actor: usize,
    placement: usize,
    candidate: usize,
}

/// Swaps a piece of a result's plan and realises the plan again. Returns the number of the job.
pub(super) async fn swap(
    State(studio): AppState,
    PathNumber(number): PathNumber,
    JsonBody(message): JsonBody<SwapMessage>,
) -> JsonResult {
    studio.result(number)?;
    let runner = studio.clone();
    let job = studio.jobs.start(move |work| swap_piece(&runner, number, &message, work))?;
    Ok(Json(json!({ "job": job })))
}

fn swap_piece(studio: &Studio, number: u64, message: &SwapMessage, work: &Work) -> JobResult {
    let result = studio.result(number)?;
    work.report(0.1, "swapping the piece")?;
    let fixed = || StudioError::new(&codes::NO_PLAN, "the pieces of this result cannot be swapped");
    let plan = result.plan.as_ref().filter(|_| result.can_swap()).ok_or_else(fixed)?;
    let observe = |progress| work.observe(progress);
    let context = studio.context(Observer::new(&observe))?;
    let SwapMessage { actor, placement, candidate } = *message;
    let corpus = CorpusSources::new(&context).on_bodies_of(plan);
    let sources = PlanSources::new(plan, &corpus);
    let (plan, trace) = swap_candidate(plan, &result.trace, &sources, actor, placement, candidate)?;
    let name = result.take.name().to_owned();
    let request = RealiseRequest { plan: plan.to_json()?, name, ..RealiseRequest::default() };
    let (swapped, _) = StudioResult::from_outcome(realise::run(&request, &context)?);
    // The engine's own command would choose the first candidate again.
    let command = CommandLine::new("realise").arg(studio.path().display()).arg("plan.json");
    let swapped = StudioResult {
        plan: Some(plan),
        trace,
        command: command.option("-o", ["motion.bvh"]).to_string(),
        shown_beside: result.shown_beside,
        floor: result.floor.clone(),
        ..swapped
    };
    Ok(vec![MotionId::Result(studio.results.insert(swapped))])
}
