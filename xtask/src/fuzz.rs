//! `cargo xtask fuzz NAME`: feeds random input to the parsers, starting from the fixtures.
//!
//! Targets are built for coverage by the stable compiler. Each starts from its fixtures, from `fuzz/finds/NAME`, which holds the inputs
//! that once failed, and from what earlier runs left in `fuzz/corpus/NAME`.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::process::{cargo, root, run, target};

/// The version that is installed if there is none.
const CARGO_FUZZ: &str = "^0.13";

/// Runs the chosen targets one after the other and prints a table of their runs. A target that fails does not stop the others.
pub(crate) fn fuzz(args: &[String]) -> Result<(), String> {
    let options = FuzzOptions::parse(args)?;
    let program = install()?;
    let mut results = Vec::new();
    for name in &options.targets {
        results.push((name, run_target(&program, name, options.secs)?));
    }
    println!("\n| target | runs | runs/s | edges covered | result |\n|---|---:|---:|---:|---|");
    for (name, result) in &results {
        let FuzzResult { runs, per_sec, edges, failure } = result;
        println!(
            "| {name} | {runs} | {per_sec} | {edges} | {} |",
            failure.as_deref().unwrap_or("no failure")
        );
    }
    let failed: Vec<&str> = results
        .iter()
        .filter(|(_, result)| result.failure.is_some())
        .map(|(name, _)| name.as_str())
        .collect();
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
}

/// What a run of a target printed.
#[derive(Debug, Default)]
struct FuzzResult {
    runs: u64,
    per_sec: u64,
    edges: u64,
    /// The file with the input that failed, or the exit status.
    failure: Option<String>,
}

/// Runs a target for a number of seconds.
fn run_target(program: &Path, name: &str, secs: u32) -> Result<FuzzResult, String> {
    let corpus = seed_corpus(name)?;
    let mut command = Command::new(program);
    // Lets the stable compiler accept the flags for coverage.
    command.env("RUSTC_BOOTSTRAP", "1").current_dir(root());
    command.env("CARGO_TARGET_DIR", target().join("fuzz"));
    // The parsers have no unsafe code, so an address sanitizer finds nothing and halves the speed.
    command.args(["fuzz", "run", "--fuzz-dir", "fuzz", "--sanitizer", "none", name]).arg(&corpus);
    command.args(["--", "-rss_limit_mb=3000", "-timeout=20", "-print_final_stats=1"]);
    command.arg(format!("-max_total_time={secs}")).stderr(Stdio::piped());
    println!("fuzzing {name} for {secs} s");
    let mut child = command.spawn().map_err(|error| format!("cannot start cargo-fuzz: {error}"))?;
    let mut result = FuzzResult::default();
    let mut saved = None;
    for line in child.stderr.take().into_iter().flat_map(lines) {
        result.read_line(&line);
        if let Some((_, file)) = line.split_once("Test unit written to ") {
            saved = Some(file.to_owned());
        }
        // libFuzzer reports each new input; everything else is worth reading.
        if !line.starts_with('#') && !line.starts_with("stat::") {
            eprintln!("{line}");
        }
    }
    let status = child.wait().map_err(|error| format!("{name}: {error}"))?;
    if !status.success() {
        result.failure = Some(saved.unwrap_or_else(|| status.to_string()));
    }
    Ok(result)
}

/// Lines of a stream that need not be UTF-8.
fn lines(stream: impl Read) -> impl Iterator<Item = String> {
    let lines = BufReader::new(stream).split(b'\n').map_while(Result::ok);
    lines.map(|line| String::from_utf8_lossy(&line).into_owned())
}

impl FuzzResult {
    /// Takes the figures of a line such as `stat::number_of_executed_units: 4323` or `#512 NEW cov: 1843 ft: …`.
    fn read_line(&mut self, line: &str) {
        let number = |text: &str| text.split_whitespace().next().and_then(|word| word.parse::<u64>().ok());
        let stat = |name: &str| line.strip_prefix(name).and_then(number);
        if let Some(runs) = stat("stat::number_of_executed_units:") {
            self.runs = runs;
        }
        if let Some(per_sec) = stat("stat::average_exec_per_sec:") {
            self.per_sec = per_sec;
        }
        if line.starts_with('#')
            && let Some(edges) = line.split_once("cov: ").and_then(|(_, rest)| number(rest))
        {
            self.edges = edges;
        }
    }
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
                "--all" => targets.clone_from(&known),
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
        if targets.is_empty() {
            return Err(format!("name targets, or --all; choose from: {}", known.join(", ")));
        }
        Ok(Self { targets, secs })
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

/// The folder of inputs to start from: those of earlier runs, and a copy of each fixture and find.
fn seed_corpus(name: &str) -> Result<PathBuf, String> {
    let corpus = root().join("fuzz/corpus").join(name);
    fs::create_dir_all(&corpus).map_err(|error| format!("{}: {error}", corpus.display()))?;
    let mut folders = vec![root().join("fixtures").join(name), root().join("fuzz/finds").join(name)];
    if name == "world" {
        folders.push(root().join("crates/perform/worlds"));
    }
    let seeds = folders.iter().flat_map(|folder| files(folder).unwrap_or_default());
    for (number, path) in seeds.enumerate() {
        if !path.to_string_lossy().ends_with(".report.toml") {
            let copy = corpus.join(format!("seed-{number}"));
            fs::copy(&path, &copy).map_err(|error| format!("{}: {error}", path.display()))?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_taken_from_what_libfuzzer_prints() {
        let mut result = FuzzResult::default();
        for line in [
            "#2048\tNEW    cov: 1843 ft: 4321 corp: 77/12Kb exec/s: 1024 rss: 52Mb",
            "stat::number_of_executed_units: 4323203",
            "stat::average_exec_per_sec:     7205",
            "INFO: cov: 3",
        ] {
            result.read_line(line);
        }
        assert_eq!((result.runs, result.per_sec, result.edges), (4_323_203, 7205, 1843));
    }

    #[test]
    fn every_target_is_declared() {
        let manifest = fs::read_to_string(root().join("fuzz/Cargo.toml")).unwrap();
        let targets = all_targets().unwrap();
        for name in &targets {
            assert!(manifest.contains(&format!("path = \"fuzz_targets/{name}.rs\"")), "{name} is not built");
        }
        for name in ["plan", "world", "commands", "markers", "shard", "terrain"] {
            assert!(targets.iter().any(|target| target == name), "{name}");
        }
        assert!(FuzzOptions::parse(&[]).is_err(), "long runs need a choice");
    }
}
