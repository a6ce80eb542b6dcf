//! `marey corpus add`.

use std::path::PathBuf;

use clap::Args;
use marey::inputs::{self, Input};
use marey::intake::{Job, PairPattern, Put, PutTake, Wish, add, jobs};
use marey::motion::Observer;

use super::{CorpusFlag, count};
use crate::batch;
use crate::console::{Console, observing};
use crate::flags::{ConventionFlags, JsonFlag};
use crate::json::{self, Row};
use crate::verdict::Verdict;
use marey::Error;

/// Put motion files into a corpus; what is there already is left as it is
///
/// Files are read in parallel and put in one after the other, each safe on the disk before the next. It may be stopped at
/// any time and run again: the same content is not put in twice, whatever its file is called.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey corpus add all.marey archive/ --trim-rest --licence CC0-1.0        a folder, with all folders in it
  marey corpus add all.marey 'salsa/*' --pair '60_{i}.bvh=61_{i}.bvh'  dancers in files of their own")]
pub(super) struct AddArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// Files, folders (with all folders in them) and patterns ('walks/**/*.bvh')
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,

    /// Make files that differ in this way one take of several actors, as in '60_{i}.bvh=61_{i}.bvh'
    #[arg(long = "pair", value_name = "A=B")]
    pairs: Vec<PairPattern>,

    /// The same by a table: in each line the files of one take, with commas between, beside the table
    #[arg(long = "pairs", value_name = "FILE.csv")]
    table: Option<PathBuf>,

    /// What may be done with the motion, as in CC-BY-4.0
    #[arg(long, value_name = "TEXT", default_value = "")]
    licence: String,

    /// Whose the motion is, and where it was published
    #[arg(long, value_name = "TEXT", default_value = "")]
    credit: String,

    #[command(flatten)]
    json: JsonFlag,

    #[command(flatten)]
    conventions: ConventionFlags,
}

pub(super) fn run(args: &AddArgs, console: &Console) -> Result<Verdict, Error> {
    let options = args.conventions.options()?;
    let mut corpus = args.corpus.open()?;
    let inputs = inputs::gather(&args.inputs)?;
    let jobs = jobs(inputs.files, &args.pairs, args.table.as_deref())?;
    let wish = Wish { options, licence: args.licence.clone(), credit: args.credit.clone() };
    let bar = console.progress(jobs.len());
    let results = add(&mut corpus, &jobs, &wish, Observer::new(&observing(&bar)));
    bar.finish_and_clear();
    let results = results.map_err(|failure| args.corpus.about(failure))?;
    let files: Vec<Input> = jobs.iter().map(Job::input).collect();
    if args.json.json {
        let row = |(input, result): (&Input, &Result<Put, Error>)| {
            Row::new(&input.path, result.as_ref().err(), result.as_ref().cloned().unwrap_or_default())
        };
        console.print(&json::array(files.iter().zip(&results).map(row)))?;
    } else {
        tell(console, &files, &results);
    }
    Ok(Verdict::of(&results))
}

/// Says what was met on the way, what failed and what was put in.
fn tell(console: &Console, files: &[Input], results: &[Result<Put, Error>]) {
    let reports = files.iter().zip(results);
    let reports = reports.map(|(file, put)| (file.path.as_path(), put.as_ref().map(|put| &put.report)));
    batch::tell(console, &reports.collect::<Vec<_>>());
    let takes: Vec<&PutTake> = results.iter().flatten().flat_map(|put| &put.takes).collect();
    let already = takes.iter().filter(|take| take.already).count();
    let mut text = format!("put in {}", count(takes.len() - already, "take"));
    match takes.as_slice() {
        [only] if only.already => {
            text = format!("the same content is there already, as #{} {}", only.id, only.name)
        }
        [only] => text += &format!(": #{} {}", only.id, only.name),
        _ if already > 0 => text += &format!("; there already: {already}"),
        _ => {}
    }
    console.note(&(text + "\n"));
}
