//! `marey corpus import`.

use std::path::PathBuf;

use clap::Args;
use marey::Error;
use marey::corpus::{BatchItem, Corpus, ImportedPage, TakeId};
use serde::Serialize;

use super::batch_output::print_batch;
use super::{CorpusFlag, count};
use crate::console::Console;
use crate::flags::JsonFlag;
use crate::verdict::Verdict;

/// Import a folder that `marey corpus export` wrote; the corpus is created if it does not exist
///
/// Takes that the corpus has already are not changed, but their annotations are added.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey corpus import copy.marey walks/  the folder as a new corpus
  marey corpus import all.marey walks/   or into an existing one")]
pub(super) struct ImportArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// The folder
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,

    #[command(flatten)]
    json: JsonFlag,
}

/// An imported take in JSON; null if it failed.
#[derive(Debug, Clone, Copy, Default, Serialize)]
struct PageRow {
    id: Option<TakeId>,
    already: Option<bool>,
}

pub(super) fn run(args: &ImportArgs, console: &Console) -> Result<Verdict, Error> {
    let path = &args.corpus.corpus;
    let items = console
        .observed(|observer| Corpus::import_folder_into(path, &args.folder, observer))
        .map_err(|error| args.corpus.about(error))?;
    let row = |page: ImportedPage| PageRow { id: Some(page.id), already: Some(page.already) };
    let items = items.into_iter().map(|item| BatchItem { name: item.name, result: item.result.map(row) });
    print_batch(
        console,
        &args.json,
        items.collect(),
        |_| None,
        |pages: &[PageRow]| {
            let already = pages.iter().filter(|page| page.already == Some(true)).count();
            format!("added {}; in the corpus already: {already}", count(pages.len() - already, "take"))
        },
    )
}
