//! Characters: the user's own figures, kept in the corpus.

use std::path::Path;
use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::{RawQuery, Request, State};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use marey::character::Cast;
use marey_corpus::{CharacterId, CharacterInfo};
use serde_json::{Value, json};

use super::imports::{SentFile, pairs, sent_file};
use super::{AppState, JsonResult, PathNumber, run_blocking, run_limited};
use crate::imports::{DroppedFiles, warnings};
use crate::{Result, Studio, StudioError, codes};

/// The value of a parameter of a query.
pub(super) fn parameter<'q>(query: Option<&'q str>, name: &str) -> Option<&'q str> {
    pairs(query?).find(|(key, _)| *key == name).map(|(_, value)| value)
}

fn id_of(number: u64) -> CharacterId {
    CharacterId(i64::try_from(number).unwrap_or(i64::MAX))
}

/// All characters.
pub(super) async fn list(State(studio): AppState) -> JsonResult {
    let characters = run_blocking(&studio, |studio| studio.read(|corpus| corpus.characters()));
    Ok(Json(json!({ "characters": characters.await?.iter().map(row).collect::<Vec<Value>>() })))
}

fn row(info: &CharacterInfo) -> Value {
    json!({ "id": info.id, "name": info.name })
}

/// Adds a file to the corpus as a character.
pub(super) async fn add(State(studio): AppState, RawQuery(query): RawQuery, request: Request) -> JsonResult {
    let file = sent_file(&studio, query, request).await?;
    Ok(Json(run_limited(&studio, move |studio| keep(studio, &file)).await?))
}

/// Adds an imported file to the corpus as a character.
pub(super) async fn add_import(State(studio): AppState, PathNumber(number): PathNumber) -> JsonResult {
    let added = run_limited(&studio, move |studio| {
        let gone =
            || StudioError::new(&codes::NO_MOTION, "the file is no longer kept: newer ones replaced it");
        let import = studio.imports.get(number).ok_or_else(gone)?;
        let (name, companions) = (import.name.clone(), import.companions.clone());
        let added = keep(studio, &SentFile { name, bytes: import.bytes.clone(), companions })?;
        studio.imports.remove(number);
        Ok(added)
    });
    Ok(Json(added.await?))
}

/// Stores a character that can be read. A file with others beside it is stored as one GLB.
fn keep(studio: &Studio, file: &SentFile) -> Result<Value> {
    let SentFile { name, bytes, companions } = file;
    let (cast, report) = Cast::from_bytes(name, bytes, &DroppedFiles { name, companions })?;
    let (name, bytes): (String, Arc<[u8]>) = match cast.model().filter(|_| !companions.is_empty()) {
        Some(model) => {
            let name = Path::new(name).with_extension("glb").to_string_lossy().into_owned();
            (name, model.to_glb()?.into())
        }
        None => (name.clone(), bytes.clone()),
    };
    let info = studio.change(|corpus| corpus.add_character(&name, &bytes))?;
    Ok(json!({ "id": info.id, "name": info.name, "warnings": warnings(&report) }))
}

/// Removes a character.
pub(super) async fn remove(State(studio): AppState, PathNumber(number): PathNumber) -> JsonResult {
    let id = id_of(number);
    run_blocking(&studio, move |studio| {
        studio.change(|corpus| corpus.remove_character(id))?;
        studio.characters.forget(id);
        Ok(())
    })
    .await?;
    Ok(Json(json!({})))
}

/// The file of a character, as a GLB. The page shows a mannequin instead of other formats.
pub(super) async fn model(State(studio): AppState, PathNumber(number): PathNumber) -> Result<Response> {
    let glb = run_limited(&studio, move |studio| {
        let cast = studio.characters.get(id_of(number), studio)?;
        let model = cast.model().ok_or_else(no_model)?;
        Ok(model.to_glb()?)
    });
    let mut response = Response::new(Body::from(glb.await?));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("model/gltf-binary"));
    Ok(response)
}

/// How the nodes of the file are posed; null if it is not glTF.
pub(super) async fn rig(State(studio): AppState, PathNumber(number): PathNumber) -> JsonResult {
    let layout = run_limited(&studio, move |studio| {
        let cast = studio.characters.get(id_of(number), studio)?;
        Ok(cast.model().map(|model| model.layout()))
    });
    Ok(Json(json!({ "rig": layout.await? })))
}

fn no_model() -> StudioError {
    StudioError::new(&codes::NO_PAGE, "only characters in glTF have a model")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_found() {
        let query = Some("frames=3-9&character=2");
        assert_eq!((parameter(query, "frames"), parameter(query, "none")), (Some("3-9"), None));
    }
}
