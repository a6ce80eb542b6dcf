//! `marey corpus query`.

use std::str::FromStr;

use clap::Args;
use marey::search::{Answer, Filter, Query};

use super::CorpusFlag;
use crate::console::Console;
use crate::flags::{JsonFlag, finite};
use crate::verdict::Verdict;
use crate::{json, table};
use marey::Error;

/// Find moments like a moment: the nearest of the whole corpus by feet, hips and the path ahead
///
/// The search is exact. Its index is made by the first query after takes have come or gone, and kept in the corpus where
/// that may be written. With --segments, segments are found by how they begin.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey corpus query walks.marey --like walk1:120 -k 5           five moments like frame 120 of walk1
  marey corpus query walks.marey --like walk1:120 --min-speed 1  only where somebody is on the move")]
pub(super) struct QueryArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// The moment: a take's name or # and number, a colon, and a frame
    #[arg(long, value_name = "TAKE:FRAME")]
    like: Like,

    /// Whose moment, from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    actor: usize,

    /// How many to find
    #[arg(short = 'k', long, value_name = "N", default_value_t = 10)]
    count: usize,

    /// How far apart in time moments of one take must be, and from the moment itself, in seconds
    #[arg(long, value_name = "SECS", default_value_t = 0.5, value_parser = finite)]
    apart: f32,

    /// Find segments by how they begin; speed and turn are then of the whole segment
    #[arg(long)]
    segments: bool,

    #[command(flatten)]
    filter: FilterFlags,

    #[command(flatten)]
    json: JsonFlag,
}

/// What may be found.
#[derive(Debug, Args)]
#[command(next_help_heading = "What may be found")]
struct FilterFlags {
    /// Only where there is a tag of this name
    #[arg(long, value_name = "NAME")]
    tag: Option<String>,

    /// At least this speed over the floor, in metres a second
    #[arg(long, value_name = "M/S", value_parser = finite)]
    min_speed: Option<f32>,

    /// At most this speed
    #[arg(long, value_name = "M/S", value_parser = finite)]
    max_speed: Option<f32>,

    /// At least this turn to the left within the next second, in degrees; to the right is below 0
    #[arg(long, value_name = "DEG", allow_negative_numbers = true, value_parser = finite)]
    min_turn: Option<f32>,

    /// At most this turn
    #[arg(long, value_name = "DEG", allow_negative_numbers = true, value_parser = finite)]
    max_turn: Option<f32>,

    /// Segments of at least this length, in seconds
    #[arg(long, value_name = "SECS", requires = "segments", value_parser = finite)]
    min_secs: Option<f32>,

    /// Segments of at most this length
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
        let wrong = || "not TAKE:FRAME, as in walk1:120".to_owned();
        let (take, frame) = text.rsplit_once(':').ok_or_else(wrong)?;
        Ok(Self { take: take.to_owned(), frame: frame.parse().map_err(|_| wrong())? })
    }
}

pub(super) fn run(args: &QueryArgs, console: &Console) -> Result<Verdict, Error> {
    // To keep the index it has to be written; where that may not be, it is made for this once.
    let mut corpus = args.corpus.open().or_else(|_| args.corpus.look())?;
    let answers = args.query().answer(&mut corpus).map_err(|failure| args.corpus.about(failure))?;
    if args.json.json {
        console.print(&json::array(answers.iter()))?;
        return Ok(Verdict::AllDone);
    }
    let row = |answer: &Answer| {
        let segment = answer.segment.map_or_else(|| "-".to_owned(), |segment| segment.to_string());
        vec![
            format!("#{}", answer.take),
            answer.name.clone(),
            answer.actor.to_string(),
            answer.frame.to_string(),
            format!("{:.2}", answer.secs),
            segment,
            format!("{:.3}", answer.distance),
            format!("{:.2}", answer.speed_mps),
            format!("{:.0}", answer.turn_deg),
        ]
    };
    let heading = ["take", "name", "actor", "frame", "secs", "segment", "distance", "m/s", "turn"];
    console.print(&table::columns(console.out, heading, answers.iter().map(row).collect()))?;
    Ok(Verdict::AllDone)
}

impl QueryArgs {
    fn query(&self) -> Query {
        let filter = Filter {
            tag: self.filter.tag.clone(),
            min_speed_mps: self.filter.min_speed,
            max_speed_mps: self.filter.max_speed,
            min_turn_deg: self.filter.min_turn,
            max_turn_deg: self.filter.max_turn,
            min_secs: self.filter.min_secs,
            max_secs: self.filter.max_secs,
        };
        Query {
            take: self.like.take.clone(),
            frame: self.like.frame,
            actor: self.actor,
            count: self.count,
            apart_secs: self.apart,
            segments: self.segments,
            filter,
        }
    }
}
