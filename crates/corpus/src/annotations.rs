//! Annotations of takes: tags, markers, contacts and labels.

use std::ops::Range;
use std::str::FromStr;

use marey_motion::{Contact, Contacts, Marker, Tag};
use rusqlite::{OptionalExtension, Row, Transaction, params, types::Type};
use serde::Serialize;

use crate::corpus::Change;
use crate::takes::check_word;
use crate::{ContactInterval, ContactTarget, Corpus, CorpusError, Maker, Result, SegmentId, TakeId, codes};

/// An annotation of a take, and its author.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Annotation {
    /// The take.
    pub take: TakeId,
    /// The content.
    pub what: AnnotationContent,
    /// A person or a method.
    pub maker: Maker,
}

/// The content of an annotation.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum AnnotationContent {
    /// A tag: a named range of frames.
    Tag(Tag),
    /// A marker: a named instant.
    Marker(Marker),
    /// A contact: a foot that stands, or a hand that holds.
    Contact(ContactInterval),
    /// A label of the take: a value under a key.
    Label {
        /// The key; a take has one value per key.
        key: String,
        /// The value.
        value: String,
    },
    /// A label of a segment: a value under a key.
    SegmentLabel {
        /// The segment.
        segment: SegmentId,
        /// The key; a segment has one value per key.
        key: String,
        /// The value.
        value: String,
    },
}

/// How many annotations a call changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct AnnotationChanges {
    /// New annotations, and those with a new value, end or maker.
    pub changed: usize,
    /// Annotations that existed already.
    pub already: usize,
    /// Removed annotations.
    pub removed: usize,
}

impl Corpus {
    /// Writes annotations, all or none. An annotation that exists already is not a change; a label with the same key
    /// and a contact with the same start are replaced.
    pub fn annotate(&mut self, annotations: &[Annotation]) -> Result<AnnotationChanges> {
        self.change(|transaction| {
            let mut wrote = AnnotationChanges::default();
            for annotation in annotations {
                let changed = write(transaction, annotation)?;
                *(if changed { &mut wrote.changed } else { &mut wrote.already }) += 1;
            }
            Ok::<_, Change>(wrote)
        })
    }

    /// Removes annotations, all or none, and returns their number. Makers and the values of labels are ignored.
    pub fn retract(&mut self, annotations: &[(TakeId, AnnotationContent)]) -> Result<usize> {
        self.change(|transaction| {
            let removed = annotations.iter().map(|(take, what)| remove(transaction, *take, what));
            removed.sum::<rusqlite::Result<usize>>()
        })
    }

    /// All annotations of a take, sorted: tags, markers, contacts, then labels.
    pub fn annotations(&self, take: TakeId) -> Result<Vec<Annotation>> {
        let mut all = Vec::new();
        for (sql, read) in READERS {
            let some: Vec<(AnnotationContent, Maker)> = self.run(|connection| {
                let mut statement = connection.prepare_cached(sql)?;
                let rows = statement.query_map([take.0], |row| Ok((read(row)?, parsed(row, 0)?)))?;
                rows.collect()
            })?;
            all.extend(some.into_iter().map(|(what, maker)| Annotation { take, what, maker }));
        }
        all.sort_by(|a, b| (&a.what, &a.maker).cmp(&(&b.what, &b.maker)));
        Ok(all)
    }

    /// The floor contacts of one actor, by any maker.
    pub fn floor_contacts(&self, take: TakeId, actor: usize) -> Result<Contacts> {
        let frames = self.info(take)?.frames;
        let contacts = self.annotations(take)?.into_iter().filter_map(|annotation| match annotation.what {
            AnnotationContent::Contact(touch) if touch.on == ContactTarget::Floor && touch.actor == actor => {
                Some(Contact { role: touch.role, frames: touch.frames() })
            }
            _ => None,
        });
        Ok(Contacts::new(contacts.collect(), frames)?)
    }
}

/// The query for each kind; the maker is always column 0.
type Reader = fn(&Row<'_>) -> rusqlite::Result<AnnotationContent>;
const READERS: [(&str, Reader); 5] = [
    ("SELECT made_by, name, start, \"end\" FROM tags WHERE take = ?", |row| {
        Ok(AnnotationContent::Tag(Tag { start: number(row, 2)?, end: number(row, 3)?, name: row.get(1)? }))
    }),
    ("SELECT made_by, name, frame FROM markers WHERE take = ?", |row| {
        Ok(AnnotationContent::Marker(Marker { frame: number(row, 2)?, name: row.get(1)? }))
    }),
    ("SELECT made_by, start, \"end\", actor, role, what FROM contacts WHERE take = ?", |row| {
        Ok(AnnotationContent::Contact(ContactInterval {
            start: number(row, 1)?,
            end: number(row, 2)?,
            actor: number(row, 3)?,
            role: parsed(row, 4)?,
            on: parsed(row, 5)?,
        }))
    }),
    ("SELECT made_by, key, value FROM labels WHERE take = ?", |row| {
        Ok(AnnotationContent::Label { key: row.get(1)?, value: row.get(2)? })
    }),
    (
        "SELECT segment_labels.made_by, segment, key, value FROM segment_labels
         JOIN segments ON segments.id = segment WHERE take = ?",
        |row| {
            Ok(AnnotationContent::SegmentLabel {
                segment: SegmentId(row.get(1)?),
                key: row.get(2)?,
                value: row.get(3)?,
            })
        },
    ),
];

/// A count or frame from a column.
pub(crate) fn number(row: &Row<'_>, column: usize) -> rusqlite::Result<usize> {
    let value: i64 = row.get(column)?;
    usize::try_from(value).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, value))
}

/// A value that a column stores as a word.
pub(crate) fn parsed<T: FromStr<Err: ToString>>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    let text: String = row.get(column)?;
    text.parse().map_err(|error: T::Err| {
        rusqlite::Error::FromSqlConversionFailure(column, Type::Text, error.to_string().into())
    })
}

/// Writes one annotation and returns whether that changed anything.
pub(crate) fn write(
    transaction: &Transaction<'_>,
    annotation: &Annotation,
) -> std::result::Result<bool, Change> {
    let Annotation { take, what, maker } = annotation;
    let frames = frames_of(transaction, *take)?;
    let by = maker.to_string();
    let changed = match what {
        AnnotationContent::Tag(tag) => {
            Tag::new(&tag.name, tag.start..tag.end, frames).map_err(CorpusError::from)?;
            check_word("a tag", &tag.name)?;
            let sql = "INSERT INTO tags (take, start, \"end\", name, made_by) VALUES (?, ?, ?, ?, ?)
                       ON CONFLICT DO UPDATE SET made_by = excluded.made_by WHERE made_by <> excluded.made_by";
            let (start, end) = (tag.start as i64, tag.end as i64);
            transaction.prepare_cached(sql)?.execute(params![take.0, start, end, tag.name, by])?
        }
        AnnotationContent::Marker(marker) => {
            Marker::new(&marker.name, marker.frame, frames).map_err(CorpusError::from)?;
            check_word("a marker", &marker.name)?;
            let sql = "INSERT INTO markers (take, frame, name, made_by) VALUES (?, ?, ?, ?)
                       ON CONFLICT DO UPDATE SET made_by = excluded.made_by WHERE made_by <> excluded.made_by";
            transaction.prepare_cached(sql)?.execute(params![take.0, marker.frame as i64, marker.name, by])?
        }
        AnnotationContent::Contact(touch) => write_contact(transaction, *take, touch, &by, frames)?,
        AnnotationContent::Label { key, value } => {
            check_word("a label", key)?;
            let sql = "INSERT INTO labels (take, key, value, made_by) VALUES (?, ?, ?, ?)
                       ON CONFLICT DO UPDATE SET value = excluded.value, made_by = excluded.made_by
                       WHERE value <> excluded.value OR made_by <> excluded.made_by";
            transaction.prepare_cached(sql)?.execute(params![take.0, key, value, by])?
        }
        AnnotationContent::SegmentLabel { segment, key, value } => {
            check_word("a label", key)?;
            check_segment(transaction, *take, *segment)?;
            let sql = "INSERT INTO segment_labels (segment, key, value, made_by) VALUES (?, ?, ?, ?)
                       ON CONFLICT DO UPDATE SET value = excluded.value, made_by = excluded.made_by
                       WHERE value <> excluded.value OR made_by <> excluded.made_by";
            transaction.prepare_cached(sql)?.execute(params![segment.0, key, value, by])?
        }
    };
    Ok(changed > 0)
}

fn write_contact(
    transaction: &Transaction<'_>,
    take: TakeId,
    touch: &ContactInterval,
    by: &str,
    frames: usize,
) -> std::result::Result<usize, Change> {
    let ContactInterval { start, end, actor, role, on } = touch;
    Tag::new(role.name(), *start..*end, frames).map_err(CorpusError::from)?;
    check_actor(transaction, take, *actor)?;
    match on {
        ContactTarget::Actor { actor, .. } => check_actor(transaction, take, *actor)?,
        ContactTarget::Thing(name) => check_word("a thing", name)?,
        ContactTarget::Floor => {}
    }
    if let Some(other) = overlapping(transaction, take, touch, Some(*start))? {
        let Range { start: a, end: b } = other;
        let message = format!("{role} in frames {start}..{end} and {a}..{b}");
        return Err(CorpusError::refused(&codes::OVERLAP, message).into());
    }
    let sql =
        "INSERT INTO contacts (take, actor, role, what, start, \"end\", made_by) VALUES (?, ?, ?, ?, ?, ?, ?)
               ON CONFLICT DO UPDATE SET \"end\" = excluded.\"end\", made_by = excluded.made_by
               WHERE \"end\" <> excluded.\"end\" OR made_by <> excluded.made_by";
    let (actor, start, end) = (*actor as i64, *start as i64, *end as i64);
    let values = params![take.0, actor, role.name(), on.to_string(), start, end, by];
    Ok(transaction.prepare_cached(sql)?.execute(values)?)
}

/// Replaces the floor contacts of one actor that a method found before. Contacts of other makers in the same frames
/// are kept.
pub(crate) fn replace_contacts(
    transaction: &Transaction<'_>,
    take: TakeId,
    actor: usize,
    contacts: &Contacts,
    maker: &Maker,
) -> std::result::Result<(), Change> {
    let sql = "DELETE FROM contacts WHERE take = ? AND actor = ? AND what = '' AND made_by = ?";
    transaction.execute(sql, params![take.0, actor as i64, maker.to_string()])?;
    for Contact { role, frames } in contacts.all() {
        let Range { start, end } = *frames;
        let touch = ContactInterval { start, end, actor, role: *role, on: ContactTarget::Floor };
        if overlapping(transaction, take, &touch, None)?.is_none() {
            write(
                transaction,
                &Annotation { take, what: AnnotationContent::Contact(touch), maker: maker.clone() },
            )?;
        }
    }
    Ok(())
}

/// Another contact of the same part with the same object that overlaps, except one that starts at the given frame. The stored ones do
/// not overlap each other, so that only the last one before the end can.
fn overlapping(
    transaction: &Transaction<'_>,
    take: TakeId,
    touch: &ContactInterval,
    but_at: Option<usize>,
) -> rusqlite::Result<Option<Range<usize>>> {
    let sql = "SELECT start, \"end\" FROM contacts WHERE take = ? AND actor = ? AND role = ? AND what = ?
               AND start < ? AND start IS NOT ? ORDER BY start DESC LIMIT 1";
    let (actor, end) = (touch.actor as i64, touch.end as i64);
    let values =
        params![take.0, actor, touch.role.name(), touch.on.to_string(), end, but_at.map(|at| at as i64)];
    let range = |row: &Row<'_>| Ok(number(row, 0)?..number(row, 1)?);
    let last = transaction.prepare_cached(sql)?.query_row(values, range).optional()?;
    Ok(last.filter(|range| range.end > touch.start))
}

/// Removes one annotation and returns how many rows it had.
pub(crate) fn remove(
    transaction: &Transaction<'_>,
    take: TakeId,
    what: &AnnotationContent,
) -> rusqlite::Result<usize> {
    match what {
        AnnotationContent::Tag(Tag { start, end, name }) => transaction.execute(
            "DELETE FROM tags WHERE take = ? AND start = ? AND \"end\" = ? AND name = ?",
            params![take.0, *start as i64, *end as i64, name],
        ),
        AnnotationContent::Marker(Marker { frame, name }) => transaction.execute(
            "DELETE FROM markers WHERE take = ? AND frame = ? AND name = ?",
            params![take.0, *frame as i64, name],
        ),
        AnnotationContent::Contact(ContactInterval { start, actor, role, on, .. }) => transaction.execute(
            "DELETE FROM contacts WHERE take = ? AND start = ? AND actor = ? AND role = ? AND what = ?",
            params![take.0, *start as i64, *actor as i64, role.name(), on.to_string()],
        ),
        AnnotationContent::Label { key, .. } => {
            transaction.execute("DELETE FROM labels WHERE take = ? AND key = ?", params![take.0, key])
        }
        AnnotationContent::SegmentLabel { segment, key, .. } => transaction
            .execute("DELETE FROM segment_labels WHERE segment = ? AND key = ?", params![segment.0, key]),
    }
}

/// The length of a take, if it exists.
pub(crate) fn frames_of(transaction: &Transaction<'_>, take: TakeId) -> std::result::Result<usize, Change> {
    let sql = "SELECT frames FROM takes WHERE id = ?";
    let frames = transaction.prepare_cached(sql)?.query_row([take.0], |row| number(row, 0)).optional()?;
    Ok(frames.ok_or_else(|| CorpusError::refused(&codes::NO_TAKE, format!("no take {take}")))?)
}

pub(crate) fn check_actor(
    transaction: &Transaction<'_>,
    take: TakeId,
    actor: usize,
) -> std::result::Result<(), Change> {
    let sql = "SELECT 1 FROM actors WHERE take = ? AND actor = ?";
    if transaction.prepare_cached(sql)?.exists(params![take.0, actor as i64])? {
        return Ok(());
    }
    Err(CorpusError::refused(&codes::NO_ACTOR, format!("take {take} has no actor {actor}")).into())
}

fn check_segment(
    transaction: &Transaction<'_>,
    take: TakeId,
    segment: SegmentId,
) -> std::result::Result<(), Change> {
    let sql = "SELECT 1 FROM segments WHERE take = ? AND id = ?";
    if transaction.prepare_cached(sql)?.exists(params![take.0, segment.0])? {
        return Ok(());
    }
    Err(CorpusError::refused(&codes::NO_SEGMENT, format!("take {take} has no segment {segment}")).into())
}
