//! A range of frames with optional ends.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A range of frames, as in `10..20`: the first frame, and the one after the last. Either may be left out.
///
/// ```
/// let range: marey_motion::FrameRange = "10..".parse()?;
/// assert_eq!(range.within(100), 10..100);
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct FrameRange {
    /// The first frame.
    pub start: usize,
    /// The frame after the last; the end of the take if left out.
    pub end: Option<usize>,
}

impl FrameRange {
    /// The range in a take with this many frames. It may exceed the take.
    pub fn within(self, frames: usize) -> Range<usize> {
        self.start..self.end.unwrap_or(frames)
    }
}

impl FromStr for FrameRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (start, end) = text.split_once("..").ok_or("not A..B, the first frame and one past the last")?;
        let number =
            |text: &str| text.parse::<usize>().map_err(|_| format!("{text:?} is not a frame number"));
        let start = if start.is_empty() { 0 } else { number(start)? };
        let end = if end.is_empty() { None } else { Some(number(end)?) };
        if end.is_some_and(|end| end <= start) {
            return Err("the range is empty".into());
        }
        Ok(Self { start, end })
    }
}

impl TryFrom<String> for FrameRange {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<FrameRange> for String {
    fn from(range: FrameRange) -> Self {
        range.to_string()
    }
}

impl fmt::Display for FrameRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..", self.start)?;
        self.end.map_or(Ok(()), |end| write!(f, "{end}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_parsed_with_either_end_left_out() {
        let within = |text: &str| text.parse::<FrameRange>().map(|range| range.within(100));
        assert_eq!(within("10..20"), Ok(10..20));
        assert_eq!(within("10.."), Ok(10..100));
        assert_eq!(within("..20"), Ok(0..20));
        assert_eq!(within(".."), Ok(0..100));
        for bad in ["", "10", "20..10", "10..10", "a..b", "-1..3", "1..=3"] {
            assert!(within(bad).is_err(), "{bad}");
        }
        for text in ["10..20", "10.."] {
            assert_eq!(text.parse::<FrameRange>().unwrap().to_string(), text);
        }
    }
}
