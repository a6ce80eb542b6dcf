//! `marey corpus`.

mod add;
mod check;
mod cluster;
mod export;
mod import;
mod label;
mod ls;
mod new;
mod query;
mod rm;
mod said;
mod segment;
mod show;
mod tag;
mod vacuum;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use marey::corpus::Corpus;

use crate::console::Console;
use crate::verdict::Verdict;
use marey::Error;

/// Keep motion in one file, and find it again: takes, tags, segments
///
/// A corpus is one file (name.marey) that holds takes, what was said about them and how they are cut. It is safe against
/// crashes, can be read while it is written, and is an SQLite database that other tools can open.
#[derive(Debug, Args)]
#[command(
    disable_help_subcommand = true,
    before_help = "Examples:
  marey corpus new walks.marey           an empty corpus
  marey corpus add walks.marey archive/  with all motion files of a folder"
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
    /// Opens it to change it.
    pub(crate) fn open(&self) -> Result<Corpus, Error> {
        Corpus::open(&self.corpus).map_err(|error| self.about(error))
    }

    /// Opens it to look at it.
    pub(crate) fn look(&self) -> Result<Corpus, Error> {
        Corpus::open_read_only(&self.corpus).map_err(|error| self.about(error))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.corpus
    }

    /// A failure that names the corpus.
    pub(crate) fn about(&self, error: impl Into<Error>) -> Error {
        error.into().in_file(&self.corpus)
    }
}

/// `1 take`, `2 takes`.
fn count(number: usize, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}
