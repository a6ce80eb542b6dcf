//! Adds and removes annotations by request.

use std::fs;
use std::path::PathBuf;

use marey_formats::FormatsError;
use marey_motion::{Marker, Role, Tag};
use serde::{Deserialize, Serialize};

use crate::{
    Annotation, AnnotationChanges, AnnotationContent, ContactInterval, Corpus, CorpusError, Maker, Result,
    SegmentId, TakeInfo, codes, tables,
};

/// Annotations to add or remove. A person is their maker.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AnnotateRequest {
    /// The take, by its name or # and its number.
    pub take: String,
    /// The annotations of the take.
    pub annotations: Vec<NewAnnotation>,
    /// A table of annotations of any take, instead of the above.
    pub csv: Option<PathBuf>,
    /// Whether to remove the annotations.
    pub remove: bool,
}

/// An annotation of a take. A range without start or end extends to the start or end of the take.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum NewAnnotation {
    /// A named range of frames.
    Tag {
        /// Its name.
        name: String,
        /// First frame.
        start: Option<usize>,
        /// One past the last frame.
        end: Option<usize>,
    },
    /// A named frame.
    Marker {
        /// Its name.
        name: String,
        /// The frame.
        frame: usize,
    },
    /// A range of frames in which a part of the body touches something.
    Contact {
        /// The part, such as `LeftHand`.
        role: String,
        /// First frame.
        start: Option<usize>,
        /// One past the last frame.
        end: Option<usize>,
        /// Index of the actor.
        actor: usize,
        /// What it touches: empty for the floor, `1 LeftHand` for a part of another actor, otherwise the name of an object.
        on: String,
    },
    /// A value under a key.
    Label {
        /// The key.
        key: String,
        /// The value; ignored if the label is removed.
        value: String,
        /// A segment of the take, instead of the take.
        segment: Option<i64>,
    },
}

impl NewAnnotation {
    /// A label from `KEY=VALUE`. To remove a label, `KEY` suffices.
    pub fn label(text: &str, segment: Option<i64>, remove: bool) -> Result<Self> {
        match text.split_once('=') {
            Some((key, value)) => Ok(Self::Label { key: key.into(), value: value.into(), segment }),
            None if remove => Ok(Self::Label { key: text.into(), value: String::new(), segment }),
            None => Err(CorpusError::request(&codes::NOT_A_LABEL, format!("{text:?} is not KEY=VALUE"))),
        }
    }

    /// Checks the part of the body of a contact, and that ranges do not end before they start.
    fn validate(&self) -> Result<()> {
        let (start, end) = match self {
            Self::Tag { start, end, .. } => (*start, *end),
            Self::Contact { role, start, end, .. } => {
                parsed_role(role)?;
                (*start, *end)
            }
            Self::Marker { .. } | Self::Label { .. } => (None, None),
        };
        match (start, end) {
            (Some(start), Some(end)) if start >= end => Err(CorpusError::request(
                &codes::REQUEST,
                format!("frames {start}..{end} end before they start"),
            )),
            _ => Ok(()),
        }
    }

    fn content(&self, take: &TakeInfo) -> Result<AnnotationContent> {
        let range =
            |start: &Option<usize>, end: &Option<usize>| (start.unwrap_or(0), end.unwrap_or(take.frames));
        Ok(match self.clone() {
            Self::Tag { name, start, end } => {
                let (start, end) = range(&start, &end);
                AnnotationContent::Tag(Tag { start, end, name })
            }
            Self::Marker { name, frame } => AnnotationContent::Marker(Marker { frame, name }),
            Self::Contact { role, start, end, actor, on } => {
                let (role, (start, end)) = (parsed_role(&role)?, range(&start, &end));
                AnnotationContent::Contact(ContactInterval { start, end, actor, role, on: on.into() })
            }
            Self::Label { key, value, segment: Some(segment) } => {
                AnnotationContent::SegmentLabel { segment: SegmentId(segment), key, value }
            }
            Self::Label { key, value, segment: None } => AnnotationContent::Label { key, value },
        })
    }
}

fn parsed_role(name: &str) -> Result<Role> {
    let not_a_role = |message: String| CorpusError::request(&marey_motion::codes::NOT_A_ROLE, message);
    name.parse().map_err(not_a_role)
}

impl AnnotateRequest {
    /// Checks that annotations come either from a table or with a take, and each of them.
    pub fn validate(&self) -> Result<()> {
        let wrong = |message: &str| Err(CorpusError::request(&codes::REQUEST, message));
        match (&self.csv, self.take.is_empty()) {
            (Some(_), _) if !self.annotations.is_empty() => {
                wrong("annotations are given beside a table of them")
            }
            (None, true) => wrong("neither a take nor a table of annotations is given"),
            _ => self.annotations.iter().try_for_each(NewAnnotation::validate),
        }
    }
}

impl Corpus {
    /// Adds or removes annotations, all or none.
    pub fn apply_annotations(&mut self, request: &AnnotateRequest) -> Result<AnnotationChanges> {
        request.validate()?;
        let Some(path) = &request.csv else {
            let take = self.info(self.find(&request.take)?)?;
            let new = |annotation: &NewAnnotation| {
                Ok(Annotation { take: take.id, what: annotation.content(&take)?, maker: Maker::Person })
            };
            let all = request.annotations.iter().map(new).collect::<Result<Vec<_>>>()?;
            return self.add_or_remove(all, request.remove);
        };
        let text = fs::read_to_string(path).map_err(|error| FormatsError::file(path, error))?;
        let all = tables::read_annotations(self, &text);
        all.and_then(|all| self.add_or_remove(all, request.remove)).map_err(|error| error.in_file(path))
    }

    fn add_or_remove(&mut self, all: Vec<Annotation>, remove: bool) -> Result<AnnotationChanges> {
        if !remove {
            return self.annotate(&all);
        }
        let all: Vec<_> = all.into_iter().map(|one| (one.take, one.what)).collect();
        Ok(AnnotationChanges { removed: self.retract(&all)?, ..AnnotationChanges::default() })
    }
}
