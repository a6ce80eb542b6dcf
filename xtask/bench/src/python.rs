//! Runs scripts with the Python package that `cargo xtask python` installed.

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
        format!("{}: {error}; run `cargo xtask python --release` first", python.display())
    })?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    // Ray may print lines before it.
    let printed = String::from_utf8_lossy(&output.stdout);
    let last = printed.lines().rfind(|line| line.starts_with('{')).unwrap_or_default();
    serde_json::from_str(last).map_err(|error| error.to_string())
}

/// The interpreter that `MAREY_PYTHON` names, or the first with numpy: `python3`, or that of the environment which
/// `cargo xtask python` creates.
pub(crate) fn with_numpy() -> Result<PathBuf, String> {
    if let Some(path) = std::env::var_os("MAREY_PYTHON") {
        return Ok(path.into());
    }
    let has_numpy = |python: &PathBuf| {
        let import = Command::new(python).args(["-c", "import numpy"]).output();
        import.is_ok_and(|output| output.status.success())
    };
    [PathBuf::from("python3"), environment()].into_iter().find(has_numpy).ok_or_else(|| {
        "no Python with numpy; `cargo xtask python` creates one, or MAREY_PYTHON names one".into()
    })
}

/// The interpreter that `MAREY_PYTHON` names, or that of the environment which `cargo xtask python` creates.
fn interpreter() -> PathBuf {
    std::env::var_os("MAREY_PYTHON").map_or_else(environment, PathBuf::from)
}

/// The interpreter of the environment that `cargo xtask python` creates.
fn environment() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target"));
    target.join("python/venv/bin/python")
}
