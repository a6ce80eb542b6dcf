//! Starting programs.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The root of the project.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// The cargo that started this.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Where cargo puts what it builds.
pub(crate) fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Runs a command to its end, showing what it is; what went wrong, where something did.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let line = [program].into_iter().chain(command.get_args());
    let line: Vec<String> = line.map(|word| Path::new(word).display().to_string()).collect();
    let line = line.join(" ");
    println!("$ {line}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{line}` ended with {status}")),
        Err(error) => Err(format!("`{line}` could not be started: {error}")),
    }
}

/// Runs cargo with these arguments.
pub(crate) fn run_cargo<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Result<(), String> {
    run(cargo().args(args))
}

/// Builds the command, as the tests do it, and where it is then. Of the whole workspace, so that crates have the features that they were tested
/// with and are not built again without them; with the examples, since those bring in what only tests depend on.
pub(crate) fn tested_command() -> Result<PathBuf, String> {
    run_cargo(["build", "--quiet", "--workspace", "--bin", "marey", "--examples"])?;
    Ok(target().join("debug/marey"))
}

/// Whether a program can be started.
pub(crate) fn starts(program: &str, word: &str) -> bool {
    Command::new(program).arg(word).stdout(Stdio::null()).status().is_ok_and(|status| status.success())
}
