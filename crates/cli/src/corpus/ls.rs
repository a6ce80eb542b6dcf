//! `marey corpus ls`.

use clap::Args;
use marey::Error;
use marey::corpus::{ListRequest, TakeRow};

use super::{CorpusFlag, count, print};
use crate::console::Console;
use crate::flags::JsonFlag;
use crate::table;
use crate::verdict::Verdict;

/// List the takes of a corpus
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey corpus ls walks.marey             every take
  marey corpus ls walks.marey --tag turn  takes with a tag of that name")]
pub(super) struct LsArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// Only takes with a tag of this name
    #[arg(long, value_name = "NAME")]
    tag: Option<String>,

    /// Only takes with this label: KEY, or KEY=VALUE
    #[arg(long, value_name = "KEY[=VALUE]")]
    label: Option<String>,

    #[command(flatten)]
    json: JsonFlag,
}

pub(super) fn run(args: &LsArgs, console: &Console) -> Result<Verdict, Error> {
    let request = ListRequest { tag: args.tag.clone(), label: args.label.clone() };
    let takes = args.corpus.read(|corpus| corpus.list(&request))?;
    print(console, &args.json, &takes, || {
        let heading =
            ["take", "name", "actors", "joints", "frames", "Hz", "secs", "tags", "segments", "licence"];
        console.print(&table::columns(console.out, heading, takes.iter().map(cells).collect()))?;
        let secs: f64 = takes.iter().map(|take| take.duration_secs).sum();
        let frames: usize = takes.iter().map(|take| take.frames).sum();
        console.note(&format!("{}, {frames} frames, {secs:.1} s\n", count(takes.len(), "take")));
        Ok(())
    })
}

fn cells(take: &TakeRow) -> Vec<String> {
    vec![
        take.id.to_string(),
        take.name.clone(),
        take.actors.to_string(),
        take.joints.to_string(),
        take.frames.to_string(),
        take.rate_hz.to_string(),
        format!("{:.1}", take.duration_secs),
        take.tags.to_string(),
        take.segments.to_string(),
        take.licence.clone(),
    ]
}
