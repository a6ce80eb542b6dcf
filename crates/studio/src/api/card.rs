//! The quality card of every actor of a result.

use axum::Json;
use axum::extract::State;
use marey_measure::card::{Evidence, QualityCard, Thresholds};
use marey_motion::Contacts;
use serde_json::{Value, json};

use super::{AppState, JsonResult, PathNumber, run_limited};
use crate::{Floor, Result, StudioResult};

/// Measures a result. The lines of a card are null if there is no ground to judge the motion by.
pub(super) async fn card(State(studio): AppState, PathNumber(number): PathNumber) -> JsonResult {
    let cards = run_limited(&studio, move |studio| {
        let result = studio.result(number)?;
        let actors = result.take.actors().iter().enumerate();
        let cards = actors.map(|(number, actor)| {
            let card = actor_card(&result, number)?;
            Ok(json!({ "name": actor.name, "lines": card.map(|card| card.lines) }))
        });
        Ok(json!({ "actors": cards.collect::<Result<Vec<Value>>>()? }))
    });
    Ok(Json(cards.await?))
}

fn actor_card(result: &StudioResult, number: usize) -> Result<Option<QualityCard>> {
    let none = Contacts::default();
    let contacts = result.contacts.get(number).unwrap_or(&none);
    let Some(actor) = result.take.actors().get(number) else { return Ok(None) };
    let terrain = match &result.floor {
        Floor::Level => None,
        Floor::Uneven(terrain) => Some(terrain),
        Floor::Elsewhere => return Ok(None),
    };
    let evidence = Evidence { terrain, ..Evidence::of_feet(contacts, 0.0) };
    Ok(Some(QualityCard::of(&actor.clip, &evidence, &Thresholds::default())?))
}
