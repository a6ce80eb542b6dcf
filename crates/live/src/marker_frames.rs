//! Frames of a live performer as lines of JSON.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::net::TcpStream;

use marey_motion::Vec3;
use marey_perform::Markers;
use serde::Deserialize;

use crate::{LiveError, Result};

/// The longest line that is read, in bytes.
const MAX_LINE_BYTES: usize = 64 << 10;

/// One frame of a live performer: `{"secs": 0.0167, "points": {"Hips": [x, y, z], "LeftHand": …}, "closed": [false, true]}`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MarkerFrame {
    /// Seconds since the previous frame; default 1/60.
    #[serde(default = "default_secs")]
    pub secs: f32,
    /// Markers in metres, by the role that they are attached to. An occluded marker is left out.
    pub points: BTreeMap<String, [f32; 3]>,
    /// Whether the left and the right hand are closed.
    #[serde(default)]
    pub closed: [bool; 2],
}

fn default_secs() -> f32 {
    1.0 / 60.0
}

impl MarkerFrame {
    /// The reduced marker set that `perform` tracks.
    pub fn markers(&self) -> Markers {
        let at = |name: &str| self.points.get(name).copied().map(Vec3::from);
        Markers {
            waist: at("Hips"),
            belt: [at("LeftUpperLeg"), at("RightUpperLeg")],
            hands: [at("LeftHand"), at("RightHand")],
            feet: [at("LeftFoot"), at("RightFoot")],
        }
    }
}

/// The result of one read.
#[derive(Debug, Clone, PartialEq)]
pub enum MarkerRead {
    /// A frame.
    Frame(MarkerFrame),
    /// No whole line arrived before the reader's timeout.
    Pending,
    /// The stream has ended.
    End,
}

/// Reads [`MarkerFrame`]s line by line, with a limit on the length of a line.
///
/// ```
/// use marey_live::{MarkerLines, MarkerRead};
/// let mut lines = MarkerLines::new(&b"{\"points\": {\"Hips\": [0, 1, 0]}}\n"[..], "example");
/// assert!(matches!(lines.read()?, MarkerRead::Frame(frame) if frame.points.len() == 1));
/// assert_eq!(lines.read()?, MarkerRead::End);
/// # Ok::<(), marey_live::LiveError>(())
/// ```
#[derive(Debug)]
pub struct MarkerLines<R> {
    reader: R,
    name: String,
    /// The part of the next line that has arrived.
    text: Vec<u8>,
    line: usize,
}

impl MarkerLines<BufReader<TcpStream>> {
    /// Connects to a sender at `HOST:PORT`.
    ///
    /// # Errors
    /// If nothing listens there.
    pub fn connect(address: &str) -> Result<Self> {
        let name = format!("tcp:{address}");
        match TcpStream::connect(address) {
            Ok(stream) => Ok(Self::new(BufReader::new(stream), name)),
            Err(error) => Err(LiveError::Stream { name, error }),
        }
    }

    /// The connection.
    pub(crate) fn stream(&self) -> &TcpStream {
        self.reader.get_ref()
    }
}

impl<R: BufRead> MarkerLines<R> {
    /// Reads from `reader`; errors call it `name`.
    pub fn new(reader: R, name: impl Into<String>) -> Self {
        Self { reader, name: name.into(), text: Vec::new(), line: 0 }
    }

    /// The next frame. Empty lines are skipped.
    ///
    /// # Errors
    /// If reading fails, a line is too long, or a line is not a frame.
    pub fn read(&mut self) -> Result<MarkerRead> {
        loop {
            let rest = (MAX_LINE_BYTES + 1).saturating_sub(self.text.len()) as u64;
            match Read::take(&mut self.reader, rest).read_until(b'\n', &mut self.text) {
                Ok(_) => {}
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    return Ok(MarkerRead::Pending);
                }
                Err(error) => return Err(LiveError::Stream { name: self.name.clone(), error }),
            }
            if self.text.len() > MAX_LINE_BYTES {
                return Err(self.invalid(format!("longer than {MAX_LINE_BYTES} bytes")));
            }
            let text = std::mem::take(&mut self.text);
            self.line += 1;
            if !text.trim_ascii().is_empty() {
                let frame = serde_json::from_slice(&text).map_err(|error| self.invalid(error.to_string()))?;
                return Ok(MarkerRead::Frame(frame));
            }
            if !text.ends_with(b"\n") {
                return Ok(MarkerRead::End);
            }
        }
    }

    /// The next frame; waits for it if none has arrived. `None` at the end of the stream.
    pub fn next_frame(&mut self) -> Result<Option<MarkerFrame>> {
        loop {
            match self.read()? {
                MarkerRead::Frame(frame) => return Ok(Some(frame)),
                MarkerRead::Pending => {}
                MarkerRead::End => return Ok(None),
            }
        }
    }

    fn invalid(&self, problem: String) -> LiveError {
        LiveError::Line { name: self.name.clone(), line: self.line.max(1), problem }
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use marey_motion::Coded;

    use super::*;

    const FRAME: &str = r#"{"points": {"Hips": [0, 0.94, 0]}, "closed": [true, false]}"#;

    #[test]
    fn empty_lines_and_a_missing_newline_at_the_end_are_accepted() {
        let text = format!("\n{FRAME}\n\n{FRAME}");
        let mut lines = MarkerLines::new(text.as_bytes(), "test");
        for _ in 0..2 {
            assert_eq!(lines.next_frame().unwrap().unwrap().closed, [true, false]);
        }
        assert_eq!(lines.next_frame().unwrap(), None);
    }

    #[test]
    fn long_lines_and_invalid_frames_are_refused_with_their_number() {
        let endless = format!("{FRAME}\n{}", " ".repeat(10 * MAX_LINE_BYTES));
        let invalid = format!("{FRAME}\n{{\"points\": 3}}\n");
        for (text, problem) in [(endless, "longer than"), (invalid, "line 2")] {
            let mut lines = MarkerLines::new(BufReader::new(text.as_bytes()), "test");
            lines.next_frame().unwrap().unwrap();
            let error = lines.next_frame().unwrap_err();
            assert_eq!(error.code().id, "live/not-a-frame");
            assert!(error.to_string().contains(problem), "{error}");
        }
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
                MarkerRead::End => panic!("the stream has one frame"),
            }
        };
        assert!(frame.points.contains_key("Hips") && pending > 10);
    }
}
