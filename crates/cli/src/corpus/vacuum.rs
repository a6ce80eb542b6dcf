//! `marey corpus vacuum`.

use clap::Args;
use serde::Serialize;

use super::CorpusFlag;
use crate::console::Console;
use crate::flags::JsonFlag;
use crate::json;
use crate::verdict::Verdict;
use marey::Error;

/// Give room that a corpus no longer uses back to the disk
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey corpus vacuum walks.marey         after much was cut anew
  marey corpus vacuum walks.marey --json  and say how large it was and is")]
pub(super) struct VacuumArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// Take out first what can be worked out again: the index of moments, and clusters
    #[arg(long)]
    derived: bool,

    #[command(flatten)]
    json: JsonFlag,
}

#[derive(Debug, Serialize)]
struct Sizes {
    bytes_before: u64,
    bytes: u64,
}

pub(super) fn run(args: &VacuumArgs, console: &Console) -> Result<Verdict, Error> {
    let size = || std::fs::metadata(&args.corpus.corpus).map_or(0, |about| about.len());
    let mut corpus = args.corpus.open()?;
    let bytes_before = size();
    if args.derived {
        corpus.forget_derived().map_err(|error| args.corpus.about(error))?;
    }
    corpus.vacuum().map_err(|error| args.corpus.about(error))?;
    let bytes = size();
    if args.json.json {
        console.print(&json::array([Sizes { bytes_before, bytes }].iter()))?;
    } else {
        console.note(&format!("{bytes_before} bytes before, {bytes} now\n"));
    }
    Ok(Verdict::AllDone)
}
