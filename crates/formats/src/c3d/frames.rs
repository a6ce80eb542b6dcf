//! The frames of a C3D: positions with residuals, then analog samples.

use glam::Vec3;
use marey_motion::{Place, Report};

use super::codes;
use super::layout::{Layout, Storage};
use super::processor::Processor;

/// Largest plausible coordinate in file units: a hundred kilometres in millimetres.
const MAX_COORDINATE: f32 = 1e8;

/// The content of the frames.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// Frames × kept points, in file units.
    pub(super) points: Vec<Option<Vec3>>,
    /// Residual of each point, in file units. NaN if it was not measured.
    pub(super) residuals: Vec<f32>,
    /// Samples × channels, as stored.
    pub(super) analog: Vec<f32>,
    /// Whether the file records which cameras saw a point.
    pub(super) has_cameras: bool,
}

/// One position with the word after it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Measurement {
    at: Option<Vec3>,
    residual: f32,
    cameras: u8,
    problem: Option<Problem>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Problem {
    Position,
    Residual,
    Origin,
}

/// Reads the frames. Points that are not kept and channels that do not divide are skipped. `data` contains whole frames.
pub(super) fn read(
    data: &[u8],
    layout: &Layout,
    processor: Processor,
    (keep, labels): (&[bool], &[String]),
    is_unsigned: bool,
    report: &mut Report,
) -> Frames {
    let size = layout.storage.bytes();
    let mut frames = Frames::default();
    let mut unmeasured = (0, None);
    for (number, frame) in data.chunks_exact(layout.frame_bytes()).enumerate() {
        let (positions, analog) = frame.split_at_checked(layout.points * 4 * size).unwrap_or((frame, &[]));
        let kept = positions.chunks_exact(4 * size).zip(keep).filter(|(_, keep)| **keep);
        for ((position, _), label) in kept.zip(labels) {
            let measurement = measurement(position, layout, processor);
            let place = || Place::default().frame(number).joint(label.as_str());
            match measurement.problem {
                Some(Problem::Position) => {
                    report.warn(&codes::BAD_POSITION, place(), "the position is invalid")
                }
                Some(Problem::Residual) => {
                    report.warn(&codes::BAD_RESIDUAL, place(), "the residual is invalid")
                }
                Some(Problem::Origin) => report.warn(&codes::AT_ORIGIN, place(), "exactly at the origin"),
                None if measurement.at.is_some() && measurement.residual.is_nan() => {
                    unmeasured.0 += 1;
                    unmeasured.1.get_or_insert_with(place);
                }
                None => {}
            }
            frames.has_cameras |= measurement.cameras != 0;
            frames.points.push(measurement.at);
            frames.residuals.push(measurement.residual);
        }
        if layout.channels > 0 {
            let samples = analog.chunks_exact(size).map(|number| match layout.storage {
                Storage::Whole => {
                    let word = processor.word_at(number, 0).unwrap_or_default();
                    if is_unsigned { f32::from(word) } else { f32::from(word.cast_signed()) }
                }
                Storage::Floating => processor.float_at(number, 0).unwrap_or_default(),
            });
            frames.analog.extend(samples);
        }
    }
    let measured = frames.residuals.iter().filter(|residual| !residual.is_nan()).count();
    if measured == 0 {
        frames.residuals = Vec::new();
    } else if let (count, Some(place)) = unmeasured {
        let message = format!("{count} positions without a residual, {measured} with one");
        report.warn_many(&codes::NO_RESIDUAL, place, count, message);
    }
    frames
}

/// Reads three coordinates and the word after them. The low byte of the word is the residual in steps of the scale; the high byte has a
/// bit for each of seven cameras. A negative word means that the point is missing; 0 means that it was computed, not measured.
fn measurement(bytes: &[u8], layout: &Layout, processor: Processor) -> Measurement {
    let (at, word) = match layout.storage {
        Storage::Whole => {
            let word = |i: usize| processor.word_at(bytes, i * 2).unwrap_or_default().cast_signed();
            let scaled = |i: usize| f32::from(word(i)) * layout.scale;
            (Vec3::new(scaled(0), scaled(1), scaled(2)), f32::from(word(3)))
        }
        Storage::Floating => {
            let float = |i: usize| processor.float_at(bytes, i * 4).unwrap_or_default();
            (Vec3::new(float(0), float(1), float(2)), float(3))
        }
    };
    let missing = Measurement { at: None, residual: f32::NAN, cameras: 0, problem: None };
    if word < 0.0 || (word.is_nan() && at == Vec3::ZERO) {
        return missing;
    }
    if !(at.is_finite() && at.abs().max_element() <= MAX_COORDINATE) {
        return Measurement { problem: Some(Problem::Position), ..missing };
    }
    if !(0.0..32768.0).contains(&word) {
        return Measurement { at: Some(at), problem: Some(Problem::Residual), ..missing };
    }
    let [cameras, steps] = (word as u16).to_be_bytes();
    if word as u16 == 0 {
        return match at == Vec3::ZERO {
            true => Measurement { problem: Some(Problem::Origin), ..missing },
            false => Measurement { at: Some(at), ..missing },
        };
    }
    Measurement { at: Some(at), residual: f32::from(steps) * layout.scale, cameras, problem: None }
}
