//! `marey corpus segment`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use marey::corpus::SegmentCounts;
use marey::follow::ControlKind;
use marey::ops::cut::SegmentLengths;
use marey::segment::{self, SegmentMethod, SegmentRequest};
use marey::{Context, Error};

use super::batch_output::print_batch;
use super::{CorpusFlag, count};
use crate::console::Console;
use crate::flags::{JsonFlag, finite};
use crate::verdict::Verdict;

/// Divide takes into segments that can be reused
///
/// The segments that the method made before are replaced; segments by other methods and by persons stay. Segments that do not
/// change keep their numbers and labels.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey corpus segment walks.marey --by steps     one segment for each step
  marey corpus segment walks.marey --by examples  the other takes, like those with segments")]
pub(super) struct SegmentArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// Names of takes, or # and a number; default: all takes
    #[arg(value_name = "TAKE")]
    takes: Vec<String>,

    /// How to segment
    #[arg(long, value_name = "METHOD", value_parser = methods())]
    by: SegmentMethod,

    /// With --by beats: number of beats per segment [default: 1]; with --by windows: seconds from the start of a segment to the
    /// start of the next [default: 0.5]
    #[arg(long, value_name = "N")]
    every: Option<f64>,

    /// With --by windows: duration of a segment, in seconds
    #[arg(long, value_name = "SECS", default_value_t = SegmentRequest::default().secs)]
    secs: f64,

    /// The shortest segment, in seconds: cuts that are closer are one
    #[arg(long, value_name = "SECS", default_value_t = SegmentLengths::default().least_secs)]
    least: f64,

    /// With --by steps: the longest segment, in seconds; longer intervals are divided evenly
    #[arg(long, value_name = "SECS", default_value_t = SegmentLengths::default().most_secs)]
    most: f64,

    /// With --by tags: only tags of this name
    #[arg(long, value_name = "NAME")]
    tag: Option<String>,

    /// With --by csv: a table with the columns take, start, end, and optionally actor and name
    #[arg(long, value_name = "FILE.csv", required_if_eq("by", "csv"))]
    csv: Option<PathBuf>,

    /// With --by examples: what is compared; path: the path of the hips over the floor; actor:NAME: that actor; points: the whole figure
    #[arg(long, value_name = "WHAT", default_value = "points")]
    control: ControlKind,

    /// With --by examples: maximum distance of a segment from its example, in metres, root mean square
    #[arg(long, value_name = "M", default_value_t = SegmentRequest::default().within_m)]
    within: f64,

    /// Leave out segments within this distance of one that the same method made before, in metres: root mean square
    /// distance of hands and feet after the best shift and turn over the floor and a uniform stretch in time
    #[arg(long, value_name = "M", value_parser = finite)]
    drop_redundant: Option<f32>,

    #[command(flatten)]
    json: JsonFlag,
}

fn methods() -> impl TypedValueParser<Value = SegmentMethod> {
    let values = [
        ("steps", "At foot plants: one segment per step"),
        ("instants", "When toes have settled on the floor"),
        ("beats", "On the beat, if the motion has one"),
        ("windows", "At even intervals, overlapping: for motion without steps or a steady beat"),
        ("tags", "One segment per tag"),
        ("csv", "The rows of a table"),
        ("examples", "Like the takes that have segments, which stay as they are"),
    ];
    let values = values.map(|(name, help)| PossibleValue::new(name).help(help));
    PossibleValuesParser::new(values).try_map(|name| name.parse::<SegmentMethod>())
}

pub(super) fn run(args: &SegmentArgs, console: &Console) -> Result<Verdict, Error> {
    let default = SegmentRequest::default();
    let beats = match args.every {
        Some(every) if args.by == SegmentMethod::Beats => {
            let is_count = every.fract() == 0.0 && (1.0..=1e6).contains(&every);
            is_count
                .then_some(every as usize)
                .ok_or_else(|| Error::settings("every: a whole number of beats"))?
        }
        _ => default.every,
    };
    let request = SegmentRequest {
        takes: args.takes.clone(),
        by: args.by,
        every: beats,
        secs: args.secs,
        every_secs: args.every.unwrap_or(default.every_secs),
        lengths: SegmentLengths { least_secs: args.least, most_secs: args.most },
        tag: args.tag.clone(),
        csv: args.csv.clone(),
        control: args.control.clone(),
        within_m: args.within,
        drop_redundant_m: args.drop_redundant,
    };
    let context = Context::with_corpus(args.corpus.open()?);
    let items = console
        .observed(|observer| segment::run(&request, &console.context(context, observer)))
        .map_err(|error| args.corpus.about(error))?;
    print_batch(
        console,
        &args.json,
        items,
        |_| None,
        |takes: &[SegmentCounts]| {
            let sum = |part: fn(&SegmentCounts) -> usize| takes.iter().map(part).sum::<usize>();
            let segments = count(sum(|take| take.segments), "segment");
            let takes_done = count(takes.len(), "take");
            let (new, removed) = (sum(|take| take.new), sum(|take| take.removed));
            let redundant = match args.drop_redundant {
                Some(_) => format!(", {} left out as redundant", sum(|take| take.redundant)),
                None => String::new(),
            };
            let unusable = match sum(|take| take.unusable) {
                0 => String::new(),
                unusable => format!(", {unusable} left out because of unusable frames"),
            };
            format!("{segments} in {takes_done}: {new} new, {removed} removed{redundant}{unusable}")
        },
    )
}
