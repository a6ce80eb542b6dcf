//! `cargo xtask demo` and `studio`: build Marey for speed and start it.

use std::path::PathBuf;
use std::process::Command;

use crate::process::{root, run, run_cargo, target};
use crate::web;

/// Builds Marey and runs `marey demo`.
pub(crate) fn demo(args: &[String]) -> Result<(), String> {
    let folder = args.first().map_or_else(|| root().join("out/demo"), PathBuf::from);
    web::build_if_possible()?;
    run(build()?.arg("demo").arg(folder).arg("--force"))
}

/// Builds Marey with the studio's page and runs `marey studio`.
pub(crate) fn studio(args: &[String]) -> Result<(), String> {
    web::build()?;
    run(build()?.arg("studio").args(args))
}

/// Builds the `marey` command in the release profile.
fn build() -> Result<Command, String> {
    run_cargo(["build", "--release", "--bin", "marey"])?;
    Ok(Command::new(target().join("release/marey")))
}
