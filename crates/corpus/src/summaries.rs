//! Summaries of segments: length, speed, duration, feet on the ground at both ends, the longest jump.

use std::collections::BTreeMap;
use std::ops::Range;

use marey_motion::{Clip, Contacts, Take};
use marey_ops::contacts;
use marey_ops::summary::{self, Summary, Support};
use rusqlite::{Row, params};
use serde::{Deserialize, Serialize};

use crate::{Corpus, DetectedCuts, Result, Segment, SegmentId, Span, TakeId};

/// A segment in numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SegmentSummary {
    /// The segment; 0 if it is not in a corpus yet.
    #[serde(skip, default = "in_no_corpus")]
    pub segment: SegmentId,
    /// Duration, in seconds.
    pub duration_secs: f64,
    /// Distance between its two ends, in metres.
    pub displacement_m: f32,
    /// Total turn, in radians; positive to the left.
    pub turn_rad: f32,
    /// Mean speed along its path, in metres per second.
    pub speed_mps: f32,
    /// Feet on the ground at the start: a subset of `L` and `R`.
    pub start_feet: String,
    /// Feet on the ground at the end.
    pub end_feet: String,
    /// Number of foot plants.
    pub steps: usize,
    /// Length of the longest jump, in metres; 0 if there is none.
    pub jump_length_m: f32,
    /// Height of the longest jump, in metres.
    pub jump_height_m: f32,
}

fn in_no_corpus() -> SegmentId {
    SegmentId(0)
}

impl SegmentSummary {
    fn new(segment: SegmentId, summary: &Summary) -> Self {
        let feet = |support: Support| {
            [(support.left, 'L'), (support.right, 'R')]
                .iter()
                .filter(|foot| foot.0)
                .map(|foot| foot.1)
                .collect()
        };
        let jump = summary.jump.as_ref();
        Self {
            segment,
            duration_secs: summary.duration_secs,
            displacement_m: summary.displacement_m,
            turn_rad: summary.turn_rad,
            speed_mps: summary.speed_mps,
            start_feet: feet(summary.start),
            end_feet: feet(summary.end),
            steps: summary.steps.iter().sum(),
            jump_length_m: jump.map_or(0.0, |jump| jump.length_m),
            jump_height_m: jump.map_or(0.0, |jump| jump.height_m),
        }
    }
}

impl Corpus {
    /// Computes the missing summaries of a take's segments and returns their number. Uses annotated foot contacts, or
    /// else detected ones. A segment without an actor uses the motion of the first actor.
    pub fn summarise(&mut self, take: TakeId) -> Result<usize> {
        let missing = self.without_summary(take)?;
        if missing.is_empty() {
            return Ok(0);
        }
        let whole = self.take(take)?;
        let mut found = Vec::new();
        for (actor, figure) in whole.actors().iter().enumerate() {
            let own: Vec<&Segment> =
                missing.iter().filter(|segment| segment.actor.unwrap_or(0) == actor).collect();
            if own.is_empty() {
                continue;
            }
            let contacts = self.contacts_or_detected(take, actor, &figure.clip)?;
            for segment in own {
                let summary = summary::summarise(&figure.clip, &contacts, segment.frames.clone())?;
                found.push(SegmentSummary::new(segment.id, &summary));
            }
        }
        self.put_summaries(&found)
    }

    /// [`Corpus::summarise`] with results that were computed before, possibly on another machine
    /// ([`DetectedCuts::summarise`]).
    pub fn store_summaries(&mut self, take: TakeId, found: &[(Span, SegmentSummary)]) -> Result<usize> {
        let by_span: BTreeMap<&Span, &SegmentSummary> = found.iter().map(|(span, one)| (span, one)).collect();
        let mut missing = self.without_summary(take)?;
        // In the order in which they are computed: one actor after the other.
        missing.sort_by_key(|segment| segment.actor.unwrap_or(0));
        let known = missing.into_iter().filter_map(|Segment { id, actor, name, frames, .. }| {
            let Range { start, end } = frames;
            let one = by_span.get(&Span { start, end, actor, name })?;
            Some(SegmentSummary { segment: id, ..(*one).clone() })
        });
        let known: Vec<SegmentSummary> = known.collect();
        if known.is_empty() { Ok(0) } else { self.put_summaries(&known) }
    }

    /// The segments of a take without a summary, by time.
    fn without_summary(&self, take: TakeId) -> Result<Vec<Segment>> {
        let known: Vec<SegmentId> =
            self.summaries_of(take)?.into_iter().map(|summary| summary.segment).collect();
        let mut missing = self.segments_of(take)?;
        missing.retain(|segment| !known.contains(&segment.id));
        Ok(missing)
    }

    fn put_summaries(&mut self, found: &[SegmentSummary]) -> Result<usize> {
        self.change(|transaction| {
            let sql = "INSERT OR REPLACE INTO summaries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
            let mut statement = transaction.prepare_cached(sql)?;
            for one in found {
                statement.execute(params![
                    one.segment.0,
                    one.duration_secs,
                    one.displacement_m,
                    one.turn_rad,
                    one.speed_mps,
                    one.start_feet,
                    one.end_feet,
                    one.steps as i64,
                    one.jump_length_m,
                    one.jump_height_m,
                ])?;
            }
            Ok::<_, rusqlite::Error>(found.len())
        })
    }

    /// The summaries of a take's segments, by segment.
    pub fn summaries_of(&self, take: TakeId) -> Result<Vec<SegmentSummary>> {
        self.run(|connection| {
            let sql =
                "SELECT summaries.* FROM summaries JOIN segments ON segments.id = segment WHERE take = ?
                       ORDER BY segment";
            connection.prepare_cached(sql)?.query_map([take.0], read)?.collect()
        })
    }

    fn contacts_or_detected(&self, take: TakeId, actor: usize, clip: &Clip) -> Result<Contacts> {
        let known = self.floor_contacts(take, actor)?;
        if !known.all().is_empty() {
            return Ok(known);
        }
        // A character without feet never stands.
        let found = contacts::detect(clip, &contacts::ContactSettings::default());
        Ok(found.map(|found| found.contacts).unwrap_or_default())
    }
}

impl DetectedCuts {
    /// The summaries that [`Corpus::summarise`] would compute once the segments are in a corpus.
    pub fn summarise(&self, take: &Take) -> Result<Vec<(Span, SegmentSummary)>> {
        let one = |span: &Span| {
            let actor = span.actor.unwrap_or(0);
            let figure = take.actors().get(actor).map_or_else(|| take.first(), |actor| &actor.clip);
            let contacts = self.actors.get(actor).map(|found| found.contacts.clone()).unwrap_or_default();
            let summary = summary::summarise(figure, &contacts, span.start..span.end)?;
            Ok((span.clone(), SegmentSummary::new(in_no_corpus(), &summary)))
        };
        self.spans.iter().map(one).collect()
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<SegmentSummary> {
    Ok(SegmentSummary {
        segment: SegmentId(row.get(0)?),
        duration_secs: row.get(1)?,
        displacement_m: row.get(2)?,
        turn_rad: row.get(3)?,
        speed_mps: row.get(4)?,
        start_feet: row.get(5)?,
        end_feet: row.get(6)?,
        steps: crate::annotations::number(row, 7)?,
        jump_length_m: row.get(8)?,
        jump_height_m: row.get(9)?,
    })
}
