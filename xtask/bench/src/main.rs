//! Measurements of Marey, each beside a baseline that is measured in the same run.
//!
//! `cargo xtask bench [NAME]` is about speed and memory, `cargo xtask eval [NAME]` about quality. Each prints a table, or
//! with `--json` an array of rows. Aims stand in the code, beside the row they belong to.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "printing figures is what this program is for"
)]

mod args;
mod bench;
mod clock;
mod data;
mod eval;
mod python;
mod row;
mod three_js;

use std::process::ExitCode;

use args::{Args, Kind};

/// Measures one room.
type Measure = fn(&Args) -> Vec<row::Row>;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    // A process of its own for each measurement of memory, and of a first search: `VERB FILE`.
    if let [verb, file] = words.as_slice() {
        if verb == bench::peak_memory::VERB {
            return bench::peak_memory::child(file);
        }
        if bench::first_query::VERBS.contains(&verb.as_str()) {
            return bench::first_query::child(verb, file);
        }
    }
    let args = match Args::parse(&words) {
        Ok(args) => args,
        Err(problem) => {
            eprintln!("{problem}");
            return ExitCode::from(2);
        }
    };
    let subjects: &[(&str, Measure)] = match args.kind {
        Kind::Bench => &[
            ("corpus", bench::corpus::rows),
            ("corpus", bench::segments::rows),
            ("duet", bench::duet::rows),
            ("follow", bench::follow::rows),
            ("formats", bench::formats::rows),
            ("motion", bench::motion::rows),
            ("perform", bench::perform::rows),
            ("python", bench::python::rows),
            ("realise", bench::realise::rows),
            ("traverse", bench::traverse::rows),
            ("vary", bench::vary::rows),
        ],
        Kind::Eval => &[
            ("cluster", eval::cluster::rows),
            ("duet", eval::duet::rows),
            ("examples", eval::examples::rows),
            ("follow", eval::follow::rows),
            ("formats", eval::formats::rows),
            ("ops", eval::ops::rows),
            ("perform", eval::perform::rows),
            ("realise", eval::realise::rows),
            ("traverse", eval::traverse::rows),
            ("tween", eval::tween::rows),
            ("vary", eval::vary::rows),
        ],
    };
    let chosen: Vec<_> =
        subjects.iter().filter(|(name, _)| args.name.as_ref().is_none_or(|wanted| wanted == name)).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = subjects.iter().map(|(name, _)| *name).collect();
        eprintln!("there is nothing to measure by that name; there are: {}", names.join(", "));
        return ExitCode::from(2);
    }
    let rows: Vec<row::Row> = chosen.into_iter().flat_map(|(_, measure)| measure(&args)).collect();
    if args.json {
        match serde_json::to_string_pretty(&rows) {
            Ok(text) => println!("{text}"),
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::FAILURE;
            }
        }
    } else {
        println!("{}", row::table(&rows));
    }
    ExitCode::SUCCESS
}
