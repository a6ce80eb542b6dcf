//! `marey corpus segment`.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use marey::corpus::{CutMethod, TakeInfo};
use marey::cuts::{By, Cuts, chosen, segment};
use marey::follow::{ControlKind, GrowSettings};
use marey::inputs;
use marey::motion::Observer;

use super::{CorpusFlag, count};
use crate::batch;
use crate::console::{Console, observing};
use crate::flags::{JsonFlag, finite};
use crate::json::{self, Row};
use crate::verdict::Verdict;
use marey::Error;

/// Cut takes into segments that can be used again
///
/// What a method cut before is replaced, and nothing else: segments of other methods and of persons stay. Segments that come
/// out the same keep their numbers and labels.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey corpus segment walks.marey --by steps     one segment for each step
  marey corpus segment walks.marey --by examples  the rest, as those are that are cut")]
pub(super) struct SegmentArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// Names of takes, or # and a number; all where none is named
    #[arg(value_name = "TAKE")]
    takes: Vec<String>,

    /// How to cut
    #[arg(long, value_name = "METHOD")]
    by: Method,

    /// With --by beats: how many beats a segment has
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN)]
    every: NonZeroUsize,

    /// With --by tags: only tags of this name
    #[arg(long, value_name = "NAME")]
    tag: Option<String>,

    /// With --by csv: a table with columns take, start, end, and perhaps actor and name
    #[arg(long, value_name = "FILE.csv", required_if_eq("by", "csv"))]
    csv: Option<PathBuf>,

    /// With --by examples: what is compared; path, the way of hips over the floor; actor:NAME, who leads; points, the whole figure
    #[arg(long, value_name = "WHAT", default_value = "points")]
    control: ControlKind,

    /// With --by examples: how far a piece may be from its example, in metres, root mean square
    #[arg(long, value_name = "M", default_value_t = GrowSettings::default().max_rms_m)]
    within: f64,

    /// Leave out segments within this distance of one that the same method put in before, in metres: hands and feet after the
    /// best shift and turn over the floor and a uniform stretch in time, root mean square
    #[arg(long, value_name = "M", value_parser = finite)]
    drop_redundant: Option<f32>,

    #[command(flatten)]
    json: JsonFlag,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Method {
    /// Where feet come down: one segment a step
    Steps,
    /// Where toes have settled on the floor
    Instants,
    /// On the beat, where the motion has one
    Beats,
    /// What is tagged
    Tags,
    /// What a table says
    Csv,
    /// As other takes are cut: a few that were cut by hand show how; takes that somebody has cut stay as they are
    Examples,
}

pub(super) fn run(args: &SegmentArgs, console: &Console) -> Result<Verdict, Error> {
    let mut corpus = args.corpus.open()?;
    let takes = chosen(&corpus, &args.takes).map_err(|failure| args.corpus.about(failure))?;
    let bar = console.progress(takes.len());
    let results =
        segment(&mut corpus, &args.takes, &args.by()?, args.drop_redundant, Observer::new(&observing(&bar)));
    bar.finish_and_clear();
    let about = |failure: Error| match &args.csv {
        Some(table) => failure.in_file(table),
        None => args.corpus.about(failure),
    };
    let results = results.map_err(about)?;
    let (takes, results): (Vec<TakeInfo>, Vec<Result<Cuts, Error>>) = results.into_iter().unzip();
    if args.json.json {
        let row = |(take, result): (&TakeInfo, &Result<Cuts, Error>)| {
            Row::new(
                Path::new(&take.name),
                result.as_ref().err(),
                result.as_ref().copied().unwrap_or_default(),
            )
        };
        console.print(&json::array(takes.iter().zip(&results).map(row)))?;
    } else {
        let failures = results.iter().filter_map(|result| result.as_ref().err());
        batch::tell_failures(console, failures.collect(), results.len());
        let sum = |part: fn(&Cuts) -> usize| results.iter().flatten().map(part).sum::<usize>();
        let mut text = format!(
            "{} in {}: {} new, {} gone",
            count(sum(|cuts| cuts.segments), "segment"),
            count(results.iter().flatten().count(), "take"),
            sum(|cuts| cuts.new),
            sum(|cuts| cuts.removed)
        );
        if args.drop_redundant.is_some() {
            text += &format!(", {} left out as redundant", sum(|cuts| cuts.redundant));
        }
        console.note(&(text + "\n"));
    }
    Ok(Verdict::of(&results))
}

impl SegmentArgs {
    fn by(&self) -> Result<By, Error> {
        Ok(match self.by {
            Method::Steps => By::Method(CutMethod::Steps),
            Method::Instants => By::Method(CutMethod::Instants),
            Method::Beats => By::Method(CutMethod::Beats { every: self.every.get() }),
            Method::Tags => By::Tags(self.tag.clone()),
            Method::Csv => By::Table(inputs::text(self.csv.as_deref().unwrap_or(Path::new("")))?),
            Method::Examples => By::Examples { control: self.control.clone(), max_rms_m: self.within },
        })
    }
}
