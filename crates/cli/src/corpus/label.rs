//! `marey corpus label`.

use clap::Args;
use marey::Error;
use marey::corpus::NewAnnotation;

use super::annotate::AnnotateFlags;
use crate::console::Console;
use crate::verdict::Verdict;

/// Label takes and segments with keys and values of your own
///
/// A take has one value per key; a new value replaces it. The maker of the label is `person`.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey corpus label walks.marey walk1 mood=tired subject=7    a take
  marey corpus label walks.marey walk1 foot=left --segment 12  one of its segments")]
pub(super) struct LabelArgs {
    #[command(flatten)]
    annotate: AnnotateFlags,

    /// Keys and values; with --remove, keys suffice
    #[arg(value_name = "KEY=VALUE", required_unless_present = "csv")]
    labels: Vec<String>,

    /// Label this segment of the take instead of the take
    #[arg(long, value_name = "N", conflicts_with = "csv")]
    segment: Option<i64>,
}

pub(super) fn run(args: &LabelArgs, console: &Console) -> Result<Verdict, Error> {
    let label = |text: &String| NewAnnotation::label(text, args.segment, args.annotate.remove);
    args.annotate.run(console, args.labels.iter().map(label).collect::<Result<_, _>>()?)
}
