//! Segments: ranges of takes that can be reused as a unit.

use std::collections::BTreeSet;
use std::ops::Range;

use marey_motion::Tag;
use rusqlite::{Row, Transaction, params};
use serde::{Deserialize, Serialize};

use crate::annotations::{check_actor, frames_of, number, parsed};
use crate::corpus::Change;
use crate::takes::check_word;
use crate::{Corpus, CorpusError, Maker, Result, SegmentId, TakeId};

/// A segment of a take.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Segment {
    /// Its id.
    pub id: SegmentId,
    /// Its take.
    pub take: TakeId,
    /// Index of its actor; `None` for all actors together.
    pub actor: Option<usize>,
    /// Its name; need not be unique.
    pub name: String,
    /// Its frames in the take; never empty.
    #[serde(flatten)]
    pub frames: Range<usize>,
    /// Its maker.
    #[serde(rename = "made_by")]
    pub maker: Maker,
}

/// A segment to create.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Span {
    /// First frame.
    pub start: usize,
    /// One past the last frame.
    pub end: usize,
    /// Index of its actor; `None` for all actors together.
    pub actor: Option<usize>,
    /// Its name.
    pub name: String,
}

impl Corpus {
    /// Replaces the segments of a maker in a take. Segments that exist already keep their ids and labels. Returns the
    /// numbers of new and of removed segments.
    pub fn cut(&mut self, take: TakeId, spans: &[Span], maker: &Maker) -> Result<(usize, usize)> {
        self.change(|transaction| replace(transaction, take, spans, maker))
    }

    /// All segments of the corpus, by take and time.
    pub fn segments(&self) -> Result<Vec<Segment>> {
        self.query_segments("", [])
    }

    /// The segments of a take, by time.
    pub fn segments_of(&self, take: TakeId) -> Result<Vec<Segment>> {
        self.query_segments("WHERE take = ?", [take.0])
    }

    /// The segments of a maker, by take and time; `None`: all.
    pub fn segments_by(&self, maker: Option<&Maker>) -> Result<Vec<Segment>> {
        let mut segments = self.segments()?;
        segments.retain(|segment| maker.is_none_or(|maker| segment.maker == *maker));
        Ok(segments)
    }

    fn query_segments<P: rusqlite::Params>(&self, filter: &str, params: P) -> Result<Vec<Segment>> {
        let sql = format!(
            "SELECT {COLUMNS} FROM segments {filter} ORDER BY take, start, \"end\", coalesce(actor, -1), id"
        );
        self.run(|connection| connection.prepare_cached(&sql)?.query_map(params, segment)?.collect())
    }
}

/// Replaces the segments of a maker; returns the numbers of new and of removed ones.
pub(crate) fn replace(
    transaction: &Transaction<'_>,
    take: TakeId,
    spans: &[Span],
    maker: &Maker,
) -> std::result::Result<(usize, usize), Change> {
    let frames = frames_of(transaction, take)?;
    for span in spans {
        Tag::new(&span.name, span.start..span.end, frames).map_err(CorpusError::from)?;
        check_word("a segment", &span.name)?;
        if let Some(actor) = span.actor {
            check_actor(transaction, take, actor)?;
        }
    }
    let by = maker.to_string();
    let sql = format!("SELECT {COLUMNS} FROM segments WHERE take = ? AND made_by = ?");
    let before: Vec<Segment> = transaction
        .prepare_cached(&sql)?
        .query_map(params![take.0, by], segment)?
        .collect::<rusqlite::Result<_>>()?;
    let mut wanted: BTreeSet<&Span> = spans.iter().collect();
    let mut removed = 0;
    for old in before {
        let Range { start, end } = old.frames;
        let same = Span { start, end, actor: old.actor, name: old.name };
        if !wanted.remove(&same) {
            removed += transaction.execute("DELETE FROM segments WHERE id = ?", [old.id.0])?;
        }
    }
    let sql = "INSERT INTO segments (take, actor, name, start, \"end\", made_by) VALUES (?, ?, ?, ?, ?, ?)";
    let mut statement = transaction.prepare_cached(sql)?;
    for span in &wanted {
        let (start, end, actor) = (span.start as i64, span.end as i64, span.actor.map(|a| a as i64));
        statement.execute(params![take.0, actor, span.name, start, end, by])?;
    }
    Ok((wanted.len(), removed))
}

const COLUMNS: &str = "id, take, actor, name, start, \"end\", made_by";

fn segment(row: &Row<'_>) -> rusqlite::Result<Segment> {
    let actor: Option<i64> = row.get(2)?;
    Ok(Segment {
        id: SegmentId(row.get(0)?),
        take: TakeId(row.get(1)?),
        actor: actor.map(|_| number(row, 2)).transpose()?,
        name: row.get(3)?,
        frames: number(row, 4)?..number(row, 5)?,
        maker: parsed(row, 6)?,
    })
}
