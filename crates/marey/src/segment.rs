//! Divides takes of a corpus into segments.

use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

#[cfg(feature = "follow")]
use crate::corpus::{BatchItem, CorpusError};
use crate::corpus::{Corpus, CutMethod, SegmentedTakes};
#[cfg(feature = "follow")]
use crate::follow::{ControlKind, GrowSettings};
use crate::ops::cut::SegmentLengths;
use crate::{Context, Error, inputs};

/// Which takes to segment, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SegmentRequest {
    /// Takes, by name or # and number; all takes if empty.
    pub takes: Vec<String>,
    /// The method; default steps.
    pub by: SegmentMethod,
    /// Beats: the number of beats per segment; default 1; at least 1.
    pub every: usize,
    /// Windows: the duration of a segment, in seconds; default 1; 0.1 to 60.
    pub secs: f64,
    /// Windows: seconds from the start of a segment to the start of the next; default 0.5; 0.1 to 60.
    pub every_secs: f64,
    /// Steps, instants and beats: the shortest and the longest segment.
    pub lengths: SegmentLengths,
    /// Tags: only tags of this name.
    pub tag: Option<String>,
    /// Csv: a table with the columns take, start, end, and optionally actor and name.
    pub csv: Option<PathBuf>,
    /// Examples: what is compared; default points.
    #[cfg(feature = "follow")]
    pub control: ControlKind,
    /// Examples: maximum distance of a segment from its example, in metres, root mean square.
    #[cfg(feature = "follow")]
    pub within_m: f64,
    /// Leaves out segments within this distance of one that the same method made before, in metres.
    pub drop_redundant_m: Option<f32>,
}

/// How takes are segmented.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SegmentMethod {
    /// At foot plants.
    #[default]
    Steps,
    /// When toes have settled.
    Instants,
    /// On the beat, if the motion has one.
    Beats,
    /// At even intervals, overlapping.
    Windows,
    /// One segment per tag.
    Tags,
    /// The rows of a table.
    Csv,
    /// Like the takes that are segmented already (feature `follow`).
    Examples,
}

impl FromStr for SegmentMethod {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::deserialize(serde::de::value::StrDeserializer::<serde::de::value::Error>::new(text))
            .map_err(|error| error.to_string())
    }
}

impl Default for SegmentRequest {
    fn default() -> Self {
        Self {
            takes: Vec::new(),
            by: SegmentMethod::default(),
            every: 1,
            secs: 1.0,
            every_secs: 0.5,
            lengths: SegmentLengths::default(),
            tag: None,
            csv: None,
            #[cfg(feature = "follow")]
            control: ControlKind::Points,
            #[cfg(feature = "follow")]
            within_m: GrowSettings::default().max_rms_m,
            drop_redundant_m: None,
        }
    }
}

impl SegmentRequest {
    /// Checks that the request names what its method needs.
    pub fn validate(&self) -> Result<(), Error> {
        match self.by {
            SegmentMethod::Csv if self.csv.is_none() => {
                Err(Error::settings("csv: name the table of segments"))
            }
            SegmentMethod::Beats if self.every == 0 => Err(Error::settings("every: at least 1 beat")),
            _ => Ok(self.lengths.validate()?),
        }
    }

    /// The method that detects cuts in each take for itself; `None` for the others.
    pub fn cut_method(&self) -> Option<CutMethod> {
        match self.by {
            SegmentMethod::Steps => Some(CutMethod::Steps),
            SegmentMethod::Instants => Some(CutMethod::Instants),
            SegmentMethod::Beats => Some(CutMethod::Beats { every: self.every }),
            SegmentMethod::Windows => {
                Some(CutMethod::Windows { secs: self.secs, every_secs: self.every_secs })
            }
            SegmentMethod::Tags | SegmentMethod::Csv | SegmentMethod::Examples => None,
        }
    }
}

/// Segments takes of the context's corpus. The segments that the method made before are replaced; other segments stay. Returns one
/// item for each take.
pub fn run(request: &SegmentRequest, context: &Context<'_>) -> Result<SegmentedTakes, Error> {
    request.validate()?;
    let corpus: &mut Corpus = &mut *context.corpus()?;
    context.install(|| segment(request, corpus, context))?
}

fn segment(
    request: &SegmentRequest,
    corpus: &mut Corpus,
    context: &Context<'_>,
) -> Result<SegmentedTakes, Error> {
    let SegmentRequest { takes, tag, csv, drop_redundant_m, .. } = request;
    if let Some(method) = request.cut_method() {
        return Ok(corpus.segment_by_method(
            takes,
            method,
            &request.lengths,
            *drop_redundant_m,
            context.observer(),
        )?);
    }
    match request.by {
        SegmentMethod::Csv => {
            let path = csv.as_deref().unwrap_or("".as_ref());
            let segmented = corpus.segment_by_table(&inputs::text(path)?, *drop_redundant_m);
            segmented.map_err(|error| Error::from(error).in_file(path))
        }
        #[cfg(feature = "follow")]
        SegmentMethod::Examples => {
            let takes = corpus.select(takes)?;
            let (mut found, mut failed) = (Vec::new(), Vec::new());
            for (info, spans) in
                crate::follow::grow_segments(corpus, &request.control, request.within_m, &takes, context)?
            {
                match spans {
                    Ok(spans) => found.push((info, spans)),
                    Err(Error { code, message, place, .. }) => {
                        let error = CorpusError::Refused { code, place: *place, message };
                        failed.push(BatchItem { name: info.name, result: Err(error) });
                    }
                }
            }
            let mut segmented = corpus.segment_by_spans(found, *drop_redundant_m)?;
            segmented.append(&mut failed);
            Ok(segmented)
        }
        #[cfg(not(feature = "follow"))]
        SegmentMethod::Examples => {
            Err(Error::usage(&crate::codes::LEFT_OUT, "segmenting by examples needs the feature follow"))
        }
        // The other methods detect cuts.
        _ => Ok(corpus.segment_by_tags(takes, tag.as_deref(), *drop_redundant_m)?),
    }
}
