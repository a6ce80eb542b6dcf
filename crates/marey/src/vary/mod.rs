//! Chaotic variation of a dance: the `vary` verb, and the engine of [`marey_vary`].
//!
//! [`run`] varies once. [`VaryJob`] prepares a request once for many seeds. [`text`] varies lines or words.

mod bridge;
mod count;
mod job;
mod keyframes;
mod phrases;
mod request;
mod symbols;
pub mod text;

use std::path::Path;
use std::sync::Arc;

pub use job::VaryJob;
pub use marey_vary::*;
pub use phrases::DanceSources;
pub use request::{Bridge, CutRule, DanceRecording, VaryRequest};

use crate::corpus::import::{ImportPreparation, PreparedMotion};
use crate::formats::file::read_file;
use crate::formats::{FileTake, ReadOptions};
use crate::motion::Report;
use crate::{Context, Error, Outcome};

/// What the engine reports about a variation.
#[derive(Debug, Clone, PartialEq)]
pub struct VaryDetails {
    /// Random seed of the variation.
    pub seed: u64,
    /// Points of the reference trajectory, one per cell of the original.
    pub reference: Arc<[StatePoint]>,
    /// Trajectory of the variation.
    pub itinerary: Itinerary,
    /// Chunks that play without a cut, in cells.
    pub chunks: Vec<Chunk>,
    /// Similarity to the original.
    pub statistics: VariationStatistics,
    /// Duration of a cell in seconds.
    pub cell_secs: f64,
}

impl VaryDetails {
    /// Draws the trajectories and chunks as SVG.
    pub fn to_svg(&self) -> String {
        attractor_svg(&self.reference, &self.itinerary, &self.chunks)
    }
}

/// Varies a dance once, with the seed of the request.
///
/// ```
/// use marey::examples::walk::{WalkSettings, walk};
/// use marey::vary::{self, VaryRequest};
/// use marey::Context;
/// let walk = walk(&WalkSettings { duration_secs: 6.0, rate_hz: 30.0, ..WalkSettings::default() })?;
/// let request = VaryRequest { motion: vec![walk.take.into()], seed: 3, ..VaryRequest::default() };
/// let outcome = vary::run(&request, &Context::new())?;
/// assert_eq!(outcome.take.frames(), 180);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run(request: &VaryRequest, context: &Context<'_>) -> Result<Outcome<VaryDetails>, Error> {
    VaryJob::new(request, context)?.run(request.seed, &request.name)
}

/// Reads the first take of a motion file and prepares it as `marey corpus add` does: without a calibration pose, on its floor, with
/// short spikes and gaps repaired. What was changed is reported.
pub fn read_dance(path: &Path, options: &ReadOptions) -> Result<(DanceRecording, Report), Error> {
    let in_file = |error: crate::formats::FormatsError| Error::from(error).in_file(path);
    let import = read_file(path, options).map_err(in_file)?;
    let mut report = import.report.clone();
    let FileTake { take, detected, .. } = import.into_first().map_err(in_file)?;
    let prepared = ImportPreparation::default().apply(take, &detected, &options.conventions, &mut report);
    let PreparedMotion { take, unusable, .. } = prepared.map_err(|error| Error::from(error).in_file(path))?;
    Ok((DanceRecording { take, unusable }, report))
}
