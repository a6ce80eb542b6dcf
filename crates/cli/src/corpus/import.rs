//! `marey corpus import`.

use std::path::PathBuf;

use clap::Args;
use marey::codes;
use marey::corpus::{Added, Corpus, folder};
use serde::Serialize;

use super::{CorpusFlag, count};
use crate::batch;
use crate::console::Console;
use crate::flags::JsonFlag;
use crate::json::{self, Row};
use crate::verdict::Verdict;
use marey::Error;

/// Put a folder that `marey corpus export` wrote into a corpus, which is made where there is none
///
/// Takes that are there already are left as they are; what the folder says about them is added.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey corpus import copy.marey walks/  the folder as a corpus
  marey corpus import all.marey walks/   or into one that is there")]
pub(super) struct ImportArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// The folder
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,

    #[command(flatten)]
    json: JsonFlag,
}

/// What became of a page, as JSON has it.
#[derive(Debug, Clone, Copy, Default, Serialize)]
struct Put {
    id: Option<i64>,
    already: Option<bool>,
}

pub(super) fn run(args: &ImportArgs, console: &Console) -> Result<Verdict, Error> {
    let pages = folder::pages(&args.folder).map_err(|error| Error::from(error).in_file(&args.folder))?;
    if pages.is_empty() {
        let failure = Error::new(&codes::NO_PAGES, "no page of an exported corpus is here");
        return Err(failure.in_file(&args.folder));
    }
    let path = &args.corpus.corpus;
    let mut corpus = if path.exists() {
        args.corpus.open()?
    } else {
        Corpus::create(path).map_err(|error| args.corpus.about(error))?
    };
    let bar = console.progress(pages.len());
    let mut results: Vec<Result<Put, Error>> = Vec::new();
    for page in &pages {
        let put = corpus
            .import_take(page)
            .map(|added| Put { id: Some(added.id().0), already: Some(matches!(added, Added::Already(_))) });
        results.push(put.map_err(|error| Error::from(error).in_file(page)));
        bar.inc(1);
    }
    bar.finish_and_clear();
    if args.json.json {
        let row = |(page, result): (&PathBuf, &Result<Put, Error>)| {
            Row::new(page, result.as_ref().err(), result.as_ref().copied().unwrap_or_default())
        };
        console.print(&json::array(pages.iter().zip(&results).map(row)))?;
    } else {
        let failures = results.iter().filter_map(|result| result.as_ref().err());
        batch::tell_failures(console, failures.collect(), results.len());
        let put: Vec<Put> = results.iter().flatten().copied().collect();
        let already = put.iter().filter(|put| put.already == Some(true)).count();
        console.note(&format!("put in {}; there already: {already}\n", count(put.len() - already, "take")));
    }
    Ok(Verdict::of(&results))
}
