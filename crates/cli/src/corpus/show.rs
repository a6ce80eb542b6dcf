//! `marey corpus show`.

use clap::Args;
use marey::Error;
use marey::corpus::{ActorInfo, AnnotationRow, Segment, TakeDetails};

use super::{CorpusFlag, print};
use crate::console::Console;
use crate::flags::JsonFlag;
use crate::ink::plain;
use crate::table;
use crate::verdict::Verdict;

/// Show everything about takes: origin, annotations, segments
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey corpus show walks.marey walk1  one take, by its name
  marey corpus show walks.marey '#3'   or by its number")]
pub(super) struct ShowArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// Names of takes, or # and a number
    #[arg(required = true, value_name = "TAKE")]
    takes: Vec<String>,

    #[command(flatten)]
    json: JsonFlag,
}

pub(super) fn run(args: &ShowArgs, console: &Console) -> Result<Verdict, Error> {
    let takes = args.corpus.read(|corpus| corpus.details(&args.takes))?;
    print(console, &args.json, &takes, || {
        takes.iter().try_for_each(|take| console.print(&page(take, console)))
    })
}

/// The take as text.
fn page(take: &TakeDetails, console: &Console) -> String {
    let info = &take.info;
    let actor = |actor: &ActorInfo| format!("{} ({} joints)", actor.name, actor.joints);
    let secs = info.duration_secs();
    let rows = [
        ("frames", format!("{} at {} Hz, {secs:.2} s", info.frames, info.rate_hz)),
        ("actors", info.actors.iter().map(actor).collect::<Vec<_>>().join(", ")),
        ("source", info.provenance.source.clone()),
        ("licence", info.provenance.licence.clone()),
        ("credit", info.provenance.credit.clone()),
        ("read as", info.provenance.history.clone()),
        ("content", info.content.clone()),
    ];
    let rows = rows.into_iter().filter(|(_, value)| !value.is_empty());
    let rows = rows.map(|(name, value)| vec![name.to_owned(), value]).collect();
    let mut text = console.out.heading(&format!("{} {}", info.id, plain(&info.name))) + "\n";
    text += &table::plain_columns(rows);
    if !take.annotations.is_empty() {
        let heading = ["what", "name", "frames", "of", "made by"];
        let rows = take.annotations.iter().map(annotation_cells).collect();
        text += &format!("\n{}", table::columns(console.out, heading, rows));
    }
    if !take.segments.is_empty() {
        let heading = ["segment", "name", "frames", "actor", "made by"];
        let rows = take.segments.iter().map(segment_cells).collect();
        text += &format!("\n{}", table::columns(console.out, heading, rows));
    }
    text + "\n"
}

fn annotation_cells(row: &AnnotationRow) -> Vec<String> {
    let name = match (&row.value, row.kind) {
        (Some(value), "label") => format!("{}={value}", row.name),
        (Some(value), _) => format!("{} on {value}", row.name),
        (None, _) => row.name.clone(),
    };
    let frames = match (row.start, row.end) {
        (Some(start), Some(end)) => format!("{start}..{end}"),
        (Some(frame), None) => frame.to_string(),
        _ => String::new(),
    };
    let of = match (row.actor, row.segment) {
        (Some(actor), _) => format!("actor {actor}"),
        (None, Some(segment)) => format!("segment {}", segment.0),
        _ => String::new(),
    };
    vec![row.kind.to_owned(), name, frames, of, row.made_by.clone()]
}

fn segment_cells(segment: &Segment) -> Vec<String> {
    let actor = segment.actor.map_or_else(|| "all".to_owned(), |actor| actor.to_string());
    let frames = format!("{:?}", segment.frames);
    vec![segment.id.0.to_string(), segment.name.clone(), frames, actor, segment.maker.to_string()]
}
