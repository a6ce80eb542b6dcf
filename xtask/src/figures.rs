//! `cargo xtask bench` and `eval`: figures about speed, memory and quality.

use std::fs;
use std::process::Command;
use std::time::Instant;

use crate::process::{build_tested_programs, cargo, run, run_silently, target};

/// Seconds that a release build of the library with one engine may take.
const BUILD_AIM_SECS: f64 = 90.0;

/// Runs the measurements in the release profile.
pub(crate) fn measure(kind: &str, args: &[String]) -> Result<(), String> {
    if kind == "bench" && args.first().is_some_and(|name| name == "build") {
        return build_time(&args[1..]);
    }
    // Some parts measure the command, which is beside the program that measures.
    run_silently(cargo().args(["build", "--release", "--quiet", "--package", "marey-cli"]))?;
    // Standard output is data with --json, so the command is not printed.
    let bench = ["run", "--release", "--quiet", "--package", "marey-bench", "--", kind];
    run_silently(cargo().args(bench).args(args))
}

/// Compares the quick figures with the committed baseline, in the profile that the tests were built with.
pub(crate) fn gate() -> Result<(), String> {
    let programs = build_tested_programs()?;
    run(Command::new(programs.join("marey-bench")).args(["eval", "--ci", "--gate"]))
}

/// Measures a release build of the library with `follow` alone, from clean, in a folder of its own.
fn build_time(args: &[String]) -> Result<(), String> {
    if !args.is_empty() {
        return Err("`bench build` takes no arguments".into());
    }
    let folder = target().join("bench-build");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let start = Instant::now();
    let library = ["build", "--release", "--package", "marey", "--lib"];
    let features = ["--no-default-features", "--features", "follow", "--target-dir"];
    run(cargo().args(library).args(features).arg(&folder))?;
    let secs = start.elapsed().as_secs_f64();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let verdict = if secs <= BUILD_AIM_SECS { "met" } else { "missed" };
    println!(
        "release build from clean, {threads} threads: {secs:.1} s (aim: at most {BUILD_AIM_SECS} s, {verdict})"
    );
    Ok(())
}
