//! What the Python package is built of is what the workspace is tested with, so that its tests need not build it once more.

use std::collections::BTreeSet;
use std::process::Command;

/// Packages with their features, a line each, as cargo resolves them.
fn resolved(args: &[&str]) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--locked", "--prefix", "none", "--format", "{p} {f}"])
        .args(args)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect()
}

#[test]
fn the_python_package_shares_what_is_built_for_tests() {
    let tested = resolved(&["--workspace", "--edges", "all,no-proc-macro"]);
    let python = ["--package", "marey-python", "--features", "shared", "--edges", "normal,no-proc-macro"];
    let others: Vec<String> = resolved(&python).difference(&tested).cloned().collect();
    let others: Vec<&String> = others.iter().filter(|line| !line.starts_with("marey-python ")).collect();
    assert!(
        others.is_empty(),
        "built twice, for other features than `shared` in python/Cargo.toml names: {others:#?}"
    );
}
