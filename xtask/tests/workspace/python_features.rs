//! The Python package is built from the crates that the tests built, so that testing it does not build them again.

use std::collections::BTreeSet;

use super::manifests::cargo;

/// Packages with their features as cargo resolves them, one a line.
fn resolved(args: &[&str]) -> BTreeSet<String> {
    let format = ["tree", "--locked", "--prefix", "none", "--format", "{p} {f}"];
    let text = cargo(&[&format, args].concat());
    text.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect()
}

#[test]
fn the_python_package_shares_the_crates_built_for_tests() {
    let tested = resolved(&["--workspace", "--edges", "all,no-proc-macro"]);
    let python = ["--package", "marey-python", "--features", "shared", "--edges", "normal,no-proc-macro"];
    let others: Vec<String> = resolved(&python).difference(&tested).cloned().collect();
    let others: Vec<&String> = others.iter().filter(|line| !line.starts_with("marey-python ")).collect();
    assert!(
        others.is_empty(),
        "built a second time, with other features than `shared` in python/Cargo.toml enables: {others:#?}"
    );
}
