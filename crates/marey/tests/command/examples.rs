//! `marey examples`.

use marey::examples::Truth;

use crate::sandbox::Sandbox;

#[test]
fn a_walk_is_made_and_understood() {
    let sandbox = Sandbox::new("walk");
    sandbox.ok(&["examples", "walk", "a.bvh", "--secs", "6", "--rate", "30"]);
    sandbox.ok(&["examples", "walk", "b.bvh", "--secs", "6", "--rate", "30"]);
    sandbox.ok(&["examples", "walk", "c.bvh", "--secs", "6", "--rate", "30", "--seed", "1"]);
    assert_eq!(sandbox.read("a.bvh"), sandbox.read("b.bvh"));
    assert_ne!(sandbox.read("a.bvh"), sandbox.read("c.bvh"));
    let row = &sandbox.rows(&["inspect", "--json", "a.bvh"])[0];
    assert_eq!((&row["frames"], &row["unit"], &row["up_axis"]), (&180.into(), &"cm".into(), &"y".into()));
    assert!((row["height_m"].as_f64().unwrap() - 1.72).abs() < 0.03);
    assert_eq!(row["warnings"], serde_json::json!([]));
    let truth: Truth = serde_json::from_slice(&sandbox.read("a.truth.json")).unwrap();
    assert!(!truth.cuts().is_empty());
}

#[test]
fn wishes_out_of_range_and_files_that_exist_are_refused() {
    let sandbox = Sandbox::new("no-walk").with("there.bvh", "mine");
    let brief = sandbox.run(&["examples", "walk", "a.bvh", "--secs", "0.1"]);
    assert_eq!(brief.code, 1);
    assert!(brief.err.contains("error[examples/setting]"), "{}", brief.err);
    let there = sandbox.run(&["examples", "walk", "there.bvh", "--secs", "6"]);
    assert!(there.err.contains("error[file/exists]"), "{}", there.err);
    assert_eq!(sandbox.run(&["examples", "walk", "a.png"]).code, 2);
    assert_eq!(sandbox.files(), ["there.bvh"]);
}
