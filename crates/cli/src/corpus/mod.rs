//! `marey corpus`.

mod add;
mod annotate;
mod batch_output;
mod check;
mod cluster;
mod export;
mod import;
mod label;
mod ls;
mod new;
mod query;
mod rename;
mod report;
mod rm;
mod segment;
mod show;
mod tag;
mod vacuum;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use marey::Error;
use marey::corpus::{Corpus, CorpusError};
use serde::Serialize;

use crate::console::Console;
use crate::flags::JsonFlag;
use crate::json;
use crate::verdict::Verdict;

/// Keep motion in one file, and find it again: takes, annotations, segments
///
/// A corpus is one file (name.marey) that contains takes, their annotations and their segments. It survives crashes, can be
/// read while it is written, and is an SQLite database that other tools can open.
#[derive(Debug, Args)]
#[command(
    disable_help_subcommand = true,
    before_help = "Examples:
  marey corpus new walks.marey           an empty corpus
  marey corpus add walks.marey archive/  all motion files of a folder"
)]
pub(crate) struct CorpusArgs {
    #[command(subcommand)]
    verb: Verb,
}

/// One file for each.
#[derive(Debug, Subcommand)]
enum Verb {
    New(new::NewArgs),
    Add(add::AddArgs),
    Ls(ls::LsArgs),
    Show(show::ShowArgs),
    Tag(tag::TagArgs),
    Segment(segment::SegmentArgs),
    Label(label::LabelArgs),
    Cluster(cluster::ClusterArgs),
    Query(query::QueryArgs),
    Rename(rename::RenameArgs),
    Report(report::ReportArgs),
    Rm(rm::RmArgs),
    Export(export::ExportArgs),
    Import(import::ImportArgs),
    Check(check::CheckArgs),
    Vacuum(vacuum::VacuumArgs),
}

pub(crate) fn run(args: &CorpusArgs, console: &Console) -> Result<Verdict, Error> {
    match &args.verb {
        Verb::New(args) => new::run(args, console),
        Verb::Add(args) => add::run(args, console),
        Verb::Ls(args) => ls::run(args, console),
        Verb::Show(args) => show::run(args, console),
        Verb::Tag(args) => tag::run(args, console),
        Verb::Segment(args) => segment::run(args, console),
        Verb::Label(args) => label::run(args, console),
        Verb::Cluster(args) => cluster::run(args, console),
        Verb::Query(args) => query::run(args, console),
        Verb::Rename(args) => rename::run(args, console),
        Verb::Report(args) => report::run(args, console),
        Verb::Rm(args) => rm::run(args, console),
        Verb::Export(args) => export::run(args, console),
        Verb::Import(args) => import::run(args, console),
        Verb::Check(args) => check::run(args, console),
        Verb::Vacuum(args) => vacuum::run(args, console),
    }
}

/// Which corpus.
#[derive(Debug, Args)]
pub(crate) struct CorpusFlag {
    /// The corpus, a file ending in .marey
    #[arg(value_name = "CORPUS")]
    corpus: PathBuf,
}

impl CorpusFlag {
    /// Opens it for reading and writing.
    pub(crate) fn open(&self) -> Result<Corpus, Error> {
        Corpus::open(&self.corpus).map_err(|error| self.about(error))
    }

    /// Opens it for reading.
    pub(crate) fn look(&self) -> Result<Corpus, Error> {
        Corpus::open_read_only(&self.corpus).map_err(|error| self.about(error))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.corpus
    }

    /// An error that names the corpus, unless it names a file.
    pub(crate) fn about(&self, error: impl Into<Error>) -> Error {
        error.into().in_file(&self.corpus)
    }

    /// Opens it, reads from it, and names it in errors.
    fn read<T>(&self, work: impl FnOnce(&Corpus) -> Result<T, CorpusError>) -> Result<T, Error> {
        work(&self.look()?).map_err(|error| self.about(error))
    }

    /// Opens it, changes it, and names it in errors.
    fn change<T, E: Into<Error>>(&self, work: impl FnOnce(&mut Corpus) -> Result<T, E>) -> Result<T, Error> {
        work(&mut self.open()?).map_err(|error| self.about(error))
    }
}

/// Prints rows as JSON if that is asked for, and otherwise lets `text` print.
fn print<T: Serialize>(
    console: &Console,
    json: &JsonFlag,
    rows: &[T],
    text: impl FnOnce() -> Result<(), Error>,
) -> Result<Verdict, Error> {
    if json.json {
        console.print(&json::array(rows.iter()))?
    } else {
        text()?
    }
    Ok(Verdict::AllDone)
}

/// Prints rows as JSON if that is asked for, and otherwise a summary.
fn print_summary<T: Serialize>(
    console: &Console,
    json: &JsonFlag,
    rows: &[T],
    summary: &str,
) -> Result<Verdict, Error> {
    print(console, json, rows, || {
        console.note(&format!("{summary}\n"));
        Ok(())
    })
}

/// `1 take`, `2 takes`.
fn count(number: usize, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}
