//! `marey corpus query`.

use std::collections::BTreeMap;
use std::ops::Range;
use std::str::FromStr;

use clap::Args;
use marey::corpus::{
    Corpus, FoundMoment, Gait, Moment, Moments, Said, Segment, SegmentSummary, TakeId, TakeInfo,
};
use serde::Serialize;

use super::CorpusFlag;
use crate::console::Console;
use crate::failure::{Failure, Verdict};
use crate::flags::{JsonFlag, finite};
use crate::{json, table};

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

/// What was found, as JSON has it.
#[derive(Debug, Serialize)]
struct Answer {
    take: i64,
    name: String,
    actor: usize,
    frame: usize,
    secs: f64,
    distance: f32,
    speed_mps: f32,
    turn_deg: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    segment: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<usize>,
}

pub(super) fn run(args: &QueryArgs, console: &Console) -> Result<Verdict, Failure> {
    // To keep the index it has to be written; where that may not be, it is made for this once.
    let mut corpus = args.corpus.open().or_else(|_| args.corpus.look())?;
    let answers = args.answer(&mut corpus).map_err(|failure| args.corpus.about(failure))?;
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
    fn answer(&self, corpus: &mut Corpus) -> Result<Vec<Answer>, Failure> {
        let take = corpus.find(&self.like.take)?;
        let moments = corpus.moments()?;
        let here = Moment { take, actor: self.actor, frame: self.like.frame };
        let features = moments.features(here)?;
        let takes: BTreeMap<TakeId, TakeInfo> =
            corpus.takes()?.into_iter().map(|info| (info.id, info)).collect();
        let begins = if self.segments { self.beginnings(corpus, &takes)? } else { BTreeMap::new() };
        let passing = self.passing(corpus, &moments, &takes, &begins)?;
        let apart = |take: TakeId| {
            let rate_hz = takes.get(&take).map_or(0.0, |info| info.rate_hz);
            (f64::from(self.apart) * rate_hz).ceil().max(1.0) as usize
        };
        let found = moments.nearest(features, self.count, passing.as_deref(), apart, &[here])?;
        let answer = |found: &FoundMoment| {
            let info = takes.get(&found.moment.take)?;
            let gait = moments.gait(found.moment).ok()?;
            Some(Answer::new(found, info, gait, begins.get(&found.moment)))
        };
        Ok(found.iter().filter_map(answer).collect())
    }

    /// The first moments of the segments that may be found.
    fn beginnings(
        &self,
        corpus: &mut Corpus,
        takes: &BTreeMap<TakeId, TakeInfo>,
    ) -> Result<BTreeMap<Moment, Segment>, Failure> {
        let mut begins = BTreeMap::new();
        for take in takes.keys() {
            let summaries: BTreeMap<_, SegmentSummary> =
                corpus.summaries_of(*take)?.into_iter().map(|summary| (summary.segment, summary)).collect();
            for segment in corpus.segments_of(*take)? {
                let passes =
                    summaries.get(&segment.id).is_some_and(|summary| self.filter.takes_segment(summary));
                if passes {
                    let (actor, frame) = (segment.actor.unwrap_or(0), segment.frames.start);
                    begins.insert(Moment { take: *take, actor, frame }, segment);
                }
            }
        }
        Ok(begins)
    }

    /// The rows that may be found; nothing where all may.
    fn passing(
        &self,
        corpus: &Corpus,
        moments: &Moments,
        takes: &BTreeMap<TakeId, TakeInfo>,
        begins: &BTreeMap<Moment, Segment>,
    ) -> Result<Option<Vec<Range<usize>>>, Failure> {
        let mut tagged: BTreeMap<TakeId, Vec<Range<usize>>> = BTreeMap::new();
        if let Some(name) = &self.filter.tag {
            for take in takes.keys() {
                let ranges = corpus.annotations(*take)?.into_iter().filter_map(|one| match one.what {
                    Said::Tag(tag) if tag.name == *name => Some(tag.start..tag.end),
                    _ => None,
                });
                tagged.insert(*take, ranges.collect());
            }
        }
        let is_tagged = |moment: Moment| {
            self.filter.tag.is_none()
                || tagged
                    .get(&moment.take)
                    .is_some_and(|all| all.iter().any(|range| range.contains(&moment.frame)))
        };
        let everything = self.filter.tag.is_none() && !self.segments && self.filter.takes_everything();
        if everything {
            return Ok(None);
        }
        Ok(Some(moments.rows_where(|moment, gait| {
            let wanted =
                if self.segments { begins.contains_key(&moment) } else { self.filter.takes_moment(gait) };
            wanted && is_tagged(moment)
        })?))
    }
}

impl FilterFlags {
    fn takes_everything(&self) -> bool {
        [self.min_speed, self.max_speed, self.min_turn, self.max_turn].iter().all(Option::is_none)
    }

    fn takes_moment(&self, gait: Gait) -> bool {
        let turn_deg = gait.turn_rad.to_degrees();
        within(gait.speed_mps, self.min_speed, self.max_speed)
            && within(turn_deg, self.min_turn, self.max_turn)
    }

    fn takes_segment(&self, summary: &SegmentSummary) -> bool {
        within(summary.speed_mps, self.min_speed, self.max_speed)
            && within(summary.turn_rad.to_degrees(), self.min_turn, self.max_turn)
            && within(summary.duration_secs as f32, self.min_secs, self.max_secs)
    }
}

fn within(value: f32, least: Option<f32>, most: Option<f32>) -> bool {
    least.is_none_or(|least| value >= least) && most.is_none_or(|most| value <= most)
}

impl Answer {
    fn new(found: &FoundMoment, info: &TakeInfo, gait: Gait, segment: Option<&Segment>) -> Self {
        let Moment { take, actor, frame } = found.moment;
        Self {
            take: take.0,
            name: info.name.clone(),
            actor,
            frame,
            secs: frame as f64 / info.rate_hz,
            distance: found.distance,
            speed_mps: gait.speed_mps,
            turn_deg: gait.turn_rad.to_degrees(),
            segment: segment.map(|segment| segment.id.0),
            end: segment.map(|segment| segment.frames.end),
        }
    }
}
