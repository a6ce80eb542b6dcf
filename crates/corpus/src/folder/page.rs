//! The JSON file beside a take's BVH file: everything about a take except its frames.

use marey_motion::{Marker, Role, Tag};
use serde::{Deserialize, Serialize};

use crate::{
    Annotation, AnnotationContent, ContactInterval, ContactTarget, Maker, Provenance, Segment, SegmentId,
    Span, TakeId,
};

/// The JSON file of a take.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Page {
    pub(super) name: String,
    /// The take's hash in its corpus.
    pub(super) content: String,
    pub(super) rate_hz: f64,
    pub(super) provenance: Provenance,
    pub(super) motion: Motion,
    pub(super) actors: Vec<PageActor>,
    pub(super) tags: Vec<PageTag>,
    pub(super) markers: Vec<PageMarker>,
    pub(super) contacts: Vec<PageContact>,
    pub(super) labels: Vec<PageLabel>,
    pub(super) segments: Vec<PageSegment>,
}

/// The file with the frames.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Motion {
    /// Its name, in the same folder.
    pub(super) file: String,
    /// SHA-256 of its bytes, in hexadecimal.
    pub(super) sha256: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PageActor {
    pub(super) name: String,
    pub(super) body: serde_json::Value,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PageTag {
    name: String,
    start: usize,
    end: usize,
    made_by: Maker,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PageMarker {
    name: String,
    frame: usize,
    made_by: Maker,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PageContact {
    actor: usize,
    role: Role,
    on: ContactTarget,
    start: usize,
    end: usize,
    made_by: Maker,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PageLabel {
    key: String,
    value: String,
    made_by: Maker,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PageSegment {
    actor: Option<usize>,
    name: String,
    start: usize,
    end: usize,
    made_by: Maker,
    labels: Vec<PageLabel>,
}

impl Page {
    /// Adds annotations and segments to the page.
    pub(super) fn fill(&mut self, annotations: Vec<Annotation>, segments: Vec<Segment>) {
        let mut of_segments: Vec<(SegmentId, PageLabel)> = Vec::new();
        for Annotation { what, maker: made_by, .. } in annotations {
            match what {
                AnnotationContent::Tag(Tag { start, end, name }) => {
                    self.tags.push(PageTag { name, start, end, made_by })
                }
                AnnotationContent::Marker(Marker { frame, name }) => {
                    self.markers.push(PageMarker { name, frame, made_by })
                }
                AnnotationContent::Contact(ContactInterval { start, end, actor, role, on }) => {
                    self.contacts.push(PageContact { actor, role, on, start, end, made_by });
                }
                AnnotationContent::Label { key, value } => {
                    self.labels.push(PageLabel { key, value, made_by })
                }
                AnnotationContent::SegmentLabel { segment, key, value } => {
                    of_segments.push((segment, PageLabel { key, value, made_by }));
                }
            }
        }
        for Segment { id, actor, name, frames, maker: made_by, .. } in segments {
            let labels =
                of_segments.extract_if(.., |(segment, _)| *segment == id).map(|(_, label)| label).collect();
            let (start, end) = (frames.start, frames.end);
            self.segments.push(PageSegment { actor, name, start, end, made_by, labels });
        }
    }

    /// The annotations of the take, without those of its segments.
    pub(super) fn annotations(&self, take: TakeId) -> Vec<Annotation> {
        let note = |what: AnnotationContent, maker: &Maker| Annotation { take, what, maker: maker.clone() };
        let tags = self.tags.iter().map(|tag| {
            let PageTag { name, start, end, made_by } = tag;
            note(AnnotationContent::Tag(Tag { start: *start, end: *end, name: name.clone() }), made_by)
        });
        let markers = self.markers.iter().map(|marker| {
            let PageMarker { name, frame, made_by } = marker;
            note(AnnotationContent::Marker(Marker { frame: *frame, name: name.clone() }), made_by)
        });
        let contacts = self.contacts.iter().map(|contact| {
            let PageContact { actor, role, on, start, end, made_by } = contact;
            let touch =
                ContactInterval { start: *start, end: *end, actor: *actor, role: *role, on: on.clone() };
            note(AnnotationContent::Contact(touch), made_by)
        });
        let labels = self.labels.iter().map(|PageLabel { key, value, made_by }| {
            note(AnnotationContent::Label { key: key.clone(), value: value.clone() }, made_by)
        });
        tags.chain(markers).chain(contacts).chain(labels).collect()
    }

    /// The segments, with their makers.
    pub(super) fn spans(&self) -> impl Iterator<Item = (&Maker, Span)> {
        self.segments.iter().map(|segment| (&segment.made_by, segment.span()))
    }

    /// The annotations of segments, once these are in a corpus.
    pub(super) fn segment_labels(&self, take: TakeId, there: &[Segment]) -> Vec<Annotation> {
        let mut found = Vec::new();
        for segment in self.segments.iter().filter(|segment| !segment.labels.is_empty()) {
            let span = segment.span();
            let same = |other: &&Segment| {
                let Segment { actor, name, frames, maker, .. } = other;
                let other = Span { start: frames.start, end: frames.end, actor: *actor, name: name.clone() };
                other == span && *maker == segment.made_by
            };
            let Some(here) = there.iter().find(same) else { continue };
            found.extend(segment.labels.iter().map(|PageLabel { key, value, made_by }| Annotation {
                take,
                what: AnnotationContent::SegmentLabel {
                    segment: here.id,
                    key: key.clone(),
                    value: value.clone(),
                },
                maker: made_by.clone(),
            }));
        }
        found
    }
}

impl PageSegment {
    fn span(&self) -> Span {
        Span { start: self.start, end: self.end, actor: self.actor, name: self.name.clone() }
    }
}
