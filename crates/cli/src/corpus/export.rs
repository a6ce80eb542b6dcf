//! `marey corpus export`.

use std::path::PathBuf;

use clap::Args;
use marey::codes;
use marey::corpus::{Corpus, TakeInfo, folder, sheets};
use marey::cuts::chosen;
use marey::formats::file::{make_folder, write_file};
use serde::Serialize;

use super::{CorpusFlag, count};
use crate::console::Console;
use crate::flags::JsonFlag;
use crate::json;
use crate::verdict::Verdict;
use marey::Error;

/// Write a corpus as a folder of plain files: a BVH and a JSON for each take, or tables
///
/// `marey corpus import` makes an equal corpus of the folder. The tables (--csv) have one type in each column, so that
/// they go into Parquet or a spreadsheet as they are. Files that exist are left alone.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey corpus export walks.marey walks/         every take, as BVH and JSON
  marey corpus export walks.marey tables/ --csv  tags, segments and the rest, as tables")]
pub(super) struct ExportArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// The folder to write to
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,

    /// Names of takes, or # and a number; all where none is named
    #[arg(value_name = "TAKE", conflicts_with = "csv")]
    takes: Vec<String>,

    /// Write tables instead: tags, markers, contacts, labels, segment_labels, segments
    #[arg(long)]
    csv: bool,

    #[command(flatten)]
    json: JsonFlag,
}

#[derive(Debug, Serialize)]
struct Wrote {
    output: String,
}

pub(super) fn run(args: &ExportArgs, console: &Console) -> Result<Verdict, Error> {
    let corpus = args.corpus.look()?;
    let wrote = if args.csv { args.write_tables(&corpus)? } else { args.write_takes(&corpus, console)? };
    if args.json.json {
        console.print(&json::array(wrote.iter()))?;
    } else {
        let thing = if args.csv { "table" } else { "take" };
        console.note(&format!("wrote {} to {}\n", count(wrote.len(), thing), args.folder.display()));
    }
    Ok(Verdict::AllDone)
}

impl ExportArgs {
    fn write_takes(&self, corpus: &Corpus, console: &Console) -> Result<Vec<Wrote>, Error> {
        let takes: Vec<TakeInfo> =
            chosen(corpus, &self.takes).map_err(|failure| self.corpus.about(failure))?;
        if let Some(name) = folder::first_clash(&takes) {
            let message = format!("{name:?} would be written over another take");
            return Err(self.corpus.about(Error::new(&codes::SAME_OUTPUT, message)));
        }
        let bar = console.progress(takes.len());
        let mut wrote = Vec::new();
        for take in &takes {
            let page = corpus.export_take(take, &self.folder).map_err(|error| self.failure(error))?;
            wrote.push(Wrote { output: page.display().to_string() });
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(wrote)
    }

    fn write_tables(&self, corpus: &Corpus) -> Result<Vec<Wrote>, Error> {
        let tables = sheets::write_all(corpus).map_err(|error| self.corpus.about(error))?;
        make_folder(&self.folder).map_err(|error| Error::from(error).in_file(&self.folder))?;
        let mut wrote = Vec::new();
        for (name, text) in tables {
            let path = self.folder.join(format!("{name}.csv"));
            write_file(&path, text.as_bytes(), false).map_err(|error| Error::from(error).in_file(&path))?;
            wrote.push(Wrote { output: path.display().to_string() });
        }
        Ok(wrote)
    }

    /// A failure that names the file at fault: one that was written to, or the corpus.
    fn failure(&self, error: marey::corpus::CorpusError) -> Error {
        match &error {
            marey::corpus::CorpusError::File(marey::formats::FormatsError::File { path, .. }) => {
                let path = path.clone();
                Error::from(error).in_file(&path)
            }
            _ => self.corpus.about(error),
        }
    }
}
