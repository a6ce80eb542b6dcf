//! Measurements of Marey, each beside a baseline that is measured in the same run.
//!
//! `cargo xtask bench [PART]` measures speed and memory, `cargo xtask eval [PART]` quality. Each prints a table, or an array of
//! rows with `--json`. The aim of each figure is in the code, beside its row. `eval --gate` compares with `baseline.json`.
//! `cargo xtask soak` runs live engines for a long time.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "prints figures")]

mod args;
mod bench;
mod clock;
mod data;
mod eval;
mod gate;
mod marey_command;
mod python;
mod row;
mod scratch_corpus;
mod soak;
mod three_js;

use std::process::ExitCode;

use args::{Args, BaselineUse, Kind};
use gate::{Comparison, Measured, Scope};
use row::Row;

/// Any error of a measurement.
type BoxError = Box<dyn std::error::Error>;

/// Measures one part.
type Measure = fn(&Args) -> Vec<Row>;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    // Peak memory and first searches are measured in a process of their own: `VERB FILE`.
    if let [verb, file] = words.as_slice() {
        if verb == bench::peak_memory::VERB {
            return bench::peak_memory::child(file);
        }
        if bench::first_query::VERBS.contains(&verb.as_str()) {
            return bench::first_query::child(verb, file);
        }
    }
    if let [verb, rest @ ..] = words.as_slice()
        && verb == "soak"
    {
        return soak::run(rest);
    }
    match Args::parse(&words).and_then(|args| Ok((chosen_parts(&args)?, args))) {
        Ok((parts, args)) => run(&parts, &args).unwrap_or_else(|error| {
            eprintln!("{error}");
            ExitCode::FAILURE
        }),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// The parts that the arguments ask for.
fn chosen_parts(args: &Args) -> Result<Vec<(&'static str, Measure)>, String> {
    let all = match args.kind {
        Kind::Bench => bench::PARTS,
        Kind::Eval => eval::parts(args.suite),
    };
    // `duet` is `duet` and `duet-captured`, and so on.
    let is_chosen = |name: &str| {
        let rest = |part: &String| name.strip_prefix(part.as_str());
        args.part
            .as_ref()
            .is_none_or(|part| rest(part).is_some_and(|rest| rest.is_empty() || rest.starts_with('-')))
    };
    let chosen: Vec<_> = all.iter().copied().filter(|(name, _)| is_chosen(name)).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
        return Err(format!("unknown part; choose one of: {}", names.join(", ")));
    }
    Ok(chosen)
}

/// Measures, prints the rows, and compares them with the baseline or writes it.
fn run(parts: &[(&'static str, Measure)], args: &Args) -> Result<ExitCode, String> {
    let measure = |(part, measure): &(&'static str, Measure)| {
        measure(args).into_iter().map(|row| Measured { part, row }).collect::<Vec<_>>()
    };
    let measured: Vec<Measured> = parts.iter().flat_map(measure).collect();
    let rows: Vec<&Row> = measured.iter().map(|measured| &measured.row).collect();
    if args.json {
        println!("{}", serde_json::to_string_pretty(&rows).map_err(|error| error.to_string())?);
    } else {
        println!("{}", row::table(&rows));
    }
    let names: Vec<&'static str> = parts.iter().map(|(name, _)| *name).collect();
    let scope = Scope { suite: args.suite, parts: &names };
    match args.baseline {
        BaselineUse::Ignore => {}
        BaselineUse::Compare => {
            let comparison = Comparison::of(&gate::read()?, &measured, &scope);
            eprintln!("{comparison}");
            if !comparison.passes() {
                return Ok(ExitCode::FAILURE);
            }
        }
        BaselineUse::Overwrite => gate::write(&gate::updated(&gate::read()?, &measured, &scope))?,
    }
    Ok(ExitCode::SUCCESS)
}
