//! The quality cards of a result.

use axum::Json;
use axum::extract::State;
use marey_measure::card::Thresholds;
use marey_measure::judge::{TakeEvidence, judge};
use serde_json::{Value, json};

use super::{AppState, JsonResult, PathNumber, run_limited};
use crate::Floor;

/// Measures a result. The lines of a card are null if there is no ground to judge the motion by.
pub(super) async fn card(State(studio): AppState, PathNumber(number): PathNumber) -> JsonResult {
    let cards = run_limited(&studio, move |studio| {
        let result = studio.result(number)?;
        let terrain = match &result.floor {
            Floor::Level => None,
            Floor::Uneven(terrain) => Some(terrain.clone()),
            Floor::Unmeasured => {
                let actors = result.take.actors().iter();
                let cards = actors.map(|actor| json!({ "name": actor.name, "lines": null }));
                return Ok(json!({ "actors": cards.collect::<Vec<Value>>() }));
            }
        };
        let evidence = TakeEvidence { floor_m: Some(0.0), terrain, ..TakeEvidence::default() };
        let cards = judge(&result.take, &evidence, &Thresholds::default())?;
        let cards = cards.iter().map(|card| json!({ "name": card.actor, "lines": card.card.lines }));
        Ok(json!({ "actors": cards.collect::<Vec<Value>>() }))
    });
    Ok(Json(cards.await?))
}
