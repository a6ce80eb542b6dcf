//! Engines at work.

use axum::extract::State;
use axum::response::Response;
use marey_realise::{Realised, realise};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Behind, Named, Numbered, Sent, answer, in_turn};
use crate::{Again, Fault, Made, MotionId, Planned, Result, Studio, Work, codes, quoted, swap};

/// Has a panel do its work; the number of the job.
pub(super) async fn start(
    State(studio): Behind,
    Named(panel): Named,
    Sent(wish): Sent<Value>,
) -> Result<Response> {
    studio.find_panel(&panel)?;
    let doer = studio.clone();
    let job = studio.jobs.start(move |work| doer.run_panel(&panel, &wish, work))?;
    Ok(answer(&json!({ "job": job })))
}

/// Asks a panel a question; its answer.
pub(super) async fn look(
    State(studio): Behind,
    Named(panel): Named,
    Sent(wish): Sent<Value>,
) -> Result<Response> {
    let told = in_turn(&studio, move |studio| studio.ask_panel(&panel, &wish));
    Ok(answer(&told.await?))
}

/// What there is to say about a job.
pub(super) async fn news(State(studio): Behind, Numbered(job): Numbered) -> Result<Response> {
    Ok(answer(&studio.jobs.news(job).await?))
}

/// A job is not wanted any more.
pub(super) async fn cancel(State(studio): Behind, Numbered(job): Numbered) -> Result<Response> {
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
    State(studio): Behind,
    Numbered(number): Numbered,
    Sent(other): Sent<Other>,
) -> Result<Response> {
    studio.find_made(number)?;
    let doer = studio.clone();
    let job = studio.jobs.start(move |work| swapped(&doer, number, &other, work))?;
    Ok(answer(&json!({ "job": job })))
}

fn swapped(studio: &Studio, number: u64, other: &Other, work: &Work) -> Result<Vec<MotionId>> {
    let made = studio.find_made(number)?;
    work.at(0.1, "laying the piece")?;
    let fixed = || Fault::new(&codes::NO_PLAN, "its pieces cannot be swapped one by one");
    let planned = made.planned.as_ref().ok_or_else(fixed)?;
    let Again { sources, settings } = planned.again.as_ref().ok_or_else(fixed)?;
    let Other { actor, placement, candidate } = *other;
    let (plan, trace) = swap::swap(&planned.plan, &planned.trace, &**sources, actor, placement, candidate)?;
    work.at(0.3, "realising")?;
    let Realised { take, contacts, report } = realise(&plan, &**sources, settings)?;
    let take = marey_motion::Take::new(made.take.name(), take.into_actors())?;
    // The engine's own command would choose the first again: the plan itself is what does the same.
    let corpus = quoted(&studio.path().display().to_string());
    let made = Made {
        take,
        contacts,
        planned: Some(Planned { plan, trace, again: planned.again.clone() }),
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
