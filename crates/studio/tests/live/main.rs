//! Plays that are watched, over the wire.

mod socket;
#[path = "../support/mod.rs"]
mod support;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};
use socket::{Socket, frame};
use support::Server;
use support::wire::Client;

fn begin(server: &Server, frames: usize, letters: usize) -> u64 {
    let wish = json!({ "frames": frames, "letters": letters }).to_string();
    server.post("/api/panels/marching/play", &wish).json()["live"].as_u64().unwrap()
}

/// The numbers of all frames that come until it is over, and what was said last.
fn watched(socket: &mut Socket) -> (Vec<u32>, Value) {
    let (mut numbers, mut last, mut is_open) = (Vec::new(), Value::Null, false);
    while let Some((kind, bytes)) = socket.next() {
        match kind {
            1 => last = serde_json::from_slice(&bytes).unwrap(),
            2 if is_open => numbers.push(u32::from_le_bytes(bytes[..4].try_into().unwrap())),
            2 => is_open = true,
            _ => break,
        }
    }
    (numbers, last)
}

#[test]
fn a_play_is_prepared_opened_shown_heard_and_ended() {
    let server = Server::start("play");
    let mut socket = server.client.watch(begin(&server, 30, 4));
    let first = loop {
        match socket.next().unwrap() {
            (1, text) => {
                let news: Value = serde_json::from_slice(&text).unwrap();
                assert_eq!(news["state"], "preparing");
            }
            (_, bytes) => break bytes,
        }
    };
    let length = u32::from_le_bytes(first[..4].try_into().unwrap()) as usize;
    assert_eq!(serde_json::from_slice::<Value>(&first[4..4 + length]).unwrap(), json!({ "frames": 30 }));
    assert!(first[4 + length..].starts_with(b"marey 1\n"));
    socket.say("\"go\"");
    let (_, bytes) = socket.next().unwrap();
    assert_eq!(bytes[..4], [0; 4]);
    let length = u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
    let said: Value = serde_json::from_slice(&bytes[8..8 + length]).unwrap();
    assert_eq!(said["letters"], "xxxx");
    let mut numbers = Vec::new();
    let mut last = Value::Null;
    while let Some((kind, bytes)) = socket.next() {
        match kind {
            1 => last = serde_json::from_slice(&bytes).unwrap(),
            2 => numbers.push(u32::from_le_bytes(bytes[..4].try_into().unwrap())),
            _ => break,
        }
    }
    assert!(numbers.iter().copied().eq(1..30), "{numbers:?}");
    assert_eq!(last, json!({ "state": "done", "motions": [] }));
}

#[test]
fn a_play_ends_when_it_is_told_to_and_no_more_go_on_than_fit() {
    let server = Server::start("ends");
    let first = begin(&server, 100_000, 0);
    let mut socket = server.client.watch(first);
    for _ in 0..2 {
        begin(&server, 100_000, 0);
    }
    assert_eq!(server.post("/api/panels/marching/play", "{}").status, 429);
    // What is ended while it is still prepared is cancelled: so not before it is open.
    while socket.next().unwrap().0 != 2 {}
    assert_eq!(server.client.ask("DELETE", &format!("/api/live/{first}"), "text/plain", b"").status, 200);
    let (_, last) = watched(&mut socket);
    assert_eq!(last["state"], "done");
    let again = server.post("/api/panels/marching/play", "{}");
    assert_eq!(again.status, 200, "{again:?}");
}

#[test]
fn of_32_viewers_the_fast_ones_lose_nothing_and_slow_ones_hold_up_nobody() {
    const FRAMES: usize = 400;
    const SLOW: usize = 6;
    let server = Server::start("viewers");
    // So large that what the system keeps for a slow reader is less than all of it.
    let number = begin(&server, FRAMES, 64 << 10);
    let seats = marey_studio::guard::MOST_VIEWERS;
    let mut sockets: Vec<Socket> = (0..seats).map(|_| server.client.watch(number)).collect();
    let refused = server.raw(server.client.upgrade(&format!("/api/live/{number}")).as_bytes(), true);
    assert_eq!(refused.status, 503);
    sockets[0].say("\"go\"");
    let slow = sockets.split_off(seats - SLOW);
    let fast: Vec<_> =
        sockets.into_iter().map(|mut socket| std::thread::spawn(move || watched(&mut socket).0)).collect();
    for reader in fast {
        let numbers = reader.join().unwrap();
        assert!(numbers.iter().copied().eq(0..FRAMES as u32), "{} of {FRAMES} came", numbers.len());
    }
    // Who has read nothing until now gets what is left, in order.
    for mut socket in slow {
        let (numbers, _) = watched(&mut socket);
        assert!(!numbers.is_empty() && numbers.len() < FRAMES, "{} came", numbers.len());
        assert!(numbers.is_sorted());
    }
}

/// Bytes after the upgrade that nobody should send.
fn bad_frames() -> Vec<Vec<u8>> {
    let text = |content: &[u8]| frame(0x81, content);
    let mut all = vec![
        text(b"{ nonsense"),
        text(b""),
        text(&[0xff, 0xfe]),
        text(&vec![b'['; 2000]),
        text(&vec![b'1'; 5000]),
        frame(0x82, b"{}"),
        frame(0x82, &vec![0; 100_000]),
        // Not masked, bits that mean nothing, kinds that there are not.
        vec![0x81, 2, b'{', b'}'],
        frame(0xf1, b"{}"),
        frame(0x83, b"{}"),
        frame(0x8f, b"{}"),
        // A control frame in parts or too long; a text that goes on without having begun, or begins twice.
        frame(0x09, b"ping"),
        frame(0x89, &[b'x'; 200]),
        frame(0x80, b"{}"),
        [frame(0x01, b"{"), frame(0x01, b"}")].concat(),
        // Announced and not sent; more than memory.
        vec![0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4],
        vec![0x81, 0xfe, 0x0f],
        b"GET / HTTP/1.1\r\n\r\n".to_vec(),
        vec![0; 64],
        vec![0xff; 64],
    ];
    // A text in parts that together are too long.
    let parts = (0..40).map(|part| frame(if part == 0 { 0x01 } else { 0x00 }, &[b'1'; 200]));
    all.push(parts.flatten().collect());
    all
}

#[test]
fn bad_frames_end_their_connection_and_nothing_else() {
    let server = Server::start("frames");
    let number = begin(&server, 1_000_000, 0);
    let mut friend = server.client.watch(number);
    friend.say("\"go\"");
    for bytes in bad_frames() {
        let mut socket = server.client.watch(number);
        // The other side may hang up before all is said.
        let _ = socket.stream.write_all(&bytes);
        let _ = socket.stream.shutdown(std::net::Shutdown::Write);
        let mut count = 0;
        while socket.next().is_some_and(|(kind, _)| kind != 8) {
            count += 1;
            assert!(count < 1000, "it goes on after {:?}", &bytes[..bytes.len().min(16)]);
        }
    }
    // Words that are parse_message by nobody, and more of them than anybody hears, are no end.
    for _ in 0..2000 {
        friend.say("{\"what\": [1, 2, 3]}");
    }
    let frames = (0..400).filter_map(|_| friend.next()).filter(|(kind, _)| *kind == 2).count();
    assert!(frames > 300, "{frames} came");
    assert_eq!(server.get("/api/about").status, 200);
}

#[test]
fn who_may_not_come_in_is_not_upgraded() {
    let server = Server::start("upgrades");
    let number = begin(&server, 1000, 0);
    let good = server.client.upgrade(&format!("/api/live/{number}"));
    let Client { address, cookie } = &server.client;
    let origin = format!("origin: http://{address}\r\n");
    let status = |request: &str| {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut start = [0; 12];
        stream.read_exact(&mut start).unwrap();
        String::from_utf8_lossy(&start)[9..].parse::<u16>().unwrap()
    };
    assert_eq!(status(&good), 101);
    for (request, right) in [
        (good.replace(&origin, ""), 403),
        (good.replace(&origin, "origin: http://evil.example\r\n"), 403),
        (good.replace(&origin, "origin: null\r\n"), 403),
        (good.replace(&format!("host: {address}"), "host: evil.example"), 421),
        (good.replace(&format!("cookie: {cookie}\r\n"), ""), 401),
        (good.replace(cookie.as_str(), "marey-1=0"), 401),
        (good.replace("sec-websocket-version: 13", "sec-websocket-version: 8"), 400),
        (good.replace("sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n", ""), 400),
        (good.replace("upgrade: websocket\r\n", ""), 400),
        (good.replace(&format!("/api/live/{number}"), "/api/live/99"), 404),
        (good.replace(&format!("/api/live/{number}"), "/api/live/x"), 404),
        (good.replace(&format!("/api/live/{number}"), "/api/live/../about"), 400),
        (good.replace("GET", "PUT"), 405),
    ] {
        assert_eq!(status(&request), right, "{request}");
    }
}
