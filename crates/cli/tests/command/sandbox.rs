//! A folder of its own for each test, in which the command is run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// A folder that is removed when it goes out of scope.
pub(crate) struct Sandbox(PathBuf);

/// How a run ended.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Sandbox {
    /// `name` is the test's own.
    pub(crate) fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file, and the folders it is in.
    pub(crate) fn with(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// Every file, by its path in the folder, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut folders = vec![self.0.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    found.push(path.strip_prefix(&self.0).unwrap().to_str().unwrap().to_owned());
                }
            }
        }
        found.sort();
        found
    }

    /// The command in this folder, where it also has its temporary files, with an environment that says nothing about colours.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_marey"));
        command
            .args(args)
            .current_dir(&self.0)
            .env("TMPDIR", &self.0)
            .env("MAREY_CACHE", self.path("cache"))
            .stdin(Stdio::null());
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "RUST_BACKTRACE"] {
            command.env_remove(name);
        }
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Run {
        let output = self.command(args).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Run { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// Runs what must succeed.
    pub(crate) fn ok(&self, args: &[&str]) -> Run {
        let run = self.run(args);
        assert_eq!(run.code, 0, "{args:?}\n{}{}", run.out, run.err);
        run
    }

    /// The rows that a run prints as JSON.
    pub(crate) fn rows(&self, args: &[&str]) -> Vec<Value> {
        serde_json::from_str(&self.run(args).out).unwrap()
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Compares a text with the one kept under a name; with `MAREY_BLESS` set, keeps it.
pub(crate) fn assert_snapshot(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/command/snapshots/{name}.txt"));
    if std::env::var_os("MAREY_BLESS").is_some() {
        fs::write(&path, text).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, kept, "{} differs; `cargo xtask bless` keeps what is printed now", path.display());
}

impl Run {
    /// Everything a person sees.
    pub(crate) fn screen(&self) -> String {
        format!("exit code {}\n--- stdout\n{}--- stderr\n{}", self.code, self.out, self.err)
    }
}
