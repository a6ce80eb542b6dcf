//! What a file holds, once its conventions are settled.

use marey_motion::{Place, PointClip, Report, Take};

use crate::door::{Detected, PointsDetected};
use crate::{Error, Format, codes};

/// What was read.
#[derive(Debug, Clone)]
pub struct Import {
    /// The format it was in.
    pub format: Format,
    /// What the file holds.
    pub content: Content,
    /// What the reader had to live with.
    pub report: Report,
}

/// What a file holds.
#[derive(Debug, Clone)]
pub enum Content {
    /// Figures in motion: a take for each animation in the file; at least one.
    Figures(Vec<Reading>),
    /// Points without a skeleton: markers, or a drawn path.
    Points(Box<Points>),
}

/// A take, and what was found about each of its actors.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The motion.
    pub take: Take,
    /// What was found, in the order of the actors.
    pub detected: Vec<Detected>,
}

/// Labelled points, and what was found about them.
#[derive(Debug, Clone)]
pub struct Points {
    /// Where they are. What the file has no place for is missing, never filled.
    pub clip: PointClip,
    /// What was found.
    pub detected: PointsDetected,
    /// How far apart the rays were that a point was seen by, in metres; frames × labels, or empty where the file does not
    /// say. NaN where the point was not measured.
    pub residuals_m: Vec<f32>,
    /// What was recorded beside them.
    pub analog: Option<Analog>,
}

/// Signals recorded on the points' clock, as of force plates and muscles.
#[derive(Debug, Clone, PartialEq)]
pub struct Analog {
    /// What each channel is.
    pub labels: Vec<String>,
    /// What each channel's numbers are in, as the file has it; empty where it does not say.
    pub units: Vec<String>,
    /// Samples a second: a whole multiple of the points' rate.
    pub rate_hz: f64,
    /// Samples × channels, in the file's own units. NaN where the file has no number.
    pub samples: Vec<f32>,
}

impl Import {
    /// The first take; refused where there are points without a skeleton.
    pub fn take(&self) -> Result<&Take, Error> {
        self.readings().first().map(|reading| &reading.take).ok_or_else(Self::no_figure)
    }

    /// The first take, and what was found about it; refused where there are points without a skeleton.
    pub fn into_first(self) -> Result<Reading, Error> {
        self.into_readings()?.into_iter().next().ok_or_else(Self::no_figure)
    }

    /// All takes; refused where there are points without a skeleton.
    pub fn into_readings(self) -> Result<Vec<Reading>, Error> {
        match self.content {
            Content::Figures(readings) => Ok(readings),
            Content::Points(_) => Err(Self::no_figure()),
        }
    }

    /// All takes; none where there are points without a skeleton.
    pub fn readings(&self) -> &[Reading] {
        match &self.content {
            Content::Figures(readings) => readings,
            Content::Points(_) => &[],
        }
    }

    /// The points, where the file holds points.
    pub fn points(&self) -> Option<&Points> {
        match &self.content {
            Content::Figures(_) => None,
            Content::Points(points) => Some(points),
        }
    }

    fn no_figure() -> Error {
        let message = "the file holds points without a skeleton";
        Error::refused(&codes::NO_FIGURE, Place::default(), message)
    }
}
