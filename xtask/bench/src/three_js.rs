//! three.js's BVHLoader under Node, as a baseline.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::data;

/// The version that is measured.
const THREE: &str = "three@0.187";

/// The figures that the script prints.
#[derive(Debug, Deserialize)]
pub(crate) struct Reading {
    pub(crate) bytes: usize,
    pub(crate) frames: usize,
    pub(crate) secs: f64,
}

/// Reads files with three.js. Prints why and returns `None` if Node or the package is not available.
pub(crate) fn read(files: &[PathBuf], rounds: usize) -> Option<Reading> {
    match try_read(files, rounds) {
        Ok(reading) => Some(reading),
        Err(error) => {
            eprintln!("three.js is not measured: {error}");
            None
        }
    }
}

fn try_read(files: &[PathBuf], rounds: usize) -> Result<Reading, String> {
    let loader = install()?;
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("node/read_bvh.mjs");
    let output = Command::new("node")
        .arg(script)
        .arg(loader)
        .arg(rounds.to_string())
        .args(files)
        .output()
        .map_err(|error| format!("node: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())
}

/// Installs the package once, in cargo's target folder, and returns the path of the loader.
fn install() -> Result<PathBuf, String> {
    let folder = data::scratch_folder().map_err(|error| error.to_string())?.join("node");
    let loader = folder.join("node_modules/three/examples/jsm/loaders/BVHLoader.js");
    if loader.is_file() {
        return Ok(loader);
    }
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let install = Command::new("npm")
        .args(["install", "--no-save", "--no-audit", "--no-fund", "--silent", "--prefix"])
        .arg(&folder)
        .arg(THREE)
        .output()
        .map_err(|error| format!("npm: {error}"))?;
    if !install.status.success() || !loader.is_file() {
        return Err(format!("npm install {THREE}: {}", String::from_utf8_lossy(&install.stderr)));
    }
    Ok(loader)
}
