//! Searches a corpus for moments, or segments, that are similar to a moment.

use std::collections::BTreeMap;
use std::ops::Range;

use marey_ops::{OpsError, OutOfRange};
use serde::{Deserialize, Serialize};

use crate::{
    AnnotationContent, Corpus, FoundMoment, Gait, Moment, Moments, Result, Segment, SegmentSummary, TakeId,
    TakeInfo,
};

/// What to search for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct QueryRequest {
    /// The take of the moment, by its name or # and its number.
    pub take: String,
    /// The frame of the moment.
    pub frame: usize,
    /// Index of the actor; default 0.
    pub actor: usize,
    /// Maximum number of matches; default 10.
    pub count: usize,
    /// Minimum time between matches in one take, and from the moment itself, in seconds; default 0.5; 0 to 1e6.
    pub apart_secs: f32,
    /// Whether to find segments by their first frame. Speed and turn are then those of the whole segment.
    pub segments: bool,
    /// What can be a match.
    pub filter: QueryFilter,
}

impl Default for QueryRequest {
    fn default() -> Self {
        Self {
            take: String::new(),
            frame: 0,
            actor: 0,
            count: 10,
            apart_secs: 0.5,
            segments: false,
            filter: QueryFilter::default(),
        }
    }
}

/// What can be a match of a query; by default, everything.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct QueryFilter {
    /// Only frames with a tag of this name.
    pub tag: Option<String>,
    /// Minimum speed over the floor, in metres per second.
    pub min_speed_mps: Option<f32>,
    /// Maximum speed over the floor.
    pub max_speed_mps: Option<f32>,
    /// Minimum turn within the next second, in degrees; positive to the left.
    pub min_turn_deg: Option<f32>,
    /// Maximum turn within the next second.
    pub max_turn_deg: Option<f32>,
    /// Minimum duration of a segment, in seconds.
    pub min_secs: Option<f32>,
    /// Maximum duration of a segment.
    pub max_secs: Option<f32>,
}

/// A match of a query.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QueryMatch {
    /// The take.
    pub take: TakeId,
    /// Its name.
    pub name: String,
    /// Index of the actor.
    pub actor: usize,
    /// The frame.
    pub frame: usize,
    /// The time of the frame, in seconds.
    pub secs: f64,
    /// Distance of its features, in standard deviations of the corpus.
    pub distance: f32,
    /// Speed over the floor, in metres per second.
    pub speed_mps: f32,
    /// Turn within the next second, in degrees; positive to the left.
    pub turn_deg: f32,
    /// The segment that starts here, if segments are searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub segment: Option<i64>,
    /// One past the last frame of that segment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<usize>,
}

impl Corpus {
    /// The moments of the whole corpus that are most similar to a moment, nearest first. The first search after takes
    /// were added or removed builds the index, and stores it in the corpus if that can be written.
    pub fn query(&mut self, request: &QueryRequest) -> Result<Vec<QueryMatch>> {
        request.validate()?;
        request.run(self)
    }
}

impl QueryRequest {
    /// Checks the range of each setting.
    pub fn validate(&self) -> Result<()> {
        let in_range = OutOfRange::check("apart_secs", self.apart_secs, 0.0..=1e6);
        Ok(in_range.map_err(OpsError::from)?)
    }

    fn run(&self, corpus: &mut Corpus) -> Result<Vec<QueryMatch>> {
        let take = corpus.find(&self.take)?;
        let moments = corpus.moments()?;
        let here = Moment { take, actor: self.actor, frame: self.frame };
        let features = moments.features(here)?;
        let takes: BTreeMap<TakeId, TakeInfo> =
            corpus.takes()?.into_iter().map(|info| (info.id, info)).collect();
        let starts = if self.segments { self.starts(corpus, &takes)? } else { BTreeMap::new() };
        let passing = self.passing(corpus, &moments, &takes, &starts)?;
        let apart = |take: TakeId| {
            let rate_hz = takes.get(&take).map_or(0.0, |info| info.rate_hz);
            (f64::from(self.apart_secs) * rate_hz).ceil().max(1.0) as usize
        };
        let found = moments.nearest(features, self.count, passing.as_deref(), apart, &[here])?;
        let to_match = |found: &FoundMoment| {
            let info = takes.get(&found.moment.take)?;
            let gait = moments.gait(found.moment).ok()?;
            Some(QueryMatch::new(found, info, gait, starts.get(&found.moment)))
        };
        Ok(found.iter().filter_map(to_match).collect())
    }

    /// The first moments of the segments that pass the filter.
    fn starts(
        &self,
        corpus: &mut Corpus,
        takes: &BTreeMap<TakeId, TakeInfo>,
    ) -> Result<BTreeMap<Moment, Segment>> {
        let mut starts = BTreeMap::new();
        for take in takes.keys() {
            let summaries: BTreeMap<_, SegmentSummary> =
                corpus.summaries_of(*take)?.into_iter().map(|summary| (summary.segment, summary)).collect();
            for segment in corpus.segments_of(*take)? {
                let passes =
                    summaries.get(&segment.id).is_some_and(|summary| self.filter.passes_segment(summary));
                if passes {
                    let (actor, frame) = (segment.actor.unwrap_or(0), segment.frames.start);
                    starts.insert(Moment { take: *take, actor, frame }, segment);
                }
            }
        }
        Ok(starts)
    }

    /// The rows that pass the filter; `None` if all do.
    fn passing(
        &self,
        corpus: &Corpus,
        moments: &Moments,
        takes: &BTreeMap<TakeId, TakeInfo>,
        starts: &BTreeMap<Moment, Segment>,
    ) -> Result<Option<Vec<Range<usize>>>> {
        let mut tagged: BTreeMap<TakeId, Vec<Range<usize>>> = BTreeMap::new();
        if let Some(name) = &self.filter.tag {
            for take in takes.keys() {
                let ranges = corpus.annotations(*take)?.into_iter().filter_map(|one| match one.what {
                    AnnotationContent::Tag(tag) if tag.name == *name => Some(tag.start..tag.end),
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
        let everything = self.filter.tag.is_none() && !self.segments && self.filter.passes_everything();
        if everything {
            return Ok(None);
        }
        Ok(Some(moments.rows_where(|moment, gait| {
            let wanted =
                if self.segments { starts.contains_key(&moment) } else { self.filter.passes_moment(gait) };
            wanted && is_tagged(moment)
        })?))
    }
}

impl QueryFilter {
    fn passes_everything(&self) -> bool {
        [self.min_speed_mps, self.max_speed_mps, self.min_turn_deg, self.max_turn_deg]
            .iter()
            .all(Option::is_none)
    }

    fn passes_moment(&self, gait: Gait) -> bool {
        let turn_deg = gait.turn_rad.to_degrees();
        within(gait.speed_mps, self.min_speed_mps, self.max_speed_mps)
            && within(turn_deg, self.min_turn_deg, self.max_turn_deg)
    }

    fn passes_segment(&self, summary: &SegmentSummary) -> bool {
        within(summary.speed_mps, self.min_speed_mps, self.max_speed_mps)
            && within(summary.turn_rad.to_degrees(), self.min_turn_deg, self.max_turn_deg)
            && within(summary.duration_secs as f32, self.min_secs, self.max_secs)
    }
}

fn within(value: f32, min: Option<f32>, max: Option<f32>) -> bool {
    min.is_none_or(|min| value >= min) && max.is_none_or(|max| value <= max)
}

impl QueryMatch {
    fn new(found: &FoundMoment, info: &TakeInfo, gait: Gait, segment: Option<&Segment>) -> Self {
        let Moment { take, actor, frame } = found.moment;
        Self {
            take,
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
