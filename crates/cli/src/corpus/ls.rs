//! `marey corpus ls`.

use clap::Args;
use marey::Error;
use marey::corpus::{BodyRow, ListRequest, TakeRow};

use super::{CorpusFlag, count, print};
use crate::console::Console;
use crate::flags::JsonFlag;
use crate::table;
use crate::verdict::Verdict;

/// List the takes or the bodies of a corpus
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey corpus ls walks.marey             every take
  marey corpus ls walks.marey --bodies    every body, with its takes")]
pub(super) struct LsArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// Only takes with a tag of this name
    #[arg(long, value_name = "NAME")]
    tag: Option<String>,

    /// Only takes with this label: KEY, or KEY=VALUE
    #[arg(long, value_name = "KEY[=VALUE]")]
    label: Option<String>,

    /// List bodies instead of takes: skeletons with the same joints and bones are one body
    #[arg(long, conflicts_with_all = ["tag", "label"])]
    bodies: bool,

    #[command(flatten)]
    json: JsonFlag,
}

pub(super) fn run(args: &LsArgs, console: &Console) -> Result<Verdict, Error> {
    if args.bodies {
        return list_bodies(args, console);
    }
    let request = ListRequest { tag: args.tag.clone(), label: args.label.clone() };
    let takes = args.corpus.read(|corpus| corpus.list(&request))?;
    print(console, &args.json, &takes, || {
        let heading =
            ["take", "name", "actors", "joints", "frames", "Hz", "secs", "tags", "segments", "licence"];
        console.print(&table::columns(console.out, heading, takes.iter().map(cells).collect()))?;
        // The sum of no numbers is -0.
        let secs = takes.iter().fold(0.0, |secs, take| secs + take.duration_secs);
        let frames: usize = takes.iter().map(|take| take.frames).sum();
        console.note(&format!("{}, {frames} frames, {secs:.1} s\n", count(takes.len(), "take")));
        Ok(())
    })
}

fn list_bodies(args: &LsArgs, console: &Console) -> Result<Verdict, Error> {
    let bodies = args.corpus.read(|corpus| corpus.bodies())?;
    print(console, &args.json, &bodies, || {
        let heading = ["body", "joints", "roles", "height m", "leg m", "secs", "takes", "of which"];
        console.print(&table::columns(console.out, heading, bodies.iter().map(body_cells).collect()))?;
        let noun = if bodies.len() == 1 { "body" } else { "bodies" };
        console.note(&format!("{} {noun}\n", bodies.len()));
        Ok(())
    })
}

/// How many takes of a body are named in the table.
const NAMED_TAKES: usize = 3;

fn body_cells(body: &BodyRow) -> Vec<String> {
    let mut names = body.takes.iter().take(NAMED_TAKES).cloned().collect::<Vec<_>>().join(", ");
    if body.takes.len() > NAMED_TAKES {
        names += ", …";
    }
    vec![
        body.body.to_string(),
        body.joints.to_string(),
        body.roles.to_string(),
        format!("{:.2}", body.height_m),
        format!("{:.2}", body.leg_m),
        format!("{:.1}", body.duration_secs),
        body.takes.len().to_string(),
        names,
    ]
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
