//! `marey corpus rm`.

use clap::Args;
use marey::Error;
use marey::corpus::{Maker, RemoveRequest, Removed};
use serde::Serialize;

use super::{CorpusFlag, count, print_summary};
use crate::console::Console;
use crate::flags::JsonFlag;
use crate::verdict::Verdict;

/// Remove takes, tags of a name, or what a method made
///
/// A take is removed with its tags, markers, contacts, labels and segments. Either everything that is named is removed, or
/// nothing. Data that can be computed again (the index of moments, clusters) is removed too; `marey corpus vacuum` returns
/// the space to the disk.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey corpus rm walks.marey walk1 '#7' --dry-run      what would be removed?
  marey corpus rm walks.marey --made-by 'method steps'  all segments and markers of that method")]
pub(super) struct RmArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// Names of takes, or # and a number; with --tag or --made-by, default: all takes
    #[arg(value_name = "TAKE", required_unless_present_any = ["tag", "made_by"])]
    takes: Vec<String>,

    /// Remove only tags of this name, not the takes
    #[arg(long, value_name = "NAME", conflicts_with = "made_by")]
    tag: Option<String>,

    /// Remove only segments and annotations by this maker, not the takes: person, or method NAME
    #[arg(long, value_name = "MAKER")]
    made_by: Option<Maker>,

    /// Print what would be removed, and change nothing
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    json: JsonFlag,
}

#[derive(Debug, Serialize)]
struct RemovedRow {
    #[serde(flatten)]
    removed: Removed,
    dry_run: bool,
}

pub(super) fn run(args: &RmArgs, console: &Console) -> Result<Verdict, Error> {
    let (tag, made_by, dry_run) = (args.tag.clone(), args.made_by.clone(), args.dry_run);
    let request = RemoveRequest { takes: args.takes.clone(), tag, made_by, dry_run };
    let removed = args.corpus.change(|corpus| corpus.remove(&request))?;
    let counts = [
        (removed.takes, "take"),
        (removed.segments, "segment"),
        (removed.tags, "tag"),
        (removed.markers, "marker"),
        (removed.contacts, "contact"),
        (removed.labels, "label"),
    ];
    let counts = counts.iter().filter(|(number, _)| *number > 0).map(|(number, thing)| count(*number, thing));
    let verb = if dry_run { "would remove" } else { "removed" };
    let summary = format!("{verb} {}", counts.collect::<Vec<_>>().join(", "));
    print_summary(console, &args.json, &[RemovedRow { removed, dry_run }], &summary)
}
