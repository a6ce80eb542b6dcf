//! The quality cards of a result.

use axum::extract::State;
use axum::response::Response;
use marey_measure::card::Thresholds;
use marey_measure::judge::{TakeEvidence, judge};
use serde_json::{Value, json};

use super::{AppState, Numbered, answer, in_turn};
use crate::{Floor, Result};

/// Measures a result. The lines are null for a result that moves where there is no floor.
pub(super) async fn card(State(studio): AppState, Numbered(number): Numbered) -> Result<Response> {
    let measured = in_turn(&studio, move |studio| {
        let made = studio.find_made(number)?;
        let terrain = match &made.floor {
            Floor::Level => None,
            Floor::Uneven(terrain) => Some(terrain.clone()),
            Floor::Elsewhere => {
                let actors =
                    made.take.actors().iter().map(|actor| json!({ "name": actor.name, "lines": null }));
                return Ok(json!({ "actors": actors.collect::<Vec<Value>>() }));
            }
        };
        let contacts = Some(made.contacts.clone());
        let evidence = TakeEvidence { contacts, floor_m: Some(0.0), terrain, ..TakeEvidence::default() };
        let cards = judge(&made.take, &evidence, &Thresholds::default())?;
        let cards = cards.iter().map(|card| json!({ "name": card.actor, "lines": card.card.lines }));
        Ok(json!({ "actors": cards.collect::<Vec<Value>>() }))
    });
    Ok(answer(&measured.await?))
}
