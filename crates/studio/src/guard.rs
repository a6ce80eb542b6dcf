//! Every check that keeps the studio to the person who started it. `SECURITY.md` says what it promises.
//!
//! The studio listens on this machine only, but so can every page of the web that a browser has open: it may send requests
//! to any port, and a name it controls may be made to lead here. So every request is asked, in this order:
//!
//! | question | refused with |
//! |---|---|
//! | is its address short and plain? | 414, 400 |
//! | is its `Host` the studio's own (no other name may lead here)? | 421 |
//! | is its `Origin` the studio's own, and is there one where something is changed or a connection upgraded? | 403 |
//! | is its method one of four? | 405 |
//! | does it have the cookie that a one-time token was exchanged for? | 401 |
//!
//! and its body is bounded in size and time (413, 408). Answers forbid other pages to read, frame or run anything of them, and
//! the page to load anything from elsewhere. Paths name things by number: none is ever given to the file system.

use std::net::SocketAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri, header};

use crate::{StudioError, codes};

/// Addresses are no longer, in bytes.
const LONGEST_URI: usize = 2048;
/// What JSON may weigh: a long drawn path or a plan of hours.
pub const JSON_BYTES: usize = 4 << 20;
/// What a file may weigh.
pub const FILE_BYTES: usize = 256 << 20;
/// How long a body may take to arrive.
pub const BODY_SECS: u64 = 60;
/// How long the head of a request may take to arrive, and a connection may idle.
pub const HEAD_SECS: u64 = 15;
/// How large the head of a request may be.
pub const HEAD_BYTES: usize = 16 << 10;
/// How many headers it may have.
pub const MOST_HEADERS: usize = 64;
/// How many connections may be open at once: 32 viewers with two each.
pub const MOST_CONNECTIONS: usize = 64;
/// What a window may say at once while it watches a play, in bytes.
pub const WORD_BYTES: usize = 4 << 10;
/// How many windows may watch plays at once.
pub const MOST_VIEWERS: usize = 32;
/// How long a window may take to take a frame in before it is let go.
pub const SEND_SECS: u64 = 10;
/// How many tokens may wait to be used.
const MOST_TOKENS: usize = 64;

/// What nothing but the studio's own page may do with an answer, and what that page may not.
const HEADERS: [(&str, &str); 8] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; \
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

/// Who may come in.
#[derive(Debug)]
pub struct Guard {
    /// What `Host` may say.
    hosts: Vec<String>,
    cookie: String,
    secret: String,
    tokens: Mutex<Vec<String>>,
}

/// How a request that is let in goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// It is answered.
    Pass,
    /// It brought a token: the browser is given this cookie and sent to the first page.
    Redeemed(String),
}

impl Guard {
    /// A guard for a server that listens at an address, with a secret of its own.
    pub fn new(address: SocketAddr) -> Result<Self, StudioError> {
        let port = address.port();
        let mut hosts = vec![address.to_string()];
        if address.ip().is_loopback() {
            hosts.push(format!("localhost:{port}"));
        }
        let cookie = format!("marey-{port}");
        Ok(Self { hosts, cookie, secret: random()?, tokens: Mutex::default() })
    }

    /// A token that lets one browser in, once.
    pub fn new_token(&self) -> Result<String, StudioError> {
        let token = random()?;
        let mut tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        if tokens.len() == MOST_TOKENS {
            tokens.remove(0);
        }
        tokens.push(token.clone());
        Ok(token)
    }

    /// Whether a request is let in.
    pub fn check(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<Entry, StudioError> {
        check_uri(uri)?;
        self.check_host(uri, headers)?;
        self.check_origin(method, headers)?;
        if ![Method::GET, Method::HEAD, Method::POST, Method::DELETE].contains(method) {
            return Err(StudioError::new(&codes::METHOD, format!("the method is {method}")));
        }
        if let Some(token) = token_in(method, uri) {
            let known = self.holds_cookie(headers);
            if !self.redeem(token) && !known {
                return Err(StudioError::new(&codes::TOKEN, "the token is not one that waits to be used"));
            }
            let Self { cookie, secret, .. } = self;
            return Ok(Entry::Redeemed(format!("{cookie}={secret}; Path=/; HttpOnly; SameSite=Strict")));
        }
        if self.holds_cookie(headers) {
            return Ok(Entry::Pass);
        }
        Err(StudioError::new(&codes::TOKEN, "there is no cookie of this studio"))
    }

    /// No other name may lead here: a page elsewhere could make its own name do so.
    fn check_host(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), StudioError> {
        let refused = |what: &str| Err(StudioError::new(&codes::HOST, format!("the host is {what}")));
        let is_ours = |host: &str| self.hosts.iter().any(|ours| ours.eq_ignore_ascii_case(host));
        let mut given = headers.get_all(header::HOST).iter();
        let (first, second) = (given.next(), given.next());
        if let Some(authority) = uri.authority()
            && !is_ours(authority.as_str())
        {
            return refused("another");
        }
        match (first.and_then(|host| host.to_str().ok()), second) {
            (Some(host), None) if is_ours(host) => Ok(()),
            (Some(_), None) => refused("another"),
            (_, Some(_)) => refused("given twice"),
            (None, None) => refused("missing"),
        }
    }

    /// Other pages may not speak for the person, and what changes something must say that it is the studio's own page.
    fn check_origin(&self, method: &Method, headers: &HeaderMap) -> Result<(), StudioError> {
        let refused = |what: &str| Err(StudioError::new(&codes::ORIGIN, what));
        let mut origins = headers.get_all(header::ORIGIN).iter();
        match (origins.next(), origins.next()) {
            (Some(origin), None) => {
                let host = origin.to_str().ok().and_then(|origin| origin.strip_prefix("http://"));
                if !host.is_some_and(|host| self.hosts.iter().any(|ours| ours == host)) {
                    return refused("the origin is another");
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

    fn holds_cookie(&self, headers: &HeaderMap) -> bool {
        let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        all.flat_map(|value| value.split(';')).any(|pair| {
            pair.trim()
                .split_once('=')
                .is_some_and(|(name, value)| name == self.cookie && is_same(value, &self.secret))
        })
    }

    /// Uses a token up; whether it was one.
    fn redeem(&self, token: &str) -> bool {
        let mut tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        let found = tokens.iter().position(|waiting| is_same(waiting, token));
        found.map(|index| tokens.remove(index)).is_some()
    }
}

/// The token of a request for the first page.
fn token_in<'a>(method: &Method, uri: &'a Uri) -> Option<&'a str> {
    if uri.path() != "/" || *method != Method::GET {
        return None;
    }
    uri.query()?.strip_prefix("token=")
}

/// Short, and nothing in it that some system would take for a way up, a drive or an escape.
fn check_uri(uri: &Uri) -> Result<(), StudioError> {
    let path = uri.path();
    if path.len() + uri.query().map_or(0, str::len) > LONGEST_URI {
        return Err(StudioError::new(&codes::TOO_LONG, format!("more than {LONGEST_URI} bytes")));
    }
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/_-.".contains(&byte);
    if path.starts_with('/') && path.bytes().all(is_plain) && !path.contains("..") && !path.contains("//") {
        return Ok(());
    }
    Err(StudioError::new(&codes::REQUEST, "the path is not plain"))
}

/// Reads a body of a kind, of bounded size, in bounded time.
pub async fn body(
    headers: &HeaderMap,
    body: Body,
    kind: &str,
    most_bytes: usize,
) -> Result<Bytes, StudioError> {
    let found = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if found.split(';').next().map(str::trim) != Some(kind) {
        return Err(StudioError::new(&codes::KIND, format!("{kind} is taken here")));
    }
    let too_large = || StudioError::new(&codes::TOO_LARGE, format!("more than {most_bytes} bytes"));
    let announced =
        headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|bytes| bytes > most_bytes as u64) {
        return Err(too_large());
    }
    match tokio::time::timeout(Duration::from_secs(BODY_SECS), to_bytes(body, most_bytes)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) => {
            let mut cause: Option<&dyn std::error::Error> = Some(&error);
            while let Some(error) = cause {
                if error.to_string().contains("length limit") {
                    return Err(too_large());
                }
                cause = error.source();
            }
            Err(StudioError::new(&codes::REQUEST, "the body broke off"))
        }
        Err(_) => Err(StudioError::new(&codes::SLOW, format!("the body took more than {BODY_SECS} s"))),
    }
}

/// Puts the headers on an answer that keep it to the studio's own page.
pub fn seal(headers: &mut HeaderMap) {
    for (name, value) in HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}

/// 128 bits that nobody can guess, in hexadecimal.
fn random() -> Result<String, StudioError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| StudioError::new(&codes::NO_ENTROPY, error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Compares in a time that does not tell how much of it was right.
fn is_same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
}

#[cfg(test)]
mod tests;
