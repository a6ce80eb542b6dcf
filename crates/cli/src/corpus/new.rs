//! `marey corpus new`.

use clap::Args;
use marey::Error;
use marey::corpus::Corpus;
use serde_json::json;

use super::{CorpusFlag, print_summary};
use crate::console::Console;
use crate::flags::JsonFlag;
use crate::verdict::Verdict;

/// Create an empty corpus; an existing file is not changed
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey corpus new walks.marey         in the current folder
  marey corpus new ~/motion/all.marey  or elsewhere")]
pub(super) struct NewArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    #[command(flatten)]
    json: JsonFlag,
}

pub(super) fn run(args: &NewArgs, console: &Console) -> Result<Verdict, Error> {
    let path = &args.corpus.corpus;
    Corpus::create(path).map_err(|error| args.corpus.about(error))?;
    let row = json!({ "corpus": path.display().to_string() });
    print_summary(console, &args.json, &[row], &format!("created {}", path.display()))
}
