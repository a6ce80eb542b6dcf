//! Fuzzes the studio's guard with request heads. The guard must not admit a request that a page of another site could send.
//!
//! An input is the head of a request: a line with method and URI, then one header per line. `{host}`, `{cookie}` and `{token}` are replaced
//! by valid values, so that an input can contain the secrets that an outsider does not have.

use std::net::SocketAddr;
use std::sync::LazyLock;

use http::{HeaderMap, HeaderName, HeaderValue, Method, Uri};
use marey_studio::guard::{Entry, Guard};

const HOST: &str = "127.0.0.1:4747";

/// A guard, and the session cookie that it sets for a valid token.
static GUARD: LazyLock<(Guard, String)> = LazyLock::new(|| {
    let address: SocketAddr = HOST.parse().expect("an address");
    let guard = Guard::new(address).expect("a secret");
    let token = guard.new_token().expect("a token");
    let head = RequestHead::parse(&format!("GET /?token={token}\nhost: {HOST}")).expect("a request");
    let Ok(Entry::Redeemed(cookie)) = guard.check(&head.method, &head.uri, &head.headers) else {
        panic!("the guard rejects a valid token");
    };
    let cookie = cookie.split(';').next().unwrap_or_default().to_owned();
    (guard, cookie)
});

/// The head of a request.
struct RequestHead {
    method: Method,
    uri: Uri,
    headers: HeaderMap,
}

impl RequestHead {
    /// Parses a request head; `None` if an HTTP server would reject it.
    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let (method, uri) = lines.next()?.split_once(' ')?;
        let mut headers = HeaderMap::new();
        for line in lines {
            let (name, value) = line.split_once(':')?;
            let name = HeaderName::from_bytes(name.trim().as_bytes()).ok()?;
            headers.append(name, HeaderValue::from_str(value.trim()).ok()?);
        }
        Some(Self { method: Method::from_bytes(method.as_bytes()).ok()?, uri: uri.parse().ok()?, headers })
    }

    fn all(&self, name: &str) -> Vec<&[u8]> {
        self.headers.get_all(name).iter().map(HeaderValue::as_bytes).collect()
    }
}

/// Passes a request head to the guard, and panics if the guard admits it wrongly.
pub fn check_request(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (guard, cookie) = &*GUARD;
    let has_token = text.contains("{token}");
    let has_cookie = text.contains("{cookie}");
    let token = if has_token { guard.new_token().expect("a token") } else { String::new() };
    let filled = text.replace("{host}", HOST).replace("{cookie}", cookie).replace("{token}", &token);
    let Some(head) = RequestHead::parse(&filled) else { return };
    let Ok(entry) = guard.check(&head.method, &head.uri, &head.headers) else { return };
    // Only a token can be redeemed; every other request needs the cookie.
    let has_secret = has_cookie || (has_token && entry != Entry::Pass);
    assert!(has_secret, "admitted without a secret: {text:?}");
    let own_hosts = [HOST.as_bytes(), b"localhost:4747"];
    let hosts = head.all("host");
    assert!(
        hosts.len() == 1 && own_hosts.iter().any(|own| own.eq_ignore_ascii_case(hosts[0])),
        "host: {text:?}"
    );
    let origins = head.all("origin");
    let is_own = |origin: &[u8]| own_hosts.iter().any(|own| origin.strip_prefix(b"http://") == Some(*own));
    assert!(origins.iter().all(|origin| is_own(origin)), "origin: {text:?}");
    let is_read = head.method == Method::GET || head.method == Method::HEAD;
    let needs_origin = !is_read || !head.all("upgrade").is_empty();
    assert!(!needs_origin || origins.len() == 1, "no origin: {text:?}");
    assert!(is_read || head.method == Method::POST || head.method == Method::DELETE, "method: {text:?}");
    let path = head.uri.path();
    assert!(path.starts_with('/') && path.len() < 4096, "path: {text:?}");
    for bad in ["..", "//", "\\", "%", ":", "~", "\0"] {
        assert!(!path.contains(bad), "path: {text:?}");
    }
    if matches!(entry, Entry::Redeemed(_)) && !has_cookie {
        let again = guard.check(&head.method, &head.uri, &head.headers);
        assert!(again.is_err(), "a token works twice: {text:?}");
    }
}
