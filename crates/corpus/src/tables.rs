//! Annotations and segments as tables: read by `tag`, `label` and `segment`, written by `export --csv`.
//!
//! Columns are identified by name. Each column has one type, so that a table can be converted to Parquet: frames are
//! integers, times are numbers, and missing values are empty.

use marey_motion::{Marker, Tag};

use crate::csv::{Sheet, SheetRow, line};
use crate::{
    Annotation, AnnotationContent, ContactInterval, Corpus, Maker, Result, Segment, SegmentId,
    SegmentSummary, Span, TakeId, TakeInfo,
};

/// The columns of each table. Those after `made_by` are for other tools and ignored when read.
const TAGS: &str = "take,name,start,end,made_by,rate_hz,start_secs,end_secs";
const MARKERS: &str = "take,name,frame,made_by,rate_hz,secs";
const CONTACTS: &str = "take,actor,role,on,start,end,made_by,rate_hz,start_secs,end_secs";
const LABELS: &str = "take,key,value,made_by";
const SEGMENT_LABELS: &str = "take,segment,key,value,made_by";
const SEGMENTS: &str = "take,segment,actor,name,start,end,made_by,rate_hz,start_secs,end_secs,duration_secs,displacement_m,\
                        turn_rad,speed_mps,start_feet,end_feet,steps,jump_length_m,jump_height_m";

/// Reads the rows of a table; errors name the line.
fn read<T>(text: &str, row: impl Fn(&Sheet, &SheetRow<'_>) -> Result<T>) -> Result<Vec<T>> {
    let tables = [SEGMENTS, MARKERS, CONTACTS, LABELS, TAGS, SEGMENT_LABELS];
    let mut columns: Vec<&str> = Vec::new();
    for column in tables.iter().flat_map(|table| table.split(',')) {
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
    let sheet = Sheet::read(text, &columns)?;
    sheet.rows().map(|one| row(&sheet, &one).map_err(|error| one.place(error))).collect()
}

/// Reads annotations. The columns determine their kind: `name, start, end` are tags, `name, frame` markers, `actor,
/// role, on, start, end` contacts, and `key, value` labels, with `segment` those of a segment. `take` is always
/// required; `made_by` defaults to `person`.
pub fn read_annotations(corpus: &Corpus, text: &str) -> Result<Vec<Annotation>> {
    read(text, |sheet, row| {
        let content: fn(&SheetRow<'_>) -> Result<AnnotationContent> = if sheet.has("role") {
            contact
        } else if sheet.has("key") {
            label
        } else if sheet.has("frame") {
            marker
        } else {
            tag
        };
        Ok(Annotation { take: take(corpus, row)?, what: content(row)?, maker: maker(row)? })
    })
}

/// Reads segments: `take, start, end`, optionally `actor`, `name` and `made_by`, in the order of the table.
pub fn read_spans(corpus: &Corpus, text: &str) -> Result<Vec<(TakeId, Span, Maker)>> {
    read(text, |_, row| {
        let name = row.get("name");
        let name = if name.is_empty() { "piece" } else { name }.to_owned();
        let span = Span {
            start: row.parse("start")?,
            end: row.parse("end")?,
            actor: row.parse_some("actor")?,
            name,
        };
        Ok((take(corpus, row)?, span, maker(row)?))
    })
}

/// All tables of a corpus as CSV, by name: `tags`, `markers`, `contacts`, `labels`, `segment_labels`, `segments`.
pub fn write_all(corpus: &Corpus) -> Result<[(&'static str, String); 6]> {
    let [mut tags, mut markers, mut contacts, mut labels, mut segment_labels, mut segments] =
        [TAGS, MARKERS, CONTACTS, LABELS, SEGMENT_LABELS, SEGMENTS].map(|heading| format!("{heading}\n"));
    for take in corpus.takes()? {
        for Annotation { what, maker, .. } in corpus.annotations(take.id)? {
            let (name, by) = (take.name.clone(), maker.to_string());
            match what {
                AnnotationContent::Tag(Tag { start, end, name: tag }) => {
                    tags += &line(&[vec![name, tag], span(&take, start, end, by)].concat());
                }
                AnnotationContent::Marker(Marker { frame, name: marker }) => {
                    let secs = frame as f64 / take.rate_hz;
                    let cells =
                        [name, marker, frame.to_string(), by, take.rate_hz.to_string(), secs.to_string()];
                    markers += &line(&cells);
                }
                AnnotationContent::Contact(ContactInterval { start, end, actor, role, on }) => {
                    let part = vec![name, actor.to_string(), role.to_string(), on.to_string()];
                    contacts += &line(&[part, span(&take, start, end, by)].concat());
                }
                AnnotationContent::Label { key, value } => labels += &line(&[name, key, value, by]),
                AnnotationContent::SegmentLabel { segment, key, value } => {
                    segment_labels += &line(&[name, segment.0.to_string(), key, value, by]);
                }
            }
        }
        let summaries = corpus.summaries_of(take.id)?;
        for Segment { id, actor, name, frames, maker, .. } in corpus.segments_of(take.id)? {
            let actor = actor.map(|actor| actor.to_string()).unwrap_or_default();
            let piece = vec![take.name.clone(), id.0.to_string(), actor, name];
            let numbers = numbers(summaries.iter().find(|summary| summary.segment == id));
            segments +=
                &line(&[piece, span(&take, frames.start, frames.end, maker.to_string()), numbers].concat());
        }
    }
    Ok([
        ("tags", tags),
        ("markers", markers),
        ("contacts", contacts),
        ("labels", labels),
        ("segment_labels", segment_labels),
        ("segments", segments),
    ])
}

/// The cells from `start` to `end_secs`.
fn span(take: &TakeInfo, start: usize, end: usize, by: String) -> Vec<String> {
    let secs = |frame: usize| (frame as f64 / take.rate_hz).to_string();
    vec![start.to_string(), end.to_string(), by, take.rate_hz.to_string(), secs(start), secs(end)]
}

/// The cells from `duration_secs` on; empty for a segment without a summary.
fn numbers(summary: Option<&SegmentSummary>) -> Vec<String> {
    let Some(summary) = summary else { return vec![String::new(); 9] };
    let way = [summary.displacement_m, summary.turn_rad, summary.speed_mps].map(|v| v.to_string());
    let jump = [summary.jump_length_m, summary.jump_height_m].map(|v| v.to_string());
    let feet = [summary.start_feet.clone(), summary.end_feet.clone(), summary.steps.to_string()];
    let mut cells = vec![summary.duration_secs.to_string()];
    cells.extend(way.into_iter().chain(feet).chain(jump));
    cells
}

fn take(corpus: &Corpus, row: &SheetRow<'_>) -> Result<TakeId> {
    match row.get("take") {
        "" => Err(row.wrong("the take is missing")),
        name => corpus.find(name),
    }
}

fn maker(row: &SheetRow<'_>) -> Result<Maker> {
    Ok(row.parse_some("made_by")?.unwrap_or(Maker::Person))
}

fn tag(row: &SheetRow<'_>) -> Result<AnnotationContent> {
    Ok(AnnotationContent::Tag(Tag {
        start: row.parse("start")?,
        end: row.parse("end")?,
        name: row.get("name").to_owned(),
    }))
}

fn marker(row: &SheetRow<'_>) -> Result<AnnotationContent> {
    Ok(AnnotationContent::Marker(Marker { frame: row.parse("frame")?, name: row.get("name").to_owned() }))
}

fn contact(row: &SheetRow<'_>) -> Result<AnnotationContent> {
    Ok(AnnotationContent::Contact(ContactInterval {
        start: row.parse("start")?,
        end: row.parse("end")?,
        actor: row.parse_some("actor")?.unwrap_or(0),
        role: row.parse("role")?,
        on: row.parse("on")?,
    }))
}

fn label(row: &SheetRow<'_>) -> Result<AnnotationContent> {
    let (key, value) = (row.get("key").to_owned(), row.get("value").to_owned());
    Ok(match row.parse_some("segment")? {
        Some(segment) => AnnotationContent::SegmentLabel { segment: SegmentId(segment), key, value },
        None => AnnotationContent::Label { key, value },
    })
}
