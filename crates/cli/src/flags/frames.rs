//! `--frames A..B`.

use std::ops::Range;
use std::str::FromStr;

/// A range of frames as typed: either end may be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FrameRange {
    pub(crate) start: usize,
    pub(crate) end: Option<usize>,
}

impl FrameRange {
    /// The range in a take of so many frames; it may not fit.
    pub(crate) fn within(self, frames: usize) -> Range<usize> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_with_either_end_left_out() {
        let within = |text: &str| text.parse::<FrameRange>().map(|range| range.within(100));
        assert_eq!(within("10..20"), Ok(10..20));
        assert_eq!(within("10.."), Ok(10..100));
        assert_eq!(within("..20"), Ok(0..20));
        assert_eq!(within(".."), Ok(0..100));
        for bad in ["", "10", "20..10", "10..10", "a..b", "-1..3", "1..=3"] {
            assert!(within(bad).is_err(), "{bad}");
        }
    }
}
