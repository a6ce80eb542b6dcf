//! C3D, the format that capture studios keep markers in: positions in time with how well each was seen, and the analog
//! signals recorded beside them.
//!
//! After "The C3D File Format: a technical user guide" (Motion Lab Systems, c3d.org, 2021). A file is blocks of 512 bytes: a
//! header with counts, parameters (named arrays in groups), and frames. All three kinds of processor, both kinds of storage,
//! parameters that go on in others (`LABELS2`), and recordings of more than 65,535 frames are read.
//!
//! What the guide leaves open, or files do otherwise:
//!
//! - Header and parameters say some things twice. The header goes for how the frames lie, the parameters for the rate. Frames
//!   are counted by `TRIAL:ACTUAL_…_FIELD`, `POINT:LONG_FRAMES`, the header, `POINT:FRAMES`: the first number that fits the data.
//! - A negative word behind a position says that it is missing; so does a position exactly at the origin without a residual, as
//!   some programs write gaps. Missing positions are marked, never filled.
//! - A zero word says that a position was not measured but filled in or computed: its residual is NaN.
//! - `POINT:Y_SCREEN` is the axis that the writer's screen showed upright. It is taken for the up axis; its sign is not, as
//!   files from real systems have `-Z` with the floor at 0 and the person above it.
//! - Points that `POINT:ANGLES`, `FORCES`, `MOMENTS`, `POWERS`, `SCALARS` and the like name are no positions, and are left out.
//!
//! The reader allocates no more than the bytes that are there stand for.

mod analog;
pub mod codes;
mod events;
mod frames;
mod header;
mod layout;
mod meaning;
mod parameters;
mod processor;

use marey_motion::{Place, PointClip, Report};

use crate::door::{RawPoints, Stated};
use crate::{Error, Limits};
use header::{BLOCK, Header, KEY};
use meaning::Meaning;
use parameters::Parameters;
use processor::Processor;

/// What is read from a C3D before conventions are settled.
#[derive(Debug)]
pub struct C3dFile {
    /// Markers and signals, in file units and axes.
    pub points: RawPoints,
    /// The unit and up axis that the file gives.
    pub stated: Stated,
    /// What the reader had to live with.
    pub report: Report,
}

/// How a C3D is read.
#[derive(Debug, Clone, Copy, Default)]
pub struct C3dSettings {
    /// How much is taken in.
    pub limits: Limits,
    /// Frames a second, instead of what the file says.
    pub rate_hz: Option<f64>,
}

/// Whether bytes look like a C3D: the key in the first block, and a kind of processor in the parameters that it points to.
pub fn sniff(bytes: &[u8]) -> bool {
    let processor = parameter_block(bytes).and_then(|block| bytes.get((block - 1) * BLOCK + 3));
    processor.is_some_and(|processor| Processor::of(*processor).is_some())
}

/// Reads a C3D, in its own units and axes.
pub fn read(bytes: &[u8], settings: &C3dSettings) -> Result<C3dFile, Error> {
    let refuse = |code, message: &str| Err(Error::refused(code, Place::default(), message));
    let Some(block) = parameter_block(bytes) else {
        return refuse(&codes::NOT_C3D, "the second byte is not 50 hexadecimal, or the first is 0");
    };
    let Some(&processor) = bytes.get((block - 1) * BLOCK + 3) else {
        return refuse(&codes::TRUNCATED, "the file ends before its parameters");
    };
    let mut report = Report::default();
    let processor = Processor::of(processor).unwrap_or_else(|| {
        let message = format!("the parameters say {processor}, not 84, 85 or 86");
        report.warn(&codes::PROCESSOR, Place::default(), message);
        Processor::Intel
    });
    let Some(header) = Header::read(bytes, processor) else {
        return refuse(&codes::TRUNCATED, "the file ends inside its header");
    };
    let parameters = Parameters::read(bytes, block, processor, &mut report);
    let wishes = (settings.limits, settings.rate_hz);
    let (layout, data) = layout::settle(bytes, &header, &parameters, wishes, &mut report)?;
    let meaning = Meaning::of(&parameters, layout.points, &mut report);
    if meaning.labels.is_empty() {
        return refuse(&codes::NO_POINTS, "every point is an angle, a force or the like");
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
    meaning::report_not_kept(&parameters, frames.has_cameras, &mut report);
    let clip = PointClip::new(meaning.labels, layout.rate_hz, frames.points)?;
    let stated = Stated { unit: meaning.unit, up: meaning.up, ..Stated::default() };
    Ok(C3dFile { points: RawPoints { clip, residuals: frames.residuals, analog }, stated, report })
}

/// The block of the parameters, from 1, by a first block that has the key.
fn parameter_block(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [0, ..] => None,
        [block, KEY, ..] => Some(usize::from(*block)),
        _ => None,
    }
}

/// Notes a text that was not UTF-8.
fn mark_encoding(text: &str, was_latin: bool, report: &mut Report) {
    if was_latin {
        report.warn(&codes::ENCODING, Place::default(), format!("{:?}", crate::labels::short(text)));
    }
}
