//! The embedded files of the page.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;

use crate::{StudioError, codes};

/// The files of the page by path; empty if the page was not built.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// Served instead of a page that was not built.
static NOT_BUILT: &[u8] = include_bytes!("page/not_built.html");

/// Served to browsers without access.
static NO_TOKEN: &[u8] = include_bytes!("page/no_token.html");

/// Whether this program contains the page.
pub(crate) fn is_built() -> bool {
    FILES.iter().any(|(name, _)| *name == "/index.html")
}

/// A file of the page.
pub(crate) fn file(path: &str) -> Result<Response, StudioError> {
    let name = if path == "/" { "/index.html" } else { path };
    match FILES.iter().find(|(own, _)| *own == name) {
        Some((name, bytes)) => {
            Ok(response(StatusCode::OK, content_type(name), bytes, name.starts_with("/assets/")))
        }
        None if ["/index.html", "/rate.html"].contains(&name) => {
            Ok(response(StatusCode::OK, "text/html; charset=utf-8", NOT_BUILT, false))
        }
        None => Err(StudioError::new(&codes::NO_PAGE, "there is no such file")),
    }
}

/// The page of raters, or a file that it loads.
pub(crate) fn rater_file(path: &str) -> Result<Response, StudioError> {
    let is_part = path.starts_with("/assets/") || path == "/icon.svg";
    file(if is_part { path } else { "/rate.html" })
}

/// The page for a browser without access.
pub(crate) fn no_token() -> Response {
    response(StatusCode::UNAUTHORIZED, "text/html; charset=utf-8", NO_TOKEN, false)
}

/// A response with a file. Files below `/assets/` have a hash of their content in their names and never change.
fn response(status: StatusCode, kind: &'static str, bytes: &'static [u8], is_immutable: bool) -> Response {
    let mut response = Response::new(Body::from(bytes));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    let caching = if is_immutable { "private, max-age=31536000, immutable" } else { "no-store" };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    response
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}
