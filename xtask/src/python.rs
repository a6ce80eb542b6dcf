//! `cargo xtask python`: builds the Python package into a virtual environment and tests it there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{build_tested_programs, is_installed, root, run, target};

/// Packages that the Python package and its tests need.
const REQUIRED: [&str; 4] = ["maturin>=1.16,<2", "numpy>=1.24", "pytest>=8", "mypy>=1.13"];
/// Packages that `marey.cluster` needs as well. Its tests are skipped if they cannot be installed.
const FOR_CLUSTER: [&str; 2] = ["ray>=2.50", "fsspec>=2024.1"];

/// Builds the wheel into a fresh environment and runs its tests. `--release` builds the wheel that users get.
pub(crate) fn test(args: &[String]) -> Result<(), String> {
    // The tests use the dev profile and the features that the workspace was tested with, so that cargo builds nothing twice.
    let maturin_args: &[&str] = match args {
        [] => &["--profile", "dev", "--features", "shared"],
        [only] if only == "--release" => &["--release"],
        _ => return Err("usage: cargo xtask python [--release]".into()),
    };
    let programs = build_tested_programs()?;
    let environment = install(maturin_args)?;
    let mut pytest = python_in(&environment);
    pytest.args(["-m", "pytest"]).current_dir(root().join("python"));
    run(pytest.env("MAREY_BINARY", programs.join("marey")))?;
    println!("the package is installed in {}", environment.display());
    Ok(())
}

/// Creates an environment, builds the wheel and installs it there; returns the environment's folder.
fn install(maturin_args: &[&str]) -> Result<PathBuf, String> {
    if !is_installed("python3", "--version") {
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
    pip(&environment, &REQUIRED)?;
    if let Err(error) = pip(&environment, &FOR_CLUSTER) {
        println!("the tests of marey.cluster will be skipped, because Ray cannot be installed: {error}");
    }
    let mut maturin = Command::new(environment.join("bin/maturin"));
    maturin.args(["build", "--quiet"]).args(maturin_args).arg("--manifest-path");
    maturin.arg(root().join("python/Cargo.toml")).arg("--out").arg(&wheels).arg("--interpreter");
    maturin.arg(environment.join("bin/python")).env("CARGO_TARGET_DIR", target());
    run(&mut maturin)?;
    let pip_install = ["-m", "pip", "install", "--quiet", "--no-deps"];
    run(python_in(&environment).args(pip_install).arg(wheel_in(&wheels)?))?;
    Ok(environment)
}

fn python_in(environment: &Path) -> Command {
    Command::new(environment.join("bin/python"))
}

fn pip(environment: &Path, packages: &[&str]) -> Result<(), String> {
    run(python_in(environment).args(["-m", "pip", "install", "--quiet"]).args(packages))
}

/// The path of the wheel in a folder.
fn wheel_in(folder: &Path) -> Result<PathBuf, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let wheel = paths.find(|path| path.extension().is_some_and(|extension| extension == "whl"));
    wheel.ok_or_else(|| format!("there is no wheel in {}", folder.display()))
}
