//! What the page can ask for. Things are named by number; `docs/studio.md` lists the addresses.

mod card;
mod edits;
mod export;
mod imports;
mod keep;
mod live;
mod motions;
mod work;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{FromRequest, Request, State};
use axum::http::{HeaderValue, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::{Result, Studio, StudioError, codes, guard, page};

/// What every handler is given.
type AppState = State<Arc<Studio>>;

/// All addresses.
pub(crate) fn router(address: SocketAddr) -> Router<Arc<Studio>> {
    Router::new()
        .route("/api/about", get(about))
        .route("/api/news/{revision}", get(news))
        .route("/api/links", post(move |behind| link(behind, address)))
        .route("/api/takes", get(motions::takes))
        .route("/api/takes/{take}/edits", post(edits::edit))
        .route("/api/takes/{take}/cuts", post(edits::cut))
        .route("/api/motions/{motion}", get(motions::about))
        .route("/api/motions/{motion}/poses", get(motions::poses))
        .route("/api/motions/{motion}/thumb", get(motions::thumb))
        .route("/api/motions/{motion}/export/{what}", get(export::export))
        .route("/api/companions", post(imports::companion))
        .route("/api/imports", post(imports::read))
        .route("/api/imports/{import}", post(imports::again).delete(imports::forget))
        .route("/api/imports/{import}/keep", post(imports::keep))
        .route("/api/panels/{panel}", post(work::start))
        .route("/api/panels/{panel}/look", post(work::look))
        .route("/api/panels/{panel}/play", post(live::play))
        .route("/api/live/{live}", get(live::watch).delete(live::end))
        .route("/api/made/{made}/swap", post(work::swap))
        .route("/api/made/{made}/keep", post(keep::keep))
        .route("/api/made/{made}/card", get(card::card))
        .route("/api/jobs/{job}", get(work::news).delete(work::cancel))
        .fallback(get(file))
        .method_not_allowed_fallback(async || StudioError::new(&codes::METHOD, "not at this address"))
}

/// The page and its files.
async fn file(uri: Uri) -> Response {
    page::file(uri.path()).into_response()
}

/// What the page must know first.
async fn about(State(studio): AppState) -> Result<Response> {
    let name = studio.path().file_name().map(|name| name.to_string_lossy().into_owned());
    let panels: Vec<&str> = studio.panels.iter().map(|panel| panel.name()).collect();
    Ok(answer(&json!({
        "version": env!("CARGO_PKG_VERSION"),
        "corpus": name,
        "is_example": studio.opened.is_example,
        "revision": studio.revision(),
        "panels": panels,
    })))
}

/// The count of changes, when there is a new one.
async fn news(State(studio): AppState, Numbered(known): Numbered) -> Result<Response> {
    let revision = studio.news(known).await;
    Ok(answer(&json!({ "revision": revision })))
}

/// A link that lets another browser in, once.
async fn link(State(studio): AppState, address: SocketAddr) -> Result<Response> {
    Ok(answer(&json!({ "url": studio.link(address)? })))
}

/// An answer in JSON.
fn answer(value: &Value) -> Response {
    let mut response = Response::new(Body::from(value.to_string()));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// Work that may take a moment, off the threads that answer.
async fn aside<T: Send + 'static>(
    studio: &Arc<Studio>,
    work: impl FnOnce(&Studio) -> Result<T> + Send + 'static,
) -> Result<T> {
    let studio = studio.clone();
    let done = tokio::task::spawn_blocking(move || work(&studio)).await;
    done.unwrap_or_else(|panic| Err(StudioError::new(&codes::BUG, panic.to_string())))
}

/// [`aside`], when there is room for it: no more than a few at once.
async fn in_turn<T: Send + 'static>(
    studio: &Arc<Studio>,
    work: impl FnOnce(&Studio) -> Result<T> + Send + 'static,
) -> Result<T> {
    let _permit = studio.room.acquire().await;
    aside(studio, work).await
}

/// A number in an address.
#[derive(Debug)]
struct Numbered(u64);

/// A word in an address.
#[derive(Debug)]
struct Named(String);

/// What was sent as JSON.
#[derive(Debug)]
struct JsonBody<T>(T);

impl<S: Send + Sync> axum::extract::FromRequestParts<S> for Named {
    type Rejection = StudioError;

    async fn from_request_parts(parts: &mut axum::http::request::Parts, state: &S) -> Result<Self> {
        let word = axum::extract::Path::<String>::from_request_parts(parts, state).await;
        word.map(|word| Self(word.0))
            .map_err(|_| StudioError::new(&codes::NO_PAGE, "the address lacks a word"))
    }
}

impl<S: Send + Sync> axum::extract::FromRequestParts<S> for Numbered {
    type Rejection = StudioError;

    async fn from_request_parts(parts: &mut axum::http::request::Parts, state: &S) -> Result<Self> {
        let Named(word) = Named::from_request_parts(parts, state).await?;
        word.parse().map(Self).map_err(|_| StudioError::new(&codes::NO_PAGE, "the address lacks a number"))
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
