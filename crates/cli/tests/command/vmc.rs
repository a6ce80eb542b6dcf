//! `marey play`, `marey record` and `marey perform` with VMC streams on this machine.

use std::net::UdpSocket;
use std::process::{Child, Stdio};
use std::time::Duration;

use crate::sandbox::Sandbox;

const WORLD: &str =
    "[[feature]]\nname = \"ground\"\nlike = \"floor\"\ngeometry = { plane = { at = [0, 0, 0] } }\n";

/// Two seconds of a walk: `walk.bvh`.
fn walk(sandbox: &Sandbox) {
    sandbox.ok(&["examples", "walk", "whole.bvh", "--secs", "6"]);
    sandbox.ok(&["convert", "whole.bvh", "walk.bvh", "--frames", "0..120"]);
}

/// A port of this machine that is free.
fn free_port() -> u16 {
    UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// A command that runs beside others, once it listens on a port.
fn listening(sandbox: &Sandbox, args: &[&str], port: u16) -> Child {
    let mut command = sandbox.command(args);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let is_listening = (0..500).any(|_| {
        std::thread::sleep(Duration::from_millis(20));
        UdpSocket::bind(("127.0.0.1", port)).is_err()
    });
    assert!(is_listening, "nothing listens on port {port}");
    child
}

/// The row that a command prints with `--json`.
fn row(child: Child) -> serde_json::Value {
    let done = child.wait_with_output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let rows: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    rows[0].clone()
}

#[test]
fn a_walk_that_is_played_is_recorded() {
    let sandbox = Sandbox::new("vmc-record");
    walk(&sandbox);
    let (port, name) = (free_port(), "received.bvh");
    let input = format!("vmc:{port}");
    let record = ["record", &input, "-o", name, "--record", "received.json", "--json"];
    let recording = listening(&sandbox, &record, port);
    let played = &sandbox.rows(&["play", "walk.bvh", "--send", &input, "--json"])[0];
    let row = row(recording);
    assert_eq!(row["received"], played["frames"], "{row}");
    assert_eq!(row["rate_hz"].as_f64(), Some(60.0));
    assert_eq!(row["warnings"], serde_json::json!([]), "{row}");
    let secs = played["secs"].as_f64().unwrap();
    assert!((row["frames"].as_f64().unwrap() / 60.0 - secs).abs() < 0.1, "{row}");
    // What was written as it arrived is a recording of the same.
    let again = &sandbox.rows(&["record", "received.json", "-o", "again.bvh", "--json"])[0];
    assert_eq!(again["frames"], row["frames"]);
    assert_eq!(sandbox.read("again.bvh"), sandbox.read(name));
}

#[test]
fn a_stream_drives_a_character_that_is_sent_on() {
    let sandbox = Sandbox::new("vmc-perform").with("world.toml", WORLD);
    walk(&sandbox);
    let stage = UdpSocket::bind("127.0.0.1:0").unwrap();
    let (port, on) = (free_port(), format!("vmc:{}", stage.local_addr().unwrap().port()));
    let input = format!("vmc:{port}");
    let perform = ["perform", "world.toml", "--input", &input, "-o", "hero.bvh", "--send", &on, "--json"];
    let performing = listening(&sandbox, &perform, port);
    let receiving = std::thread::spawn(move || {
        stage.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        let (mut packet, mut packets) = ([0; 2048], 0);
        while let Ok((length, _)) = stage.recv_from(&mut packet) {
            assert!(packet.starts_with(b"#bundle\0") && length <= 1400);
            packets += 1;
        }
        packets
    });
    let played = &sandbox.rows(&["play", "walk.bvh", "--send", &input, "--json"])[0];
    let row = row(performing);
    assert_eq!(row["frames"], played["frames"]);
    assert!(row["went_m"].as_f64().unwrap() > 0.3, "{row}");
    // Each frame has some packets, and the end has one.
    let packets = receiving.join().unwrap();
    assert!(packets > row["frames"].as_u64().unwrap(), "{packets}");
}

#[test]
fn addresses_that_are_not_valid_and_ports_that_are_taken_are_refused() {
    let sandbox = Sandbox::new("vmc-refused");
    let taken = UdpSocket::bind("127.0.0.1:0").unwrap();
    let taken = format!("vmc:{}", taken.local_addr().unwrap().port());
    for (input, code) in [("vmc:here:many", "live/address"), (taken.as_str(), "live/listen")] {
        let run = sandbox.run(&["record", input, "-o", "out.bvh"]);
        assert!(run.code == 1 && run.err.contains(code), "{}", run.err);
    }
    let run = sandbox.run(&["play", "walk.bvh", "--send", "udp:7"]);
    assert!(run.code == 2 && run.err.contains("not an address"), "{}", run.err);
    let run = sandbox.run(&["play", "player", "--send", "vmc", "--repeat"]);
    assert!(run.code == 2 && run.err.contains("only a file"), "{}", run.err);
}
