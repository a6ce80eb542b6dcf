//! `marey inspect`.

use std::collections::BTreeSet;

use crate::motion_files::{BAD, JOINTS, calibrated, pair, standing};
use crate::sandbox::{Sandbox, assert_snapshot};

#[test]
fn one_file_gives_a_page() {
    let sandbox = Sandbox::new("page").with("calibrated.bvh", calibrated(30)).with("pair.bvh", pair(30));
    assert_snapshot("inspect-page", &sandbox.ok(&["inspect", "calibrated.bvh"]).screen());
    assert_snapshot("inspect-pair", &sandbox.ok(&["inspect", "pair.bvh"]).screen());
}

#[test]
fn several_give_a_table_and_one_bad_file_does_not_stop_it() {
    let sandbox = Sandbox::new("table")
        .with("in/a.bvh", calibrated(30))
        .with("in/bad.bvh", BAD)
        .with("in/deep/c.BVH", standing(5))
        .with("in/notes.txt", "not a motion");
    let run = sandbox.run(&["inspect", "in", "absent.bvh"]);
    assert_eq!(run.code, 1);
    assert_snapshot("inspect-table", &run.screen());
}

#[test]
fn json_has_every_key_for_good_and_bad() {
    let sandbox = Sandbox::new("json").with("bad.bvh", BAD).with("good.bvh", calibrated(10));
    let run = sandbox.run(&["inspect", "--json", "bad.bvh", "good.bvh"]);
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    let rows = sandbox.rows(&["inspect", "--json", "bad.bvh", "good.bvh"]);
    let promised = [
        "file",
        "ok",
        "code",
        "format",
        "joints",
        "frames",
        "rate_hz",
        "duration_secs",
        "height_m",
        "unit",
        "up_axis",
        "roles",
        "warnings",
    ];
    for row in &rows {
        let keys: BTreeSet<&str> = row.as_object().unwrap().keys().map(String::as_str).collect();
        assert!(promised.iter().all(|key| keys.contains(key)), "{keys:?}");
    }
    let (bad, good) = (&rows[0], &rows[1]);
    assert_eq!((&bad["ok"], &bad["code"]), (&false.into(), &"bvh/bad-number".into()));
    assert_eq!((&bad["place"]["line"], &bad["frames"]), (&4.into(), &serde_json::Value::Null));
    assert!(bad["message"].is_string() && bad["hint"].is_string());
    assert_eq!((&good["ok"], &good["code"]), (&true.into(), &serde_json::Value::Null));
    assert_eq!(
        (&good["format"], &good["unit"], &good["up_axis"]),
        (&"bvh".into(), &"cm".into(), &"y".into())
    );
    assert_eq!((&good["joints"], &good["frames"]), (&JOINTS.into(), &10.into()));
    assert_eq!(good["rate_hz"], 30.0);
    assert!((good["duration_secs"].as_f64().unwrap() - 1.0 / 3.0).abs() < 1e-9);
    assert!((good["height_m"].as_f64().unwrap() - 1.77).abs() < 0.02);
    assert_eq!(good["roles"]["LeftUpperLeg"], "LeftUpLeg");
    assert_eq!(good["warnings"], serde_json::json!(["conventions/rest-frame"]));
    assert!(good["findings"]["unit"]["why"].as_str().unwrap().contains("centimetres"));
    assert!(good["floor"]["height_m"].as_f64().unwrap().abs() < 0.01);
    assert_eq!(good["contacts"]["LeftFoot"], serde_json::json!([[1, 10]]));
    assert!(good.get("actors").is_none());
}

#[test]
fn several_actors_are_listed() {
    let sandbox = Sandbox::new("actors").with("pair.bvh", pair(3));
    let row = &sandbox.rows(&["inspect", "--json", "pair.bvh"])[0];
    assert_eq!(row["joints"], 2 * JOINTS);
    let names: Vec<&str> =
        row["actors"].as_array().unwrap().iter().map(|actor| actor["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Ann", "Bob"]);
}

#[test]
fn files_folders_and_patterns_are_taken_once_each_and_in_order() {
    let sandbox = Sandbox::new("inputs")
        .with("z.bvh", standing(2))
        .with("walks/b.bvh", standing(2))
        .with("walks/a.bvh", standing(2))
        .with("walks/old/c.bvh", standing(2))
        .with("walks/readme.md", "");
    let files = |args: &[&str]| -> Vec<String> {
        let rows = sandbox.rows(&[&["inspect", "--json"], args].concat());
        rows.iter().map(|row| row["file"].as_str().unwrap().to_owned()).collect()
    };
    let all = ["walks/a.bvh", "walks/b.bvh", "walks/old/c.bvh"];
    assert_eq!(files(&["z.bvh", "walks", "walks/a.bvh"]), [&["z.bvh"], &all[..]].concat());
    assert_eq!(files(&["walks/*.bvh"]), all[..2]);
    assert_eq!(files(&["walks/**/*.bvh"]), all);
    assert_eq!(files(&["walks/*"]), all);
    assert_eq!(files(&["[yz].bvh"]), ["z.bvh"]);
    let nothing = sandbox.rows(&["inspect", "--json", "walks/*.fbx", "z.bvh"]);
    assert_eq!((&nothing[0]["code"], &nothing[1]["ok"]), (&"file/no-input".into(), &true.into()));
}

#[test]
fn what_is_told_overrides_what_is_found() {
    let sandbox = Sandbox::new("told").with("a.bvh", calibrated(10));
    let row = |args: &[&str]| sandbox.rows(&[&["inspect", "--json", "a.bvh"], args].concat()).remove(0);
    let half = row(&["--unit", "0.005", "--rate", "60", "--facing", "-90", "--trim-rest"]);
    assert!((half["height_m"].as_f64().unwrap() - 0.885).abs() < 0.01);
    assert_eq!((&half["rate_hz"], &half["frames"]), (&60.0.into(), &9.into()));
    assert_eq!(half["findings"]["facing_deg"]["value"], -90.0);
    assert_eq!(half["findings"]["unit"]["by"], "user");
    assert_eq!(row(&["--up", "-x"])["up_axis"], "-x");
    assert_eq!(row(&["--limit", "joints=3"])["code"], "bvh/limit");
    assert_eq!(row(&["--positions", "add"])["ok"], true);
}

#[test]
fn roles_are_saved_corrected_and_given_back() {
    let sandbox = Sandbox::new("roles").with("a.bvh", standing(5)).with("b.bvh", standing(5));
    sandbox.ok(&["inspect", "a.bvh", "--save-roles", "roles.toml"]);
    let saved = String::from_utf8(sandbox.read("roles.toml")).unwrap();
    assert!(saved.starts_with("[roles]\n") && saved.contains("LeftHand = \"LeftHand\"\n"));
    assert!(
        sandbox.run(&["inspect", "a.bvh", "--save-roles", "roles.toml"]).err.contains("error[file/exists]")
    );
    sandbox.ok(&["inspect", "a.bvh", "--save-roles", "roles.toml", "--force"]);
    let several = sandbox.run(&["inspect", "a.bvh", "b.bvh", "--save-roles", "more.toml"]);
    assert_eq!(several.code, 2);
    assert!(several.err.contains("error[command/one-file-only]"));

    let sandbox =
        sandbox.with("told.toml", "[roles]\nChest = \"Spine\"\n").with("bad.toml", "[roles]\nToe = 3\n");
    let row = &sandbox.rows(&["inspect", "--json", "a.bvh", "--roles", "told.toml"])[0];
    assert_eq!((&row["roles"]["Chest"], &row["roles"]["Hips"]), (&"Spine".into(), &"Hips".into()));
    let bad = sandbox.run(&["inspect", "a.bvh", "--roles", "bad.toml"]);
    assert_eq!(bad.code, 1);
    assert!(bad.err.contains("error[roles/syntax]") && bad.err.contains("--> bad.toml:2:"), "{}", bad.err);
}
