//! Invariants of reading any bytes.

use marey_formats::{FileContent, FormatsError, MotionFile};
use marey_motion::{Code, Coded, Place};

/// Invariants of a format, in addition to those of all formats.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Invariants {
    /// Every frame takes at least one byte of the file.
    pub(crate) needs_a_byte_per_frame: bool,
    /// Places are in the text of the file.
    pub(crate) places_in_text: bool,
}

impl Invariants {
    /// Checks a reading.
    pub(crate) fn hold(self, bytes: &[u8], reading: &Result<MotionFile, FormatsError>) {
        match reading {
            Err(error) => {
                assert!(is_known(error.code()), "{} is in no list", error.code().id);
                assert!(!error.to_string().is_empty());
                self.check_place(bytes, &error.place());
            }
            Ok(import) => {
                let frames = frames_of(import);
                assert!(!self.needs_a_byte_per_frame || frames <= bytes.len().max(1), "{frames} frames");
                for warning in import.report.warnings() {
                    assert!(is_known(warning.code), "{} is in no list", warning.code.id);
                    assert!(warning.count > 0 && !warning.message.is_empty());
                    // The last frame may have been omitted after the warning.
                    let place = &warning.place;
                    assert!(place.frame.is_none_or(|frame| frame <= frames), "{place} of {frames} frames");
                    self.check_place(bytes, place);
                }
            }
        }
    }

    fn check_place(self, bytes: &[u8], place: &Place) {
        if self.places_in_text {
            check_in_text(bytes, place);
        }
    }
}

/// The number of frames of the longest take. Fails if a position is not finite.
fn frames_of(import: &MotionFile) -> usize {
    match &import.content {
        FileContent::Figures(readings) => {
            assert!(!readings.is_empty(), "nothing was read");
            for take in readings.iter().map(|reading| &reading.take) {
                assert!(take.rate_hz().is_finite() && take.rate_hz() > 0.0);
                for actor in take.actors() {
                    let positions = actor.clip.world().positions;
                    assert!(positions.iter().all(|p| p.is_finite()), "a joint position is not finite");
                }
            }
            readings.iter().map(|reading| reading.take.frames()).max().unwrap_or(0)
        }
        FileContent::Points(points) => {
            assert!(points.clip.rate_hz().is_finite() && points.clip.rate_hz() > 0.0);
            assert!(points.clip.flat().iter().all(|p| p.is_finite()), "a marker position is not finite");
            points.clip.frames()
        }
    }
}

fn is_known(code: &Code) -> bool {
    let known = [
        [marey_formats::every_code(), marey_conventions::every_code()].concat(),
        marey_motion::codes::ALL.to_vec(),
    ]
    .concat();
    known.iter().any(|known| known.id == code.id)
}

/// Checks that a place is in the text or just after it. UTF-16 text is counted as UTF-8.
fn check_in_text(bytes: &[u8], place: &Place) {
    let Some(line) = place.line else { return };
    let units =
        |from: fn([u8; 2]) -> u16| bytes.chunks_exact(2).map(|p| from([p[0], p[1]])).collect::<Vec<u16>>();
    let text = match bytes {
        [0xff, 0xfe, ..] => String::from_utf16_lossy(&units(u16::from_le_bytes)).into_bytes(),
        [0xfe, 0xff, ..] => String::from_utf16_lossy(&units(u16::from_be_bytes)).into_bytes(),
        _ => bytes.to_vec(),
    };
    let lines = lines_of(&text);
    assert!((1..=lines.len()).contains(&line), "{place} of {} lines", lines.len());
    let column = place.column.unwrap();
    assert!((1..=lines[line - 1] + 1).contains(&column), "{place} of {} bytes", lines[line - 1]);
}

/// The length of each line, including its end.
fn lines_of(text: &[u8]) -> Vec<usize> {
    let mut lines = vec![0];
    for (i, byte) in text.iter().enumerate() {
        *lines.last_mut().unwrap() += 1;
        if *byte == b'\n' || (*byte == b'\r' && text.get(i + 1) != Some(&b'\n')) {
            lines.push(0);
        }
    }
    lines
}
