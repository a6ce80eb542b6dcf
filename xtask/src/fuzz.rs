//! `cargo xtask fuzz NAME`: bytes of every kind for a reader, from its fixtures on.

use std::fs;
use std::path::{Path, PathBuf};

use crate::run::{cargo, root, run, target};

/// The version that is installed where none is.
const CARGO_FUZZ: &str = "0.13";

/// Runs one target, or all one after the other, for some seconds each.
pub(crate) fn fuzz(args: &[String]) -> Result<(), String> {
    let wish = Wish::of(args)?;
    let program = installed()?;
    for name in &wish.names {
        let corpus = seeded(name)?;
        let mut command = std::process::Command::new(&program);
        // Sanitizers and coverage are asked of the stable compiler.
        command.env("RUSTC_BOOTSTRAP", "1").current_dir(root());
        command.env("CARGO_TARGET_DIR", target().join("fuzz"));
        // The readers have no unsafe code: what a memory checker would find cannot be, and it halves the speed.
        command.args(["fuzz", "run", "--fuzz-dir", "fuzz", "--sanitizer", "none", name]).arg(&corpus);
        command.args(["--", "-rss_limit_mb=3000", "-timeout=20", "-print_final_stats=1", "-verbosity=1"]);
        command.arg(format!("-max_total_time={}", wish.secs));
        run(&mut command)?;
    }
    Ok(())
}

struct Wish {
    names: Vec<String>,
    secs: u32,
}

impl Wish {
    fn of(args: &[String]) -> Result<Self, String> {
        let known = targets()?;
        let (mut names, mut secs) = (Vec::new(), 60);
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--secs" => {
                    let number = args.next().and_then(|number| number.parse().ok());
                    secs = number.ok_or("--secs wants a number of seconds")?;
                }
                name if known.iter().any(|target| target == name) => names.push(name.to_owned()),
                other => return Err(format!("no target {other:?}; there are {}", known.join(", "))),
            }
        }
        Ok(Self { names: if names.is_empty() { known } else { names }, secs })
    }
}

/// The names of all targets, sorted.
fn targets() -> Result<Vec<String>, String> {
    let mut names: Vec<String> = files(&root().join("fuzz/fuzz_targets"))?
        .iter()
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    names.sort();
    Ok(names)
}

/// The program, installed beside what is built where there is none.
fn installed() -> Result<PathBuf, String> {
    let home = target().join("tools");
    let program = home.join("bin/cargo-fuzz");
    if !program.exists() {
        let args = ["install", "cargo-fuzz", "--version", CARGO_FUZZ, "--locked", "--root"];
        run(cargo().args(args).arg(&home))?;
    }
    Ok(program)
}

/// A folder of inputs to start from: what was found in earlier runs, and every fixture.
fn seeded(name: &str) -> Result<PathBuf, String> {
    let corpus = root().join("fuzz/corpus").join(name);
    fs::create_dir_all(&corpus).map_err(|error| format!("{}: {error}", corpus.display()))?;
    for (number, path) in files(&root().join("fixtures").join(name)).unwrap_or_default().iter().enumerate() {
        if path.extension().is_none_or(|ending| ending != "toml") {
            let to = corpus.join(format!("fixture-{number}"));
            fs::copy(path, &to).map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    Ok(corpus)
}

/// Every file below a folder, sorted.
fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() { found.extend(files(&path)?) } else { found.push(path) }
    }
    found.sort();
    Ok(found)
}
