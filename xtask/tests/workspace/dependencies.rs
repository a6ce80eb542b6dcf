//! Dependencies between crates point one way, and only some crates use files, clocks, sockets or the environment.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::manifests::{folder, name, packages};
use super::sources::rust_files;

/// Each crate with the crates that it may use, in dependency order. A crate that is not listed fails the test.
const ALLOWED_DEPENDENCIES: &[(&str, &[&str])] = &[
    ("marey-capture", &[]),
    ("marey-derive", &[]),
    ("marey-motion", &["marey-derive"]),
    ("marey-body", &["marey-motion"]),
    ("marey-ops", &["marey-motion", "marey-body"]),
    ("marey-render", &["marey-motion", "marey-ops", "marey-body"]),
    ("marey-conventions", &["marey-motion", "marey-ops", "marey-body"]),
    ("marey-formats", &["marey-motion", "marey-ops", "marey-body", "marey-conventions"]),
    ("marey-examples", &["marey-motion", "marey-ops", "marey-body"]),
    ("marey-corpus", &["marey-motion", "marey-ops", "marey-conventions", "marey-formats"]),
    ("marey-plan", &["marey-motion"]),
    ("marey-measure", &["marey-motion", "marey-ops", "marey-plan"]),
    ("marey-realise", &["marey-motion", "marey-ops", "marey-plan"]),
    ("marey-duet", &["marey-motion", "marey-ops", "marey-body", "marey-plan"]),
    ("marey-perform", &["marey-motion", "marey-ops", "marey-body"]),
    ("marey-tween", &["marey-motion", "marey-ops", "marey-plan"]),
    ("marey-vary", &["marey-motion", "marey-ops", "marey-plan"]),
    ("marey-study", &["marey-motion", "marey-plan"]),
    ("marey-follow", &["marey-motion", "marey-ops", "marey-plan"]),
    ("marey-traverse", &["marey-motion", "marey-ops", "marey-body", "marey-plan"]),
    ("marey-live", &["marey-motion", "marey-body", "marey-conventions", "marey-perform", "marey-examples"]),
    (
        "marey",
        &[
            "marey-live",
            "marey-motion",
            "marey-ops",
            "marey-body",
            "marey-measure",
            "marey-plan",
            "marey-realise",
            "marey-follow",
            "marey-perform",
            "marey-traverse",
            "marey-duet",
            "marey-tween",
            "marey-vary",
            "marey-study",
            "marey-render",
            "marey-conventions",
            "marey-formats",
            "marey-examples",
            "marey-corpus",
        ],
    ),
    (
        "marey-studio",
        &[
            "marey",
            "marey-motion",
            "marey-ops",
            "marey-body",
            "marey-conventions",
            "marey-formats",
            "marey-corpus",
            "marey-measure",
            "marey-plan",
            "marey-realise",
            "marey-render",
        ],
    ),
    ("marey-cli", &["marey", "marey-studio"]),
    ("marey-python", &["marey"]),
    (
        "marey-bench",
        &[
            "marey",
            "marey-capture",
            "marey-motion",
            "marey-ops",
            "marey-body",
            "marey-measure",
            "marey-plan",
            "marey-realise",
            "marey-duet",
            "marey-tween",
            "marey-vary",
            "marey-follow",
            "marey-perform",
            "marey-traverse",
            "marey-conventions",
            "marey-formats",
            "marey-examples",
            "marey-corpus",
        ],
    ),
    ("xtask", &["marey-capture"]),
];

/// Crates that may use files, clocks, sockets and the environment.
const IMPURE: [&str; 10] = [
    "marey-capture",
    "marey-formats",
    "marey-corpus",
    "marey-live",
    "marey-studio",
    "marey",
    "marey-cli",
    "marey-python",
    "marey-bench",
    "xtask",
];

/// Modules that a pure crate must not mention.
const IMPURE_MODULES: [&str; 6] =
    ["std::fs", "std::net", "std::env", "std::process", "std::time::Instant", "std::time::SystemTime"];

#[test]
fn dependencies_point_one_way() {
    let packages = packages();
    let allowed: BTreeMap<&str, &[&str]> = ALLOWED_DEPENDENCIES.iter().copied().collect();
    let ours: BTreeSet<&str> = packages.iter().map(name).collect();
    for package in &packages {
        let name = name(package);
        let may_use =
            allowed.get(name).unwrap_or_else(|| panic!("{name} is missing from ALLOWED_DEPENDENCIES"));
        for dependency in package["dependencies"].as_array().unwrap() {
            let other = dependency["name"].as_str().unwrap();
            let is_for_tests = dependency["kind"] == "dev";
            assert!(
                !ours.contains(other) || is_for_tests || may_use.contains(&other),
                "{name} must not depend on {other}"
            );
        }
    }
    for (i, (name, may_use)) in ALLOWED_DEPENDENCIES.iter().enumerate() {
        let before: Vec<&str> = ALLOWED_DEPENDENCIES[..i].iter().map(|(name, _)| *name).collect();
        for other in *may_use {
            assert!(
                before.contains(other),
                "ALLOWED_DEPENDENCIES lists {name} before {other}, which it may use"
            );
        }
    }
}

#[test]
fn pure_crates_stay_pure() {
    for package in packages() {
        if IMPURE.contains(&name(&package)) {
            continue;
        }
        for file in rust_files(&folder(&package).join("src")) {
            let text = fs::read_to_string(&file).unwrap();
            // Unit tests stand at the end of a file and may use anything.
            let code = text.split("#[cfg(test)]").next().unwrap();
            for module in IMPURE_MODULES {
                assert!(!code.contains(module), "{} uses {module}", file.display());
            }
        }
    }
}
