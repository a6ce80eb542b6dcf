//! `marey corpus rm`.

use clap::Args;
use marey::corpus::{Corpus, Maker, Removal, Removed, TakeId};
use serde::Serialize;

use super::{CorpusFlag, count};
use crate::console::Console;
use crate::flags::JsonFlag;
use crate::json;
use crate::verdict::Verdict;
use marey::Error;

/// Take takes out for good, or tags of a name, or what a method made
///
/// A take goes with its tags, markers, contacts, labels and segments. All that is named goes, or nothing. What can be worked
/// out again (the index of moments, clusters) is thrown away; `marey corpus vacuum` gives the room back to the disk.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey corpus rm walks.marey walk1 '#7' --dry-run      what would go?
  marey corpus rm walks.marey --made-by 'method steps'  all segments that were cut at steps")]
pub(super) struct RmArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// Names of takes, or # and a number; with --tag or --made-by, all where none is named
    #[arg(value_name = "TAKE", required_unless_present_any = ["tag", "made_by"])]
    takes: Vec<String>,

    /// Only tags of this name, not the takes
    #[arg(long, value_name = "NAME", conflicts_with = "made_by")]
    tag: Option<String>,

    /// Only segments and annotations that this maker made, not the takes: person, or method NAME
    #[arg(long, value_name = "MAKER")]
    made_by: Option<Maker>,

    /// Say what would go, and change nothing
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    json: JsonFlag,
}

/// What went, as JSON has it.
#[derive(Debug, Serialize)]
struct Gone {
    takes: usize,
    segments: usize,
    tags: usize,
    markers: usize,
    contacts: usize,
    labels: usize,
    dry_run: bool,
}

pub(super) fn run(args: &RmArgs, console: &Console) -> Result<Verdict, Error> {
    let mut corpus = args.corpus.open()?;
    let gone = args.remove(&mut corpus).map_err(|error| args.corpus.about(error))?;
    if args.json.json {
        console.print(&json::array([gone].iter()))?;
        return Ok(Verdict::AllDone);
    }
    let all = [
        (gone.takes, "take"),
        (gone.segments, "segment"),
        (gone.tags, "tag"),
        (gone.markers, "marker"),
        (gone.contacts, "contact"),
        (gone.labels, "label"),
    ];
    let some: Vec<String> =
        all.iter().filter(|(number, _)| *number > 0).map(|(number, thing)| count(*number, thing)).collect();
    let verb = if args.dry_run { "would take out" } else { "took out" };
    console.note(&format!("{verb} {}\n", some.join(", ")));
    Ok(Verdict::AllDone)
}

impl RmArgs {
    fn remove(&self, corpus: &mut Corpus) -> Result<Gone, marey::corpus::CorpusError> {
        let takes = self.takes.iter().map(|name| corpus.find(name)).collect::<Result<Vec<TakeId>, _>>()?;
        let removal = match (&self.tag, &self.made_by) {
            (Some(name), _) => Removal::Tags { name: name.clone(), takes },
            (None, Some(maker)) => Removal::MadeBy { maker: maker.clone(), takes },
            (None, None) => Removal::Takes(takes),
        };
        let removed = if self.dry_run { corpus.would_remove(&removal)? } else { corpus.remove(&removal)? };
        let Removed { takes, segments, tags, markers, contacts, labels } = removed;
        Ok(Gone { takes, segments, tags, markers, contacts, labels, dry_run: self.dry_run })
    }
}
