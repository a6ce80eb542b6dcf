//! Live sessions, as the page uses them.

mod socket;
#[path = "../support/mod.rs"]
mod support;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use marey_examples::character::{CharacterSettings, character};
use marey_formats::gltf::character::GltfCharacter;
use marey_formats::{NoNeighbours, ReadOptions};
use serde_json::{Value, json};
use socket::{Socket, frame};
use support::Server;
use support::client::Client;

fn start_session(server: &Server, frames: usize, letters: usize) -> u64 {
    let message = json!({ "frames": frames, "letters": letters }).to_string();
    server.post("/api/panels/marching/play", &message).json()["live"].as_u64().unwrap()
}

/// The numbers of all frames until the session ends, and its last state.
fn watch_until_end(socket: &mut Socket) -> (Vec<u32>, Value) {
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
fn a_session_is_prepared_opened_watched_and_ended() {
    let server = Server::start("play");
    let mut socket = server.client.watch(start_session(&server, 30, 4));
    let first = loop {
        match socket.next().unwrap() {
            (1, text) => {
                let state: Value = serde_json::from_slice(&text).unwrap();
                assert_eq!(state["state"], "preparing");
            }
            (_, bytes) => break bytes,
        }
    };
    let length = u32::from_le_bytes(first[..4].try_into().unwrap()) as usize;
    assert_eq!(serde_json::from_slice::<Value>(&first[4..4 + length]).unwrap(), json!({ "frames": 30 }));
    assert!(first[4 + length..].starts_with(b"marey 1\n"));
    socket.send("\"go\"");
    let (_, bytes) = socket.next().unwrap();
    assert_eq!(bytes[..4], [0; 4]);
    let length = u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
    let state: Value = serde_json::from_slice(&bytes[8..8 + length]).unwrap();
    assert_eq!(state["letters"], "xxxx");
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

/// The first message of a session with figures, and the first frame.
fn first_frames(socket: &mut Socket) -> [Vec<u8>; 2] {
    let binary = |socket: &mut Socket| loop {
        let (kind, bytes) = socket.next().unwrap();
        if kind == 2 {
            return bytes;
        }
    };
    let first = binary(socket);
    socket.send("\"go\"");
    [first, binary(socket)]
}

#[test]
fn a_session_is_shown_on_a_character() {
    let server = Server::start("character");
    let file = character(&CharacterSettings::default()).unwrap();
    let (hero, _) = GltfCharacter::read(&file, None, &ReadOptions::default(), &NoNeighbours).unwrap();
    let kind = "application/octet-stream";
    let added = server.client.send("POST", "/api/characters?name=hero.glb", kind, &file);
    let id = added.json()["id"].as_u64().unwrap();
    let message = json!({ "frames": 5 }).to_string();
    let play = |query: &str| server.post(&format!("/api/panels/marching/play{query}"), &message);
    let live = play(&format!("?character={id}")).json()["live"].as_u64().unwrap();
    let [first, frame] = first_frames(&mut server.client.watch(live));
    for joint in hero.skeleton.joints() {
        let name = joint.name.as_bytes();
        assert!(first.windows(name.len()).any(|part| part == name), "{}", joint.name);
    }
    let length = u32::from_le_bytes(frame[4..8].try_into().unwrap()) as usize;
    let numbers = 3 * hero.skeleton.movers().len() + 4 * hero.skeleton.len();
    assert_eq!(frame.len(), 8 + length + 4 * numbers);
    // A character of one actor is that of no other.
    let live = |query: &str| play(query).json()["live"].as_u64().unwrap();
    let [named, _] = first_frames(&mut server.client.watch(live(&format!("?character={id}:walk"))));
    assert_eq!(named, first);
    let [other, _] = first_frames(&mut server.client.watch(live(&format!("?character={id}:nobody"))));
    assert_ne!(other, first);
    // A character that does not exist ends the session with its code.
    let live = play("?character=99").json()["live"].as_u64().unwrap();
    let (_, last) = watch_until_end(&mut server.client.watch(live));
    assert_eq!(last["error"]["code"], "corpus/no-character");
    assert_eq!(play("?character=x").status, 400);
}

#[test]
fn a_session_ends_on_request_and_the_number_of_sessions_is_limited() {
    let server = Server::start("ends");
    let first = start_session(&server, 100_000, 0);
    let mut socket = server.client.watch(first);
    for _ in 0..2 {
        start_session(&server, 100_000, 0);
    }
    assert_eq!(server.post("/api/panels/marching/play", "{}").status, 429);
    // Ending a session that is still being prepared would cancel it.
    while socket.next().unwrap().0 != 2 {}
    assert_eq!(server.client.send("DELETE", &format!("/api/live/{first}"), "text/plain", b"").status, 200);
    let (_, last) = watch_until_end(&mut socket);
    assert_eq!(last["state"], "done");
    let again = server.post("/api/panels/marching/play", "{}");
    assert_eq!(again.status, 200, "{again:?}");
}

#[test]
fn fast_viewers_receive_all_frames_and_slow_ones_do_not_delay_others() {
    const FRAMES: usize = 400;
    const SLOW: usize = 6;
    let server = Server::start("viewers");
    // The frames are too large for the system to buffer all of them for a slow reader.
    let number = start_session(&server, FRAMES, 64 << 10);
    let max_viewers = marey_studio::guard::MAX_VIEWERS;
    let mut sockets: Vec<Socket> = (0..max_viewers).map(|_| server.client.watch(number)).collect();
    let refused = server.client.raw(server.client.upgrade(&format!("/api/live/{number}")).as_bytes(), true);
    assert_eq!(refused.status, 503);
    sockets[0].send("\"go\"");
    let slow = sockets.split_off(max_viewers - SLOW);
    let fast: Vec<_> = sockets
        .into_iter()
        .map(|mut socket| std::thread::spawn(move || watch_until_end(&mut socket).0))
        .collect();
    for reader in fast {
        let numbers = reader.join().unwrap();
        assert!(numbers.iter().copied().eq(0..FRAMES as u32), "{} of {FRAMES} arrived", numbers.len());
    }
    // A viewer that has read nothing until now receives the remaining frames in order.
    for mut socket in slow {
        let (numbers, _) = watch_until_end(&mut socket);
        assert!(!numbers.is_empty() && numbers.len() < FRAMES, "{} arrived", numbers.len());
        assert!(numbers.is_sorted());
    }
}

/// Malformed bytes after the upgrade.
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
        // Not masked; reserved bits; unknown opcodes.
        vec![0x81, 2, b'{', b'}'],
        frame(0xf1, b"{}"),
        frame(0x83, b"{}"),
        frame(0x8f, b"{}"),
        // A control frame in parts or too long; a continuation without a start; a text that starts twice.
        frame(0x09, b"ping"),
        frame(0x89, &[b'x'; 200]),
        frame(0x80, b"{}"),
        [frame(0x01, b"{"), frame(0x01, b"}")].concat(),
        // Lengths without content; a length that exceeds the memory.
        vec![0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4],
        vec![0x81, 0xfe, 0x0f],
        b"GET / HTTP/1.1\r\n\r\n".to_vec(),
        vec![0; 64],
        vec![0xff; 64],
    ];
    // A text in parts that are too long together.
    let parts = (0..40).map(|part| frame(if part == 0 { 0x01 } else { 0x00 }, &[b'1'; 200]));
    all.push(parts.flatten().collect());
    all
}

#[test]
fn malformed_frames_end_only_their_own_connection() {
    let server = Server::start("frames");
    let number = start_session(&server, 1_000_000, 0);
    let mut viewer = server.client.watch(number);
    viewer.send("\"go\"");
    for bytes in bad_frames() {
        let mut socket = server.client.watch(number);
        // The server may close the connection earlier.
        let _ = socket.stream.write_all(&bytes);
        let _ = socket.stream.shutdown(std::net::Shutdown::Write);
        let mut count = 0;
        while socket.next().is_some_and(|(kind, _)| kind != 8) {
            count += 1;
            assert!(count < 1000, "the connection stays open after {:?}", &bytes[..bytes.len().min(16)]);
        }
    }
    // Unknown messages, and more of them than fit into the queue, do not end a session.
    for _ in 0..2000 {
        viewer.send("{\"what\": [1, 2, 3]}");
    }
    let frames = (0..400).filter_map(|_| viewer.next()).filter(|(kind, _)| *kind == 2).count();
    assert!(frames > 300, "{frames} arrived");
    assert_eq!(server.get("/api/about").status, 200);
}

#[test]
fn requests_without_access_are_not_upgraded() {
    let server = Server::start("upgrades");
    let number = start_session(&server, 1000, 0);
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
    for (request, expected) in [
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
        assert_eq!(status(&request), expected, "{request}");
    }
}
