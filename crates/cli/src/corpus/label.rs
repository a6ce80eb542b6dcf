//! `marey corpus label`.

use clap::Args;
use marey::corpus::{Annotation, Corpus, Maker, Said, SegmentId};

use super::said::SaidFlags;
use crate::console::Console;
use crate::verdict::Verdict;
use marey::Error;

/// Give takes and segments values under keys of your own
///
/// A take has one value for each key; giving another replaces it. What is said here is said by a person.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey corpus label walks.marey walk1 mood=tired subject=7       a take
  marey corpus label walks.marey walk1 foot=left --segment 12  one of its segments")]
pub(super) struct LabelArgs {
    #[command(flatten)]
    said: SaidFlags,

    /// Keys and their values; with --remove, keys alone will do
    #[arg(value_name = "KEY=VALUE", required_unless_present = "csv")]
    labels: Vec<String>,

    /// The number of one of the take's segments, instead of the take
    #[arg(long, value_name = "N", conflicts_with = "csv")]
    segment: Option<i64>,
}

pub(super) fn run(args: &LabelArgs, console: &Console) -> Result<Verdict, Error> {
    args.said.run(console, |corpus| args.told(corpus))
}

impl LabelArgs {
    fn told(&self, corpus: &Corpus) -> Result<Vec<Annotation>, Error> {
        let take = self.said.take(corpus)?;
        let one = |label: &String| {
            let (key, value) = match label.split_once('=') {
                Some((key, value)) => (key.to_owned(), value.to_owned()),
                None if self.said.remove => (label.clone(), String::new()),
                None => {
                    let message = format!("{label:?} is not KEY=VALUE");
                    return Err(Error::usage(&marey::codes::NOT_A_LABEL, message));
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
