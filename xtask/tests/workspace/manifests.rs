//! The workspace as cargo describes it.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The root folder of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

/// Runs cargo in the root folder, without network access, and returns its standard output.
pub(crate) fn cargo(args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO"));
    let output = command.args(args).arg("--offline").current_dir(root()).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {} failed:\n{errors}", args.join(" "));
    String::from_utf8(output.stdout).unwrap()
}

/// The packages of the workspace, as `cargo metadata` lists them.
pub(crate) fn packages() -> Vec<Value> {
    let text = cargo(&["metadata", "--format-version", "1", "--no-deps"]);
    let metadata: Value = serde_json::from_str(&text).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

/// The name of a package.
pub(crate) fn name(package: &Value) -> &str {
    package["name"].as_str().unwrap()
}

/// The folder that holds the manifest of a package.
pub(crate) fn folder(package: &Value) -> &Path {
    Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap()
}
