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
fn a_walk_has_its_way_beside_it_and_a_style() {
    let sandbox = Sandbox::new("way");
    sandbox.ok(&["examples", "walk", "a.bvh", "--secs", "12", "--rate", "30", "--style", "tired"]);
    sandbox.ok(&["examples", "walk", "b.bvh", "--secs", "12", "--rate", "30"]);
    assert_ne!(sandbox.read("a.bvh"), sandbox.read("b.bvh"));
    // The way is read as a path, of the walk's length, and the walk keeps to it.
    let row = &sandbox.rows(&["inspect", "--json", "a.path.csv"])[0];
    assert_eq!((&row["frames"], &row["warnings"]), (&120.into(), &serde_json::json!([])));
    sandbox.ok(&["check", "a.bvh", "--truth", "a.truth.json", "--path", "a.path.csv"]);
    let unknown = sandbox.run(&["examples", "walk", "c.bvh", "--style", "flying"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("shuffling"), "{}", unknown.err);
}

#[test]
fn a_bout_is_two_fighters_in_one_file_and_passes() {
    let sandbox = Sandbox::new("bout");
    for (name, seed) in [("a", "0"), ("b", "0"), ("c", "3")] {
        let file = format!("{name}.bvh");
        sandbox.ok(&["examples", "taekwondo", &file, "--secs", "30", "--seed", seed]);
        sandbox.ok(&["check", &file, "--truth", &format!("{name}.truth.json")]);
    }
    assert_eq!(sandbox.read("a.bvh"), sandbox.read("b.bvh"));
    assert_ne!(sandbox.read("a.bvh"), sandbox.read("c.bvh"));
    let truth: Truth = serde_json::from_slice(&sandbox.read("a.truth.json")).unwrap();
    assert_eq!((truth.actors().len(), truth.frames()), (2, 1800));
    assert!(!truth.bout().unwrap().touches.is_empty());
}

#[test]
fn ballet_is_a_folder_of_phrases_that_pass() {
    let sandbox = Sandbox::new("ballet");
    sandbox.ok(&["examples", "ballet", "phrases", "--rate", "30", "--seed", "2"]);
    for i in 1..=38 {
        let name = format!("phrases/ballet-{i:02}");
        sandbox.ok(&["check", &format!("{name}.bvh"), "--truth", &format!("{name}.truth.json")]);
    }
    assert_eq!(sandbox.run(&["examples", "ballet", "phrases"]).code, 1);
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

#[test]
fn a_waltz_is_two_dancers_in_one_file_and_passes() {
    let sandbox = Sandbox::new("waltz");
    sandbox.ok(&["examples", "waltz", "a.bvh", "--secs", "12", "--rate", "30"]);
    sandbox.ok(&["examples", "waltz", "b.bvh", "--secs", "12", "--rate", "30"]);
    sandbox.ok(&["examples", "waltz", "c.bvh", "--secs", "12", "--rate", "30", "--height", "1.6"]);
    assert_eq!(sandbox.read("a.bvh"), sandbox.read("b.bvh"));
    assert_ne!(sandbox.read("a.bvh"), sandbox.read("c.bvh"));
    sandbox.ok(&["check", "a.bvh", "--truth", "a.truth.json"]);
    let truth: Truth = serde_json::from_slice(&sandbox.read("a.truth.json")).unwrap();
    assert_eq!((truth.actors().len(), truth.holds().len(), truth.frames()), (2, 3, 360));
}

#[test]
fn lindy_is_a_folder_of_fifteen_dances_that_pass() {
    let sandbox = Sandbox::new("lindy");
    sandbox.ok(&["examples", "lindy", "new/dances", "--rate", "30"]);
    let names = (1..=12).map(|i| format!("lindy-{i:02}")).chain((1..=3).map(|i| format!("lindy-test-{i}")));
    let mut instances = 0;
    for name in names {
        let truth: Truth =
            serde_json::from_slice(&sandbox.read(&format!("new/dances/{name}.truth.json"))).unwrap();
        instances += truth.cuts().len() - 1;
        assert_eq!(truth.actors()[0].name, "leader");
    }
    assert_eq!(instances, 2 * 364);
    let (motion, truth) = ("new/dances/lindy-07.bvh", "new/dances/lindy-07.truth.json");
    sandbox.ok(&["check", motion, "--truth", truth]);
    let again = sandbox.run(&["examples", "lindy", "new/dances", "--rate", "30"]);
    assert!(again.err.contains("error[file/exists]"), "{}", again.err);
}

#[test]
fn a_lamp_has_its_ground_beside_it_and_passes_over_it() {
    let sandbox = Sandbox::new("luxo");
    sandbox.ok(&["examples", "luxo", "a", "--rate", "30"]);
    sandbox.ok(&["examples", "luxo", "b", "--rate", "30"]);
    assert_eq!(sandbox.read("a/luxo-2.bvh"), sandbox.read("b/luxo-2.bvh"));
    for number in [1, 2] {
        let [motion, truth, ground] =
            ["bvh", "truth.json", "terrain.json"].map(|ending| format!("a/luxo-{number}.{ending}"));
        sandbox.ok(&["check", &motion, "--truth", &truth, "--terrain", &ground]);
        sandbox.ok(&["render", &motion, &format!("{number}.png"), "--terrain", &ground, "--view", "side"]);
    }
    let wrong = sandbox.run(&["check", "a/luxo-1.bvh", "--terrain", "a/luxo-1.truth.json"]);
    assert!(wrong.err.contains("error[terrain/bad-json]"), "{}", wrong.err);
}

#[test]
fn performers_have_markers_and_what_they_imitate_beside_them() {
    let sandbox = Sandbox::new("playground");
    sandbox.ok(&["examples", "playground", "a", "--rate", "30"]);
    for number in [1, 6] {
        let [motion, truth] = ["bvh", "truth.json"].map(|ending| format!("a/performer-{number}.{ending}"));
        sandbox.ok(&["check", &motion, "--truth", &truth]);
    }
    let row = &sandbox.rows(&["inspect", "--json", "a/performer-1.trc"])[0];
    assert_eq!((&row["unit"], &row["up_axis"]), (&"mm".into(), &"y".into()));
    for name in ["swing", "climb", "walk", "breast-stroke"] {
        assert!(!sandbox.read(&format!("a/{name}.bvh")).is_empty());
    }
}

#[test]
fn flags_that_say_nothing_are_refused() {
    let sandbox = Sandbox::new("idle-flags");
    for words in [
        ["waltz", "a.bvh", "--speed", "1"],
        ["lindy", "a", "--secs", "20"],
        ["lindy", "a", "--speed", "1"],
        ["ballet", "a", "--secs", "20"],
        ["taekwondo", "a.bvh", "--style", "tired"],
        ["luxo", "a", "--noise", "1"],
        ["luxo", "a", "--secs", "9"],
        ["playground", "a", "--height", "1.5"],
    ] {
        let refused = sandbox.run(&[&["examples"][..], &words].concat());
        assert_eq!(refused.code, 2);
        assert!(refused.err.contains("error[command/not-for-example]"), "{}", refused.err);
    }
    assert!(sandbox.files().is_empty());
}
