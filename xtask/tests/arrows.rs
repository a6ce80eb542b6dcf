//! Dependencies point one way, and only some rooms touch the world outside.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Each room and the rooms it may use, from the inside outwards. A room that is not listed fails the test: say where
/// it stands when you build it.
const ARROWS: [(&str, &[&str]); 21] = [
    ("marey-capture", &[]),
    ("marey-motion", &[]),
    ("marey-ops", &["marey-motion"]),
    ("marey-render", &["marey-motion"]),
    ("marey-formats", &["marey-motion", "marey-ops"]),
    ("marey-examples", &["marey-motion", "marey-ops"]),
    ("marey-corpus", &["marey-motion", "marey-ops", "marey-formats"]),
    ("marey-measure", &["marey-motion", "marey-ops"]),
    ("marey-plan", &["marey-motion"]),
    ("marey-realise", &["marey-motion", "marey-ops", "marey-plan"]),
    ("marey-duet", &["marey-motion", "marey-ops", "marey-plan"]),
    ("marey-perform", &["marey-motion", "marey-ops"]),
    ("marey-tween", &["marey-motion", "marey-ops", "marey-plan"]),
    ("marey-vary", &["marey-motion", "marey-ops", "marey-plan"]),
    ("marey-follow", &["marey-motion", "marey-ops", "marey-plan"]),
    ("marey-traverse", &["marey-motion", "marey-ops", "marey-plan"]),
    (
        "marey-studio",
        &[
            "marey-motion",
            "marey-ops",
            "marey-formats",
            "marey-corpus",
            "marey-measure",
            "marey-plan",
            "marey-realise",
            "marey-render",
        ],
    ),
    (
        "marey",
        &[
            "marey-motion",
            "marey-ops",
            "marey-measure",
            "marey-plan",
            "marey-realise",
            "marey-follow",
            "marey-perform",
            "marey-traverse",
            "marey-duet",
            "marey-tween",
            "marey-vary",
            "marey-render",
            "marey-formats",
            "marey-examples",
            "marey-corpus",
            "marey-studio",
        ],
    ),
    ("marey-python", &["marey"]),
    (
        "marey-bench",
        &[
            "marey",
            "marey-capture",
            "marey-motion",
            "marey-ops",
            "marey-measure",
            "marey-plan",
            "marey-realise",
            "marey-duet",
            "marey-tween",
            "marey-vary",
            "marey-follow",
            "marey-perform",
            "marey-traverse",
            "marey-formats",
            "marey-examples",
            "marey-corpus",
        ],
    ),
    ("xtask", &["marey-capture"]),
];

/// Rooms that may touch files, clocks, sockets and the environment.
const WORLDLY: [&str; 8] = [
    "marey-capture",
    "marey-formats",
    "marey-corpus",
    "marey-studio",
    "marey",
    "marey-python",
    "marey-bench",
    "xtask",
];

/// What touching the world looks like.
const WORLD: [&str; 6] =
    ["std::fs", "std::net", "std::env", "std::process", "std::time::Instant", "std::time::SystemTime"];

fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

#[test]
fn dependencies_point_one_way() {
    let packages = packages();
    let allowed: BTreeMap<&str, &[&str]> = ARROWS.into_iter().collect();
    let ours: BTreeSet<&str> = packages.iter().map(|p| p["name"].as_str().unwrap()).collect();
    for package in &packages {
        let name = package["name"].as_str().unwrap();
        let may = allowed.get(name).unwrap_or_else(|| panic!("{name} has no line in ARROWS"));
        for dependency in package["dependencies"].as_array().unwrap() {
            let other = dependency["name"].as_str().unwrap();
            let tests_only = dependency["kind"] == "dev";
            assert!(
                !ours.contains(other) || tests_only || may.contains(&other),
                "{name} must not depend on {other}"
            );
        }
    }
    for (i, (name, may)) in ARROWS.iter().enumerate() {
        let before: Vec<&str> = ARROWS[..i].iter().map(|(name, _)| *name).collect();
        assert!(may.iter().all(|other| before.contains(other)), "{name} comes before what it uses");
    }
}

#[test]
fn pure_rooms_stay_pure() {
    for package in packages() {
        let name = package["name"].as_str().unwrap();
        if WORLDLY.contains(&name) {
            continue;
        }
        let manifest = PathBuf::from(package["manifest_path"].as_str().unwrap());
        for file in rust_files(&manifest.parent().unwrap().join("src")) {
            let text = fs::read_to_string(&file).unwrap();
            // Tests at the end of a file may do as they like.
            let code = text.split("#[cfg(test)]").next().unwrap();
            for word in WORLD {
                assert!(!code.contains(word), "{} uses {word}", file.display());
            }
        }
    }
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
    files
}
