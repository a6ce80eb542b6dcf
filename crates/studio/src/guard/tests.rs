//! Which requests pass the guard.

use axum::http::StatusCode;
use proptest::prelude::*;

use super::*;

fn guard() -> Guard {
    Guard::new(([127, 0, 0, 1], 4000).into()).unwrap()
}

/// Checks a request of the studio's own page after changing or removing some headers.
fn check(
    guard: &Guard,
    method: &str,
    uri: &str,
    changed: &[(&str, Option<&str>)],
) -> Result<Entry, StudioError> {
    let cookie = format!("{}={}", guard.cookie, guard.secret);
    let usual =
        [("host", "127.0.0.1:4000"), ("origin", "http://127.0.0.1:4000"), ("cookie", cookie.as_str())];
    let mut headers = HeaderMap::new();
    for (name, value) in usual {
        headers.insert(HeaderName::from_bytes(name.as_bytes()).unwrap(), value.parse().unwrap());
    }
    for (name, value) in changed {
        let name = HeaderName::from_bytes(name.as_bytes()).unwrap();
        headers.remove(&name);
        headers.extend(value.map(|value| (Some(name), HeaderValue::from_str(value).unwrap())));
    }
    guard.check(&method.parse().unwrap(), &uri.parse().unwrap(), &headers)
}

fn status(result: Result<Entry, StudioError>) -> u16 {
    result.map_or_else(|error| error.status().as_u16(), |_| 200)
}

#[test]
fn the_page_has_access() {
    let guard = guard();
    for method in ["GET", "HEAD", "POST", "DELETE"] {
        assert_eq!(status(check(&guard, method, "/api/takes", &[])), 200);
    }
    assert_eq!(status(check(&guard, "GET", "/", &[("origin", None)])), 200);
    let local = [("host", Some("localhost:4000")), ("origin", Some("http://localhost:4000"))];
    assert_eq!(status(check(&guard, "POST", "/api/takes", &local)), 200);
}

#[test]
fn every_refusal_has_its_status() {
    let guard = guard();
    let hosts =
        ["evil.example", "127.0.0.1", "127.0.0.1:4001", "localhost:4000.evil.example", "[::1]:4000", ""];
    for host in hosts {
        assert_eq!(status(check(&guard, "GET", "/", &[("host", Some(host))])), 421, "{host}");
    }
    assert_eq!(status(check(&guard, "GET", "/", &[("host", None)])), 421);
    assert_eq!(status(check(&guard, "GET", "http://evil.example/", &[])), 421);
    let origins = [
        "null",
        "http://evil.example",
        "https://127.0.0.1:4000",
        "http://127.0.0.1:4001",
        "127.0.0.1:4000",
        "",
    ];
    for origin in origins {
        assert_eq!(status(check(&guard, "GET", "/", &[("origin", Some(origin))])), 403, "{origin}");
    }
    for (method, upgrade) in [("POST", None), ("DELETE", None), ("GET", Some("websocket"))] {
        let changed = [("origin", None), ("upgrade", upgrade)];
        assert_eq!(status(check(&guard, method, "/api/takes", &changed)), 403);
    }
    assert_eq!(status(check(&guard, "GET", "/", &[("sec-fetch-site", Some("cross-site"))])), 403);
    for method in ["PUT", "PATCH", "OPTIONS", "TRACE", "CONNECT", "BREW"] {
        assert_eq!(status(check(&guard, method, "/", &[])), 405, "{method}");
    }
    for cookie in ["marey-4000=", "marey-4000=0123", "marey-4001=x", "x"] {
        assert_eq!(status(check(&guard, "GET", "/", &[("cookie", Some(cookie))])), 401, "{cookie}");
    }
    for path in ["/..", "/a/../b", "/%2e%2e/", "/a//b", "/~", "/api/takes/1;x"] {
        assert_eq!(status(check(&guard, "GET", path, &[])), 400, "{path}");
    }
    assert_eq!(status(check(&guard, "GET", &format!("/{}", "a".repeat(3000)), &[])), 414);
}

#[test]
fn a_token_works_once() {
    let guard = guard();
    let token = guard.new_token().unwrap();
    let uri = format!("/?token={token}");
    let stranger = [("cookie", None), ("origin", None)];
    let Ok(Entry::Redeemed(cookie)) = check(&guard, "GET", &uri, &stranger) else { panic!("refused") };
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"));
    let (pair, _) = cookie.split_once(';').unwrap();
    assert_eq!(status(check(&guard, "GET", "/", &[("cookie", Some(pair))])), 200);
    // It does not work again, except in a browser that has access already.
    assert_eq!(status(check(&guard, "GET", &uri, &stranger)), 401);
    assert_eq!(status(check(&guard, "GET", &uri, &[])), 200);
    // It works only in the address of the first page.
    let token = guard.new_token().unwrap();
    assert_eq!(status(check(&guard, "GET", &format!("/api/takes?token={token}"), &stranger)), 401);
    for _ in 0..2 * MAX_TOKENS {
        guard.new_token().unwrap();
    }
    assert_eq!(guard.tokens.lock().unwrap().len(), MAX_TOKENS);
}

proptest! {
    /// Without the cookie or a token, every request is refused, and none panics.
    #[test]
    fn requests_without_credentials_are_refused(
        method in "[A-Z]{1,8}",
        path in "/[ -~]{0,40}",
        headers in prop::collection::vec(("[a-z-]{1,16}|host|origin|cookie|upgrade", prop::collection::vec(32u8..=255, 0..40)), 0..8),
    ) {
        let guard = guard();
        let (Ok(method), Ok(uri)) = (method.parse::<Method>(), path.parse::<Uri>()) else { return Ok(()) };
        let mut map = HeaderMap::new();
        map.insert("host", HeaderValue::from_static("127.0.0.1:4000"));
        for (name, value) in headers {
            if let (Ok(name), Ok(value)) = (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_bytes(&value)) {
                map.append(name, value);
            }
        }
        let refused = guard.check(&method, &uri, &map).unwrap_err();
        let status = refused.status();
        prop_assert!(status.is_client_error() && status != StatusCode::NOT_FOUND);
    }
}
