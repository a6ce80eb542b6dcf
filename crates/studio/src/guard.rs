//! Every check that gives only the user who started the studio access to it. `SECURITY.md` describes the guarantees.
//!
//! The studio listens on this machine only, but any web page that is open in a browser can send requests to any local port, and
//! the owner of a host name can make it resolve to this machine. Every request is therefore checked, in this order:
//!
//! | check | refused with |
//! |---|---|
//! | the address is short and has no unusual characters | 414, 400 |
//! | `Host` is the studio's own (no other name may lead here) | 421 |
//! | `Origin` is the studio's own; it is required for changes and for upgraded connections | 403 |
//! | the method is GET, HEAD, POST or DELETE | 405 |
//! | the cookie that replaced a one-time token is present | 401 |
//!
//! The body is limited in size and time (413, 408). The headers of a response prevent other pages from reading, framing or
//! running it, and prevent the page from loading anything from elsewhere. Addresses identify things by number and are never used
//! as file names.

use std::net::SocketAddr;
use std::sync::Mutex;
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri, header};

use crate::{StudioError, codes, lock};

/// Maximum length of an address, in bytes.
const MAX_URI_BYTES: usize = 2048;
/// Maximum size of JSON in bytes: enough for a long path or a plan of hours.
pub const JSON_BYTES: usize = 4 << 20;
/// Maximum size of a file, in bytes.
pub const FILE_BYTES: usize = 256 << 20;
/// How long a body may take to arrive, in seconds.
pub const BODY_SECS: u64 = 60;
/// How long the head of a request may take to arrive, and how long a connection may be idle, in seconds.
pub const HEAD_SECS: u64 = 15;
/// Maximum size of the head of a request, in bytes.
pub const HEAD_BYTES: usize = 16 << 10;
/// Maximum number of headers of a request.
pub const MAX_HEADERS: usize = 64;
/// Maximum number of open connections with access: two for each of 32 viewers.
pub const MAX_CONNECTIONS: usize = 64;
/// Maximum number of open connections of which no request has passed the checks.
pub const MAX_GUESTS: usize = 64;
/// Maximum size of a message to a live session, in bytes.
pub const MESSAGE_BYTES: usize = 4 << 10;
/// Maximum number of windows that watch live sessions.
pub const MAX_VIEWERS: usize = 32;
/// How long a window may take to receive a frame before it is disconnected, in seconds.
pub const SEND_SECS: u64 = 10;
/// Maximum number of unused tokens.
const MAX_TOKENS: usize = 64;

/// Security headers of every response.
const HEADERS: [(&str, &str); 8] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self' blob:; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-embedder-policy", "require-corp"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), microphone=(), geolocation=()"),
];

/// The access checks of one server.
#[derive(Debug)]
pub struct Guard {
    /// The accepted values of `Host`.
    hosts: Vec<String>,
    cookie: String,
    secret: String,
    tokens: Mutex<Vec<String>>,
}

/// How a request that passed the checks continues.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// It is served.
    Pass,
    /// It had a valid token: the browser receives this cookie and is redirected to the first page.
    Redeemed(String),
}

impl Guard {
    /// A guard for a server at an address, with a new secret.
    pub fn new(address: SocketAddr) -> Result<Self, StudioError> {
        let port = address.port();
        let mut hosts = vec![address.to_string()];
        if address.ip().is_loopback() {
            hosts.push(format!("localhost:{port}"));
        }
        let cookie = format!("marey-{port}");
        Ok(Self { hosts, cookie, secret: random()?, tokens: Mutex::default() })
    }

    /// Creates a token that gives one browser access, once.
    pub fn new_token(&self) -> Result<String, StudioError> {
        let token = random()?;
        let mut tokens = lock(&self.tokens);
        if tokens.len() == MAX_TOKENS {
            tokens.remove(0);
        }
        tokens.push(token.clone());
        Ok(token)
    }

    /// Checks a request.
    pub fn check(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<Entry, StudioError> {
        self.check_form(method, uri, headers)?;
        if let Some(token) = token_in(method, uri) {
            let is_known = self.has_cookie(headers);
            if !self.redeem(token) && !is_known {
                return Err(StudioError::new(&codes::TOKEN, "the token is unknown or was used before"));
            }
            let Self { cookie, secret, .. } = self;
            return Ok(Entry::Redeemed(format!("{cookie}={secret}; Path=/; HttpOnly; SameSite=Strict")));
        }
        if self.has_cookie(headers) {
            return Ok(Entry::Pass);
        }
        Err(StudioError::new(&codes::TOKEN, "the cookie of this studio is missing"))
    }

    /// The checks that need no cookie.
    pub fn check_form(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<(), StudioError> {
        check_uri(uri)?;
        self.check_host(uri, headers)?;
        self.check_origin(method, headers)?;
        if ![Method::GET, Method::HEAD, Method::POST, Method::DELETE].contains(method) {
            return Err(StudioError::new(&codes::METHOD, format!("the method is {method}")));
        }
        Ok(())
    }

    /// Refuses other host names, because a foreign page can make its own name resolve to this machine.
    fn check_host(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), StudioError> {
        let refused = |what: &str| Err(StudioError::new(&codes::HOST, format!("the host is {what}")));
        let is_own = |host: &str| self.hosts.iter().any(|own| own.eq_ignore_ascii_case(host));
        let mut given = headers.get_all(header::HOST).iter();
        let (first, second) = (given.next(), given.next());
        if let Some(authority) = uri.authority()
            && !is_own(authority.as_str())
        {
            return refused("not the studio's");
        }
        match (first.and_then(|host| host.to_str().ok()), second) {
            (Some(host), None) if is_own(host) => Ok(()),
            (Some(_), None) => refused("not the studio's"),
            (_, Some(_)) => refused("given twice"),
            (None, None) => refused("missing"),
        }
    }

    /// Refuses requests of other pages. Requests that change something must name their origin.
    fn check_origin(&self, method: &Method, headers: &HeaderMap) -> Result<(), StudioError> {
        let refused = |what: &str| Err(StudioError::new(&codes::ORIGIN, what));
        let mut origins = headers.get_all(header::ORIGIN).iter();
        match (origins.next(), origins.next()) {
            (Some(origin), None) => {
                let host = origin.to_str().ok().and_then(|origin| origin.strip_prefix("http://"));
                if !host.is_some_and(|host| self.hosts.iter().any(|own| own == host)) {
                    return refused("the origin is not the studio's");
                }
            }
            (None, _) => {
                let changes = !matches!(*method, Method::GET | Method::HEAD);
                if changes || headers.contains_key(header::UPGRADE) {
                    return refused("the origin is missing");
                }
            }
            (Some(_), Some(_)) => return refused("the origin is given twice"),
        }
        match headers.get("sec-fetch-site").map(HeaderValue::as_bytes) {
            None | Some(b"same-origin" | b"none") => Ok(()),
            Some(_) => refused("the request comes from another site"),
        }
    }

    fn has_cookie(&self, headers: &HeaderMap) -> bool {
        let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        all.flat_map(|value| value.split(';')).any(|pair| {
            pair.trim()
                .split_once('=')
                .is_some_and(|(name, value)| name == self.cookie && is_same(value, &self.secret))
        })
    }

    /// Removes a token. Returns false if it did not exist.
    fn redeem(&self, token: &str) -> bool {
        let mut tokens = lock(&self.tokens);
        let found = tokens.iter().position(|waiting| is_same(waiting, token));
        found.map(|index| tokens.remove(index)).is_some()
    }
}

/// The token in the address of the first page.
fn token_in<'a>(method: &Method, uri: &'a Uri) -> Option<&'a str> {
    if uri.path() != "/" || *method != Method::GET {
        return None;
    }
    uri.query()?.strip_prefix("token=")
}

/// Accepts short addresses without `..`, `//`, escapes and other unusual characters.
fn check_uri(uri: &Uri) -> Result<(), StudioError> {
    let path = uri.path();
    if path.len() + uri.query().map_or(0, str::len) > MAX_URI_BYTES {
        return Err(StudioError::new(&codes::TOO_LONG, format!("more than {MAX_URI_BYTES} bytes")));
    }
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/_-.".contains(&byte);
    if path.starts_with('/') && path.bytes().all(is_plain) && !path.contains("..") && !path.contains("//") {
        return Ok(());
    }
    Err(StudioError::new(&codes::REQUEST, "the path has unusual characters"))
}

/// Reads a body with this content type, limited in size and time.
pub async fn body(
    headers: &HeaderMap,
    body: Body,
    kind: &str,
    max_bytes: usize,
) -> Result<Bytes, StudioError> {
    let found = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if found.split(';').next().map(str::trim) != Some(kind) {
        return Err(StudioError::new(&codes::KIND, format!("the content type must be {kind}")));
    }
    let too_large = || StudioError::new(&codes::TOO_LARGE, format!("more than {max_bytes} bytes"));
    let declared =
        headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if declared.is_some_and(|bytes| bytes > max_bytes as u64) {
        return Err(too_large());
    }
    match tokio::time::timeout(Duration::from_secs(BODY_SECS), to_bytes(body, max_bytes)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) => {
            let mut cause: Option<&dyn std::error::Error> = Some(&error);
            while let Some(error) = cause {
                if error.to_string().contains("length limit") {
                    return Err(too_large());
                }
                cause = error.source();
            }
            Err(StudioError::new(&codes::REQUEST, "the body is incomplete"))
        }
        Err(_) => Err(StudioError::new(&codes::SLOW, format!("the body took more than {BODY_SECS} s"))),
    }
}

/// Adds the security headers to a response.
pub fn add_security_headers(headers: &mut HeaderMap) {
    for (name, value) in HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}

/// 128 random bits in hexadecimal.
pub(crate) fn random() -> Result<String, StudioError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| StudioError::new(&codes::NO_ENTROPY, error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Compares in constant time, so that the time reveals nothing about a secret.
pub(crate) fn is_same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
}

#[cfg(test)]
mod tests;
