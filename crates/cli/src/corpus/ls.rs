//! `marey corpus ls`.

use clap::Args;
use marey::corpus::{Annotation, Corpus, Said, TakeInfo};
use serde::Serialize;

use super::CorpusFlag;
use crate::console::Console;
use crate::flags::JsonFlag;
use crate::verdict::Verdict;
use crate::{json, table};
use marey::Error;

/// List the takes of a corpus
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey corpus ls walks.marey               every take
  marey corpus ls walks.marey --tag turn    those that have a tag of that name")]
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

/// A take, as JSON has it.
#[derive(Debug, Serialize)]
struct Listed {
    id: i64,
    name: String,
    actors: usize,
    joints: usize,
    frames: usize,
    rate_hz: f64,
    duration_secs: f64,
    tags: usize,
    segments: usize,
    licence: String,
    source: String,
}

pub(super) fn run(args: &LsArgs, console: &Console) -> Result<Verdict, Error> {
    let corpus = args.corpus.look()?;
    let listed = list(args, &corpus).map_err(|failure| args.corpus.about(failure))?;
    if args.json.json {
        console.print(&json::array(listed.iter()))?;
        return Ok(Verdict::AllDone);
    }
    let row = |take: &Listed| {
        vec![
            format!("#{}", take.id),
            take.name.clone(),
            take.actors.to_string(),
            take.joints.to_string(),
            take.frames.to_string(),
            format!("{}", take.rate_hz),
            format!("{:.1}", take.duration_secs),
            take.tags.to_string(),
            take.segments.to_string(),
            take.licence.clone(),
        ]
    };
    let heading = ["take", "name", "actors", "joints", "frames", "Hz", "secs", "tags", "segments", "licence"];
    console.print(&table::columns(console.out, heading, listed.iter().map(row).collect()))?;
    let secs: f64 = listed.iter().map(|take| take.duration_secs).sum();
    let frames: usize = listed.iter().map(|take| take.frames).sum();
    console.note(&format!("{}, {frames} frames, {secs:.1} s\n", super::count(listed.len(), "take")));
    Ok(Verdict::AllDone)
}

fn list(args: &LsArgs, corpus: &Corpus) -> Result<Vec<Listed>, Error> {
    let mut listed = Vec::new();
    for take in corpus.takes()? {
        let said = corpus.annotations(take.id)?;
        if args.wants(&said) {
            let segments = corpus.segments_of(take.id)?.len();
            listed.push(Listed::new(take, &said, segments));
        }
    }
    Ok(listed)
}

impl LsArgs {
    fn wants(&self, said: &[Annotation]) -> bool {
        let tagged = |wanted: &String| {
            said.iter().any(|one| matches!(&one.what, Said::Tag(tag) if tag.name == *wanted))
        };
        let labelled = |wanted: &String| {
            let (wanted_key, wanted_value) =
                wanted.split_once('=').map_or((wanted.as_str(), None), |(key, value)| (key, Some(value)));
            said.iter().any(|one| match &one.what {
                Said::Label { key, value } => {
                    key == wanted_key && wanted_value.is_none_or(|wanted| wanted == value)
                }
                _ => false,
            })
        };
        self.tag.as_ref().is_none_or(tagged) && self.label.as_ref().is_none_or(labelled)
    }
}

impl Listed {
    fn new(take: TakeInfo, said: &[Annotation], segments: usize) -> Self {
        Self {
            id: take.id.0,
            actors: take.actors.len(),
            joints: take.actors.iter().map(|actor| actor.joints).sum(),
            frames: take.frames,
            rate_hz: take.rate_hz,
            duration_secs: take.duration_secs(),
            tags: said.iter().filter(|one| matches!(one.what, Said::Tag(_))).count(),
            segments,
            licence: take.provenance.licence,
            source: take.provenance.source,
            name: take.name,
        }
    }
}
