//! `cargo xtask fuzz NAME`: feeds random input to the readers, starting from the fixtures.

use std::fs;
use std::path::{Path, PathBuf};

use crate::process::{cargo, root, run, target};

/// The version that is installed if there is none.
const CARGO_FUZZ: &str = "0.13";

/// Runs the chosen targets one after the other.
pub(crate) fn fuzz(args: &[String]) -> Result<(), String> {
    let options = FuzzOptions::parse(args)?;
    let program = install()?;
    for name in &options.targets {
        let corpus = seed_corpus(name)?;
        let mut command = std::process::Command::new(&program);
        // Lets the stable compiler accept the flags for coverage.
        command.env("RUSTC_BOOTSTRAP", "1").current_dir(root());
        command.env("CARGO_TARGET_DIR", target().join("fuzz"));
        // The readers have no unsafe code, so an address sanitizer finds nothing and halves the speed.
        command.args(["fuzz", "run", "--fuzz-dir", "fuzz", "--sanitizer", "none", name]).arg(&corpus);
        command.args(["--", "-rss_limit_mb=3000", "-timeout=20", "-print_final_stats=1", "-verbosity=1"]);
        command.arg(format!("-max_total_time={}", options.secs));
        run(&mut command)?;
    }
    Ok(())
}

struct FuzzOptions {
    targets: Vec<String>,
    /// Seconds for each target.
    secs: u32,
}

impl FuzzOptions {
    fn parse(args: &[String]) -> Result<Self, String> {
        let known = all_targets()?;
        let (mut targets, mut secs) = (Vec::new(), 60);
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--secs" => {
                    let number = args.next().and_then(|number| number.parse().ok());
                    secs = number.ok_or("--secs needs a whole number of seconds")?;
                }
                name if known.iter().any(|target| target == name) => targets.push(name.to_owned()),
                other => {
                    return Err(format!("unknown target {other:?}; choose from: {}", known.join(", ")));
                }
            }
        }
        Ok(Self { targets: if targets.is_empty() { known } else { targets }, secs })
    }
}

/// The names of all targets, sorted.
fn all_targets() -> Result<Vec<String>, String> {
    let mut names: Vec<String> = files(&root().join("fuzz/fuzz_targets"))?
        .iter()
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    names.sort();
    Ok(names)
}

/// The path of cargo-fuzz, which is installed into the target folder if it is missing.
fn install() -> Result<PathBuf, String> {
    let home = target().join("tools");
    let program = home.join("bin/cargo-fuzz");
    if !program.exists() {
        let args = ["install", "cargo-fuzz", "--version", CARGO_FUZZ, "--locked", "--root"];
        run(cargo().args(args).arg(&home))?;
    }
    Ok(program)
}

/// The folder of inputs to start from: those of earlier runs, and a copy of each fixture.
fn seed_corpus(name: &str) -> Result<PathBuf, String> {
    let corpus = root().join("fuzz/corpus").join(name);
    fs::create_dir_all(&corpus).map_err(|error| format!("{}: {error}", corpus.display()))?;
    for (number, path) in files(&root().join("fixtures").join(name)).unwrap_or_default().iter().enumerate() {
        // The TOML files are the expected reports.
        if path.extension().is_none_or(|extension| extension != "toml") {
            let copy = corpus.join(format!("fixture-{number}"));
            fs::copy(path, &copy).map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    Ok(corpus)
}

/// All files in a folder and its subfolders, sorted.
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
