//! Requests of every kind for the studio's guard: none may get in that a page elsewhere could have sent.
//!
//! An input is the head of a request: a line with its method and address, then a header a line. `{host}`, `{cookie}` and `{token}` stand for
//! the studio's own, so that an input can hold what nobody outside could know.

use std::net::SocketAddr;
use std::sync::LazyLock;

use http::{HeaderMap, HeaderName, HeaderValue, Method, Uri};
use marey_studio::guard::{Entry, Guard};

const HOST: &str = "127.0.0.1:4747";

/// A guard, and the cookie that it gives to who brings a token.
static GUARD: LazyLock<(Guard, String)> = LazyLock::new(|| {
    let address: SocketAddr = HOST.parse().expect("an address");
    let guard = Guard::new(address).expect("a secret");
    let token = guard.new_token().expect("a token");
    let head = Head::of(&format!("GET /?token={token}\nhost: {HOST}")).expect("a request");
    let Ok(Entry::Redeemed(cookie)) = guard.check(&head.method, &head.uri, &head.headers) else {
        panic!("a token is not taken");
    };
    let cookie = cookie.split(';').next().unwrap_or_default().to_owned();
    (guard, cookie)
});

/// The head of a request.
struct Head {
    method: Method,
    uri: Uri,
    headers: HeaderMap,
}

impl Head {
    /// None where no server would hand it on.
    fn of(text: &str) -> Option<Self> {
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

/// Asks the guard, and panics where it lets in what it must not.
pub fn asks(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (guard, cookie) = &*GUARD;
    let asks_token = text.contains("{token}");
    let token = if asks_token { guard.new_token().expect("a token") } else { String::new() };
    let filled = text.replace("{host}", HOST).replace("{cookie}", cookie).replace("{token}", &token);
    let Some(head) = Head::of(&filled) else { return };
    let answer = guard.check(&head.method, &head.uri, &head.headers);
    let Ok(entry) = answer else { return };
    // What it knew: the cookie, or a token in the address.
    assert!(
        if entry == Entry::Pass {
            text.contains("{cookie}")
        } else {
            asks_token || text.contains("{cookie}")
        },
        "let in without a secret: {text:?}"
    );
    let ours = [HOST.as_bytes(), b"localhost:4747"];
    let hosts = head.all("host");
    assert!(
        hosts.len() == 1 && ours.iter().any(|ours| ours.eq_ignore_ascii_case(hosts[0])),
        "host: {text:?}"
    );
    let origins = head.all("origin");
    let is_ours = |origin: &[u8]| ours.iter().any(|ours| origin.strip_prefix(b"http://") == Some(*ours));
    assert!(origins.iter().all(|origin| is_ours(origin)), "origin: {text:?}");
    let reads = head.method == Method::GET || head.method == Method::HEAD;
    let needs_origin = !reads || !head.all("upgrade").is_empty();
    assert!(!needs_origin || origins.len() == 1, "no origin: {text:?}");
    assert!(reads || head.method == Method::POST || head.method == Method::DELETE, "method: {text:?}");
    let path = head.uri.path();
    assert!(path.starts_with('/') && path.len() < 4096, "path: {text:?}");
    for bad in ["..", "//", "\\", "%", ":", "~", "\0"] {
        assert!(!path.contains(bad), "path: {text:?}");
    }
    // A token lets in once.
    if matches!(entry, Entry::Redeemed(_)) && !text.contains("{cookie}") {
        assert!(guard.check(&head.method, &head.uri, &head.headers).is_err(), "twice: {text:?}");
    }
}
