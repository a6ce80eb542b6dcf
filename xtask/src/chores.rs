//! What each chore does.

use std::path::PathBuf;
use std::process::Command;

use crate::run::{cargo, root, run, run_cargo, target};
use crate::{pages, python};

/// Formatting, lints and documentation without warnings, then every test.
pub(crate) fn ci() -> Result<(), String> {
    run_cargo(["fmt", "--all", "--check"])?;
    pages::build()?;
    run_cargo(["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"])?;
    run_cargo(["fmt", "--check", "--manifest-path", "fuzz/Cargo.toml"])?;
    let check = ["check", "--quiet", "--locked", "--manifest-path", "fuzz/Cargo.toml", "--target-dir"];
    run(cargo().args(check).arg(target()))?;
    run(cargo().env("RUSTDOCFLAGS", "--deny warnings").args(["doc", "--workspace", "--no-deps", "--quiet"]))?;
    test()
}

/// Every test: unit, behaviour, fixtures, command snapshots, documentation; then those of `python/` and of `web/`.
pub(crate) fn test() -> Result<(), String> {
    if marey_capture::folder("").is_none() {
        println!("tests on real motion capture will be skipped");
    }
    pages::build()?;
    run_cargo(["test", "--workspace", "--quiet"])?;
    python::python(&[])?;
    pages::test()
}

/// Builds Marey and lets it show what it can do, on motion it makes itself.
pub(crate) fn demo(args: &[String]) -> Result<(), String> {
    let folder = args.first().map_or_else(|| root().join("out/demo"), PathBuf::from);
    pages::build_if_possible()?;
    run_cargo(["build", "--release", "--package", "marey"])?;
    run(Command::new(target().join("release/marey")).arg("demo").arg(folder).arg("--force"))
}

/// Builds Marey with the studio's page in it, and starts the studio.
pub(crate) fn studio(args: &[String]) -> Result<(), String> {
    pages::build()?;
    run_cargo(["build", "--release", "--package", "marey"])?;
    run(Command::new(target().join("release/marey")).arg("studio").args(args))
}

/// Runs the measurements, built for speed.
pub(crate) fn measure(kind: &str, args: &[String]) -> Result<(), String> {
    // No line of our own on standard output: with --json it is data.
    let status = cargo()
        .args(["run", "--release", "--quiet", "--package", "marey-bench", "--", kind])
        .args(args)
        .status()
        .map_err(|error| format!("cargo could not be started: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{kind} ended with {status}")) }
}

/// Lets the tests write down what they find as what they expect.
pub(crate) fn bless() -> Result<(), String> {
    run(cargo().env("MAREY_BLESS", "1").args(["test", "--workspace", "--quiet"]))
}
