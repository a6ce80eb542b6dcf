//! The frames of a motion file: a number, then a line for each bone with its name and values.

use marey_motion::{ClipParts, Code};

use super::codes;
use super::figure::{Figure, Line};
use super::scan::{Scanner, is_gap, line_length, short, word_at_start};
use super::values::Values;
use crate::FormatsError;
use crate::number::{Comma, Token, general};

/// Number of lines that may be missing. Beyond it, a file needs at least one line for every [`MAX_MISSING_PER_LINE`] missing
/// ones, so that a few words do not become gigabytes of poses.
const MAX_MISSING: usize = 1_000_000;
const MAX_MISSING_PER_LINE: usize = 20;

/// The frame that is being read.
struct Open {
    number: u64,
    /// Offset of its number in the text.
    at: usize,
    /// Number of lines read, of known and unknown bones.
    lines: usize,
    /// Whether the text ends inside a line.
    is_cut: bool,
}

/// The frames read so far.
pub(super) struct Frames<'s, 'a, 'f> {
    scan: &'s mut Scanner<'a>,
    figure: &'f Figure,
    values: Values<'f>,
    radians_per_unit: f32,
    open: Option<Open>,
    /// Number of complete frames.
    count: usize,
    /// The number of the previous frame, and its number of lines.
    last: Option<(u64, usize)>,
    /// Number of lines replaced by earlier values, and the offset of the first.
    damaged: Option<(usize, usize)>,
    /// Number of lines in all frames, and number of missing lines.
    lines: usize,
    missing: usize,
    /// Offset of the first frame in the text.
    start: usize,
    parts: ClipParts,
}

impl<'s, 'a, 'f> Frames<'s, 'a, 'f> {
    /// Reads frames to the end of the text. Returns the poses and the number of frames.
    pub(super) fn read(
        scan: &'s mut Scanner<'a>,
        figure: &'f Figure,
        radians_per_unit: f32,
    ) -> Result<(ClipParts, usize), FormatsError> {
        let start = scan.at;
        let mut frames = Self {
            scan,
            figure,
            values: Values::of(figure),
            radians_per_unit,
            open: None,
            count: 0,
            last: None,
            damaged: None,
            lines: 0,
            missing: 0,
            start,
            parts: ClipParts::default(),
        };
        frames.run()?;
        frames.close_last()?;
        frames.check_skeleton()?;
        Ok((frames.parts, frames.count))
    }

    fn run(&mut self) -> Result<(), FormatsError> {
        loop {
            let rest = self.scan.rest();
            self.scan.at += rest.iter().take_while(|byte| is_gap(**byte)).count();
            let (start, rest) = (self.scan.at, self.scan.rest());
            match rest.first() {
                None => return Ok(()),
                Some(b'#') => self.scan.skip_line(),
                Some(b':') => self.scan.skip_unknown(word_at_start(rest), start),
                Some(_) => self.line(start)?,
            }
            self.scan.check_line(start, self.scan.at - start)?;
        }
    }

    /// Reads a frame number or the line of a bone, fast if it is the expected one.
    fn line(&mut self, start: usize) -> Result<(), FormatsError> {
        if let Some(open) = &mut self.open
            && let Some(length) = self.values.read_expected(self.scan.rest(), self.count + 1)
        {
            open.lines += 1;
            self.scan.at += length;
            return Ok(());
        }
        self.scan.check_line(start, line_length(self.scan.rest()))?;
        let word = self.scan.word();
        let numbers = self.numbers_in_line()?;
        if numbers.is_empty() && word.iter().all(u8::is_ascii_digit) {
            return self.open_frame(word, start);
        }
        let Some(open) = &mut self.open else {
            let message = format!("{:?} before the first frame number", short(word));
            return self.scan.notes.refuse(&codes::FRAME_NUMBER, start, message);
        };
        open.lines += 1;
        match self.values.find(word) {
            Some((_, line)) if line.slots.is_empty() && !numbers.is_empty() => {
                self.warn(&codes::UNKNOWN_BONE, start, || {
                    format!("{} has no degrees of freedom", short(word))
                });
                Ok(())
            }
            Some((index, line)) => self.store_line(index, line, &numbers, start),
            None => self.unknown_line(word, start),
        }
    }

    /// Reads the numbers to the end of the line, in any notation. A lone sign or point at the end of the text is skipped.
    fn numbers_in_line(&mut self) -> Result<Vec<f64>, FormatsError> {
        let mut numbers = Vec::new();
        while let Some(mut word) = self.scan.word_in_line() {
            // Numbers without a separator are split.
            while !word.is_empty() {
                let Token::Number(value, length) = general(word, Comma::Separator) else { break };
                numbers.push(value);
                word = word.get(length..).unwrap_or_default();
            }
            let is_cut =
                self.scan.rest().is_empty() && word.len() < 3 && word.iter().all(|b| b"+-.".contains(b));
            if !word.is_empty() && !is_cut {
                let place = self.scan.notes.place(self.scan.at - word.len()).frame(self.count);
                let message = format!("{:?} is not a number", short(word));
                return Err(FormatsError::refused(&codes::BAD_NUMBER, place, message));
            }
        }
        Ok(numbers)
    }

    /// Stores the line of a known bone.
    fn store_line(
        &mut self,
        index: usize,
        line: &Line,
        numbers: &[f64],
        start: usize,
    ) -> Result<(), FormatsError> {
        let (name, frame) = (short(&line.name), self.count + 1);
        let is_first = self.values.read_in(index) == 0;
        if numbers.len() != line.slots.len() {
            let message = format!("{name} has {} values; {} expected", numbers.len(), line.slots.len());
            if self.scan.rest().is_empty() && numbers.len() < line.slots.len() && self.count > 0 {
                self.mark_cut();
                return Ok(());
            }
            if is_first {
                return self.refuse(&codes::VALUE_COUNT, start, message);
            }
            let (lines, first) = self.damaged.unwrap_or((0, start));
            self.damaged = Some((lines + 1, first));
            self.warn(&codes::DAMAGED_LINE, start, || message);
        } else if numbers.iter().all(|number| (*number as f32).is_finite()) {
            let values = self.values.of_line(line).iter_mut();
            values.zip(numbers).for_each(|(value, number)| *value = *number as f32);
        } else if is_first {
            return self.refuse(&codes::NOT_FINITE, start, format!("a value of {name} is not finite"));
        } else {
            self.warn(&codes::HELD_VALUE, start, || format!("a value of {name} is not finite"));
        }
        if self.values.read_in(index) == frame {
            self.warn(&codes::REPEATED_BONE, start, || format!("{name} is repeated"));
        }
        self.values.record_read(index, frame);
        Ok(())
    }

    /// Skips a line with an unknown bone. The last line of a truncated text may be the start of a known one.
    fn unknown_line(&mut self, word: &[u8], start: usize) -> Result<(), FormatsError> {
        let is_start =
            |line: &Line| line.name.get(..word.len()).is_some_and(|s| s.eq_ignore_ascii_case(word));
        let is_last = start + word.len() == self.scan.text.len();
        if is_last && self.count > 0 && self.figure.lines.iter().any(is_start) {
            self.mark_cut();
            return Ok(());
        }
        if general(word, Comma::Separator) != Token::Other {
            let message = format!("{:?} is neither a frame number nor a bone", short(word));
            return self.refuse(&codes::FRAME_NUMBER, start, message);
        }
        self.warn(&codes::UNKNOWN_BONE, start, || format!("the skeleton has no bone {:?}", short(word)));
        Ok(())
    }

    fn open_frame(&mut self, digits: &[u8], at: usize) -> Result<(), FormatsError> {
        let number = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok());
        let Some(number) = number else {
            let message = format!("{:?} is not a frame number", short(digits));
            return self.scan.notes.refuse(&codes::FRAME_NUMBER, at, message);
        };
        self.close()?;
        self.values.start_frame();
        self.open = Some(Open { number, at, lines: 0, is_cut: false });
        Ok(())
    }

    /// Records that the text ends inside a line.
    fn mark_cut(&mut self) {
        if let Some(open) = &mut self.open {
            open.is_cut = true;
        }
    }

    /// Completes the open frame.
    fn close(&mut self) -> Result<(), FormatsError> {
        let Some(open) = self.open.take() else { return Ok(()) };
        self.check_number(&open);
        for line in self.values.missing_in(self.count + 1) {
            let message = || format!("frame {} lacks {}", open.number, short(&line.name));
            self.scan.notes.warn_in_frame(&codes::MISSING_BONE, open.at, self.count, message);
            self.missing += 1;
        }
        self.lines += open.lines;
        self.check_limits(&open)?;
        let done = self.figure.push(&mut self.parts, self.values.all(), self.radians_per_unit);
        if done.is_none() {
            return self.refuse(&codes::OUT_OF_RANGE, open.at, "a value in the frame is out of range");
        }
        self.count += 1;
        if self.count == 1 { self.reserve(open.at) } else { Ok(()) }
    }

    /// Completes the last frame, or omits it if the text was truncated in it. It is truncated if it is empty, or if it has fewer lines
    /// than the previous frame and lacks the last of them.
    fn close_last(&mut self) -> Result<(), FormatsError> {
        let Some(open) = &self.open else { return Ok(()) };
        let (number, at) = (open.number, open.at);
        let missing = self.last.map_or(0, |(_, lines)| lines.saturating_sub(open.lines));
        let is_cut =
            open.is_cut || open.lines == 0 || (missing > 0 && !self.values.has_ended(self.count + 1));
        if is_cut {
            self.open = None;
            let what = if missing > 0 { format!("lacks {missing} lines") } else { "is truncated".to_owned() };
            self.scan.notes.warn(&codes::TRUNCATED_FRAME, at, || format!("frame {number} {what}"));
        }
        self.close()
    }

    fn check_number(&mut self, open: &Open) {
        let number = open.number;
        let found = match self.last.map(|(last, _)| last) {
            None if number != 1 => Some((&codes::FIRST_FRAME, format!("the first frame is number {number}"))),
            Some(last) if number <= last => {
                Some((&codes::FRAME_ORDER, format!("frame {number} follows frame {last}")))
            }
            Some(last) if number - last > 1 => {
                let missing = number - last - 1;
                Some((
                    &codes::FRAME_GAP,
                    format!("frame {number} follows frame {last}; {missing} are missing"),
                ))
            }
            _ => None,
        };
        if let Some((code, message)) = found {
            self.warn(code, open.at, || message);
        }
        self.last = Some((number, open.lines));
    }

    /// The largest number of frames within the limits.
    fn max_frames(&self) -> usize {
        let limits = &self.scan.limits;
        limits.frames.min(limits.memory_bytes / self.figure.bytes_per_frame().max(1))
    }

    fn check_limits(&self, open: &Open) -> Result<(), FormatsError> {
        if self.missing > MAX_MISSING && self.missing / MAX_MISSING_PER_LINE > self.lines {
            let message = "the motion has almost none of the skeleton's bones";
            return self.scan.notes.refuse(&codes::WRONG_SKELETON, open.at, message);
        }
        if self.count < self.max_frames() {
            return Ok(());
        }
        let limits = &self.scan.limits;
        let message = match self.count >= limits.frames {
            true => format!("more than {} frames", limits.frames),
            false => format!("more than {} bytes of motion", limits.memory_bytes),
        };
        self.scan.notes.refuse(&codes::LIMIT, open.at, message)
    }

    /// Reserves memory for the frames in the rest of the text, estimated from the size of the first.
    fn reserve(&mut self, at: usize) -> Result<(), FormatsError> {
        // A value takes at least two bytes, even if the first frame lacks lines.
        let bytes = (self.scan.at - self.start).max(2 * self.values.all().len()).max(1);
        let expected = self.scan.rest().len() / bytes;
        let expected = expected.saturating_add(expected / 16).saturating_add(2).min(self.max_frames());
        if !self.figure.reserve(&mut self.parts, expected) {
            return self.scan.notes.refuse(&codes::LIMIT, at, format!("no memory for {expected} frames"));
        }
        Ok(())
    }

    /// Refuses a motion that does not match the skeleton.
    fn check_skeleton(&self) -> Result<(), FormatsError> {
        // Every file has the root, so it is not counted.
        let has_bones = (1..self.figure.lines.len()).any(|index| self.values.read_in(index) > 0);
        if !has_bones && self.scan.notes.report.has(&codes::UNKNOWN_BONE) {
            let message = "the skeleton has none of the motion's bones";
            return self.scan.notes.refuse(&codes::WRONG_SKELETON, self.start, message);
        }
        match self.damaged {
            Some((lines, first)) if lines * 10 > self.count => {
                let message =
                    format!("{lines} lines in {} frames have the wrong number of values", self.count);
                self.scan.notes.refuse(&codes::VALUE_COUNT, first, message)
            }
            _ => Ok(()),
        }
    }

    /// Reports a warning in the open frame.
    fn warn(&mut self, code: &'static Code, at: usize, message: impl FnOnce() -> String) {
        self.scan.notes.warn_in_frame(code, at, self.count, message);
    }

    /// An error in the open frame.
    fn refuse(&self, code: &'static Code, at: usize, message: impl Into<String>) -> Result<(), FormatsError> {
        Err(FormatsError::refused(code, self.scan.notes.place(at).frame(self.count), message))
    }
}
