//! Moments and segments like a moment: what `marey corpus query` does.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::corpus::{
    Corpus, FoundMoment, Gait, Moment, Moments, Said, Segment, SegmentSummary, TakeId, TakeInfo,
};
use crate::ops::OutOfRange;

/// What is looked for.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Query {
    /// The take of the moment, by name or # and number.
    pub take: String,
    /// Its frame.
    pub frame: usize,
    /// Whose moment, from 0; default 0.
    pub actor: usize,
    /// How many to find; default 10.
    pub count: usize,
    /// How far apart in time moments of one take must be, and from the moment itself, in seconds; default 0.5.
    pub apart_secs: f32,
    /// Find segments by how they begin; speed and turn are then of the whole segment.
    pub segments: bool,
    /// What may be found.
    pub filter: Filter,
}

impl Default for Query {
    fn default() -> Self {
        Self {
            take: String::new(),
            frame: 0,
            actor: 0,
            count: 10,
            apart_secs: 0.5,
            segments: false,
            filter: Filter::default(),
        }
    }
}

/// What may be found; everything by default.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Filter {
    /// Only where there is a tag of this name.
    pub tag: Option<String>,
    /// At least this speed over the floor, in metres a second.
    pub min_speed_mps: Option<f32>,
    /// At most this speed.
    pub max_speed_mps: Option<f32>,
    /// At least this turn to the left within the next second, in degrees; to the right is below 0.
    pub min_turn_deg: Option<f32>,
    /// At most this turn.
    pub max_turn_deg: Option<f32>,
    /// Segments of at least this length, in seconds.
    pub min_secs: Option<f32>,
    /// Segments of at most this length.
    pub max_secs: Option<f32>,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// The number of the take.
    pub take: i64,
    /// Its name.
    pub name: String,
    /// Whose moment.
    pub actor: usize,
    /// The frame.
    pub frame: usize,
    /// The same in seconds.
    pub secs: f64,
    /// How far its features are, in deviations of the corpus.
    pub distance: f32,
    /// How fast the figure goes over the floor.
    pub speed_mps: f32,
    /// How it turns within the next second, to the left.
    pub turn_deg: f32,
    /// The segment that begins here, where segments are looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub segment: Option<i64>,
    /// One past the last frame of that segment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<usize>,
}

impl Query {
    /// The nearest of the whole corpus. The index is made by the first search after takes have come or gone, and kept in the corpus
    /// where that may be written.
    pub fn answer(&self, corpus: &mut Corpus) -> Result<Vec<Answer>, Error> {
        let in_range = OutOfRange::check("apart_secs", self.apart_secs, 0.0..=1e6);
        in_range.map_err(|refused| Error::from(crate::ops::OpsError::from(refused)))?;
        let take = corpus.find(&self.take)?;
        let moments = corpus.moments()?;
        let here = Moment { take, actor: self.actor, frame: self.frame };
        let features = moments.features(here)?;
        let takes: BTreeMap<TakeId, TakeInfo> =
            corpus.takes()?.into_iter().map(|info| (info.id, info)).collect();
        let begins = if self.segments { self.beginnings(corpus, &takes)? } else { BTreeMap::new() };
        let passing = self.passing(corpus, &moments, &takes, &begins)?;
        let apart = |take: TakeId| {
            let rate_hz = takes.get(&take).map_or(0.0, |info| info.rate_hz);
            (f64::from(self.apart_secs) * rate_hz).ceil().max(1.0) as usize
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
    ) -> Result<BTreeMap<Moment, Segment>, Error> {
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
    ) -> Result<Option<Vec<Range<usize>>>, Error> {
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

impl Filter {
    fn takes_everything(&self) -> bool {
        [self.min_speed_mps, self.max_speed_mps, self.min_turn_deg, self.max_turn_deg]
            .iter()
            .all(Option::is_none)
    }

    fn takes_moment(&self, gait: Gait) -> bool {
        let turn_deg = gait.turn_rad.to_degrees();
        within(gait.speed_mps, self.min_speed_mps, self.max_speed_mps)
            && within(turn_deg, self.min_turn_deg, self.max_turn_deg)
    }

    fn takes_segment(&self, summary: &SegmentSummary) -> bool {
        within(summary.speed_mps, self.min_speed_mps, self.max_speed_mps)
            && within(summary.turn_rad.to_degrees(), self.min_turn_deg, self.max_turn_deg)
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
