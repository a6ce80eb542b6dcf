//! The Python package, where `cargo xtask python` has put it, as something to measure.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::de::DeserializeOwned;

/// Runs a script of `xtask/bench/python` with the package, and reads the last line that it prints as JSON.
pub(crate) fn run<T: DeserializeOwned>(
    script: &str,
    args: impl IntoIterator<Item = impl AsRef<OsStr>>,
) -> Result<T, String> {
    let python = interpreter();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("python").join(script);
    let output = Command::new(&python).arg(script).args(args).output();
    let output = output.map_err(|error| {
        format!("{}: {error}; `cargo xtask python --release` puts the package there", python.display())
    })?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    // Ray may have words of its own before it.
    let printed = String::from_utf8_lossy(&output.stdout);
    let last = printed.lines().rfind(|line| line.starts_with('{')).unwrap_or_default();
    serde_json::from_str(last).map_err(|error| error.to_string())
}

/// The one that `MAREY_PYTHON` names, or that of the environment which the chore makes.
fn interpreter() -> PathBuf {
    if let Some(told) = std::env::var_os("MAREY_PYTHON") {
        return told.into();
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target"));
    target.join("python/venv/bin/python")
}
