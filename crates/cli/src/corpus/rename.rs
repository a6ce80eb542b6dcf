//! `marey corpus rename`.

use clap::Args;
use marey::Error;
use marey::corpus::RenameRequest;

use super::{CorpusFlag, count, print_summary};
use crate::console::Console;
use crate::flags::JsonFlag;
use crate::verdict::Verdict;

/// Rename takes and their actors
///
/// Motion, annotations and segments stay as they are.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey corpus rename salsa.marey --as leader,follower   the actors of all takes of two
  marey corpus rename walks.marey 16_11 --to slow-walk   a take")]
pub(super) struct RenameArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// Names of takes, or # and a number; default: all takes that have as many actors as --as has names
    #[arg(value_name = "TAKE")]
    takes: Vec<String>,

    /// New name of the take
    #[arg(long = "to", value_name = "NAME", required_unless_present = "actors")]
    name: Option<String>,

    /// New names of the actors, in order, separated by commas
    #[arg(long = "as", value_name = "NAMES", value_delimiter = ',')]
    actors: Vec<String>,

    #[command(flatten)]
    json: JsonFlag,
}

pub(super) fn run(args: &RenameArgs, console: &Console) -> Result<Verdict, Error> {
    let request =
        RenameRequest { takes: args.takes.clone(), name: args.name.clone(), actors: args.actors.clone() };
    let renamed = args.corpus.change(|corpus| corpus.rename(&request))?;
    let summary = format!("renamed {}", count(renamed.len(), "take"));
    print_summary(console, &args.json, &renamed, &summary)
}
