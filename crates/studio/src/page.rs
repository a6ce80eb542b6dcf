//! The page itself, as it was embedded.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;

use crate::{StudioError, codes};

/// The files of the page by their addresses; none where it was not built.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// Shown where the page was not built.
static NOT_BUILT: &[u8] = include_bytes!("page/not_built.html");

/// Shown to who has no token.
static NO_TOKEN: &[u8] = include_bytes!("page/no_token.html");

/// Whether the page was built before this program was.
pub(crate) fn is_built() -> bool {
    FILES.iter().any(|(name, _)| *name == "/index.html")
}

/// A file of the page.
pub(crate) fn file(path: &str) -> Result<Response, StudioError> {
    let name = if path == "/" { "/index.html" } else { path };
    match FILES.iter().find(|(own, _)| *own == name) {
        Some((name, bytes)) => Ok(answer(StatusCode::OK, kind(name), bytes, name.starts_with("/assets/"))),
        None if name == "/index.html" => {
            Ok(answer(StatusCode::OK, "text/html; charset=utf-8", NOT_BUILT, false))
        }
        None => Err(StudioError::new(&codes::NO_PAGE, "there is no such file")),
    }
}

/// What a browser without a token is shown.
pub(crate) fn no_token() -> Response {
    answer(StatusCode::UNAUTHORIZED, "text/html; charset=utf-8", NO_TOKEN, false)
}

/// Files below `/assets/` have a hash of their content in their names.
fn answer(status: StatusCode, kind: &'static str, bytes: &'static [u8], forever: bool) -> Response {
    let mut response = Response::new(Body::from(bytes));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    let keep = if forever { "private, max-age=31536000, immutable" } else { "no-store" };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(keep));
    response
}

fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}
