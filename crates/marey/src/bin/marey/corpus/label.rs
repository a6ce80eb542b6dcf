//! `marey corpus label`.

use std::path::PathBuf;

use clap::Args;
use marey::corpus::{Annotation, Corpus, Maker, Said, SegmentId};

use super::CorpusFlag;
use super::tag::{change, from_table};
use crate::console::Console;
use crate::failure::{Failure, Verdict};
use crate::flags::JsonFlag;

/// Give takes and segments values under keys of your own
///
/// A take has one value for each key; giving another replaces it. What is said here is said by a person.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey corpus label walks.marey walk1 mood=tired subject=7       a take
  marey corpus label walks.marey walk1 foot=left --segment 12  one of its segments")]
pub(super) struct LabelArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// The take, by its name or # and its number
    #[arg(value_name = "TAKE", required_unless_present = "csv")]
    take: Option<String>,

    /// Keys and their values; with --remove, keys alone will do
    #[arg(value_name = "KEY=VALUE", required_unless_present = "csv")]
    labels: Vec<String>,

    /// The number of one of the take's segments, instead of the take
    #[arg(long, value_name = "N")]
    segment: Option<i64>,

    /// Take them back
    #[arg(long)]
    remove: bool,

    /// Read labels from a table with columns take, key, value, and perhaps segment
    #[arg(long, value_name = "FILE.csv", conflicts_with_all = ["take", "labels", "segment"])]
    csv: Option<PathBuf>,

    #[command(flatten)]
    json: JsonFlag,
}

pub(super) fn run(args: &LabelArgs, console: &Console) -> Result<Verdict, Failure> {
    let mut corpus = args.corpus.open()?;
    let annotations = match &args.csv {
        Some(table) => from_table(&corpus, table)?,
        None => args.told(&corpus).map_err(|failure| args.corpus.about(failure))?,
    };
    let changed = change(&mut corpus, annotations, args.remove).map_err(|failure| match &args.csv {
        Some(table) => failure.in_file(table),
        None => args.corpus.about(failure),
    })?;
    changed.tell(console, args.json.json)
}

impl LabelArgs {
    fn told(&self, corpus: &Corpus) -> Result<Vec<Annotation>, Failure> {
        let take = corpus.find(self.take.as_deref().unwrap_or_default())?;
        let one = |label: &String| {
            let (key, value) = match label.split_once('=') {
                Some((key, value)) => (key.to_owned(), value.to_owned()),
                None if self.remove => (label.clone(), String::new()),
                None => {
                    let message = format!("{label:?} is not KEY=VALUE");
                    return Err(Failure::usage(&marey::codes::NOT_A_LABEL, message));
                }
            };
            let what = match self.segment {
                Some(segment) => Said::SegmentLabel { segment: SegmentId(segment), key, value },
                None => Said::Label { key, value },
            };
            Ok(Annotation { take, what, maker: Maker::Person })
        };
        self.labels.iter().map(one).collect()
    }
}
