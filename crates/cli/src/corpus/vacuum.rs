//! `marey corpus vacuum`.

use clap::Args;
use marey::Error;

use super::{CorpusFlag, print_summary};
use crate::console::Console;
use crate::flags::JsonFlag;
use crate::verdict::Verdict;

/// Return unused space of a corpus to the disk
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey corpus vacuum walks.marey         after many segments were replaced
  marey corpus vacuum walks.marey --json  print the size before and after as JSON")]
pub(super) struct VacuumArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// First remove what can be computed again: the index of moments, and clusters
    #[arg(long)]
    derived: bool,

    #[command(flatten)]
    json: JsonFlag,
}

pub(super) fn run(args: &VacuumArgs, console: &Console) -> Result<Verdict, Error> {
    let sizes = args.corpus.change(|corpus| {
        if args.derived {
            corpus.forget_derived()?;
        }
        corpus.vacuum()
    })?;
    let summary = format!("{} bytes before, {} now", sizes.bytes_before, sizes.bytes);
    print_summary(console, &args.json, &[sizes], &summary)
}
