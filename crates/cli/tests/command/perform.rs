//! `marey perform`.

use std::fmt::Write as _;
use std::io::Write as _;
use std::net::TcpListener;
use std::process::Stdio;

use crate::sandbox::Sandbox;

const WORLD: &str = "[[feature]]\nname = \"ground\"\nlike = \"floor\"\ngeometry = { plane = { at = [0, 0, 0] } }\nmotion = \"walk\"\n";

/// A performer of the playground, cut to the first seconds.
fn performer(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name).with("world.toml", WORLD);
    sandbox.ok(&["examples", "playground", "play"]);
    sandbox
}

/// Frames of one who stands still, as lines.
fn standing(frames: usize) -> String {
    let points = r#"{"Hips": [0, 0.94, 0], "LeftUpperLeg": [0.09, 0.91, 0], "RightUpperLeg": [-0.09, 0.91, 0],
        "LeftHand": [0.3, 0.85, 0.05], "RightHand": [-0.3, 0.85, 0.05], "LeftFoot": [0.1, 0.07, 0], "RightFoot": [-0.1, 0.07, 0]}"#;
    let points = points.replace('\n', " ");
    (0..frames).fold(String::new(), |mut text, _| {
        let _ = writeln!(text, r#"{{"secs": 0.02, "points": {points}, "closed": [false, false]}}"#);
        text
    })
}

#[test]
fn a_recording_of_a_skeleton_or_of_markers_is_performed() {
    let sandbox = performer("perform");
    let go = ["perform", "world.toml", "--input", "play/performer-3.bvh", "-o", "out.bvh"];
    let row = &sandbox.rows(&[&go[..], &["--explain", "why.json", "--json"]].concat())[0];
    assert!(row["went_m"].as_f64().unwrap() > 1.0, "{row}");
    let why: serde_json::Value = serde_json::from_slice(&sandbox.read("why.json")).unwrap();
    let walks = why.as_array().unwrap().iter().filter(|moment| moment["imitates"] == "ground").count();
    assert!(walks > 2, "{why}");
    // The same again is the same.
    sandbox.ok(&["perform", "world.toml", "--input", "play/performer-3.bvh", "-o", "again.bvh"]);
    assert_eq!(sandbox.read("out.bvh"), sandbox.read("again.bvh"));
    let markers = ["perform", "adventure", "--input", "play/performer-3.trc", "-o", "markers.glb", "--json"];
    assert!(sandbox.rows(&markers)[0]["went_m"].as_f64().unwrap() > 1.0);
}

#[test]
fn the_adventure_is_played_from_start_to_finish_and_drawn() {
    let sandbox = Sandbox::new("perform-adventure");
    let go = ["perform", "adventure", "--input", "player", "-o", "hero.glb", "--json"];
    let picture = ["--picture", "hero.png", "--poses", "6", "--view", "side"];
    let row = &sandbox.rows(&[&go[..], &picture].concat())[0];
    assert!(row["finished"].as_u64().is_some(), "{row}");
    assert!(sandbox.read("hero.png").starts_with(b"\x89PNG"));
    let refused =
        sandbox.run(&["perform", "adventure", "--input", "x.bvh", "-o", "y.bvh", "--picture", "z.bmp"]);
    assert!(refused.err.contains("error[command/output-ending]"), "{}", refused.err);
}

#[test]
fn the_standard_input_is_listened_to_until_it_ends() {
    let sandbox = Sandbox::new("perform-stdin").with("world.toml", WORLD);
    let mut command = sandbox.command(&["perform", "world.toml", "--input", "-", "-o", "out.bvh", "--json"]);
    let mut running = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    running.stdin.take().unwrap().write_all(standing(80).as_bytes()).unwrap();
    let done = running.wait_with_output().unwrap();
    let rows: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!((rows[0]["frames"].as_u64(), rows[0]["rate_hz"].as_f64()), (Some(80), Some(50.0)));
    // A line that is no frame is skipped with its number.
    let perform = |lines: &str| {
        let mut running = sandbox
            .command(&["perform", "world.toml", "--input", "-", "-o", "other.bvh", "--force"])
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        running.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
        let done = running.wait_with_output().unwrap();
        (done.status.success(), String::from_utf8_lossy(&done.stderr).into_owned())
    };
    let (is_ok, err) = perform(&format!("{}null\n{}", standing(40), standing(40)));
    assert!(is_ok && err.contains("live/skipped") && err.contains("41"), "{err}");
    // A stream without a performer is refused.
    let (is_ok, err) = perform("{\"points\": 3}\n");
    assert!(!is_ok && err.contains("live/no-performer"), "{err}");
}

#[test]
fn a_recorded_input_gives_the_same_bytes_again() {
    let sandbox = Sandbox::new("perform-record").with("world.toml", WORLD);
    let live = ["perform", "world.toml", "--input", "-", "-o", "live.bvh", "--record", "me.json"];
    let mut running = sandbox.command(&live).stdin(Stdio::piped()).spawn().unwrap();
    // After standing, the performer sways and waves at uneven intervals.
    let mut lines = standing(40);
    for frame in 0..60 {
        let (secs, sway) = (0.01 + 0.002 * f64::from(frame % 7), 0.1 * (0.2 * f64::from(frame)).sin());
        let points = format!(
            r#"{{"Hips": [{sway}, 0.94, 0], "LeftHand": [0.3, {}, 0.1], "RightHand": [-0.3, 0.85, 0.05], "LeftFoot": [0.1, 0.07, 0], "RightFoot": [-0.1, 0.07, 0]}}"#,
            1.2 + sway
        );
        let _ = writeln!(lines, r#"{{"secs": {secs}, "points": {points}, "closed": [true, false]}}"#);
    }
    running.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    assert!(running.wait().unwrap().success());
    sandbox.ok(&["perform", "world.toml", "--input", "me.json", "-o", "again.bvh"]);
    assert_eq!(sandbox.read("live.bvh"), sandbox.read("again.bvh"));
    // A recording with a damaged frame is refused.
    let text = String::from_utf8(sandbox.read("me.json")).unwrap();
    let sandbox = sandbox.with("short.json", text.replacen("\"closed\":[false,false]", "\"closed\":[]", 1));
    let refused = sandbox.run(&["perform", "world.toml", "--input", "short.json", "-o", "short.bvh"]);
    assert!(refused.code == 1 && refused.err.contains("live/not-a-frame"), "{}", refused.err);
}

#[test]
fn a_line_without_end_is_skipped() {
    let sandbox = Sandbox::new("perform-endless").with("world.toml", WORLD);
    let mut command = sandbox.command(&["perform", "world.toml", "--input", "-", "-o", "out.bvh"]);
    let mut running = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    running.stdin.take().unwrap().write_all(&[b' '; 1 << 20]).unwrap();
    let done = running.wait_with_output().unwrap();
    let err = String::from_utf8_lossy(&done.stderr);
    assert!(err.contains("live/no-performer") && err.contains("longer than"), "{err}");
}

#[test]
fn a_socket_is_listened_to_until_it_ends() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let input = format!("tcp:{}", listener.local_addr().unwrap());
    let sender = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.write_all(standing(90).as_bytes()).unwrap();
    });
    let sandbox = Sandbox::new("perform-socket").with("world.toml", WORLD);
    let row = &sandbox.rows(&["perform", "world.toml", "--input", &input, "-o", "out.bvh", "--json"])[0];
    sender.join().unwrap();
    assert_eq!((row["frames"].as_u64(), row["rate_hz"].as_f64()), (Some(90), Some(50.0)));
}

#[test]
fn wrong_worlds_and_streams_are_refused_with_their_place() {
    let sandbox = performer("perform-bad")
        .with("typo.toml", WORLD.replace("motion", "moton"))
        .with("motion.toml", WORLD.replace("walk", "fly"))
        .with(
            "bar.toml",
            WORLD.replace("plane = { at = [0, 0, 0] }", "cylinder = { from = [0, 2, 0], to = [0, 2, 0] }"),
        );
    for (world, code, place) in [
        ("typo.toml", "perform/toml", "typo.toml:5"),
        ("motion.toml", "perform/missing-motion", "motion.toml:1"),
        ("bar.toml", "perform/geometry", "bar.toml:4"),
    ] {
        let run = sandbox.run(&["perform", world, "--input", "play/performer-1.bvh", "-o", "out.bvh"]);
        assert_eq!(run.code, 1);
        assert!(run.err.contains(code) && run.err.contains(place), "{}", run.err);
    }
}
