//! `marey check`.

use crate::motion_files::{calibrated, standing};
use crate::sandbox::Sandbox;

fn walk(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name);
    sandbox.ok(&["examples", "walk", "walk.bvh", "--secs", "6", "--rate", "30"]);
    sandbox
}

#[test]
fn a_generated_walk_passes_and_its_card_says_by_how_much() {
    let sandbox = walk("check-walk");
    let run = sandbox.run(&["check", "walk.bvh", "--truth", "walk.truth.json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    for word in ["foot skate", "in the floor", "bone stretch", "walk.bvh, walk: passed"] {
        assert!(run.out.contains(word), "{word} is not in\n{}", run.out);
    }
    let row = &sandbox.rows(&["check", "walk.bvh", "--truth", "walk.truth.json", "--json"])[0];
    assert_eq!(row["passed"], true);
    let skate = &row["cards"][0]["lines"][0];
    assert_eq!(skate["name"], "foot skate");
    assert!(skate["value"].as_f64().unwrap() < 10.0 && skate["at_most"].is_null(), "{skate}");
}

#[test]
fn a_missed_threshold_ends_with_one() {
    let sandbox = walk("check-missed").with("strict.toml", "skate_cm_per_sec = 0.0\n");
    let run = sandbox.run(&["check", "walk.bvh", "--settings", "strict.toml"]);
    assert_eq!(run.code, 1);
    assert!(run.out.contains("missed") && run.err.contains("error[command/check-missed]: walk: foot skate"));
    let sandbox = sandbox.with("odd.toml", "skates = 0.0\n");
    let run = sandbox.run(&["check", "walk.bvh", "--settings", "odd.toml"]);
    assert!(run.code == 2 && run.err.contains("command/settings"), "{}", run.err);
}

#[test]
fn clips_are_compared_with_a_reference_and_with_examples() {
    let sandbox = walk("check-against");
    let rows =
        sandbox.rows(&["check", "walk.bvh", "--against", "walk.bvh", "--examples", "walk.bvh", "--json"]);
    let line = |name: &str| {
        let lines = rows[0]["cards"][0]["lines"].as_array().unwrap();
        lines.iter().find(|line| line["name"] == name).unwrap()["value"].as_f64().unwrap()
    };
    assert_eq!((line("off the reference"), line("beyond examples' turns")), (0.0, 0.0));
    // The level of examples is that of 99.9 % of their frames, so the largest is no less.
    assert!(line("acceleration over examples") >= 1.0);
    sandbox.ok(&["convert", "walk.bvh", "part.bvh", "--frames", "0..50"]);
    let run = sandbox.run(&["check", "part.bvh", "--against", "walk.bvh"]);
    assert!(run.code == 1 && run.err.contains("error[measure/not-comparable]"), "{}", run.err);
    let run = sandbox.run(&["check", "part.bvh", "--truth", "walk.truth.json"]);
    assert!(run.code == 1 && run.err.contains("error[command/other-truth]"), "{}", run.err);
    let run = sandbox.run(&["check", "walk.bvh", "--truth", "walk.bvh"]);
    assert!(run.code == 1 && run.err.contains("error[command/not-a-truth]"), "{}", run.err);
    let run = sandbox.run(&["check", "walk.bvh", "--path", "walk.bvh"]);
    assert!(run.code == 1 && run.err.contains("error[command/not-a-path]"), "{}", run.err);
}

#[test]
fn a_calibration_pose_is_not_judged() {
    let sandbox = Sandbox::new("check-rest").with("a.bvh", calibrated(40)).with("b.bvh", standing(40));
    let rows = sandbox.rows(&["check", "a.bvh", "b.bvh", "--json"]);
    let acceleration = |row: usize| rows[row]["cards"][0]["lines"][3]["value"].as_f64().unwrap();
    assert!(acceleration(0) < 1.0 && acceleration(1) < 1.0, "{} {}", acceleration(0), acceleration(1));
}
