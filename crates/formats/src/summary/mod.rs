//! A summary of a motion file: its content, its conventions, and when feet stand.

mod figure;
mod row;
mod severity;

pub use figure::FigureSummary;
pub use row::SummaryRow;

use marey_conventions::roles::RoleMap;
use marey_conventions::{DetectedPointConventions, PointRecording, Unit, UpAxis};
use marey_motion::{Take, Warning};
use serde::Serialize;

use crate::{Format, FormatsError, MotionFile};

/// A summary of a motion file.
#[derive(Debug, Clone)]
pub struct FileSummary {
    /// The format.
    pub format: Format,
    /// Number of joints of all figures.
    pub joints: usize,
    /// Number of frames of the first take.
    pub frames: usize,
    /// Frame rate in Hz.
    pub rate_hz: f64,
    /// Duration of the first take, in seconds.
    pub duration_secs: f64,
    /// The figures of the first take; empty for points.
    pub figures: Vec<FigureSummary>,
    /// Every take, if there are several.
    pub takes: Vec<TakeSummary>,
    /// Points without a skeleton.
    pub points: Option<PointSummary>,
    /// The warnings of the reader, the most severe first.
    pub warnings: Vec<Warning>,
    /// The roles of the first figure.
    pub role_map: Option<RoleMap>,
}

/// A summary of one take of several.
#[derive(Debug, Clone, Serialize)]
pub struct TakeSummary {
    /// The name.
    pub name: String,
    /// Number of actors.
    pub actors: usize,
    /// Number of frames.
    pub frames: usize,
    /// Frame rate in Hz.
    pub rate_hz: f64,
    /// Duration in seconds.
    pub duration_secs: f64,
}

/// A summary of points without a skeleton.
#[derive(Debug, Clone)]
pub struct PointSummary {
    /// The name of each point.
    pub labels: Vec<String>,
    /// Number of missing positions.
    pub missing: usize,
    /// Median residual, in metres.
    pub residual_m: Option<f32>,
    /// Number of analog channels, and their rate in Hz.
    pub analog: Option<(usize, f64)>,
    /// The conventions found.
    pub detected: DetectedPointConventions,
}

impl FileSummary {
    /// Summarises a file. `is_trimmed` states that the reader left out a calibration pose; otherwise one is ignored when
    /// contacts are detected.
    pub fn new(file: &MotionFile, is_trimmed: bool) -> Result<Self, FormatsError> {
        let warnings = severity::most_severe_first(&file.report);
        if let Some(points) = file.points() {
            return Ok(Self {
                format: file.format,
                joints: 0,
                frames: points.clip.frames(),
                rate_hz: points.clip.rate_hz(),
                duration_secs: points.clip.duration_secs(),
                figures: Vec::new(),
                takes: Vec::new(),
                points: Some(PointSummary::new(points)),
                warnings,
                role_map: None,
            });
        }
        let take = file.take()?;
        let detected = file.takes().iter().take(1).flat_map(|first| &first.detected);
        let figures = take.actors().iter().zip(detected);
        let several = if file.takes().len() > 1 { file.takes() } else { &[] };
        Ok(Self {
            format: file.format,
            joints: take.actors().iter().map(|actor| actor.clip.skeleton().len()).sum(),
            frames: take.frames(),
            rate_hz: take.rate_hz(),
            duration_secs: take.first().duration_secs(),
            figures: figures
                .map(|(actor, detected)| FigureSummary::new(actor, detected, is_trimmed))
                .collect::<Result<_, _>>()?,
            takes: several.iter().map(|each| TakeSummary::new(&each.take)).collect(),
            points: None,
            warnings,
            role_map: Some(RoleMap::from_skeleton(take.first().skeleton())),
        })
    }

    /// The codes of the warnings, the most severe first.
    pub fn codes(&self) -> Vec<&'static str> {
        self.warnings.iter().map(|warning| warning.code.id).collect()
    }

    /// The file's unit and up axis.
    pub fn unit_and_up(&self) -> Option<(Unit, UpAxis)> {
        let figure = self.figures.first().map(|figure| &figure.detected);
        let of_figure = figure.map(|found| (found.unit.value, found.up_axis.value));
        let points = self.points.as_ref().map(|points| &points.detected);
        of_figure.or_else(|| points.map(|found| (found.unit.value, found.up_axis.value)))
    }
}

impl TakeSummary {
    fn new(take: &Take) -> Self {
        Self {
            name: take.name().to_owned(),
            actors: take.actors().len(),
            frames: take.frames(),
            rate_hz: take.rate_hz(),
            duration_secs: take.first().duration_secs(),
        }
    }
}

impl PointSummary {
    fn new(points: &PointRecording) -> Self {
        let mut residuals: Vec<f32> = points.residuals_m.iter().copied().filter(|r| !r.is_nan()).collect();
        residuals.sort_unstable_by(f32::total_cmp);
        Self {
            labels: points.clip.labels().to_vec(),
            missing: points.clip.missing(),
            residual_m: residuals.get(residuals.len() / 2).copied(),
            analog: points.analog.as_ref().map(|analog| (analog.labels.len(), analog.rate_hz)),
            detected: points.detected.clone(),
        }
    }
}
