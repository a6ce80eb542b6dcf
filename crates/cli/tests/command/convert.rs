//! `marey convert`.

use crate::motion_files::{BAD, JOINTS, calibrated, pair, standing};
use crate::sandbox::{Sandbox, assert_snapshot};

#[test]
fn what_is_written_reads_as_what_was_read() {
    let sandbox = Sandbox::new("round-trip").with("a.bvh", calibrated(40)).with("pair.bvh", pair(40));
    for (name, flags) in [
        ("a.bvh", &[][..]),
        ("a.bvh", &["--order", "xyz", "--decimals", "4", "--out-unit", "in"]),
        ("pair.bvh", &["--out-unit", "m"]),
    ] {
        sandbox.ok(&[&["convert", name, "out.bvh", "--force"], flags].concat());
        let rows = sandbox.rows(&["inspect", "--json", name, "out.bvh"]);
        for key in ["joints", "frames", "rate_hz", "roles", "warnings", "contacts"] {
            assert_eq!(rows[0][key], rows[1][key], "{name} {flags:?} {key}");
        }
        let height = |i: usize| rows[i]["height_m"].as_f64().unwrap();
        assert!((height(0) - height(1)).abs() < 1e-3, "{name} {flags:?}");
    }
}

#[test]
fn glb_and_gltf_read_as_the_bvh_they_were_made_from() {
    let sandbox = Sandbox::new("gltf").with("a.bvh", standing(40)).with("pair.bvh", pair(40));
    for (name, out, flags) in [
        ("a.bvh", "a.glb", &[][..]),
        ("a.bvh", "a.gltf", &["--root", "in-place"]),
        ("pair.bvh", "pair.glb", &["--mesh", "none"]),
    ] {
        sandbox.ok(&[&["convert", name, out], flags].concat());
        let rows = sandbox.rows(&["inspect", "--json", name, out]);
        for key in ["joints", "frames", "rate_hz", "roles"] {
            assert_eq!(rows[0][key], rows[1][key], "{name} {flags:?} {key}");
        }
    }
    let size = |name: &str| sandbox.read(name).len();
    assert!(size("a.glb") > size("pair.glb"), "a body takes room");
    sandbox.ok(&["convert", "a.bvh", "pair.bvh", "out/", "--to", "gltf"]);
    assert!(sandbox.path("out/a.gltf").exists() && sandbox.path("out/pair.gltf").exists());
    let told = sandbox.run(&["convert", "a.bvh", "b.glb", "--to", "bvh"]);
    assert_eq!(told.code, 2);
    assert!(told.err.contains("command/output-ending"));
}

#[test]
fn every_format_is_written_and_read_by_the_command() {
    let sandbox = Sandbox::new("formats").with("a.bvh", standing(40)).with("pair.bvh", pair(40));
    sandbox.ok(&["convert", "a.bvh", "a.fbx"]);
    sandbox.ok(&["convert", "a.bvh", "bones.fbx", "--mesh", "none", "--root", "in-place"]);
    sandbox.ok(&["convert", "pair.bvh", "pair.fbx"]);
    assert!(sandbox.read("a.fbx").len() > sandbox.read("bones.fbx").len(), "a body takes room");
    for (name, out) in [("a.bvh", "a.fbx"), ("pair.bvh", "pair.fbx")] {
        let rows = sandbox.rows(&["inspect", "--json", name, out]);
        for key in ["joints", "frames", "rate_hz", "roles"] {
            assert_eq!(rows[0][key], rows[1][key], "{out} {key}");
        }
    }
    sandbox.ok(&["convert", "a.bvh", "a.usda"]);
    assert!(sandbox.read("a.usda").starts_with(b"#usda 1.0"));
    for (name, out, code) in [
        ("pair.bvh", "b.npz", "file/one-actor"),
        ("pair.bvh", "b.vrma", "file/one-actor"),
        ("a.usda", "b.bvh", "file/unknown-format"),
    ] {
        let told = sandbox.run(&["convert", name, out]);
        assert_eq!(told.code, 1, "{out}");
        assert!(told.err.contains(code) && !sandbox.path(out).exists(), "{}", told.err);
    }
    sandbox.ok(&["examples", "walk", "walk.bvh"]);
    for out in ["walk.vrma", "walk.npz"] {
        sandbox.ok(&["convert", "walk.bvh", out]);
        let rows = sandbox.rows(&["inspect", "--json", "walk.bvh", out]);
        for key in ["frames", "rate_hz"] {
            assert_eq!(rows[0][key], rows[1][key], "{out} {key}");
        }
    }
    let told = sandbox.run(&["convert", "a.bvh", "c.npz", "--for", "unreal"]);
    assert!(told.code == 2 && told.err.contains("command/not-for-tool"), "{}", told.err);
}

#[test]
fn motion_is_cut_mirrored_and_resampled() {
    let sandbox = Sandbox::new("edits").with("a.bvh", standing(40));
    sandbox.ok(&["convert", "a.bvh", "b.bvh", "--frames", "10..30", "--resample", "60", "--mirror"]);
    let row = &sandbox.rows(&["inspect", "--json", "b.bvh"])[0];
    assert_eq!((&row["frames"], &row["rate_hz"]), (&40.into(), &60.0.into()));
    // The arms are lowered by 65 degrees in frame 10; mirrored, left is still left.
    let text = String::from_utf8(sandbox.read("b.bvh")).unwrap();
    let first_row: Vec<f64> =
        text.lines().nth_back(39).unwrap().split(' ').map(|value| value.parse().unwrap()).collect();
    let turned: Vec<i64> =
        first_row[3..].iter().map(|degrees| degrees.round() as i64).filter(|degrees| *degrees != 0).collect();
    assert_eq!(turned, [-65, 65]);
    let beyond = sandbox.run(&["convert", "a.bvh", "c.bvh", "--frames", "10..50"]);
    assert_eq!(beyond.code, 1);
    assert!(beyond.err.contains("error[motion/range]") && beyond.err.contains("--> a.bvh, frame 10"));
    assert_eq!(sandbox.files(), ["a.bvh", "b.bvh"]);
}

#[test]
fn motion_goes_to_another_body() {
    let sandbox = Sandbox::new("bodies").with("a.bvh", standing(40));
    sandbox.ok(&["examples", "walk", "walk.bvh", "--secs", "6"]);
    sandbox.ok(&["convert", "walk.bvh", "b.bvh", "--skeleton", "a.bvh"]);
    let rows = sandbox.rows(&["inspect", "--json", "a.bvh", "b.bvh", "walk.bvh"]);
    for key in ["joints", "roles"] {
        assert_eq!(rows[0][key], rows[1][key], "{key}");
    }
    assert_eq!(rows[1]["frames"], rows[2]["frames"]);
    let missing = sandbox.run(&["convert", "walk.bvh", "c.bvh", "--skeleton", "none.bvh"]);
    assert!(missing.err.contains("error[file/not-found]") && missing.err.contains("none.bvh"));
    assert_eq!(sandbox.run(&["convert", "walk.bvh", "c.bvh", "--travel", "kept"]).code, 2);
}

#[test]
fn motion_is_made_ready_for_tools() {
    let sandbox = Sandbox::new("tools").with("a.bvh", standing(10));
    for (tool, hips) in [("blender", "spine"), ("unreal", "pelvis"), ("unity", "Hips"), ("godot", "Hips")] {
        let out = format!("{tool}.glb");
        let run = sandbox.run(&["convert", "a.bvh", &out, "--for", tool]);
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(run.err.to_lowercase().contains(&format!("{tool}: ")), "{}", run.err);
        let row = &sandbox.rows(&["inspect", "--json", &out])[0];
        assert_eq!(row["roles"]["Hips"], hips, "{tool}");
        let bones = row["joints"].as_u64().unwrap() - u64::from(matches!(tool, "unreal" | "godot"));
        assert_eq!(bones, JOINTS as u64, "{tool}");
    }
    // Blender's BVH is in metres; Unreal has none.
    sandbox.ok(&["convert", "a.bvh", "blender.bvh", "--for", "blender"]);
    assert_eq!(sandbox.rows(&["inspect", "--json", "blender.bvh"])[0]["unit"], "m");
    let run = sandbox.run(&["convert", "a.bvh", "unreal.bvh", "--for", "unreal"]);
    assert!(run.code == 2 && run.err.contains("error[command/not-for-tool]"), "{}", run.err);
}

#[test]
fn a_folder_goes_to_a_folder_past_what_is_bad() {
    let sandbox = Sandbox::new("batch")
        .with("in/a.bvh", standing(5))
        .with("in/bad.bvh", BAD)
        .with("in/deep/er/c.BVH", calibrated(5));
    let run = sandbox.run(&["convert", "in", "out"]);
    assert_snapshot("convert-batch", &run.screen());
    let written = ["out/a.bvh", "out/deep/er/c.bvh"];
    let all: Vec<String> = sandbox.files().into_iter().filter(|name| name.starts_with("out")).collect();
    assert_eq!(all, written);
    // Patterns keep what is below their fixed part.
    sandbox.run(&["convert", "in/*", "again/", "-q"]);
    assert!(sandbox.path("again/deep/er/c.bvh").exists() && sandbox.path("again/a.bvh").exists());
    // A file by itself goes right into the folder.
    sandbox.ok(&["convert", "in/deep/er/c.BVH", "flat/"]);
    assert!(sandbox.path("flat/c.bvh").exists());
}

#[test]
fn files_are_overwritten_only_by_force() {
    let sandbox = Sandbox::new("force").with("a.bvh", standing(5)).with("b.bvh", "mine");
    let refused = sandbox.run(&["convert", "a.bvh", "b.bvh"]);
    assert_snapshot("convert-exists", &refused.screen());
    assert_eq!(sandbox.read("b.bvh"), b"mine");
    sandbox.ok(&["convert", "a.bvh", "b.bvh", "--force"]);
    assert!(sandbox.read("b.bvh").starts_with(b"HIERARCHY"));
    // A file may be converted in its place.
    sandbox.ok(&["convert", "a.bvh", "a.bvh", "--force"]);
    assert_eq!(sandbox.files(), ["a.bvh", "b.bvh"]);
}

#[test]
fn outputs_that_cannot_be_are_refused_with_a_hint() {
    let sandbox = Sandbox::new("outputs").with("a.bvh", standing(5)).with("in/a.bvh", standing(5));
    for (args, id) in [
        (&["convert", "a.bvh", "in/a.bvh", "b.bvh"][..], "command/several-to-one"),
        (&["convert", "in", "b.bvh"], "command/several-to-one"),
        (&["convert", "a.bvh", "b.c3d"], "command/output-ending"),
        (&["convert", "a.bvh", "b"], "command/output-ending"),
    ] {
        let run = sandbox.run(args);
        assert_eq!(run.code, 2, "{args:?}");
        assert!(run.err.contains(&format!("error[{id}]")) && run.err.contains(" = hint: "), "{}", run.err);
    }
    let nowhere = sandbox.run(&["convert", "a.bvh", "no/such/b.bvh"]);
    assert!(nowhere.err.contains("error[file/not-found]") && nowhere.err.contains("no/such/b.bvh"));
    // Two files of one name go to one place: the first wins.
    let rows = sandbox.rows(&["convert", "a.bvh", "in/a.bvh", "out/", "--json"]);
    assert_eq!((&rows[0]["outputs"][0], &rows[1]["code"]), (&"out/a.bvh".into(), &"file/same-output".into()));
}

#[test]
fn json_tells_what_was_written() {
    let sandbox = Sandbox::new("convert-json").with("a.bvh", calibrated(5)).with("bad.bvh", BAD);
    let run = sandbox.run(&["convert", "a.bvh", "bad.bvh", "out", "--json", "--trim-rest"]);
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    let rows: Vec<serde_json::Value> = serde_json::from_str(&run.out).unwrap();
    let expected = serde_json::json!({
        "file": "a.bvh", "ok": true, "code": null, "outputs": ["out/a.bvh"], "joints": JOINTS, "frames": 4,
        "rate_hz": 30.0, "duration_secs": 4.0 / 30.0, "warnings": ["conventions/rest-frame"],
    });
    assert_eq!(rows[0], expected);
    assert_eq!(
        (&rows[1]["code"], &rows[1]["outputs"][0]),
        (&"bvh/bad-number".into(), &serde_json::Value::Null)
    );
}
