//! Starting other programs.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The root folder of the workspace.
pub(crate) fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_path_buf()
}

/// The cargo that started this program, in the root folder.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// The folder that cargo builds into.
pub(crate) fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Prints a command and runs it. The error names the command that failed.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    println!("$ {}", command_line(command));
    run_silently(command)
}

/// Runs a command without printing it.
pub(crate) fn run_silently(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{}` failed: {status}", command_line(command))),
        Err(error) => Err(format!("cannot start `{}`: {error}", command_line(command))),
    }
}

fn command_line(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let words = [program].into_iter().chain(command.get_args());
    words.map(|word| word.display().to_string()).collect::<Vec<_>>().join(" ")
}

/// Runs cargo with the given arguments.
pub(crate) fn run_cargo<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Result<(), String> {
    run(cargo().args(args))
}

/// Builds the programs that tests start (`marey`, `marey-bench` and the examples) and returns the folder that holds them.
///
/// It builds the whole workspace with its examples: crates then have the features that the tests unified, so that cargo reuses
/// what the tests built.
pub(crate) fn build_tested_programs() -> Result<PathBuf, String> {
    run_cargo(["build", "--quiet", "--workspace", "--bin", "marey", "--bin", "marey-bench", "--examples"])?;
    Ok(target().join("debug"))
}

/// Whether a program is installed: it starts with this argument and succeeds.
pub(crate) fn is_installed(program: &str, arg: &str) -> bool {
    Command::new(program).arg(arg).stdout(Stdio::null()).status().is_ok_and(|status| status.success())
}
