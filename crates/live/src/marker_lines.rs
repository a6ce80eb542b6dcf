//! Reads the lines of a stream of markers. What is not a line of a stream is skipped.

use std::io::{BufRead, ErrorKind};

use crate::marker_frame::StreamLine;
use crate::{LiveError, MarkerFrame, Result, StreamHeader};

/// The longest line that is read, in bytes.
const MAX_LINE_BYTES: usize = 64 << 10;

/// The result of one read.
#[derive(Debug, Clone, PartialEq)]
pub enum MarkerRead {
    /// A frame.
    Frame(MarkerFrame),
    /// The header of the stream: it applies from the next frame on.
    Header(StreamHeader),
    /// A line that is neither; it was skipped.
    Skipped {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
    /// Messages or frames of a VMC stream that were left out.
    Dropped {
        /// How many.
        count: usize,
        /// What is wrong with the first.
        problem: String,
    },
    /// No whole line arrived before the reader's timeout.
    Pending,
    /// The connection was lost and opened again.
    Reconnected,
    /// The stream has ended.
    End,
}

/// Reads a stream line by line, with a limit on the length of a line. No line ends the stream: bad ones are
/// [skipped](MarkerRead::Skipped).
///
/// ```
/// use marey_live::{MarkerLines, MarkerRead};
/// let mut lines = MarkerLines::new(&b"{\"points\": {\"Hips\": [0, 1, 0]}}\nnull\n"[..], "example");
/// assert!(matches!(lines.read()?, MarkerRead::Frame(frame) if frame.points.len() == 1));
/// assert!(matches!(lines.read()?, MarkerRead::Skipped { line: 2, .. }));
/// assert_eq!(lines.read()?, MarkerRead::End);
/// # Ok::<(), marey_live::LiveError>(())
/// ```
#[derive(Debug)]
pub struct MarkerLines<R> {
    reader: R,
    name: String,
    /// The part of the next line that has arrived.
    text: Vec<u8>,
    /// Whether the line is longer than the limit, so that the rest of it is dropped.
    is_too_long: bool,
    line: usize,
}

impl<R: BufRead> MarkerLines<R> {
    /// Reads from `reader`; errors call it `name`.
    pub fn new(reader: R, name: impl Into<String>) -> Self {
        Self { reader, name: name.into(), text: Vec::new(), is_too_long: false, line: 0 }
    }

    /// The next line. Empty lines are skipped without notice.
    ///
    /// # Errors
    /// If reading fails.
    pub fn read(&mut self) -> Result<MarkerRead> {
        loop {
            let is_whole = match self.fill_line() {
                Ok(is_whole) => is_whole,
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    return Ok(MarkerRead::Pending);
                }
                Err(error) => return Err(LiveError::Stream { name: self.name.clone(), error }),
            };
            let text = std::mem::take(&mut self.text);
            self.line += 1;
            if std::mem::take(&mut self.is_too_long) {
                return Ok(self.skipped(format!("longer than {MAX_LINE_BYTES} bytes")));
            }
            if !text.trim_ascii().is_empty() {
                return Ok(match StreamLine::parse(&text) {
                    Ok(StreamLine::Frame(frame)) => MarkerRead::Frame(frame),
                    Ok(StreamLine::Header(header)) => MarkerRead::Header(header),
                    Err(problem) => self.skipped(problem),
                });
            }
            if !is_whole {
                return Ok(MarkerRead::End);
            }
        }
    }

    /// Reads up to the end of a line; false at the end of the stream. Keeps at most [`MAX_LINE_BYTES`].
    fn fill_line(&mut self) -> std::io::Result<bool> {
        loop {
            let bytes = match self.reader.fill_buf() {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if bytes.is_empty() {
                return Ok(false);
            }
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let part = bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default();
            self.is_too_long |= self.text.len() + part.len() > MAX_LINE_BYTES;
            if self.is_too_long {
                self.text.clear();
            } else {
                self.text.extend_from_slice(part);
            }
            let used = part.len() + usize::from(end.is_some());
            self.reader.consume(used);
            if end.is_some() {
                return Ok(true);
            }
        }
    }

    fn skipped(&self, problem: String) -> MarkerRead {
        MarkerRead::Skipped { line: self.line, problem }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, BufReader, Read};

    use super::*;

    const FRAME: &str = r#"{"points": {"Hips": [0, 0.94, 0]}, "closed": [true, false]}"#;

    fn closed(read: MarkerRead) -> [Option<bool>; 2] {
        let MarkerRead::Frame(frame) = read else { panic!("{read:?} is not a frame") };
        frame.closed
    }

    #[test]
    fn empty_lines_and_a_missing_newline_at_the_end_are_accepted() {
        let text = format!("\n{FRAME}\n\n{FRAME}");
        let mut lines = MarkerLines::new(text.as_bytes(), "test");
        for _ in 0..2 {
            assert_eq!(closed(lines.read().unwrap()), [Some(true), Some(false)]);
        }
        assert_eq!(lines.read().unwrap(), MarkerRead::End);
    }

    #[test]
    fn bad_lines_are_skipped_with_their_number() {
        let endless = " ".repeat(10 * MAX_LINE_BYTES);
        let cut = &FRAME[..40];
        let bad =
            [endless.as_str(), "null", cut, r#"{"points": {"Hips": [0, NaN, 0]}}"#, r#"{"points": 3}"#, "{}"];
        let text = format!("{FRAME}\n{}\n{FRAME}\n", bad.join("\n"));
        let mut lines = MarkerLines::new(BufReader::new(text.as_bytes()), "test");
        closed(lines.read().unwrap());
        for number in 2..2 + bad.len() {
            let read = lines.read().unwrap();
            assert!(matches!(read, MarkerRead::Skipped { line, .. } if line == number), "{read:?}");
        }
        closed(lines.read().unwrap());
        assert_eq!(lines.read().unwrap(), MarkerRead::End);
    }

    #[test]
    fn joints_that_are_null_are_missing_and_headers_are_read() {
        let text = r#"{"header": {"unit": "cm", "up": "z", "time": "timestamps"}}
{"secs": 3, "points": {"Hips": [0, 1, 0], "Head": null, "LeftHand": [0, null, 0]}, "device": 7}"#;
        let mut lines = MarkerLines::new(text.as_bytes(), "test");
        let MarkerRead::Header(header) = lines.read().unwrap() else { panic!("no header") };
        assert_eq!((header.unit.as_deref(), header.up.as_deref()), (Some("cm"), Some("z")));
        let MarkerRead::Frame(frame) = lines.read().unwrap() else { panic!("no frame") };
        assert_eq!(frame.points.keys().collect::<Vec<_>>(), ["Hips"]);
        assert_eq!((frame.closed, frame.unknown), ([None; 2], vec!["device".to_owned()]));
    }

    /// A reader that times out before every byte.
    struct Slow {
        bytes: Vec<u8>,
        at: usize,
        is_ready: bool,
    }

    impl Read for Slow {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.is_ready = !self.is_ready;
            if !self.is_ready {
                return Err(ErrorKind::WouldBlock.into());
            }
            let Some(byte) = self.bytes.get(self.at) else { return Ok(0) };
            buffer[0] = *byte;
            self.at += 1;
            Ok(1)
        }
    }

    #[test]
    fn a_line_that_arrives_in_parts_is_one_line() {
        let slow = Slow { bytes: format!("{FRAME}\n").into_bytes(), at: 0, is_ready: false };
        let mut lines = MarkerLines::new(BufReader::new(slow), "test");
        let mut pending = 0;
        let frame = loop {
            match lines.read().unwrap() {
                MarkerRead::Frame(frame) => break frame,
                MarkerRead::Pending => pending += 1,
                other => panic!("the stream has one frame: {other:?}"),
            }
        };
        assert!(frame.points.contains_key("Hips") && pending > 10);
    }
}
