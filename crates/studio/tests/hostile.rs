//! Hostile requests: all are refused with the right status, and the studio continues. The tests of the command check that its
//! memory does not grow.

mod support;

use std::io::{Read, Write};
use std::net::TcpStream;

use support::Server;

/// A request and the statuses that are right for it; 0 if the connection may end without a response.
type BadRequest = (Vec<u8>, &'static [u16]);

/// The head of a request with these headers instead of the usual ones.
fn head(line: &str, headers: &[(&str, &str)]) -> Vec<u8> {
    let mut text = format!("{line} HTTP/1.1\r\n");
    for (name, value) in headers {
        text += &format!("{name}: {value}\r\n");
    }
    (text + "connection: close\r\n\r\n").into_bytes()
}

fn bad_requests(server: &Server) -> Vec<BadRequest> {
    let host = server.client.address.to_string();
    let origin = format!("http://{host}");
    let port = server.client.address.port();
    let own_request = |line: &str, changed: (&str, &str)| {
        let usual =
            [("host", host.as_str()), ("origin", origin.as_str()), ("cookie", server.client.cookie.as_str())];
        let kept = usual.into_iter().filter(|(name, _)| *name != changed.0);
        head(line, &kept.chain([changed]).collect::<Vec<_>>())
    };
    let mut all: Vec<BadRequest> = Vec::new();
    let hosts = [
        "evil.example",
        "127.0.0.1",
        "localhost",
        "127.0.0.1:1",
        "127.0.0.1.evil.example",
        "0.0.0.0",
        "[::1]",
        "::1",
        "localhost.localdomain",
        "2130706433",
        "0x7f.1",
        "127.1",
        "LOCALHOST",
        "a b",
        "",
        "user@127.0.0.1",
        "127.0.0.1:",
        "127.0.0.1:99999",
    ];
    for bad in hosts {
        all.push((own_request("GET /api/about", ("host", bad)), &[421, 400]));
    }
    for bad in [
        format!("evil.example:{port}"),
        format!("127.0.0.2:{port}"),
        format!("{host}, evil.example"),
        format!("{host}/"),
        format!("{host}#"),
    ] {
        all.push((own_request("GET /api/about", ("host", &bad)), &[421, 400]));
    }
    all.push((
        head("GET /api/about", &[("origin", &origin), ("cookie", &server.client.cookie)]),
        &[421, 400],
    ));
    all.push((
        head(
            "GET /api/about",
            &[("host", &host), ("host", "evil.example"), ("cookie", &server.client.cookie)],
        ),
        &[421, 400],
    ));
    all.push((own_request("GET http://evil.example/api/about", ("x-a", "b")), &[421]));
    let origins = [
        "null",
        "http://evil.example",
        "https://evil.example",
        "file://",
        "chrome-extension://abc",
        "http://localhost",
        "http://127.0.0.1",
        "http://127.0.0.1:1",
        "",
        "*",
        "http://",
        "http://localhost:80",
        "javascript:alert(1)",
        "http://[::1]",
    ];
    for bad in origins {
        all.push((own_request("POST /api/links", ("origin", bad)), &[403]));
        all.push((own_request("GET /api/takes", ("origin", bad)), &[403]));
    }
    all.push((head("POST /api/links", &[("host", &host), ("cookie", &server.client.cookie)]), &[403]));
    all.push((
        head(
            "GET /api/takes",
            &[("host", &host), ("cookie", &server.client.cookie), ("upgrade", "websocket")],
        ),
        &[403],
    ));
    all.push((own_request("GET /api/takes", ("sec-fetch-site", "cross-site")), &[403]));
    for bad in ["PUT", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "BREW", "get"] {
        all.push((own_request(&format!("{bad} /api/takes"), ("x-a", "b")), &[405, 400]));
    }
    for bad in ["", "marey=1", "x=y; z", "marey-1=00000000000000000000000000000000", ";;;;", "=", "marey"] {
        all.push((own_request("GET /api/takes", ("cookie", bad)), &[401]));
    }
    let cookie = format!("marey-{port}=00000000000000000000000000000000");
    all.push((own_request("GET /api/takes", ("cookie", &cookie)), &[401]));
    for bad in ["/?token=", "/?token=0", "/?token=00000000000000000000000000000000"] {
        all.push((head(&format!("GET {bad}"), &[("host", &host)]), &[401]));
    }
    let paths = [
        "/..",
        "/../../etc/passwd",
        "/%2e%2e/etc/passwd",
        "/..%2f..%2fetc/passwd",
        "/assets/../../Cargo.toml",
        "//evil.example/",
        "/\\..\\x",
        "/api/takes/../about",
        "/%00",
        "/a%0d%0ab",
        "/~root",
        "/api//takes",
        "/;x",
        "/C:/x",
        "/assets/%2e%2e/x",
    ];
    for bad in paths {
        all.push((own_request(&format!("GET {bad}"), ("x-a", "b")), &[400, 404, 421]));
    }
    let missing = [
        "/nothing",
        "/index.html.bak",
        "/assets/x.js",
        "/api",
        "/api/nothing",
        "/api/motions/t99",
        "/api/motions/m1",
        "/api/motions/i1",
        "/api/motions/x1",
        "/api/motions/t1.5",
        "/api/motions/t-1",
        "/api/motions/t01/poses",
        "/api/motions/t1/export/exe",
        "/api/motions/t1/export/..",
        "/api/motions/t9223372036854775807/thumb",
        "/api/jobs/1",
        "/api/jobs/x",
        "/api/jobs/-1",
        "/api/jobs/99999999999999999999",
        "/api/changes/x",
        "/api/results/1/swap",
        "/api/motions/t1/export/plan",
    ];
    for bad in missing {
        all.push((own_request(&format!("GET {bad}"), ("x-a", "b")), &[404, 400, 405]));
    }
    all.push((own_request("GET /api/motions/t1/export/bvh?frames=9-3", ("x-a", "b")), &[422]));
    all.push((own_request("GET /api/motions/t1/export/bvh?frames=x", ("x-a", "b")), &[400]));
    all.push((own_request("GET /api/motions/t1/export/bvh?frames=0-99999999999", ("x-a", "b")), &[422]));
    all.push((own_request(&format!("GET /{}", "a".repeat(5000)), ("x-a", "b")), &[414]));
    all.push((own_request(&format!("GET /api/takes?{}", "a".repeat(5000)), ("x-a", "b")), &[414]));
    all.push((own_request("GET /api/about", ("x-large", &"a".repeat(100_000))), &[431, 400, 0]));
    let many_headers: Vec<String> = (0..200).map(|number| format!("x-{number}")).collect();
    let many_headers: Vec<(&str, &str)> = many_headers.iter().map(|name| (name.as_str(), "y")).collect();
    all.push((head("GET /", &many_headers), &[431, 400, 0]));
    let malformed: [&[u8]; 10] = [
        b"\0\0\0\0\0\0\0\0",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost\r\n\r\n",
        b"GET / HTTP/1.1\r\n: x\r\n\r\n",
        b"\r\n\r\n\r\n\r\nx",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: a\0b\r\n\r\n",
        b"\xff\xfe\xfd / HTTP/1.1\r\n\r\n",
    ];
    for bad in malformed {
        all.push((bad.to_vec(), &[400, 421, 505, 0]));
    }
    all.extend(bad_bodies(server));
    all
}

fn bad_bodies(server: &Server) -> Vec<BadRequest> {
    let host = server.client.address.to_string();
    let origin = format!("http://{host}");
    let own_request = |line: &str, kind: &str, length: &str, body: &[u8]| {
        let usual = [
            ("host", host.as_str()),
            ("origin", origin.as_str()),
            ("cookie", server.client.cookie.as_str()),
            ("content-type", kind),
        ];
        let framed =
            if length == "chunked" { ("transfer-encoding", length) } else { ("content-length", length) };
        let mut bytes = head(line, &usual.into_iter().chain([framed]).collect::<Vec<_>>());
        bytes.extend_from_slice(body);
        bytes
    };
    let json = |line: &str, body: &str| {
        own_request(line, "application/json", &body.len().to_string(), body.as_bytes())
    };
    let mut all: Vec<BadRequest> = Vec::new();
    let edits = [
        "",
        "x",
        "[1]",
        "null",
        "{\"a\":1}",
        "{\"put_tags\":1}",
        "{\"put_tags\":[{\"name\":\"x\",\"start\":-1,\"end\":2,\"maker\":\"person\"}]}",
        "{\"put_segments\":[{\"name\":\"x\",\"start\":1e99,\"end\":2,\"maker\":\"person\"}]}",
        "{\"remove_segments\":[9223372036854775808]}",
        "{\"put_tags\":[{\"name\":\"x\",\"start\":0,\"end\":2,\"maker\":\"robot\"}]}",
    ];
    for bad in edits {
        all.push((json("POST /api/takes/t1/edits", bad), &[400]));
    }
    for bad in [
        "{\"put_tags\":[{\"name\":\"\",\"start\":0,\"end\":2,\"maker\":\"person\"}]}",
        "{\"put_tags\":[{\"name\":\"a\\nb\",\"start\":0,\"end\":2,\"maker\":\"person\"}]}",
        "{\"put_tags\":[{\"name\":\"x\",\"start\":5,\"end\":5,\"maker\":\"person\"}]}",
        "{\"put_tags\":[{\"name\":\"x\",\"start\":0,\"end\":99999999,\"maker\":\"person\"}]}",
        "{\"remove_tags\":[{\"name\":\"x\",\"start\":0,\"end\":9}]}",
    ] {
        all.push((json("POST /api/takes/t1/edits", bad), &[422]));
    }
    let deep = "[".repeat(200_000);
    all.push((json("POST /api/takes/t1/edits", &deep), &[400]));
    all.push((json("POST /api/takes/t99/edits", "{}"), &[404]));
    all.push((json("POST /api/takes/m1/edits", "{}"), &[404]));
    all.push((json("POST /api/panels/nothing", "{}"), &[404]));
    all.push((json("POST /api/results/1/swap", "{\"actor\":0,\"placement\":0,\"candidate\":0}"), &[404]));
    all.push((own_request("POST /api/takes/t1/edits", "text/plain", "2", b"{}"), &[415]));
    all.push((
        own_request("POST /api/takes/t1/edits", "application/x-www-form-urlencoded", "2", b"{}"),
        &[415],
    ));
    all.push((own_request("POST /api/takes/t1/edits", "application/json", "99999999999", b"{}"), &[413]));
    all.push((own_request("POST /api/takes/t1/edits", "application/json", "-1", b"{}"), &[400, 0]));
    all.push((own_request("POST /api/takes/t1/edits", "application/json", "999", b"{}"), &[400, 0]));
    all.push((own_request("POST /api/takes/t1/edits", "application/json", "chunked", b"zz\r\n"), &[400, 0]));
    let chunk = format!("{:x}\r\n{}\r\n", 1 << 20, "x".repeat(1 << 20)).repeat(5) + "0\r\n\r\n";
    all.push((
        own_request("POST /api/takes/t1/edits", "application/json", "chunked", chunk.as_bytes()),
        &[413, 0],
    ));
    all.push((
        own_request("POST /api/imports?name=x.bvh", "application/octet-stream", "999999999999", b""),
        &[413],
    ));
    all.push((own_request("POST /api/imports", "application/octet-stream", "1", b"x"), &[400]));
    all.push((own_request("POST /api/imports?name=%ff", "application/octet-stream", "1", b"x"), &[400]));
    all.push((
        own_request("POST /api/imports?name=x.bvh&companion=7", "application/octet-stream", "1", b"x"),
        &[404],
    ));
    for bad in
        ["x.bvh", "x.glb", "x.fbx", "x.c3d", "x.npz", "x", "..%2f..%2fetc%2fpasswd", "%3Cscript%3E.bvh"]
    {
        let line = format!("POST /api/imports?name={bad}");
        all.push((own_request(&line, "application/octet-stream", "9", b"HIERARCHY"), &[422]));
    }
    all
}

#[test]
fn hostile_requests_are_refused_and_the_studio_continues() {
    let server = Server::start("hostile");
    let all = bad_requests(&server);
    assert!(all.len() >= 100, "{} requests", all.len());
    let send_all = || {
        for (bytes, expected) in &all {
            // The sending side of an incomplete request is closed; otherwise the studio would wait for the rest.
            let response = server.client.raw(bytes, expected.contains(&0));
            let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(120)]).into_owned();
            assert!(expected.contains(&response.status), "{shown}\n{} {}", response.status, response.text());
            if !response.body.is_empty() && response.head.contains("application/json") {
                let error = response.json();
                assert!(error["code"].as_str().is_some_and(|code| code.contains('/')), "{error}");
                assert!(error["hint"].as_str().is_some_and(|hint| !hint.is_empty()), "{error}");
            }
            assert!(!response.head.contains("access-control-"), "{shown}");
        }
    };
    (0..3).for_each(|_| send_all());
    let about = server.get("/api/about");
    assert_eq!(about.status, 200);
    assert!(about.head.contains("content-security-policy: default-src 'none'"));
}

#[test]
fn a_panic_in_a_panel_is_an_error_and_does_not_end_the_studio() {
    let server = Server::start("panics");
    for (message, code) in [("\"panic\"", "studio/bug"), ("{}", "studio/request")] {
        let job = server.post("/api/panels/failing", message).json()["job"].as_u64().unwrap();
        let state = loop {
            let state = server.get(&format!("/api/jobs/{job}")).json();
            if state["state"] != "running" {
                break state;
            }
        };
        assert_eq!(state["error"]["code"], code);
    }
    assert_eq!(server.get("/api/takes").status, 200);
}

#[test]
fn connections_beyond_the_limit_are_refused() {
    let server = Server::start("connections");
    let (address, cookie) = (server.client.address, &server.client.cookie);
    let request = format!("GET /api/about HTTP/1.1\r\nhost: {address}\r\ncookie: {cookie}\r\n\r\n");
    let open = |_| {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut start = [0; 12];
        stream.read_exact(&mut start).unwrap();
        assert_eq!(&start, b"HTTP/1.1 200");
        stream
    };
    let connections: Vec<_> = (0..marey_studio::guard::MAX_CONNECTIONS).map(open).collect();
    assert_eq!(server.get("/api/about").status, 503);
    drop(connections);
    let again = (0..200).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        server.get("/api/about").status == 200
    });
    assert!(again, "the studio does not accept connections again");
}

#[test]
fn idle_connections_without_access_keep_nobody_out() {
    let server = Server::start("idle");
    let idle: Vec<_> = (0..2 * marey_studio::guard::MAX_GUESTS)
        .map(|_| TcpStream::connect(server.client.address).unwrap())
        .collect();
    assert_eq!(server.get("/api/about").status, 200);
    drop(idle);
}
