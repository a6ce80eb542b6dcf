//! C3D, the marker format of capture studios: positions with residuals, and the analog signals recorded with them.
//!
//! After "The C3D File Format: a technical user guide" (Motion Lab Systems, c3d.org, 2021). A file consists of blocks of 512 bytes:
//! a header with counts, parameters (named arrays in groups), and frames. The reader supports all three types of processor, integer
//! and floating-point storage, parameters that continue in others (`LABELS2`), and recordings of more than 65,535 frames.
//!
//! Details that the guide leaves undefined, or in which files differ from it:
//!
//! - Header and parameters repeat some values. The header decides the layout of the frames, the parameters the rate. The number
//!   of frames comes from `TRIAL:ACTUAL_…_FIELD`, `POINT:LONG_FRAMES`, the header, `POINT:FRAMES`: the first number that fits the data.
//! - A negative word after a position means that it is missing. So does a position exactly at the origin without a residual,
//!   which some programs write for gaps. Missing positions are marked, never filled.
//! - A zero word means that a position was computed rather than measured: its residual is NaN.
//! - `POINT:Y_SCREEN` is the vertical axis of the writer's screen. It is used as the up axis, but its sign is ignored, because
//!   files of real systems have `-Z` with the floor at 0 and the person above it.
//! - Points that `POINT:ANGLES`, `FORCES`, `MOMENTS`, `POWERS`, `SCALARS` and the like name are not positions and are omitted.
//!
//! The reader allocates no more than the bytes in the file represent.

mod analog;
pub mod codes;
mod events;
mod frames;
mod header;
mod layout;
mod parameters;
mod point_metadata;
mod processor;

use marey_conventions::{DeclaredConventions, RawPoints};
use marey_motion::{Place, PointClip, Report};

use crate::{FormatsError, Limits};
use header::{BLOCK, Header, KEY};
use parameters::Parameters;
use point_metadata::PointMetadata;
use processor::Processor;

/// The content of a C3D file, before conversion to Marey's conventions.
#[derive(Debug)]
pub struct C3dFile {
    /// Markers and signals, in file units and axes.
    pub points: RawPoints,
    /// The unit and up axis in the file.
    pub declared: DeclaredConventions,
    /// Warnings of the reader.
    pub report: Report,
}

/// Settings of the C3D reader.
#[derive(Debug, Clone, Copy, Default)]
pub struct C3dSettings {
    /// Bounds on the size of the content.
    pub limits: Limits,
    /// Frame rate in Hz, overriding the file's.
    pub rate_hz: Option<f64>,
}

/// Whether bytes look like a C3D: the key in the first block, and a valid processor in the parameters that it refers to.
pub fn sniff(bytes: &[u8]) -> bool {
    let processor = parameter_block(bytes).and_then(|block| bytes.get((block - 1) * BLOCK + 3));
    processor.is_some_and(|processor| Processor::of(*processor).is_some())
}

/// Reads a C3D, in its own units and axes.
pub fn read(bytes: &[u8], settings: &C3dSettings) -> Result<C3dFile, FormatsError> {
    let refuse = |code, message: &str| Err(FormatsError::refused(code, Place::default(), message));
    let Some(block) = parameter_block(bytes) else {
        return refuse(&codes::NOT_C3D, "the second byte is not 50 hexadecimal, or the first is 0");
    };
    let Some(&processor) = bytes.get((block - 1) * BLOCK + 3) else {
        return refuse(&codes::TRUNCATED, "the file ends before its parameters");
    };
    let mut report = Report::default();
    let processor = Processor::of(processor).unwrap_or_else(|| {
        let message = format!("the processor is {processor}, not 84, 85 or 86");
        report.warn(&codes::PROCESSOR, Place::default(), message);
        Processor::Intel
    });
    let Some(header) = Header::read(bytes, processor) else {
        return refuse(&codes::TRUNCATED, "the file ends inside its header");
    };
    let parameters = Parameters::read(bytes, block, processor, &mut report);
    let wishes = (settings.limits, settings.rate_hz);
    let (layout, data) = layout::determine(bytes, &header, &parameters, wishes, &mut report)?;
    let meaning = PointMetadata::of(&parameters, layout.points, &mut report);
    if meaning.labels.is_empty() {
        return refuse(&codes::NO_POINTS, "all points are angles, forces or the like");
    }
    let first = parameters.long("TRIAL", "ACTUAL_START_FIELD").unwrap_or(header.first);
    if first > 1 {
        let message = format!("the first frame is number {first}");
        report.warn(&codes::FIRST_FRAME, Place::default().frame(0), message);
    }
    let is_unsigned =
        parameters.text("ANALOG", "FORMAT").is_some_and(|f| f.eq_ignore_ascii_case(b"UNSIGNED"));
    let wanted = (meaning.is_position.as_slice(), meaning.labels.as_slice());
    let frames = frames::read(data, &layout, processor, wanted, is_unsigned, &mut report);
    let analog = analog::scaled(frames.analog, &layout, &parameters, &mut report);
    events::report_all(&header, &parameters, &mut report);
    point_metadata::report_not_kept(&parameters, frames.has_cameras, &mut report);
    let clip = PointClip::new(meaning.labels, layout.rate_hz, frames.points)?;
    let declared =
        DeclaredConventions { unit: meaning.unit, up: meaning.up, ..DeclaredConventions::default() };
    Ok(C3dFile { points: RawPoints { clip, residuals: frames.residuals, analog }, declared, report })
}

/// The block of the parameters, counted from 1, if the first block has the key.
fn parameter_block(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [0, ..] => None,
        [block, KEY, ..] => Some(usize::from(*block)),
        _ => None,
    }
}

/// Reports a text that is not UTF-8.
fn report_encoding(text: &str, was_latin: bool, report: &mut Report) {
    if was_latin {
        report.warn(&codes::ENCODING, Place::default(), format!("{:?}", crate::unique_labels::short(text)));
    }
}
