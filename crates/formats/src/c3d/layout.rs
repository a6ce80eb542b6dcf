//! The layout of the frames in a C3D, including the decision if header and parameters disagree.

use marey_motion::{Code, Place, Report};

use super::codes;
use super::header::{BLOCK, Header};
use super::parameters::Parameters;
use crate::{FormatsError, Limits};

/// Plausible frame rates, in Hz.
const POSSIBLE_RATES: std::ops::RangeInclusive<f64> = 1e-3..=1e6;

/// Bytes of memory per position and per analog sample while reading.
const POSITION_BYTES: usize = 40;
const SAMPLE_BYTES: usize = 8;

/// How numbers are stored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Storage {
    /// 16-bit integers, which are multiplied by the scale.
    Whole,
    /// 32-bit floating-point numbers, in file units.
    Floating,
}

impl Storage {
    /// Bytes per number.
    pub(super) fn bytes(self) -> usize {
        match self {
            Self::Whole => 2,
            Self::Floating => 4,
        }
    }
}

/// The layout of the frames.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Layout {
    pub(super) storage: Storage,
    /// File units per integer step, and per step of a residual in either storage; above 0.
    pub(super) scale: f32,
    /// Positions per frame, at least 1.
    pub(super) points: usize,
    /// Analog numbers per frame.
    pub(super) analog_per_frame: usize,
    /// Number of analog channels, and of samples per channel and frame. `None` if the numbers do not divide.
    pub(super) channels: usize,
    pub(super) samples_per_frame: usize,
    /// At least 1.
    pub(super) frames: usize,
    pub(super) rate_hz: f64,
}

impl Layout {
    /// Bytes per frame.
    pub(super) fn frame_bytes(&self) -> usize {
        (self.points * 4 + self.analog_per_frame) * self.storage.bytes()
    }
}

/// Determines the layout, and returns it with the bytes of the frames.
pub(super) fn determine<'a>(
    bytes: &'a [u8],
    header: &Header,
    parameters: &Parameters<'_>,
    (limits, told_rate_hz): (Limits, Option<f64>),
    report: &mut Report,
) -> Result<(Layout, &'a [u8]), FormatsError> {
    if header.points == 0 {
        return refuse(&codes::NO_POINTS, "the header has no points");
    }
    compare(parameters.count("POINT", "USED"), header.points, "points", report);
    let (storage, scale) = scale(header, parameters)?;
    let (channels, samples_per_frame) = analog(header, parameters, report);
    let mut layout = Layout {
        storage,
        scale,
        points: header.points,
        analog_per_frame: header.analog_per_frame,
        channels,
        samples_per_frame,
        frames: 0,
        rate_hz: rate(header, parameters, told_rate_hz, report)?,
    };
    let data = data(bytes, header, parameters)?;
    layout.frames = frames(header, parameters, data.len(), layout.frame_bytes(), report);
    if layout.frames == 0 {
        return refuse(&codes::TRUNCATED, "the file ends inside its first frame");
    }
    check_limits(&layout, limits)?;
    let data = data.get(..layout.frames * layout.frame_bytes()).unwrap_or_default();
    Ok((layout, data))
}

fn refuse<T>(code: &'static Code, message: impl Into<String>) -> Result<T, FormatsError> {
    Err(FormatsError::refused(code, Place::default(), message))
}

/// Reports a parameter that disagrees with the header.
fn compare(declared: Option<usize>, used: usize, what: &str, report: &mut Report) {
    if let Some(declared) = declared.filter(|declared| *declared != used) {
        let message =
            format!("{used} {what} in the header, {declared} in the parameters; the header was used");
        report.warn(&codes::DISAGREEMENT, Place::default(), message);
    }
}

/// A negative scale means floating-point numbers. The header's scale is used, or the parameter's if that is invalid.
fn scale(header: &Header, parameters: &Parameters<'_>) -> Result<(Storage, f32), FormatsError> {
    let is_usable = |scale: &f32| scale.is_finite() && *scale != 0.0;
    let other = parameters.number("POINT", "SCALE").map(|scale| scale as f32);
    let Some(scale) = Some(header.scale).filter(is_usable).or(other.filter(is_usable)) else {
        return refuse(&codes::SCALE, format!("the scale is {}", header.scale));
    };
    let storage = if scale < 0.0 { Storage::Floating } else { Storage::Whole };
    Ok((storage, scale.abs()))
}

/// The number of channels, and of samples per channel and frame.
fn analog(header: &Header, parameters: &Parameters<'_>, report: &mut Report) -> (usize, usize) {
    let total = header.analog_per_frame;
    if total == 0 {
        return (0, 0);
    }
    let used = parameters.count("ANALOG", "USED").filter(|used| *used > 0);
    let by_channels = used.filter(|used| total.is_multiple_of(*used)).map(|used| total / used);
    let samples = Some(header.samples_per_frame).filter(|samples| *samples > 0).or(by_channels);
    match samples.filter(|samples| total.is_multiple_of(*samples)) {
        Some(samples) => {
            compare(used, total / samples, "analog channels", report);
            (total / samples, samples)
        }
        None => {
            let message = format!("{total} numbers per frame, {} per channel", header.samples_per_frame);
            report.warn(&codes::ANALOG_LAYOUT, Place::default(), message);
            (0, 0)
        }
    }
}

/// The rate set by the user, the parameter's, or the header's.
fn rate(
    header: &Header,
    parameters: &Parameters<'_>,
    override_hz: Option<f64>,
    report: &mut Report,
) -> Result<f64, FormatsError> {
    if let Some(override_hz) = override_hz {
        return Ok(override_hz);
    }
    let is_usable = |rate_hz: &f64| POSSIBLE_RATES.contains(rate_hz);
    let by_header = Some(f64::from(header.rate_hz)).filter(is_usable);
    let by_parameter = parameters.number("POINT", "RATE").filter(is_usable);
    if let (Some(by_header), Some(by_parameter)) = (by_header, by_parameter)
        && (by_header / by_parameter - 1.0).abs() > 1e-4
    {
        let message =
            format!("{by_header} Hz in the header, {by_parameter} Hz in the parameters, which was used");
        report.warn(&codes::DISAGREEMENT, Place::default(), message);
    }
    match by_parameter.or(by_header) {
        Some(rate_hz) => Ok(plain(rate_hz)),
        None => refuse(&codes::RATE, format!("the rate is {} Hz", header.rate_hz)),
    }
}

/// A rate without the extra digits of a 32-bit float: 59.94 instead of 59.939998626708984.
fn plain(rate_hz: f64) -> f64 {
    (rate_hz as f32).to_string().parse().unwrap_or(rate_hz)
}

/// The bytes from the first frame on.
fn data<'a>(bytes: &'a [u8], header: &Header, parameters: &Parameters<'_>) -> Result<&'a [u8], FormatsError> {
    let is_usable = |block: &usize| *block > 1;
    let block = Some(header.data_block).filter(is_usable);
    let Some(block) = block.or_else(|| parameters.count("POINT", "DATA_START").filter(is_usable)) else {
        return refuse(&codes::TRUNCATED, "the file does not state where the frames start");
    };
    match bytes.get((block - 1).saturating_mul(BLOCK)..) {
        Some(data) => Ok(data),
        None => {
            refuse(&codes::TRUNCATED, format!("the file ends before block {block}, where the frames start"))
        }
    }
}

/// The number of frames: the first announced number that fits the data, with fields that can hold large numbers first. If none
/// fits, as many as the data contains.
fn frames(
    header: &Header,
    parameters: &Parameters<'_>,
    data_bytes: usize,
    frame_bytes: usize,
    report: &mut Report,
) -> usize {
    let held = data_bytes / frame_bytes;
    let trial =
        parameters.long("TRIAL", "ACTUAL_START_FIELD").zip(parameters.long("TRIAL", "ACTUAL_END_FIELD"));
    let trial = trial.and_then(|(start, end)| end.checked_sub(start)).map(|steps| steps + 1);
    let long = parameters.count("POINT", "LONG_FRAMES");
    let short = parameters.count("POINT", "FRAMES").filter(|frames| *frames < 0xffff);
    let announced = [trial, long, header.frames(), short];
    let announced: Vec<usize> = announced.into_iter().flatten().filter(|frames| *frames > 0).collect();
    let fits = announced.iter().copied().find(|frames| *frames <= held);
    let used = fits.unwrap_or(held);
    if let Some(other) = announced.iter().find(|frames| **frames != used) {
        let (code, message) = if fits.is_some() {
            (&codes::DISAGREEMENT, format!("{other} frames announced, and {used}, which were used"))
        } else {
            (&codes::FRAME_COUNT, format!("{other} frames announced, {held} found"))
        };
        report.warn(code, Place::default(), message);
    }
    // The last block is padded; more bytes are other content.
    let left = data_bytes - used * frame_bytes;
    if left >= BLOCK && left >= frame_bytes {
        let message = format!("{left} bytes after the {used} announced frames");
        report.warn(&codes::FRAME_COUNT, Place::default(), message);
    }
    used
}

fn check_limits(layout: &Layout, limits: Limits) -> Result<(), FormatsError> {
    if layout.frames > limits.frames {
        return refuse(&codes::LIMIT, format!("more than {} frames", limits.frames));
    }
    let frame = layout.points * POSITION_BYTES + layout.analog_per_frame * SAMPLE_BYTES;
    if layout.frames.saturating_mul(frame) > limits.memory_bytes {
        return refuse(&codes::LIMIT, format!("more than {} bytes of motion", limits.memory_bytes));
    }
    Ok(())
}
