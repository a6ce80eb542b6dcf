//! The HTTP interface of the page. `docs/studio.md` lists the addresses.

mod card;
mod character_choice;
mod characters;
mod edits;
mod export;
mod imports;
mod jobs;
mod keep_result;
mod live;
mod motions;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{FromRequest, FromRequestParts, Path, Request, State};
use axum::http::Uri;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post};
use axum::{Json, Router};
pub(crate) use character_choice::CharacterChoice;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::{Result, Studio, StudioError, codes, guard, page};

/// The state that every handler receives.
type AppState = State<Arc<Studio>>;

/// The response of a handler: JSON or an error.
type JsonResult = Result<Json<Value>>;

/// All addresses.
pub(crate) fn router(address: SocketAddr) -> Router<Arc<Studio>> {
    Router::new()
        .route("/api/about", get(about))
        .route("/api/changes/{revision}", get(changes))
        .route("/api/corpus/save-as", post(save_as))
        .route("/api/corpus/reopen", post(reopen))
        .route("/api/links", post(move |state| link(state, address)))
        .route("/api/takes", get(motions::takes))
        .route("/api/takes/{take}/edits", post(edits::edit))
        .route("/api/takes/{take}/segments", post(edits::segment))
        .route("/api/motions/{motion}", get(motions::about))
        .route("/api/motions/{motion}/poses", get(motions::poses))
        .route("/api/motions/{motion}/thumb", get(motions::thumbnail))
        .route("/api/motions/{motion}/export/{what}", get(export::export))
        .route("/api/companions", post(imports::companion))
        .route("/api/imports", post(imports::read))
        .route("/api/imports/{import}", post(imports::read_again).delete(imports::forget))
        .route("/api/imports/{import}/keep", post(imports::keep))
        .route("/api/characters", get(characters::list).post(characters::add))
        .route("/api/characters/{character}", delete(characters::remove))
        .route("/api/characters/{character}/model", get(characters::model))
        .route("/api/characters/{character}/rig", get(characters::rig))
        .route("/api/imports/{import}/character", post(characters::add_import))
        .route("/api/panels/{panel}", post(jobs::start))
        .route("/api/panels/{panel}/preview", post(jobs::preview))
        .route("/api/panels/{panel}/play", post(live::play))
        .route("/api/live/{live}", get(live::watch).delete(live::end))
        .route("/api/results/{result}/swap", post(jobs::swap))
        .route("/api/results/{result}/keep", post(keep_result::keep))
        .route("/api/results/{result}/card", get(card::card))
        .route("/api/jobs/{job}", get(jobs::state).delete(jobs::cancel))
        .fallback(get(file))
        .method_not_allowed_fallback(async || {
            StudioError::new(&codes::METHOD, "the address does not support this method")
        })
}

/// The files of the page.
async fn file(uri: Uri) -> Response {
    page::file(uri.path()).into_response()
}

/// What the page needs at its start.
async fn about(State(studio): AppState) -> JsonResult {
    let name = studio.path().file_name().map(|name| name.to_string_lossy().into_owned());
    let panels: Vec<&str> = studio.panels.iter().map(|panel| panel.name()).collect();
    Ok(Json(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "corpus": name,
        "is_example": studio.is_example,
        "revision": studio.revision(),
        "panels": panels,
    })))
}

/// The revision of the corpus, as soon as it differs from the known one.
async fn changes(State(studio): AppState, PathNumber(known): PathNumber) -> JsonResult {
    let revision = studio.wait_for_change(known).await;
    Ok(Json(json!({ "revision": revision })))
}

/// Copies the corpus to a new file beside the old one, and uses that from then on. Responds with the name of the file.
async fn save_as(State(studio): AppState) -> JsonResult {
    let path = run_blocking(&studio, Studio::save_as).await?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    Ok(Json(json!({ "corpus": name })))
}

/// Opens the file that is at the path of the corpus now.
async fn reopen(State(studio): AppState) -> JsonResult {
    run_blocking(&studio, Studio::reopen).await?;
    Ok(Json(json!({ "revision": studio.revision() })))
}

/// A link that gives another browser access, once.
async fn link(State(studio): AppState, address: SocketAddr) -> JsonResult {
    Ok(Json(json!({ "url": studio.link(address)? })))
}

/// Runs work on a thread that may block.
async fn run_blocking<T: Send + 'static>(
    studio: &Arc<Studio>,
    work: impl FnOnce(&Studio) -> Result<T> + Send + 'static,
) -> Result<T> {
    let studio = studio.clone();
    let done = tokio::task::spawn_blocking(move || work(&studio)).await;
    done.unwrap_or_else(|panic| Err(StudioError::new(&codes::BUG, panic.to_string())))
}

/// [`run_blocking`], at most a few at once.
async fn run_limited<T: Send + 'static>(
    studio: &Arc<Studio>,
    work: impl FnOnce(&Studio) -> Result<T> + Send + 'static,
) -> Result<T> {
    let _permit = studio.limited.acquire().await;
    run_blocking(studio, work).await
}

/// Measures how fast the actors of new takes travel, in the background.
fn measure_new_takes(studio: &Arc<Studio>) {
    let studio = studio.clone();
    tokio::task::spawn_blocking(move || studio.measure_travel_speeds());
}

/// The number in an address.
#[derive(Debug)]
struct PathNumber(u64);

/// The name in an address.
#[derive(Debug)]
struct PathName(String);

/// The body of a request, as JSON.
#[derive(Debug)]
struct JsonBody<T>(T);

impl<S: Send + Sync> FromRequestParts<S> for PathName {
    type Rejection = StudioError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let name = Path::<String>::from_request_parts(parts, state).await;
        name.map(|name| Self(name.0))
            .map_err(|_| StudioError::new(&codes::NO_PAGE, "the address lacks a name"))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for PathNumber {
    type Rejection = StudioError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let PathName(name) = PathName::from_request_parts(parts, state).await?;
        name.parse().map(Self).map_err(|_| StudioError::new(&codes::NO_PAGE, "the address lacks a number"))
    }
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for JsonBody<T> {
    type Rejection = StudioError;

    async fn from_request(request: Request, _: &S) -> Result<Self> {
        let (parts, body) = request.into_parts();
        let bytes = guard::body(&parts.headers, body, "application/json", guard::JSON_BYTES).await?;
        serde_json::from_slice(&bytes)
            .map(Self)
            .map_err(|error| StudioError::new(&codes::REQUEST, error.to_string()))
    }
}
