//! `marey corpus export`.

use std::path::PathBuf;

use clap::Args;
use marey::Error;
use marey::corpus::ExportRequest;
use serde_json::json;

use super::{CorpusFlag, count, print_summary};
use crate::console::Console;
use crate::flags::JsonFlag;
use crate::verdict::Verdict;

/// Write a corpus as a folder of plain files: a BVH and a JSON for each take, or tables
///
/// `marey corpus import` makes an equal corpus from the folder. The columns of the tables (--csv) have one type each, so that
/// Parquet and spreadsheets can read them. Existing files are not changed.
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

    /// Names of takes, or # and a number; default: all takes
    #[arg(value_name = "TAKE", conflicts_with = "csv")]
    takes: Vec<String>,

    /// Write tables instead: tags, markers, contacts, labels, segment_labels, segments
    #[arg(long)]
    csv: bool,

    #[command(flatten)]
    json: JsonFlag,
}

pub(super) fn run(args: &ExportArgs, console: &Console) -> Result<Verdict, Error> {
    let (folder, takes, csv) = (args.folder.clone(), args.takes.clone(), args.csv);
    let request = ExportRequest { folder, takes, csv };
    let written =
        args.corpus.read(|corpus| console.observed(|observer| corpus.export(&request, observer)))?;
    let rows: Vec<_> = written.iter().map(|path| json!({ "output": path.display().to_string() })).collect();
    let written = count(rows.len(), if csv { "table" } else { "take" });
    print_summary(console, &args.json, &rows, &format!("wrote {written} to {}", args.folder.display()))
}
