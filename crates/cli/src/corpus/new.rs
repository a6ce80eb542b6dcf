//! `marey corpus new`.

use clap::Args;
use marey::corpus::Corpus;
use serde::Serialize;

use super::CorpusFlag;
use crate::console::Console;
use crate::flags::JsonFlag;
use crate::json;
use crate::verdict::Verdict;
use marey::Error;

/// Make an empty corpus; a file that exists is left alone
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey corpus new walks.marey         beside you
  marey corpus new ~/motion/all.marey  or elsewhere")]
pub(super) struct NewArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    #[command(flatten)]
    json: JsonFlag,
}

#[derive(Debug, Serialize)]
struct Made {
    corpus: String,
}

pub(super) fn run(args: &NewArgs, console: &Console) -> Result<Verdict, Error> {
    let path = &args.corpus.corpus;
    drop(Corpus::create(path).map_err(|error| args.corpus.about(error))?);
    if args.json.json {
        console.print(&json::array([Made { corpus: path.display().to_string() }].iter()))?;
    } else {
        console.note(&format!("made {}\n", path.display()));
    }
    Ok(Verdict::AllDone)
}
