//! Lists takes, and everything that is known about them.

use serde::{Deserialize, Serialize};

use crate::takes::check_word;
use crate::{Annotation, AnnotationContent, Corpus, Result, Segment, SegmentId, TakeId, TakeInfo};

/// Which takes to list; by default, all.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ListRequest {
    /// Only takes with a tag of this name.
    pub tag: Option<String>,
    /// Only takes with this label: `KEY`, or `KEY=VALUE`.
    pub label: Option<String>,
}

impl ListRequest {
    /// Checks that a tag or label that is given has a name.
    pub fn validate(&self) -> Result<()> {
        self.tag.as_ref().map_or(Ok(()), |tag| check_word("a tag", tag))?;
        let key =
            self.label.as_ref().map(|label| label.split_once('=').map_or(label.as_str(), |(key, _)| key));
        key.map_or(Ok(()), |key| check_word("a label", key))
    }
}

/// A take in a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TakeRow {
    /// Its id.
    pub id: TakeId,
    /// Its name.
    pub name: String,
    /// Number of actors.
    pub actors: usize,
    /// Number of joints of all actors.
    pub joints: usize,
    /// Number of frames.
    pub frames: usize,
    /// Frames per second.
    pub rate_hz: f64,
    /// Duration, in seconds.
    pub duration_secs: f64,
    /// Number of tags.
    pub tags: usize,
    /// Number of segments.
    pub segments: usize,
    /// Its licence.
    pub licence: String,
    /// Its source files.
    pub source: String,
}

/// Everything about a take except its motion.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TakeDetails {
    /// The take.
    #[serde(flatten)]
    pub info: TakeInfo,
    /// Its annotations.
    #[serde(rename = "said")]
    pub annotations: Vec<AnnotationRow>,
    /// Its segments.
    pub segments: Vec<Segment>,
}

/// An annotation as a row of a table. Fields that do not apply are `None`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct AnnotationRow {
    /// `tag`, `marker`, `contact` or `label`.
    pub kind: &'static str,
    /// Its name; for a contact the part of the body, for a label the key.
    pub name: String,
    /// First frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<usize>,
    /// One past the last frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<usize>,
    /// Index of the actor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actor: Option<usize>,
    /// The segment that it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub segment: Option<SegmentId>,
    /// The value of a label, or the target of a contact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Its maker.
    pub made_by: String,
}

impl Corpus {
    /// The takes of the given names, or # and number; all takes if there are none.
    pub fn select(&self, names: &[String]) -> Result<Vec<TakeInfo>> {
        if names.is_empty() {
            return self.takes();
        }
        names.iter().map(|name| self.info(self.find(name)?)).collect()
    }

    /// Lists takes, in the order in which they were added.
    pub fn list(&self, request: &ListRequest) -> Result<Vec<TakeRow>> {
        request.validate()?;
        let mut rows = Vec::new();
        for take in self.takes()? {
            let annotations = self.annotations(take.id)?;
            if request.accepts(&annotations) {
                let segments = self.segments_of(take.id)?.len();
                rows.push(TakeRow::new(take, &annotations, segments));
            }
        }
        Ok(rows)
    }

    /// Everything about takes, by their names or # and number; about all takes if there are none.
    pub fn details(&self, names: &[String]) -> Result<Vec<TakeDetails>> {
        let details = |info: TakeInfo| {
            let annotations = self.annotations(info.id)?.into_iter().map(AnnotationRow::from).collect();
            Ok(TakeDetails { annotations, segments: self.segments_of(info.id)?, info })
        };
        self.select(names)?.into_iter().map(details).collect()
    }
}

impl ListRequest {
    fn accepts(&self, annotations: &[Annotation]) -> bool {
        let has_tag = |name: &String| {
            annotations
                .iter()
                .any(|one| matches!(&one.what, AnnotationContent::Tag(tag) if tag.name == *name))
        };
        let has_label = |text: &String| {
            let (wanted, wanted_value) =
                text.split_once('=').map_or((text.as_str(), None), |(key, value)| (key, Some(value)));
            annotations.iter().any(|one| match &one.what {
                AnnotationContent::Label { key, value } => {
                    key == wanted && wanted_value.is_none_or(|wanted| wanted == value)
                }
                _ => false,
            })
        };
        self.tag.as_ref().is_none_or(has_tag) && self.label.as_ref().is_none_or(has_label)
    }
}

impl TakeRow {
    fn new(take: TakeInfo, annotations: &[Annotation], segments: usize) -> Self {
        Self {
            id: take.id,
            actors: take.actors.len(),
            joints: take.actors.iter().map(|actor| actor.joints).sum(),
            frames: take.frames,
            rate_hz: take.rate_hz,
            duration_secs: take.duration_secs(),
            tags: annotations.iter().filter(|one| matches!(one.what, AnnotationContent::Tag(_))).count(),
            segments,
            licence: take.provenance.licence,
            source: take.provenance.source,
            name: take.name,
        }
    }
}

impl From<Annotation> for AnnotationRow {
    fn from(annotation: Annotation) -> Self {
        let row = Self { made_by: annotation.maker.to_string(), ..Self::default() };
        match annotation.what {
            AnnotationContent::Tag(tag) => {
                Self { kind: "tag", name: tag.name, start: Some(tag.start), end: Some(tag.end), ..row }
            }
            AnnotationContent::Marker(marker) => {
                Self { kind: "marker", name: marker.name, start: Some(marker.frame), ..row }
            }
            AnnotationContent::Contact(contact) => {
                let target = contact.on.to_string();
                Self {
                    kind: "contact",
                    name: contact.role.name().to_owned(),
                    start: Some(contact.start),
                    end: Some(contact.end),
                    actor: Some(contact.actor),
                    value: Some(if target.is_empty() { "floor".to_owned() } else { target }),
                    ..row
                }
            }
            AnnotationContent::Label { key, value } => {
                Self { kind: "label", name: key, value: Some(value), ..row }
            }
            AnnotationContent::SegmentLabel { segment, key, value } => {
                Self { kind: "label", name: key, value: Some(value), segment: Some(segment), ..row }
            }
        }
    }
}
