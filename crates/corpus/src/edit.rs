//! Manual edits of a take: removing and adding tags and segments in one transaction.

use marey_motion::Tag;
use rusqlite::{OptionalExtension, Transaction, params};
use serde::{Deserialize, Deserializer};

use crate::annotations::{check_actor, frames_of, remove, write};
use crate::corpus::Change;
use crate::takes::check_word;
use crate::{
    Annotation, AnnotationContent, Corpus, CorpusError, Maker, Result, Segment, SegmentId, Span, TakeId,
    codes,
};

/// An edit of one take. Removals are done first.
///
/// An edit has an inverse, which restores what was removed with its ids.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Edit {
    /// Tags to remove, by any maker.
    pub remove_tags: Vec<Tag>,
    /// Tags to add, with their makers.
    #[serde(deserialize_with = "tags_with_makers")]
    pub put_tags: Vec<(Tag, Maker)>,
    /// Segments to remove, with their labels.
    pub remove_segments: Vec<SegmentId>,
    /// Segments to add.
    pub put_segments: Vec<SegmentEdit>,
}

/// A segment to add.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "FlatSegment")]
pub struct SegmentEdit {
    /// The id of an existing segment, which is changed and keeps its labels, or of a removed one, which is restored;
    /// `None` for a new segment.
    pub id: Option<SegmentId>,
    /// The segment.
    pub span: Span,
    /// Its maker.
    pub maker: Maker,
    /// Labels to add: key, value and maker.
    pub labels: Vec<(String, String, Maker)>,
}

/// A tag to add, as JSON.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FlatTag {
    name: String,
    start: usize,
    end: usize,
    maker: Maker,
}

fn tags_with_makers<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<Vec<(Tag, Maker)>, D::Error> {
    let tag = |FlatTag { name, start, end, maker }| (Tag { name, start, end }, maker);
    Ok(Vec::<FlatTag>::deserialize(deserializer)?.into_iter().map(tag).collect())
}

/// A segment to add, as JSON.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FlatSegment {
    id: Option<SegmentId>,
    actor: Option<usize>,
    name: String,
    start: usize,
    end: usize,
    maker: Maker,
    #[serde(default)]
    labels: Vec<(String, String, Maker)>,
}

impl From<FlatSegment> for SegmentEdit {
    fn from(FlatSegment { id, actor, name, start, end, maker, labels }: FlatSegment) -> Self {
        Self { id, span: Span { start, end, actor, name }, maker, labels }
    }
}

impl Edit {
    /// Number of changes.
    pub fn len(&self) -> usize {
        self.remove_tags.len() + self.put_tags.len() + self.remove_segments.len() + self.put_segments.len()
    }

    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Corpus {
    /// Applies an edit to a take, durably. Returns the added segments in order.
    pub fn edit(&mut self, take: TakeId, edit: &Edit) -> Result<Vec<SegmentId>> {
        self.change(|transaction| carry_out(transaction, take, edit))
    }
}

fn carry_out(
    transaction: &Transaction<'_>,
    take: TakeId,
    edit: &Edit,
) -> std::result::Result<Vec<SegmentId>, Change> {
    let frames = frames_of(transaction, take)?;
    for tag in &edit.remove_tags {
        if remove(transaction, take, &AnnotationContent::Tag(tag.clone()))? == 0 {
            return Err(CorpusError::refused(&codes::NOTHING, format!("no tag {:?} there", tag.name)).into());
        }
    }
    for id in &edit.remove_segments {
        let sql = "DELETE FROM segments WHERE id = ? AND take = ?";
        if transaction.execute(sql, params![id.0, take.0])? == 0 {
            return Err(no_segment(*id).into());
        }
    }
    for (tag, maker) in &edit.put_tags {
        write(
            transaction,
            &Annotation { take, what: AnnotationContent::Tag(tag.clone()), maker: maker.clone() },
        )?;
    }
    edit.put_segments.iter().map(|segment| put(transaction, take, frames, segment)).collect()
}

fn put(
    transaction: &Transaction<'_>,
    take: TakeId,
    frames: usize,
    segment: &SegmentEdit,
) -> std::result::Result<SegmentId, Change> {
    let SegmentEdit { id, span, maker, labels } = segment;
    Tag::new(&span.name, span.start..span.end, frames).map_err(CorpusError::from)?;
    check_word("a segment", &span.name)?;
    if let Some(actor) = span.actor {
        check_actor(transaction, take, actor)?;
    }
    let number = match id {
        None => None,
        Some(id) => {
            // Ids are never reused: a removed segment can be restored under its id, and only in its take.
            let sql = "SELECT ?1 BETWEEN 1 AND (SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'segments')
                       AND NOT EXISTS (SELECT 1 FROM segments WHERE id = ?1 AND take <> ?2)";
            let is_ours: bool = transaction.query_row(sql, params![id.0, take.0], |row| row.get(0))?;
            if !is_ours {
                return Err(no_segment(*id).into());
            }
            Some(id.0)
        }
    };
    let (start, end, actor) = (span.start as i64, span.end as i64, span.actor.map(|actor| actor as i64));
    // If an equal segment exists already, it is kept and used.
    let sql = "SELECT id FROM segments WHERE take = ? AND coalesce(actor, -1) = ? AND start = ? AND \"end\" = ? AND name = ?
               AND made_by = ? AND id IS NOT ?";
    let same = params![take.0, actor.unwrap_or(-1), start, end, span.name, maker.to_string(), number];
    let twin: Option<i64> = transaction.query_row(sql, same, |row| row.get(0)).optional()?;
    let id = match twin {
        Some(twin) => {
            if let Some(number) = number {
                transaction.execute("DELETE FROM segments WHERE id = ?", [number])?;
            }
            SegmentId(twin)
        }
        None => {
            let sql = "INSERT INTO segments (id, take, actor, name, start, \"end\", made_by) VALUES (?, ?, ?, ?, ?, ?, ?)
                       ON CONFLICT (id) DO UPDATE SET actor = excluded.actor, name = excluded.name, start = excluded.start,
                       \"end\" = excluded.\"end\", made_by = excluded.made_by";
            transaction
                .execute(sql, params![number, take.0, actor, span.name, start, end, maker.to_string()])?;
            let id = SegmentId(number.unwrap_or_else(|| transaction.last_insert_rowid()));
            // Its summary is no longer valid.
            transaction.execute("DELETE FROM summaries WHERE segment = ?", [id.0])?;
            id
        }
    };
    for (key, value, maker) in labels {
        let what = AnnotationContent::SegmentLabel { segment: id, key: key.clone(), value: value.clone() };
        write(transaction, &Annotation { take, what, maker: maker.clone() })?;
    }
    Ok(id)
}

fn no_segment(id: SegmentId) -> CorpusError {
    CorpusError::refused(&codes::NO_SEGMENT, format!("no segment {id} of the take"))
}

impl From<Segment> for SegmentEdit {
    /// The segment, as an edit that restores it.
    fn from(segment: Segment) -> Self {
        let Segment { id, actor, name, frames, maker, .. } = segment;
        let span = Span { start: frames.start, end: frames.end, actor, name };
        Self { id: Some(id), span, maker, labels: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use marey_motion::{Clip, ClipParts, Coded, Joint, Quat, Skeleton, Take, Vec3};

    use super::*;
    use crate::Provenance;

    fn corpus(name: &str) -> (std::path::PathBuf, Corpus, TakeId) {
        let path = std::env::temp_dir().join(format!("marey-edit-{name}-{}.marey", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let mut corpus = Corpus::create(&path).unwrap();
        let skeleton = Arc::new(Skeleton::new(vec![Joint::new("a", None, Vec3::ZERO)], vec![]).unwrap());
        let parts = ClipParts { rotations: vec![Quat::IDENTITY; 100], positions: vec![Vec3::ZERO; 100] };
        let take = Take::solo("still", Clip::new(skeleton, 30.0, parts).unwrap());
        let id = corpus.add(&take, &Provenance::default()).unwrap().id();
        (path, corpus, id)
    }

    fn step(start: usize, end: usize) -> Span {
        Span { start, end, actor: Some(0), name: "step".into() }
    }

    #[test]
    fn an_edit_and_its_inverse_leave_everything_as_it_was() {
        let (path, mut corpus, take) = corpus("inverse");
        let method = Maker::method("steps");
        corpus.cut(take, &[step(0, 40), step(40, 100)], &method).unwrap();
        let before = corpus.segments_of(take).unwrap();
        let label = AnnotationContent::SegmentLabel {
            segment: before[1].id,
            key: "foot".into(),
            value: "left".into(),
        };
        corpus.annotate(&[Annotation { take, what: label, maker: Maker::Person }]).unwrap();
        let said = corpus.annotations(take).unwrap();
        // One is moved and becomes a person's, the other is taken out.
        let moved = SegmentEdit { span: step(0, 50), maker: Maker::Person, ..before[0].clone().into() };
        let edit = Edit { remove_segments: vec![before[1].id], put_segments: vec![moved], ..Edit::default() };
        assert_eq!(corpus.edit(take, &edit).unwrap(), [before[0].id]);
        let changed = corpus.segments_of(take).unwrap();
        assert_eq!((changed.len(), changed[0].frames.clone()), (1, 0..50));
        assert!(corpus.annotations(take).unwrap().is_empty());
        let labels = vec![("foot".into(), "left".into(), Maker::Person)];
        let back = SegmentEdit { labels, ..before[1].clone().into() };
        let inverse = Edit { put_segments: vec![before[0].clone().into(), back], ..Edit::default() };
        corpus.edit(take, &inverse).unwrap();
        assert_eq!(corpus.segments_of(take).unwrap(), before);
        assert_eq!(corpus.annotations(take).unwrap(), said);
        assert_eq!(corpus.check().unwrap().faults, [""; 0]);
        drop(corpus);
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn what_cannot_be_changes_nothing() {
        let (path, mut corpus, take) = corpus("refused");
        let put = |id: Option<i64>, span: Span| SegmentEdit {
            id: id.map(SegmentId),
            span,
            maker: Maker::Person,
            labels: vec![],
        };
        let tag = |start, end| Tag { start, end, name: "walk".into() };
        let good = vec![(tag(0, 10), Maker::Person)];
        let refused = [
            (Edit { remove_tags: vec![tag(1, 2)], ..Edit::default() }, "corpus/nothing"),
            (Edit { remove_segments: vec![SegmentId(7)], ..Edit::default() }, "corpus/no-segment"),
            (
                Edit { put_segments: vec![put(Some(i64::MAX), step(0, 9))], ..Edit::default() },
                "corpus/no-segment",
            ),
            (Edit { put_segments: vec![put(None, step(9, 9))], ..Edit::default() }, "motion/range"),
            (Edit { put_segments: vec![put(None, step(0, 101))], ..Edit::default() }, "motion/range"),
            (
                Edit {
                    put_segments: vec![put(None, Span { actor: Some(3), ..step(0, 9) })],
                    ..Edit::default()
                },
                "corpus/no-actor",
            ),
            (
                Edit {
                    put_segments: vec![put(None, Span { name: " ".into(), ..step(0, 9) })],
                    ..Edit::default()
                },
                "corpus/name",
            ),
        ];
        for (edit, code) in refused {
            let edit = Edit { put_tags: good.clone(), ..edit };
            assert_eq!(corpus.edit(take, &edit).unwrap_err().code().id, code);
        }
        assert!(corpus.annotations(take).unwrap().is_empty() && corpus.segments_of(take).unwrap().is_empty());
        assert_eq!(corpus.edit(TakeId(99), &Edit::default()).unwrap_err().code().id, "corpus/no-take");
        // Two that are alike are one.
        let ids = corpus.edit(
            take,
            &Edit { put_segments: vec![put(None, step(0, 9)), put(None, step(0, 9))], ..Edit::default() },
        );
        let ids = ids.unwrap();
        assert_eq!(ids[0], ids[1]);
        drop(corpus);
        std::fs::remove_file(path).unwrap();
    }
}
