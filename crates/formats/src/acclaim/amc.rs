//! Reads motion files: keywords, then frames.

use marey_motion::ClipParts;

use super::asf::DEGREE;
use super::codes;
use super::figure::Figure;
use super::frames::Frames;
use super::scan::{Scanner, is_word, line_length};
use crate::FormatsError;

/// The content of a motion file.
pub(super) struct Motion {
    pub(super) parts: ClipParts,
    pub(super) frames: usize,
    /// Frame rate in Hz, if the file has one.
    pub(super) rate_hz: Option<f64>,
}

/// Reads the motion of a figure.
pub(super) fn read(scan: &mut Scanner<'_>, figure: &Figure) -> Result<Motion, FormatsError> {
    let header = Header::read(scan, figure)?;
    let (parts, frames) = Frames::read(scan, figure, header.radians_per_unit as f32)?;
    Ok(Motion { parts, frames, rate_hz: header.rate_hz })
}

/// The keywords before the first frame.
struct Header {
    radians_per_unit: f64,
    rate_hz: Option<f64>,
}

impl Header {
    /// Reads keywords up to the first word that is not a keyword.
    fn read(scan: &mut Scanner<'_>, figure: &Figure) -> Result<Self, FormatsError> {
        let mut header = Self { radians_per_unit: figure.radians_per_unit, rate_hz: None };
        loop {
            let word = scan.peek_word();
            if !word.starts_with(b":") {
                return Ok(header);
            }
            let at = scan.at;
            scan.check_line(at, line_length(scan.rest()))?;
            scan.at += word.len();
            match word {
                w if is_word(w, ":fully-specified") => {}
                w if is_word(w, ":degrees") => header.radians_per_unit = DEGREE,
                w if is_word(w, ":radians") => header.radians_per_unit = 1.0,
                w if is_word(w, ":samples-per-second") => {
                    header.rate_hz = rate_in_line(scan);
                    if header.rate_hz.is_none() {
                        scan.notes.warn(&codes::UNKNOWN_KEYWORD, at, || {
                            "the number of samples is not a valid rate".into()
                        });
                    }
                }
                _ => scan.skip_unknown(word, at),
            }
        }
    }
}

/// The next word as a frame rate. `None` if it is not a plausible rate.
fn rate_in_line(scan: &mut Scanner<'_>) -> Option<f64> {
    let word = std::str::from_utf8(scan.word_in_line()?).ok()?;
    word.parse().ok().filter(|rate| (1e-3..=1e6).contains(rate))
}
