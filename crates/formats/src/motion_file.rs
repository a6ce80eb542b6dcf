//! The content of a motion file, in Marey's conventions.

use marey_conventions::{DetectedConventions, PointRecording};
use marey_motion::{Place, Report, Take};

use crate::{Format, FormatsError, codes};

/// A motion file that was read.
#[derive(Debug, Clone)]
pub struct MotionFile {
    /// Its format.
    pub format: Format,
    /// Its content.
    pub content: FileContent,
    /// Warnings of the reader.
    pub report: Report,
}

/// The content of a motion file.
#[derive(Debug, Clone)]
pub enum FileContent {
    /// Figures: one take for each animation in the file, at least one.
    Figures(Vec<FileTake>),
    /// Points without a skeleton: markers, or a drawn path.
    Points(Box<PointRecording>),
}

/// A take of a file, with the conventions found for each actor.
#[derive(Debug, Clone)]
pub struct FileTake {
    /// The motion.
    pub take: Take,
    /// The conventions found, in the order of the actors.
    pub detected: Vec<DetectedConventions>,
}

impl FileTake {
    /// The first frame that is not a calibration pose. `is_trimmed` states that the reader left it out already.
    pub fn first_frame(&self, is_trimmed: bool) -> usize {
        usize::from(!is_trimmed && self.detected.iter().any(|found| found.rest_frame.value))
    }
}

impl MotionFile {
    /// The first take. An error if the file contains points without a skeleton.
    pub fn take(&self) -> Result<&Take, FormatsError> {
        self.takes().first().map(|first| &first.take).ok_or_else(Self::no_figure)
    }

    /// The first take with its conventions. An error if the file contains points without a skeleton.
    pub fn into_first(self) -> Result<FileTake, FormatsError> {
        self.into_takes()?.into_iter().next().ok_or_else(Self::no_figure)
    }

    /// All takes. An error if the file contains points without a skeleton.
    pub fn into_takes(self) -> Result<Vec<FileTake>, FormatsError> {
        match self.content {
            FileContent::Figures(takes) => Ok(takes),
            FileContent::Points(_) => Err(Self::no_figure()),
        }
    }

    /// All takes. Empty if the file contains points without a skeleton.
    pub fn takes(&self) -> &[FileTake] {
        match &self.content {
            FileContent::Figures(takes) => takes,
            FileContent::Points(_) => &[],
        }
    }

    /// The points, if the file contains points without a skeleton.
    pub fn points(&self) -> Option<&PointRecording> {
        match &self.content {
            FileContent::Figures(_) => None,
            FileContent::Points(points) => Some(points),
        }
    }

    fn no_figure() -> FormatsError {
        let message = "the file contains points without a skeleton";
        FormatsError::refused(&codes::NO_FIGURE, Place::default(), message)
    }
}
