//! The error type of the studio.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use marey_motion::{Code, Place};
use serde_json::{Value, json};

/// Codes of the errors of this crate.
pub mod codes {
    marey_motion::codes! {
        REQUEST = "studio/request":
            "A request to the studio is not valid."
            => "Reload the page; if this does not help, it is a bug of the page.";
        HOST = "studio/host":
            "A request names another host than the studio's."
            => "Open the address exactly as `marey studio` printed it.";
        ORIGIN = "studio/origin":
            "A request comes from a page that does not belong to the studio."
            => "Use the page that the studio serves; other pages have no access.";
        TOKEN = "studio/token":
            "The token of `marey studio` is missing, or it was used before."
            => "Open the address that `marey studio` printed; restart the studio for a new one.";
        METHOD = "studio/method":
            "The address does not support this HTTP method."
            => "Reload the page; if this does not help, it is a bug of the page.";
        NO_PAGE = "studio/no-page":
            "There is nothing at this address."
            => "Go to the studio's first page.";
        TOO_LARGE = "studio/too-large":
            "The request exceeds a size limit of the studio."
            => "Split the file, or add it with `marey corpus add`, which has no such limit.";
        TOO_LONG = "studio/too-long":
            "The address is too long."
            => "Reload the page; if this does not help, it is a bug of the page.";
        SLOW = "studio/slow":
            "A request took too long to arrive."
            => "Try again; on a slow connection, send less at once.";
        KIND = "studio/kind":
            "The request has another content type than the address expects."
            => "Reload the page; if this does not help, it is a bug of the page.";
        CONNECTIONS = "studio/connections":
            "Too many connections to the studio are open."
            => "Close other windows of the studio, then reload the page.";
        BUSY = "studio/busy":
            "Too many jobs are waiting or running."
            => "Wait until a job is done, or cancel one.";
        CANCELLED = "studio/cancelled":
            "The user cancelled the job."
            => "Start it again if you need the result.";
        NO_MOTION = "studio/no-motion":
            "The motion does not exist; the studio drops old results that were not kept."
            => "Make it again, or choose another motion.";
        NO_JOB = "studio/no-job":
            "The job does not exist; the studio drops old jobs."
            => "Start it again.";
        NO_PANEL = "studio/no-panel":
            "The studio has no such engine, or the engine does not support the request."
            => "Reload the page; it may belong to another version of the studio.";
        NO_PLAN = "studio/no-plan":
            "The motion has no plan whose pieces can be swapped."
            => "Choose a result of an engine that lists alternatives.";
        ADDRESS = "studio/address":
            "The studio cannot listen at the address."
            => "Choose another --port, or leave it out to use any free one; --listen takes the address of one network interface.";
        NO_ENTROPY = "studio/no-entropy" alias "studio/no-chance":
            "The system provides no random numbers, so the studio cannot create a token."
            => "Check the system's random number generator.";
        RATER = "studio/rater":
            "The link belongs to no rater of this study, or the answer to no trial."
            => "Open the link exactly as you were given it.";
        BUG = "studio/bug":
            "The studio has a bug."
            => "Please report it, with what you did, and the file if you can.";
    }
}

/// Why a request was refused or failed.
#[derive(Debug, Clone)]
pub struct StudioError {
    /// The kind of error, with a hint for the user.
    pub code: &'static Code,
    /// The details.
    pub message: String,
    /// The position in the input.
    pub place: Box<Place>,
}

impl StudioError {
    /// An error without a position.
    pub fn new(code: &'static Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), place: Box::default() }
    }

    /// The error as the page receives it.
    pub fn to_json(&self) -> Value {
        let Self { code, message, place } = self;
        json!({ "code": code.id, "message": message, "hint": code.hint, "place": place })
    }

    /// The HTTP status of the response.
    pub fn status(&self) -> StatusCode {
        match self.code.id {
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
            "studio/no-plan" | "realise/no-candidate" | "corpus/moved" | "corpus/overwritten" => {
                StatusCode::CONFLICT
            }
            id if id.ends_with("/cancelled") => StatusCode::CONFLICT,
            "studio/request" => StatusCode::BAD_REQUEST,
            "studio/no-page" | "studio/no-motion" | "studio/no-job" | "studio/no-panel" | "studio/rater"
            | "corpus/no-take" | "corpus/no-segment" | "corpus/no-actor" => StatusCode::NOT_FOUND,
            "studio/bug" | "studio/address" | "studio/no-entropy" | "corpus/damaged" | "corpus/sqlite" => {
                StatusCode::INTERNAL_SERVER_ERROR
            }
            "file/full" => StatusCode::INSUFFICIENT_STORAGE,
            // The request is well-formed, but its input cannot be used.
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        }
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
        (self.status(), Json(self.to_json())).into_response()
    }
}
