//! `marey corpus add`.

use std::path::PathBuf;

use clap::Args;
use marey::Error;
use marey::corpus::import::PairPattern;
use marey::corpus::{ImportRequest, ImportedFile, ImportedTake};

use super::batch_output::print_batch;
use super::{CorpusFlag, count};
use crate::console::Console;
use crate::flags::{ConventionFlags, JsonFlag, PreparationFlags};
use crate::verdict::Verdict;

/// Add motion files to a corpus; content that it has already is not added again
///
/// Files are read in parallel and added one after the other, each safe on the disk before the next. You can stop the command
/// at any time and run it again: the same content is not added twice, whatever its file is called.
///
/// Each take is prepared: a calibration pose in the first frame is removed, the floor moved to height 0, short spikes and gaps
/// interpolated, longer ones tagged as unusable, and takes that are nearly equal to one in the corpus left out. The report says
/// what was done.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey corpus add all.marey archive/ --licence CC0-1.0    a folder and its subfolders
  marey corpus add all.marey salsa/ --pair 'leader=60_{i}.bvh' --pair 'follower=61_{i}.bvh'  dancers in separate files")]
pub(super) struct AddArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// Files, folders (with their subfolders) and patterns ('walks/**/*.bvh')
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,

    /// Combine files whose names have a part in common into one take of several actors: once for each actor and its name, as in
    /// 'leader=60_{i}.bvh'; or for all, as in '60_{i}.bvh=61_{i}.bvh'
    #[arg(long = "pair", value_name = "NAME=FILES")]
    pairs: Vec<PairPattern>,

    /// Combine files by a table: each line names the files of one take, separated by commas, relative to the table
    #[arg(long = "pairs", value_name = "FILE.csv")]
    table: Option<PathBuf>,

    #[command(flatten)]
    preparation: PreparationFlags,

    /// Licence of the motion, such as CC-BY-4.0
    #[arg(long, value_name = "TEXT", default_value = "")]
    licence: String,

    /// Author of the motion, and where it was published
    #[arg(long, value_name = "TEXT", default_value = "")]
    credit: String,

    #[command(flatten)]
    json: JsonFlag,

    #[command(flatten)]
    conventions: ConventionFlags,
}

pub(super) fn run(args: &AddArgs, console: &Console) -> Result<Verdict, Error> {
    let request = ImportRequest {
        inputs: args.inputs.clone(),
        pairs: args.pairs.clone(),
        table: args.table.clone(),
        actors: args.preparation.actors.clone(),
        licence: args.licence.clone(),
        credit: args.credit.clone(),
        read: args.conventions.request(),
        prepare: args.preparation.steps(),
    };
    let items =
        args.corpus.change(|corpus| console.observed(|observer| corpus.import(&request, observer)))?;
    print_batch(console, &args.json, items, |file: &ImportedFile| Some(&file.report), summary)
}

fn summary(files: &[ImportedFile]) -> String {
    let takes: Vec<&ImportedTake> = files.iter().flat_map(|file| &file.takes).collect();
    let already = takes.iter().filter(|take| take.already).count();
    let added = format!("added {}", count(takes.len() - already, "take"));
    match takes.as_slice() {
        [only] if only.already => {
            format!("the corpus has the same content already: {} {}", only.id, only.name)
        }
        [only] => format!("{added}: {} {}", only.id, only.name),
        _ if already > 0 => format!("{added}; in the corpus already: {already}"),
        _ => added,
    }
}
