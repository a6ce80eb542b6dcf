//! `cargo xtask ci`, `test` and `bless`: everything that a change must pass.

use crate::process::{cargo, run, run_cargo, target};
use crate::{figures, python, supply, web};

/// Checks formatting, third-party packages, lints and documentation, runs all tests, and compares quality with the baseline.
pub(crate) fn ci() -> Result<(), String> {
    run_cargo(["fmt", "--all", "--check"])?;
    run_cargo(["fmt", "--check", "--manifest-path", "fuzz/Cargo.toml"])?;
    supply::deny()?;
    web::build()?;
    run_cargo(["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"])?;
    let check_fuzz = ["check", "--quiet", "--locked", "--manifest-path", "fuzz/Cargo.toml", "--target-dir"];
    run(cargo().args(check_fuzz).arg(target()))?;
    run(cargo().env("RUSTDOCFLAGS", "--deny warnings").args(["doc", "--workspace", "--no-deps", "--quiet"]))?;
    test()?;
    figures::gate()
}

/// Runs all tests: those of the workspace, then those of `python/` and `web/`.
pub(crate) fn test() -> Result<(), String> {
    if marey_capture::folder("").is_none() {
        println!("tests on captured motion will be skipped");
    }
    web::build()?;
    run_cargo(["test", "--workspace", "--quiet"])?;
    python::test(&[])?;
    web::test()
}

/// Runs the tests of the workspace so that they overwrite the files that they compare with.
pub(crate) fn bless() -> Result<(), String> {
    run(cargo().env("MAREY_BLESS", "1").args(["test", "--workspace", "--quiet"]))
}
