//! Points without a skeleton, before and after conversion to Marey's conventions.

use marey_motion::PointClip;

use crate::DetectedPointConventions;

/// Points as read from a file, in the file's unit and axes.
#[derive(Debug, Clone)]
pub struct RawPoints {
    /// Positions. Points that the file has no value for are missing.
    pub clip: PointClip,
    /// Reconstruction residual of each point in file units, frames × labels. Empty if the file has none; NaN if a point was not
    /// measured.
    pub residuals: Vec<f32>,
    /// Signals recorded with the points.
    pub analog: Option<AnalogSignals>,
}

/// Labelled points in Marey's conventions.
#[derive(Debug, Clone)]
pub struct PointRecording {
    /// Positions in metres. Points that the file has no value for stay missing.
    pub clip: PointClip,
    /// Conventions found in the file.
    pub detected: DetectedPointConventions,
    /// Reconstruction residual of each point in metres, frames × labels. Empty if the file has none; NaN if a point was not measured.
    pub residuals_m: Vec<f32>,
    /// Signals recorded with the points.
    pub analog: Option<AnalogSignals>,
}

/// Signals recorded on the points' clock, such as force plates and EMG.
#[derive(Debug, Clone, PartialEq)]
pub struct AnalogSignals {
    /// Name of each channel.
    pub labels: Vec<String>,
    /// Unit of each channel as the file writes it. Empty if the file states none.
    pub units: Vec<String>,
    /// Samples per second: a whole multiple of the points' rate.
    pub rate_hz: f64,
    /// Samples × channels, in the file's units. NaN if the file has no number.
    pub samples: Vec<f32>,
}
