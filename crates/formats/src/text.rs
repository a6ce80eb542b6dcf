//! Text encodings, and warnings with positions in a text.

use std::borrow::Cow;

use marey_motion::{Code, Place, Report};

use crate::FormatsError;
use crate::lines::place_of;

/// Text in an ASCII-compatible encoding, without a byte-order mark. UTF-16 is converted to UTF-8.
#[derive(Debug, PartialEq)]
pub(crate) struct Text<'a> {
    pub(crate) bytes: Cow<'a, [u8]>,
    pub(crate) was_utf16: bool,
}

impl<'a> Text<'a> {
    /// Detects and removes the encoding.
    pub(crate) fn of(bytes: &'a [u8]) -> Self {
        match bytes {
            [0xef, 0xbb, 0xbf, body @ ..] => Self { bytes: Cow::Borrowed(body), was_utf16: false },
            [0xff, 0xfe, body @ ..] => Self::of_utf16(body, u16::from_le_bytes),
            [0xfe, 0xff, body @ ..] => Self::of_utf16(body, u16::from_be_bytes),
            _ => Self { bytes: Cow::Borrowed(bytes), was_utf16: false },
        }
    }

    fn of_utf16(body: &[u8], unit: fn([u8; 2]) -> u16) -> Self {
        let units = body.as_chunks().0.iter().map(|pair| unit(*pair));
        let text = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER));
        Self { bytes: Cow::Owned(text.collect::<String>().into_bytes()), was_utf16: true }
    }

    /// The offset of a zero byte near the start, which text does not contain.
    pub(crate) fn zero_byte(&self) -> Option<usize> {
        self.bytes.iter().take(1024).position(|byte| *byte == 0)
    }
}

/// Whether a byte ends a line.
pub(crate) fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Whether a line of a table is a comment.
pub(crate) fn is_comment(line: &[u8]) -> bool {
    line.starts_with(b"#") || line.starts_with(b"//")
}

/// Warnings about a text, with positions.
pub(crate) struct Notes<'a> {
    text: &'a [u8],
    pub(crate) report: Report,
}

impl<'a> Notes<'a> {
    pub(crate) fn on(text: &'a [u8]) -> Self {
        Self { text, report: Report::default() }
    }

    pub(crate) fn place(&self, offset: usize) -> Place {
        place_of(self.text, offset)
    }

    /// An error at an offset.
    pub(crate) fn refuse<T>(
        &self,
        code: &'static Code,
        offset: usize,
        message: impl Into<String>,
    ) -> Result<T, FormatsError> {
        Err(FormatsError::refused(code, self.place(offset), message))
    }

    /// Reports a warning at an offset.
    pub(crate) fn warn(&mut self, code: &'static Code, offset: usize, message: impl FnOnce() -> String) {
        self.warn_at(code, |notes| (notes.place(offset), message()));
    }

    /// Reports a warning at an offset, in a frame.
    pub(crate) fn warn_in_frame(
        &mut self,
        code: &'static Code,
        offset: usize,
        frame: usize,
        message: impl FnOnce() -> String,
    ) {
        self.warn_at(code, |notes| (notes.place(offset).frame(frame), message()));
    }

    /// Computes the place only for the first warning of a code, because that scans the text.
    fn warn_at(&mut self, code: &'static Code, first: impl FnOnce(&Self) -> (Place, String)) {
        let is_first = !self.report.has(code);
        let (place, message) = if is_first { first(self) } else { Default::default() };
        self.report.warn(code, place, message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_gives_the_same_text() {
        let wide = |unit: fn(u16) -> [u8; 2], mark: [u8; 2]| {
            let units = "ü:1".encode_utf16().flat_map(unit);
            mark.into_iter().chain(units).collect::<Vec<u8>>()
        };
        let little = wide(u16::to_le_bytes, [0xff, 0xfe]);
        let big = wide(u16::to_be_bytes, [0xfe, 0xff]);
        for bytes in [little.as_slice(), &big, "ü:1".as_bytes(), "\u{feff}ü:1".as_bytes()] {
            assert_eq!(&*Text::of(bytes).bytes, "ü:1".as_bytes());
        }
        assert!(Text::of(&little).was_utf16 && !Text::of(b"\xef\xbb\xbfa").was_utf16);
        // Half a code unit at the end is dropped, half a surrogate pair replaced.
        assert_eq!(&*Text::of(b"\xff\xfea\0b").bytes, b"a");
        assert_eq!(&*Text::of(b"\xff\xfe\x00\xd8").bytes, "\u{fffd}".as_bytes());
    }

    #[test]
    fn zero_bytes_are_found_near_the_start() {
        assert_eq!(Text::of(b"ab\0").zero_byte(), Some(2));
        assert_eq!(Text::of(&[b' '; 2000]).zero_byte(), None);
    }
}
