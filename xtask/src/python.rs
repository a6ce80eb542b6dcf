//! `cargo xtask python`: the Python package, built into an environment of its own and tested there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run::{root, run, starts, target, tested_command};

/// What the package and its tests need.
const PACKAGES: [&str; 4] = ["maturin>=1.16,<2", "numpy>=1.24", "pytest>=8", "mypy>=1.13"];
/// What `marey.cluster` needs too.
const CLUSTER: [&str; 2] = ["ray>=2.50", "fsspec>=2024.1"];

/// Builds the wheel into a fresh environment and runs its tests; with `--release`, as fast as it gets.
pub(crate) fn python(args: &[String]) -> Result<(), String> {
    // For tests, of what was built to test the rest: in the same profile, and with the same features.
    let how: &[&str] = match args {
        [] => &["--profile", "dev", "--features", "shared"],
        [only] if only == "--release" => &["--release"],
        _ => return Err("python takes --release and nothing else".into()),
    };
    let command = tested_command()?;
    let environment = installed(how)?;
    let mut pytest = Command::new(environment.join("bin/python"));
    pytest.args(["-m", "pytest"]).current_dir(root().join("python"));
    run(pytest.env("MAREY_BINARY", command))?;
    println!("the package is in {}", environment.display());
    Ok(())
}

/// An environment with the package in it, built as these words tell maturin.
fn installed(how: &[&str]) -> Result<PathBuf, String> {
    if !starts("python3", "--version") {
        return Err("the Python package needs Python 3.10 or later with venv: on Debian, apt-get install python3-venv".into());
    }
    let home = target().join("python");
    let (environment, wheels) = (home.join("venv"), home.join("wheels"));
    for folder in [&environment, &wheels] {
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
    }
    run(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
    pip(&environment, &PACKAGES)?;
    if let Err(failed) = pip(&environment, &CLUSTER) {
        println!("Ray could not be installed, so the tests of marey.cluster are skipped: {failed}");
    }
    let mut maturin = Command::new(environment.join("bin/maturin"));
    maturin.args(["build", "--quiet"]).args(how).arg("--manifest-path");
    maturin.arg(root().join("python/Cargo.toml")).arg("--out").arg(&wheels).arg("--interpreter");
    maturin.arg(environment.join("bin/python")).env("CARGO_TARGET_DIR", target());
    run(&mut maturin)?;
    run(python_in(&environment)
        .args(["-m", "pip", "install", "--quiet", "--no-deps"])
        .arg(wheel_in(&wheels)?))?;
    Ok(environment)
}

fn python_in(environment: &Path) -> Command {
    Command::new(environment.join("bin/python"))
}

fn pip(environment: &Path, packages: &[&str]) -> Result<(), String> {
    run(python_in(environment).args(["-m", "pip", "install", "--quiet"]).args(packages))
}

/// The wheel in a folder.
fn wheel_in(folder: &Path) -> Result<PathBuf, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let wheel = paths.find(|path| path.extension().is_some_and(|ending| ending == "whl"));
    wheel.ok_or_else(|| format!("there is no wheel in {}", folder.display()))
}
