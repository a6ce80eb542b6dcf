//! `marey realise`.

use serde_json::Value;

use crate::sandbox::{Run, Sandbox};

/// A plan as somebody would write it: a walk, slower for a while, then on as it was.
const PLAN: &str = r#"{
  "rate_hz": 60,
  "actors": [
    { "name": "walker", "placements": [
      { "source": { "take": "walk1" }, "source_start": 60, "source_end": 180, "start": 0, "frames": 120 },
      { "source": { "take": "walk1" }, "source_start": 180, "source_end": 280, "start": 120, "frames": 118 },
      { "source": { "take": "walk1" }, "source_start": 280, "source_end": 400, "start": 238, "frames": 120 }
    ] }
  ]
}
"#;

/// A corpus of two generated walks, `walk1` and `walk2`, and a plan.
fn walks(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name).with("plan.json", PLAN);
    sandbox.ok(&["corpus", "new", "c.marey"]);
    for seed in ["1", "2"] {
        sandbox.ok(&["examples", "walk", &format!("walk{seed}.bvh"), "--seed", seed, "--secs", "10"]);
    }
    sandbox.ok(&["corpus", "add", "c.marey", "walk1.bvh", "walk2.bvh"]);
    sandbox
}

const REALISE: [&str; 5] = ["realise", "c.marey", "plan.json", "-o", "out.bvh"];

fn line(card: &Value, name: &str) -> Option<f64> {
    let lines = card["lines"].as_array().unwrap();
    lines.iter().find(|line| line["name"] == name)?["value"].as_f64()
}

#[test]
fn a_plan_written_by_hand_becomes_motion_that_passes() {
    let sandbox = walks("realise");
    let run = sandbox.ok(&REALISE);
    for word in ["out.bvh, walker: passed", "foot skate", "at joins, over examples", "examples used"] {
        assert!(run.out.contains(word), "{word} is not in\n{}", run.out);
    }
    assert!(run.err.contains("wrote out.bvh"), "{}", run.err);
    sandbox.ok(&["check", "out.bvh", "--plan", "plan.json", "--against", "c.marey"]);
    // For programs, as GLB, and the same again.
    let again = ["realise", "c.marey", "plan.json", "-o", "out.glb", "--json"];
    let row = &sandbox.rows(&again)[0];
    assert_eq!((&row["frames"], &row["passed"]), (&358.into(), &true.into()));
    assert!(line(&row["cards"][0], "foot slip").unwrap() < 3.0);
    assert_eq!(line(&row["cards"][0], "examples used"), Some(50.0));
    let first = sandbox.read("out.bvh");
    sandbox.ok(&[&REALISE[..], &["--force"]].concat());
    assert_eq!(sandbox.read("out.bvh"), first);
    let inspected = &sandbox.rows(&["inspect", "out.glb", "--json"])[0];
    assert_eq!(inspected["frames"], 358, "{inspected}");
}

#[test]
fn passes_can_be_switched_off_and_set() {
    let sandbox = walks("realise-passes").with("far.toml", "[join]\nwindow_secs = 99.0\n");
    let sandbox = sandbox.with("soft.toml", "[join]\nmethod = \"crossfade\"\n[plant]\nease_secs = 0.1\n");
    let realise = |output: &str, flags: &[&str]| {
        sandbox.ok(&[&["realise", "c.marey", "plan.json", "-o", output], flags].concat());
        sandbox.read(output)
    };
    let plain = realise("plain.bvh", &[]);
    assert_ne!(realise("bare.bvh", &["--no-plant"]), plain);
    assert_ne!(
        realise("own-pace.bvh", &["--no-plant", "--no-stretch"]),
        realise("bare2.bvh", &["--no-plant"])
    );
    assert_ne!(realise("soft.bvh", &["--settings", "soft.toml"]), plain);
    let odd =
        |flags: &[&str]| sandbox.run(&[&["realise", "c.marey", "plan.json", "-o", "o.bvh"], flags].concat());
    refused(&odd(&["--settings", "far.toml"]), 2, "command/settings");
    assert_eq!(odd(&["--join", "glue"]).code, 2);
    refused(&sandbox.run(&["realise", "c.marey", "plan.json", "-o", "o.txt"]), 2, "command/output-ending");
    refused(&sandbox.run(&["realise", "c.marey", "plan.json", "-o", "plain.bvh"]), 1, "file/exists");
    assert!(!sandbox.files().contains(&"o.bvh".to_owned()));
}

#[test]
fn a_couple_holds_hands_as_its_example_does() {
    let sandbox = Sandbox::new("realise-couple");
    sandbox.ok(&["examples", "waltz", "waltz.bvh", "--secs", "10", "--seed", "3"]);
    sandbox.ok(&["corpus", "new", "c.marey"]);
    sandbox.ok(&["corpus", "add", "c.marey", "waltz.bvh"]);
    let take = sandbox.rows(&["corpus", "ls", "c.marey", "--json"])[0]["name"].as_str().unwrap().to_owned();
    let dancer = |name: &str, actor: usize, x: f32| {
        format!(
            r#"{{"name": "{name}", "placements": [{{"source": {{"take": "{take}", "actor": {actor}}},
               "source_start": 60, "source_end": 300, "start": 0, "frames": 240,
               "world_from_source": {{"x": {x}, "z": 0, "yaw_rad": 0}}}}]}}"#
        )
    };
    // Put a little apart, so that the hands would not meet.
    let plan = format!(
        r#"{{"rate_hz": 60, "actors": [{}, {}]}}"#,
        dancer("leader", 0, 0.0),
        dancer("follower", 1, 0.06)
    );
    let sandbox = sandbox.with("plan.json", plan);
    let holds = |output: &str, flags: &[&str]| {
        let args = [&["realise", "c.marey", "plan.json", "-o", output, "--json"], flags].concat();
        let row = sandbox.rows(&args).remove(0);
        assert_eq!(row["ok"], true, "{row}");
        row["cards"].as_array().unwrap().iter().map(|card| line(card, "off the holds")).collect::<Vec<_>>()
    };
    assert_eq!(holds("apart.bvh", &[]), [None, None]);
    for held in holds("held.bvh", &["--holds"]) {
        assert!(held.unwrap() < 1.0, "{held:?}");
    }
    // What was said about the example goes before what is seen in it.
    sandbox.ok(&[
        "corpus",
        "tag",
        "c.marey",
        &take,
        "LeftHand",
        "--contact",
        "--on",
        "1 RightHand",
        "--frames",
        "100..160",
    ]);
    for held in holds("told.bvh", &["--holds"]) {
        assert!(held.unwrap() < 1.0, "{held:?}");
    }
}

fn refused(run: &Run, code: i32, id: &str) {
    assert_eq!(run.code, code, "{}", run.err);
    assert!(run.err.contains(&format!("error[{id}]")) && run.err.contains(" = hint: "), "{}", run.err);
}

#[test]
fn what_cannot_be_realised_says_why_and_where() {
    let sandbox = walks("realise-refused");
    let run = |from: &str, to: &str, code: &str, place: &str| {
        assert!(PLAN.contains(from), "{from}");
        std::fs::write(sandbox.path("plan.json"), PLAN.replacen(from, to, 1)).unwrap();
        let run = sandbox.run(&REALISE);
        refused(&run, 1, code);
        assert!(run.err.contains(&format!(" --> plan.json:{place}")), "{place} is not in\n{}", run.err);
    };
    run("\"frames\": 118", "\"frames\": NaN", "plan/json", "6:");
    run(
        "\"frames\": 118",
        "\"frames\": 118, \"world_from_source\": {\"x\": 1e7, \"z\": 0, \"yaw_rad\": 0}",
        "plan/not-finite",
        "6:7",
    );
    run("60,", "1e999,", "plan/json", "2:");
    run("\"start\": 238", "\"start\": 239", "plan/gap", "7:7, frame 239");
    run(
        "walk1\" }, \"source_start\": 280",
        "walk9\" }, \"source_start\": 280",
        "realise/unknown-source",
        "7:7, frame 238",
    );
    run(
        "walk1\" }, \"source_start\": 280",
        "#77\" }, \"source_start\": 280",
        "realise/unknown-source",
        "7:7, frame 238",
    );
    run("walk1\" }", "walk1\", \"actor\": 1 }", "realise/unknown-source", "5:7, frame 0");
    run("\"source_end\": 400", "\"source_end\": 999", "realise/out-of-span", "7:7, frame 238");
    run("\"rate_hz\": 60", "\"rate_hz\": 0", "plan/value", "2:14");
    let sandbox = sandbox.with("plan.json", r#"{"rate_hz": 60, "actors": []}"#);
    refused(&sandbox.run(&REALISE), 1, "plan/empty");
    let sandbox = sandbox.with("plan.json", "");
    refused(&sandbox.run(&REALISE), 1, "plan/json");
    refused(&sandbox.run(&["realise", "c.marey", "no.json", "-o", "out.bvh"]), 1, "file/not-found");
    let sandbox = sandbox.with("plan.json", PLAN);
    refused(&sandbox.run(&["realise", "no.marey", "plan.json", "-o", "out.bvh"]), 1, "file/not-found");
    let json = sandbox.run(&["realise", "plan.json", "plan.json", "-o", "out.bvh"]);
    refused(&json, 1, "command/empty-archive");
    let row = &sandbox.rows(&["realise", "no.marey", "plan.json", "-o", "out.bvh", "--json"])[0];
    assert_eq!((&row["ok"], &row["code"]), (&false.into(), &"file/not-found".into()));
    assert_eq!(sandbox.files().iter().filter(|file| file.starts_with("out")).count(), 0);
}
