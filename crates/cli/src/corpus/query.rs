//! `marey corpus query`.

use std::str::FromStr;

use clap::Args;
use marey::Error;
use marey::corpus::{QueryFilter, QueryMatch, QueryRequest};

use super::{CorpusFlag, print};
use crate::console::Console;
use crate::flags::{JsonFlag, finite};
use crate::table;
use crate::verdict::Verdict;

/// Find moments similar to a moment, by feet, hips and the path ahead
///
/// The search is exact. The first query after takes were added or removed builds an index and stores it in the corpus, if
/// that is writable. With --segments, segments are found by their first frame.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey corpus query walks.marey --like walk1:120 -k 5           five moments similar to frame 120 of walk1
  marey corpus query walks.marey --like walk1:120 --min-speed 1  only at 1 m/s or more")]
pub(super) struct QueryArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// The moment: a take's name or # and number, a colon, and a frame
    #[arg(long, value_name = "TAKE:FRAME")]
    like: Like,

    /// Index of the actor, from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    actor: usize,

    /// Maximum number of matches
    #[arg(short = 'k', long, value_name = "N", default_value_t = QueryRequest::default().count)]
    count: usize,

    /// Minimum time between matches in one take, and from the moment itself, in seconds
    #[arg(long, value_name = "SECS", default_value_t = QueryRequest::default().apart_secs, value_parser = finite)]
    apart: f32,

    /// Find segments by their first frame; speed and turn are then those of the whole segment
    #[arg(long)]
    segments: bool,

    #[command(flatten)]
    filter: FilterFlags,

    #[command(flatten)]
    json: JsonFlag,
}

/// What can be a match.
#[derive(Debug, Args)]
#[command(next_help_heading = "Filters")]
struct FilterFlags {
    /// Only frames with a tag of this name
    #[arg(long, value_name = "NAME")]
    tag: Option<String>,

    /// Minimum speed over the floor, in metres per second
    #[arg(long, value_name = "M/S", value_parser = finite)]
    min_speed: Option<f32>,

    /// Maximum speed over the floor
    #[arg(long, value_name = "M/S", value_parser = finite)]
    max_speed: Option<f32>,

    /// Minimum turn within the next second, in degrees; positive to the left
    #[arg(long, value_name = "DEG", allow_negative_numbers = true, value_parser = finite)]
    min_turn: Option<f32>,

    /// Maximum turn within the next second
    #[arg(long, value_name = "DEG", allow_negative_numbers = true, value_parser = finite)]
    max_turn: Option<f32>,

    /// Minimum duration of a segment, in seconds
    #[arg(long, value_name = "SECS", requires = "segments", value_parser = finite)]
    min_secs: Option<f32>,

    /// Maximum duration of a segment
    #[arg(long, value_name = "SECS", requires = "segments", value_parser = finite)]
    max_secs: Option<f32>,
}

/// `walk1:120`.
#[derive(Debug, Clone)]
struct Like {
    take: String,
    frame: usize,
}

impl FromStr for Like {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || "expected TAKE:FRAME, as in walk1:120".to_owned();
        let (take, frame) = text.rsplit_once(':').ok_or_else(wrong)?;
        Ok(Self { take: take.to_owned(), frame: frame.parse().map_err(|_| wrong())? })
    }
}

pub(super) fn run(args: &QueryArgs, console: &Console) -> Result<Verdict, Error> {
    // Storing the index needs write access; without it, the index is built for this query only.
    let mut corpus = args.corpus.open().or_else(|_| args.corpus.look())?;
    let found = corpus.query(&args.request()).map_err(|error| args.corpus.about(error))?;
    print(console, &args.json, &found, || {
        let heading = ["take", "name", "actor", "frame", "secs", "segment", "distance", "m/s", "turn"];
        console.print(&table::columns(console.out, heading, found.iter().map(cells).collect()))
    })
}

fn cells(found: &QueryMatch) -> Vec<String> {
    vec![
        found.take.to_string(),
        found.name.clone(),
        found.actor.to_string(),
        found.frame.to_string(),
        format!("{:.2}", found.secs),
        found.segment.map_or_else(|| "-".to_owned(), |segment| segment.to_string()),
        format!("{:.3}", found.distance),
        format!("{:.2}", found.speed_mps),
        format!("{:.0}", found.turn_deg),
    ]
}

impl QueryArgs {
    fn request(&self) -> QueryRequest {
        QueryRequest {
            take: self.like.take.clone(),
            frame: self.like.frame,
            actor: self.actor,
            count: self.count,
            apart_secs: self.apart,
            segments: self.segments,
            filter: QueryFilter {
                tag: self.filter.tag.clone(),
                min_speed_mps: self.filter.min_speed,
                max_speed_mps: self.filter.max_speed,
                min_turn_deg: self.filter.min_turn,
                max_turn_deg: self.filter.max_turn,
                min_secs: self.filter.min_secs,
                max_secs: self.filter.max_secs,
            },
        }
    }
}
