//! How good a result is: the quality card of each figure.

use axum::extract::State;
use axum::response::Response;
use marey_measure::card::{Evidence, QualityCard, Thresholds};
use marey_motion::Contacts;
use serde_json::{Value, json};

use super::{AppState, Numbered, answer, in_turn};
use crate::{Floor, Result, StudioResult};

/// Measures a result; nothing is told of one that moves where there is no floor to judge it by.
pub(super) async fn card(State(studio): AppState, Numbered(number): Numbered) -> Result<Response> {
    let told = in_turn(&studio, move |studio| {
        let made = studio.find_made(number)?;
        let actors = made.take.actors().iter().enumerate();
        let cards = actors.map(|(number, actor)| {
            let card = of_actor(&made, number)?;
            Ok(json!({ "name": actor.name, "lines": card.map(|card| card.lines) }))
        });
        Ok(json!({ "actors": cards.collect::<Result<Vec<Value>>>()? }))
    });
    Ok(answer(&told.await?))
}

fn of_actor(made: &StudioResult, number: usize) -> Result<Option<QualityCard>> {
    let nothing = Contacts::default();
    let contacts = made.contacts.get(number).unwrap_or(&nothing);
    let Some(actor) = made.take.actors().get(number) else { return Ok(None) };
    let terrain = match &made.floor {
        Floor::Level => None,
        Floor::Uneven(terrain) => Some(terrain),
        Floor::Elsewhere => return Ok(None),
    };
    let evidence = Evidence { terrain, ..Evidence::of_feet(contacts, 0.0) };
    Ok(Some(QualityCard::of(&actor.clip, &evidence, &Thresholds::default())?))
}
