//! What is in a corpus, as JSON that the package gives as plain dicts.

use marey::Error;
use marey::corpus::{Annotation, Clustered, AnnotationContent, Segment, TakeInfo};
use marey::cuts::Cuts;
use marey::intake::{Job, Put};
use marey::shards::failed_row;
use serde_json::{Value, json};

pub(super) fn take_value(info: &TakeInfo) -> Value {
    let actors = info.actors.iter().map(|actor| json!({ "name": actor.name, "joints": actor.joints }));
    json!({
        "id": info.id.0,
        "name": info.name,
        "frames": info.frames,
        "rate_hz": info.rate_hz,
        "duration_secs": info.duration_secs(),
        "actors": actors.collect::<Vec<_>>(),
        "source": info.provenance.source,
        "licence": info.provenance.licence,
        "credit": info.provenance.credit,
        "content": info.content,
    })
}

pub(super) fn segment_value(segment: &Segment) -> Value {
    json!({
        "id": segment.id.0,
        "take": segment.take.0,
        "actor": segment.actor,
        "name": segment.name,
        "start": segment.frames.start,
        "end": segment.frames.end,
        "made_by": segment.maker.to_string(),
    })
}

pub(super) fn said_value(annotation: &Annotation) -> Value {
    let made_by = annotation.maker.to_string();
    match &annotation.what {
        AnnotationContent::Tag(tag) => {
            json!({ "kind": "tag", "name": tag.name, "start": tag.start, "end": tag.end, "made_by": made_by })
        }
        AnnotationContent::Marker(marker) => {
            json!({ "kind": "marker", "name": marker.name, "frame": marker.frame, "made_by": made_by })
        }
        AnnotationContent::Contact(touch) => json!({
            "kind": "contact", "role": touch.role.name(), "start": touch.start, "end": touch.end,
            "actor": touch.actor, "on": touch.on.to_string(), "made_by": made_by,
        }),
        AnnotationContent::Label { key, value } => {
            json!({ "kind": "label", "key": key, "value": value, "segment": null, "made_by": made_by })
        }
        AnnotationContent::SegmentLabel { segment, key, value } => {
            json!({ "kind": "label", "key": key, "value": value, "segment": segment.0, "made_by": made_by })
        }
    }
}

/// How a take was cut.
pub(super) fn cut_value((info, result): (TakeInfo, Result<Cuts, Error>)) -> Value {
    match result {
        Ok(cuts) => json!({
            "take": info.name, "ok": true, "cuts": cuts.cuts, "segments": cuts.segments,
            "new": cuts.new, "removed": cuts.removed, "redundant": cuts.redundant,
        }),
        Err(failure) => failed_row("take", &info.name, &failure),
    }
}

/// A segment's place among those that are alike.
pub(super) fn place_value(one: &Clustered) -> Value {
    json!({ "segment": one.segment.0, "cluster": one.cluster, "representative": one.representative })
}

/// A row about the files of a job.
pub(super) fn put_value(job: &Job, result: &Result<Put, Error>) -> Value {
    let file = job.input().path.display().to_string();
    match result {
        Ok(put) => json!({ "file": file, "ok": true, "takes": put.takes, "warnings": put.warnings }),
        Err(failure) => failed_row("file", &file, failure),
    }
}
