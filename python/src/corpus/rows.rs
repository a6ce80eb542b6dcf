//! Annotations as JSON, for dicts of the Python package.

use marey::corpus::{Annotation, AnnotationContent};
use serde_json::{Value, json};

pub(super) fn annotation_value(annotation: &Annotation) -> Value {
    let made_by = annotation.maker.to_string();
    match &annotation.what {
        AnnotationContent::Tag(tag) => {
            json!({ "kind": "tag", "name": tag.name, "start": tag.start, "end": tag.end, "made_by": made_by })
        }
        AnnotationContent::Marker(marker) => {
            json!({ "kind": "marker", "name": marker.name, "frame": marker.frame, "made_by": made_by })
        }
        AnnotationContent::Contact(contact) => json!({
            "kind": "contact", "role": contact.role.name(), "start": contact.start, "end": contact.end,
            "actor": contact.actor, "on": contact.on.to_string(), "made_by": made_by,
        }),
        AnnotationContent::Label { key, value } => {
            json!({ "kind": "label", "key": key, "value": value, "segment": null, "made_by": made_by })
        }
        AnnotationContent::SegmentLabel { segment, key, value } => {
            json!({ "kind": "label", "key": key, "value": value, "segment": segment.0, "made_by": made_by })
        }
    }
}
