//! What goes wrong, as the page is told: a status, a code, a sentence, a place and a hint.

use axum::body::Body;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use marey_motion::{Code, Place};
use serde::Serialize;

/// Codes of the studio.
pub mod codes {
    marey_motion::codes! {
        REQUEST = "studio/request":
            "A request cannot be parse_message."
            => "Reload the page; if it stays so, this is a bug of the page.";
        HOST = "studio/host":
            "A request names another host than the studio's own."
            => "Open the address that `marey studio` printed, as it stands.";
        ORIGIN = "studio/origin":
            "A request comes from a page that is not the studio's own."
            => "Use the page that the studio serves; other pages may not speak for you.";
        TOKEN = "studio/token":
            "Who asks has not shown the token that `marey studio` printed, or it was used before."
            => "Open the address that `marey studio` printed; start the studio again for a new one.";
        METHOD = "studio/method":
            "There is no such thing to do at this address."
            => "Reload the page; if it stays so, this is a bug of the page.";
        NO_PAGE = "studio/no-page":
            "There is nothing at this address."
            => "Start from the studio's first page.";
        TOO_LARGE = "studio/too-large":
            "More was sent than the studio takes in."
            => "Cut the file into parts, or put it into the corpus with `marey corpus add`, which has no such limit.";
        TOO_LONG = "studio/too-long":
            "An address is longer than any of the studio's own."
            => "Reload the page; if it stays so, this is a bug of the page.";
        SLOW = "studio/slow":
            "A request took too long to arrive."
            => "Try again; where the connection is slow, send less at once.";
        KIND = "studio/kind":
            "What was sent is not of the kind that is taken here."
            => "Reload the page; if it stays so, this is a bug of the page.";
        CONNECTIONS = "studio/connections":
            "More connections are open than the studio keeps."
            => "Close other windows of the studio, then reload the page.";
        BUSY = "studio/busy":
            "As much work is waiting as the studio takes on."
            => "Wait until something is done, or cancel it.";
        CANCELLED = "studio/cancelled":
            "The work was cancelled."
            => "PanelRequest for it again if you want it.";
        NO_MOTION = "studio/no-motion":
            "There is no such motion; results that were not kept go when many newer ones have come."
            => "Make it again, or choose another.";
        NO_JOB = "studio/no-job":
            "There is no such work."
            => "PanelRequest for it again.";
        NO_PANEL = "studio/no-panel":
            "There is no such engine in this studio."
            => "Reload the page; it may be of another version than the studio.";
        NO_PLAN = "studio/no-plan":
            "The motion was not made by a plan, or not with such a piece or candidate in it."
            => "Choose a result of an engine.";
        ADDRESS = "studio/address":
            "The studio cannot listen at the address."
            => "Choose another --port, or leave it out for one that is free; --listen takes the address of one network interface.";
        NO_ENTROPY = "studio/no-entropy" alias "studio/no-chance":
            "The system gives no random numbers, so no token can be made."
            => "Check the system; without them the studio cannot be kept to yourself.";
        BUG = "studio/bug":
            "The studio itself is at fault."
            => "Please report it, with what you did, and the file if you can.";
    }
}

/// Why a request was refused or failed.
#[derive(Debug, Clone)]
pub struct StudioError {
    /// The status it is answered with.
    pub status: StatusCode,
    /// Which kind.
    pub code: &'static Code,
    /// What exactly.
    pub message: String,
    /// Where in what was given.
    pub place: Box<Place>,
}

/// How it is written.
#[derive(Debug, Serialize)]
struct Written<'a> {
    code: &'a str,
    message: &'a str,
    hint: &'a str,
    place: &'a Place,
}

impl StudioError {
    /// A fault of the studio's own.
    pub fn new(code: &'static Code, message: impl Into<String>) -> Self {
        Self { status: status_of(code), code, message: message.into(), place: Box::default() }
    }

    /// As the page is told.
    pub fn to_json(&self) -> serde_json::Value {
        let written =
            Written { code: self.code.id, message: &self.message, hint: self.code.hint, place: &self.place };
        serde_json::to_value(written).unwrap_or_default()
    }
}

/// The status that says what a code says.
fn status_of(code: &Code) -> StatusCode {
    match code.id {
        "studio/host" => StatusCode::MISDIRECTED_REQUEST,
        "studio/origin" => StatusCode::FORBIDDEN,
        "studio/token" => StatusCode::UNAUTHORIZED,
        "studio/method" => StatusCode::METHOD_NOT_ALLOWED,
        "studio/too-large" => StatusCode::PAYLOAD_TOO_LARGE,
        "studio/too-long" => StatusCode::URI_TOO_LONG,
        "studio/slow" => StatusCode::REQUEST_TIMEOUT,
        "studio/kind" => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "studio/busy" => StatusCode::TOO_MANY_REQUESTS,
        "studio/connections" | "corpus/busy" => StatusCode::SERVICE_UNAVAILABLE,
        "studio/cancelled" | "command/cancelled" | "studio/no-plan" => StatusCode::CONFLICT,
        "studio/request" => StatusCode::BAD_REQUEST,
        "studio/no-page" | "studio/no-motion" | "studio/no-job" | "studio/no-panel" | "corpus/no-take"
        | "corpus/no-segment" | "corpus/no-actor" => StatusCode::NOT_FOUND,
        "studio/bug" | "studio/address" | "studio/no-entropy" | "corpus/damaged" | "corpus/sqlite" => {
            StatusCode::INTERNAL_SERVER_ERROR
        }
        "file/full" => StatusCode::INSUFFICIENT_STORAGE,
        // Understood, but what is asked cannot be done with what was given.
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    }
}

impl<E: Into<marey::Error>> From<E> for StudioError {
    fn from(error: E) -> Self {
        let error = error.into();
        Self { place: error.place, ..Self::new(error.code, error.message) }
    }
}

impl IntoResponse for StudioError {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(self.to_json().to_string()));
        *response.status_mut() = self.status;
        let kind = header::HeaderValue::from_static("application/json");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        response
    }
}
