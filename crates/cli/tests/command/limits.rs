//! Small requests that ask for too much, and work that is ended early.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::sandbox::Sandbox;

/// A walk of 4 s and a corpus with it.
fn walk(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name);
    sandbox.ok(&["examples", "walk", "a.bvh", "--secs", "6", "--rate", "30"]);
    sandbox.ok(&["corpus", "new", "c.marey"]);
    sandbox.ok(&["corpus", "add", "c.marey", "a.bvh"]);
    sandbox
}

#[test]
fn small_requests_for_too_much_are_refused_at_once() {
    let sandbox = walk("limits-requests")
        .with("long.terrain.json", r#"{"pieces": [[[0, 0], [1e7, 0]]]}"#)
        .with("long.svg", r#"<svg><polyline points="0,0 1e9,0"/></svg>"#);
    sandbox.ok(&["vary", "a.bvh", "-o", "v.bvh", "--plan", "plan.json"]);
    let plan = String::from_utf8(sandbox.read("plan.json")).unwrap();
    let mut plan: serde_json::Value = serde_json::from_str(&plan).unwrap();
    let placements = plan["actors"][0]["placements"].as_array_mut().unwrap();
    placements.truncate(1);
    placements[0]["frames"] = 100_000_000.into();
    let sandbox = sandbox.with("long.json", plan.to_string());
    let before = sandbox.files();
    for args in [
        &["traverse", "c.marey", "long.terrain.json", "-o", "x.bvh"][..],
        &["traverse", "c.marey", "long.svg", "-o", "x.bvh"],
        &["render", "a.bvh", "x.png", "--terrain", "long.terrain.json"],
        &["vary", "a.bvh", "-o", "x.bvh", "--secs", "1e6"],
        &["wander", "c.marey", "-o", "x.bvh", "--secs", "1e9"],
        &["convert", "a.bvh", "x.bvh", "--resample", "600", "--budget", "frames=3000"],
        &["realise", "long.json", "-o", "x.bvh"],
        &["wander", "c.marey", "-o", "x.bvh", "--secs", "10", "--budget", "frames=100"],
    ] {
        let run = sandbox.run(args);
        assert!(run.err.contains("error[command/limit]"), "{args:?}: {}", run.err);
        // A command on several files fails with 1, as for any file that it cannot convert.
        assert_eq!(run.code, if args[0] == "convert" { 1 } else { 2 }, "{args:?}");
    }
    assert_eq!(sandbox.files(), before);
    sandbox.ok(&["convert", "a.bvh", "x.bvh", "--resample", "600", "--budget", "frames=4000"]);
    let wrong = sandbox.run(&["wander", "c.marey", "-o", "y.bvh", "--budget", "people=3"]);
    assert!(wrong.code == 2 && wrong.err.contains("frames=N, metres=N or examples=N"), "{}", wrong.err);
}

#[test]
fn a_text_that_is_too_long_is_refused_before_it_is_read() {
    let sandbox = Sandbox::new("limits-text");
    // A file without content, which takes no space on the disk.
    std::fs::File::create(sandbox.path("big.json")).unwrap().set_len((1 << 30) + 1).unwrap();
    for args in [
        &["realise", "big.json", "-o", "x.bvh"][..],
        &["perform", "big.json", "--input", "player", "-o", "x.bvh"],
        &["perform", "adventure", "--input", "big.json", "-o", "x.bvh"],
    ] {
        let run = sandbox.run(args);
        assert!(run.code == 1 && run.err.contains("error[command/limit]"), "{args:?}: {}", run.err);
    }
}

#[test]
fn a_performance_beyond_its_budget_ends_and_is_kept() {
    let sandbox = Sandbox::new("limits-performance");
    let args =
        ["perform", "adventure", "--input", "player", "-o", "x.bvh", "--budget", "frames=100", "--json"];
    let run = sandbox.run(&args);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("\"frames\":100") && run.out.contains("command/limit"), "{}", run.out);
}

#[test]
fn a_body_without_feet_wanders() {
    let sandbox = Sandbox::new("limits-lamp");
    sandbox.ok(&["examples", "luxo", "lamp/"]);
    sandbox.ok(&["corpus", "new", "lamp.marey"]);
    sandbox.ok(&["corpus", "add", "lamp.marey", "lamp/"]);
    sandbox.ok(&["wander", "lamp.marey", "-o", "w.bvh", "--secs", "2"]);
}

#[test]
#[cfg(unix)]
fn what_was_performed_before_ctrl_c_is_kept() {
    let sandbox = Sandbox::new("limits-ctrl-c");
    let args = ["perform", "adventure", "--input", "-", "-o", "hero.bvh", "--record", "input.json"];
    let mut child = sandbox.command(&args).stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let frame = r#"{"points": {"Hips": [0, 0.94, 0], "LeftHand": [0.3, 0.85, 0], "RightHand": [-0.3, 0.85, 0], "LeftFoot": [0.1, 0.07, 0], "RightFoot": [-0.1, 0.07, 0]}}"#;
    for _ in 0..400 {
        writeln!(input, "{frame}").unwrap();
    }
    input.flush().unwrap();
    // The performer goes on until the command ends, so that it ends by the signal only.
    std::thread::sleep(std::time::Duration::from_secs(2));
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    while writeln!(input, "{frame}").and_then(|()| input.flush()).is_ok() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(sandbox.read("hero.bvh").starts_with(b"HIERARCHY"));
    // The recording repeats the performance.
    sandbox.ok(&["perform", "adventure", "--input", "input.json", "-o", "again.bvh"]);
    assert_eq!(sandbox.read("again.bvh"), sandbox.read("hero.bvh"));
}

#[test]
#[cfg(unix)]
fn a_recording_survives_a_kill() {
    let sandbox = Sandbox::new("limits-kill");
    let args = ["perform", "adventure", "--input", "-", "-o", "hero.bvh", "--record", "input.json"];
    let mut child = sandbox.command(&args).stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let frame = r#"{"points": {"Hips": [0, 0.94, 0], "LeftHand": [0.3, 0.85, 0], "RightHand": [-0.3, 0.85, 0], "LeftFoot": [0.1, 0.07, 0], "RightFoot": [-0.1, 0.07, 0]}}"#;
    let frames = || sandbox.path("input.json").metadata().map_or(0, |about| about.len());
    // The performer goes on until some frames are in the file, however long that takes.
    while frames() < 200_000 {
        writeln!(input, "{frame}").and_then(|()| input.flush()).unwrap();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!sandbox.path("hero.bvh").exists());
    let recorded = String::from_utf8(sandbox.read("input.json")).unwrap();
    let whole = recorded.matches('\n').count() - 1;
    let sandbox = sandbox.with("cut.json", &recorded[..recorded.rfind('\n').unwrap() - 5]);
    for (input, frames, is_cut) in [("input.json", whole, false), ("cut.json", whole - 1, true)] {
        let again = ["perform", "adventure", "--input", input, "-o", "again.bvh", "--force", "--json"];
        let done = sandbox.run(&again);
        assert_eq!(done.code, 0, "{}", done.err);
        assert!(done.out.contains(&format!("\"frames\":{frames}")), "{frames}: {}", done.out);
        assert!(!is_cut || done.out.contains("live/cut-off"), "{}", done.out);
    }
}

#[test]
fn odd_file_names_do_not_stop_an_import() {
    let sandbox = Sandbox::new("limits-names");
    sandbox.ok(&["examples", "walk", "plain.bvh", "--secs", "6", "--rate", "30"]);
    let walk = String::from_utf8(sandbox.read("plain.bvh")).unwrap();
    let long = "x".repeat(230);
    // Each file has a frame rate of its own, so that none has the content of another.
    let mut sandbox = sandbox;
    let names = ["a:b", "#lead", &long, "bell\u{7}\n", " ", "good"];
    for (number, name) in names.iter().enumerate() {
        let text = walk.replace("Frame Time: 0.033333", &format!("Frame Time: 0.03{number}333"));
        assert!(number == 3 || text != walk, "the frame time is not replaced");
        sandbox = sandbox.with(&format!("in/{name}.bvh"), text);
    }
    sandbox.ok(&["corpus", "new", "c.marey"]);
    let run = sandbox.ok(&["corpus", "add", "c.marey", "in"]);
    assert!(run.err.contains("added 6 takes"), "{}", run.err);
    assert!(run.err.contains("warning[corpus/renamed]"), "a changed name is reported: {}", run.err);
    let rows = sandbox.rows(&["corpus", "ls", "c.marey", "--json"]);
    let found: Vec<&str> = rows.iter().map(|row| row["name"].as_str().unwrap()).collect();
    for name in ["ab", "lead", &long[..200], "bell", "unnamed", "good"] {
        assert!(found.contains(&name), "{name}: {found:?}");
    }
    // Commands that read leave nothing beside the corpus.
    assert!(!sandbox.files().iter().any(|file| file.ends_with("-wal") || file.ends_with("-shm")));
}

#[test]
fn small_things_hold() {
    let sandbox = walk("limits-small").with(
        "near/world.toml",
        "name = \"x\"\n[[feature]]\nname = \"ground\"\nlike = \"floor\"\n\
             geometry = { plane = { at = [0.0, 0.0, 0.0] } }\nmotion = \"../a.bvh\"\n",
    );
    // A summary of what was written is not printed with -q; data is.
    let run = sandbox.ok(&["vary", "a.bvh", "-o", "v.bvh", "-q"]);
    assert_eq!((run.out.as_str(), run.err.as_str()), ("", ""));
    assert!(sandbox.ok(&["corpus", "ls", "c.marey", "-q"]).out.contains("180"));
    // No takes last 0 s, not -0 s.
    sandbox.ok(&["corpus", "new", "empty.marey"]);
    assert!(sandbox.ok(&["corpus", "ls", "empty.marey"]).err.contains("0 takes, 0 frames, 0.0 s"));
    // Frame rates without a meaning are refused.
    for rate in ["1e-308", "0", "nan", "1e9"] {
        let run = sandbox.run(&["convert", "a.bvh", "x.bvh", "--resample", rate]);
        assert!(run.code == 2 && run.err.contains("error"), "{rate}: {}", run.err);
    }
    // A world names motions in its own folder only.
    let run = sandbox.run(&["perform", "near/world.toml", "--input", "a.bvh", "-o", "hero.bvh"]);
    assert!(run.code != 0 && run.err.contains("error[perform/"), "{}", run.err);
}
