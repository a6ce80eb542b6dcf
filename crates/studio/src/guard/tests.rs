//! What is let in, and what is not.

use axum::http::StatusCode;
use proptest::prelude::*;

use super::*;

fn guard() -> Guard {
    Guard::new(([127, 0, 0, 1], 4000).into()).unwrap()
}

/// A request as the studio's own page makes it, with some headers set to others or taken out.
fn asked(
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
    result.map_or_else(|fault| fault.status.as_u16(), |_| 200)
}

#[test]
fn the_page_itself_is_let_in() {
    let guard = guard();
    for method in ["GET", "HEAD", "POST", "DELETE"] {
        assert_eq!(status(asked(&guard, method, "/api/takes", &[])), 200);
    }
    assert_eq!(status(asked(&guard, "GET", "/", &[("origin", None)])), 200);
    let local = [("host", Some("localhost:4000")), ("origin", Some("http://localhost:4000"))];
    assert_eq!(status(asked(&guard, "POST", "/api/takes", &local)), 200);
}

#[test]
fn every_refusal_has_its_status() {
    let guard = guard();
    let hosts =
        ["evil.example", "127.0.0.1", "127.0.0.1:4001", "localhost:4000.evil.example", "[::1]:4000", ""];
    for host in hosts {
        assert_eq!(status(asked(&guard, "GET", "/", &[("host", Some(host))])), 421, "{host}");
    }
    assert_eq!(status(asked(&guard, "GET", "/", &[("host", None)])), 421);
    assert_eq!(status(asked(&guard, "GET", "http://evil.example/", &[])), 421);
    let origins = [
        "null",
        "http://evil.example",
        "https://127.0.0.1:4000",
        "http://127.0.0.1:4001",
        "127.0.0.1:4000",
        "",
    ];
    for origin in origins {
        assert_eq!(status(asked(&guard, "GET", "/", &[("origin", Some(origin))])), 403, "{origin}");
    }
    for (method, upgrade) in [("POST", None), ("DELETE", None), ("GET", Some("websocket"))] {
        let changed = [("origin", None), ("upgrade", upgrade)];
        assert_eq!(status(asked(&guard, method, "/api/takes", &changed)), 403);
    }
    assert_eq!(status(asked(&guard, "GET", "/", &[("sec-fetch-site", Some("cross-site"))])), 403);
    for method in ["PUT", "PATCH", "OPTIONS", "TRACE", "CONNECT", "BREW"] {
        assert_eq!(status(asked(&guard, method, "/", &[])), 405, "{method}");
    }
    for cookie in ["marey-4000=", "marey-4000=0123", "marey-4001=x", "x"] {
        assert_eq!(status(asked(&guard, "GET", "/", &[("cookie", Some(cookie))])), 401, "{cookie}");
    }
    for path in ["/..", "/a/../b", "/%2e%2e/", "/a//b", "/~", "/api/takes/1;x"] {
        assert_eq!(status(asked(&guard, "GET", path, &[])), 400, "{path}");
    }
    assert_eq!(status(asked(&guard, "GET", &format!("/{}", "a".repeat(3000)), &[])), 414);
}

#[test]
fn a_token_opens_once() {
    let guard = guard();
    let token = guard.new_token().unwrap();
    let uri = format!("/?token={token}");
    let stranger = [("cookie", None), ("origin", None)];
    let Ok(Entry::Redeemed(cookie)) = asked(&guard, "GET", &uri, &stranger) else { panic!("not let in") };
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"));
    let (pair, _) = cookie.split_once(';').unwrap();
    assert_eq!(status(asked(&guard, "GET", "/", &[("cookie", Some(pair))])), 200);
    // A second time it opens nothing, but for who is in already.
    assert_eq!(status(asked(&guard, "GET", &uri, &stranger)), 401);
    assert_eq!(status(asked(&guard, "GET", &uri, &[])), 200);
    // Nor elsewhere than at the first page.
    let token = guard.new_token().unwrap();
    assert_eq!(status(asked(&guard, "GET", &format!("/api/takes?token={token}"), &stranger)), 401);
    for _ in 0..2 * MOST_TOKENS {
        guard.new_token().unwrap();
    }
    assert_eq!(guard.tokens.lock().unwrap().len(), MOST_TOKENS);
}

proptest! {
    /// Whatever is sent by somebody who knows neither the cookie nor a token, nothing is let in and nothing panics.
    #[test]
    fn strangers_stay_out(
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
        prop_assert!(refused.status.is_client_error() && refused.status != StatusCode::NOT_FOUND);
    }
}
