//! The frames of a motion file: a number, then lines of a bone's name and its values.

use marey_motion::{ClipParts, Code};

use super::codes;
use super::figure::{Figure, Line};
use super::scan::{Scanner, is_gap, line_length, short, word_at_start};
use super::values::Values;
use crate::FormatsError;
use crate::number::{Comma, Token, general};

/// A few words must not become gigabytes of poses: beyond this many lines that are missing, a file needs at least one line for
/// so many that are.
const MAX_MISSING: usize = 1_000_000;
const MAX_MISSING_PER_LINE: usize = 20;

/// A frame that is being read.
struct Open {
    number: u64,
    /// Where its number is.
    at: usize,
    /// How many lines have come, of bones that are known or not.
    lines: usize,
    /// Whether the text ends inside one of them.
    is_cut: bool,
}

/// The frames read so far.
pub(super) struct Frames<'s, 'a, 'f> {
    scan: &'s mut Scanner<'a>,
    figure: &'f Figure,
    values: Values<'f>,
    radians_per_unit: f32,
    open: Option<Open>,
    /// Frames that are complete.
    count: usize,
    /// The number of the frame before, and how many lines it had.
    last: Option<(u64, usize)>,
    /// Number of lines replaced by earlier values, and the offset of the first.
    damaged: Option<(usize, usize)>,
    /// How many lines have come in all frames, and how many should have but did not.
    lines: usize,
    missing: usize,
    /// Where the frames start.
    start: usize,
    parts: ClipParts,
}

impl<'s, 'a, 'f> Frames<'s, 'a, 'f> {
    /// Reads frames to the end of the text; gives the poses, and how many.
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
        frames.judge()?;
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
            let message = format!("{:?} before the first frame's number", short(word));
            return self.scan.notes.refuse(&codes::FRAME_NUMBER, start, message);
        };
        open.lines += 1;
        match self.values.find(word) {
            Some((_, line)) if line.slots.is_empty() && !numbers.is_empty() => {
                self.warn(&codes::UNKNOWN_BONE, start, || format!("{} has no freedom to move", short(word)));
                Ok(())
            }
            Some((index, line)) => self.take_line(index, line, &numbers, start),
            None => self.unknown_line(word, start),
        }
    }

    /// The numbers to the end of the line, in any notation. A number that the text ends in is left out where it is no more
    /// than a sign or a point.
    fn numbers_in_line(&mut self) -> Result<Vec<f64>, FormatsError> {
        let mut numbers = Vec::new();
        while let Some(mut word) = self.scan.word_in_line() {
            // Glued numbers come apart.
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

    /// Takes a line of a known bone.
    fn take_line(
        &mut self,
        index: usize,
        line: &Line,
        numbers: &[f64],
        start: usize,
    ) -> Result<(), FormatsError> {
        let (name, frame) = (short(&line.name), self.count + 1);
        let is_first = self.values.read_in(index) == 0;
        if numbers.len() != line.slots.len() {
            let message = format!("{name} has {} values where {} belong", numbers.len(), line.slots.len());
            if self.scan.rest().is_empty() && numbers.len() < line.slots.len() && self.count > 0 {
                self.cut();
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
            self.warn(&codes::REPEATED_BONE, start, || format!("{name} again"));
        }
        self.values.note_read(index, frame);
        Ok(())
    }

    /// Skips a line with an unknown bone. The last line of a truncated text may be the start of a known one.
    fn unknown_line(&mut self, word: &[u8], start: usize) -> Result<(), FormatsError> {
        let is_start =
            |line: &Line| line.name.get(..word.len()).is_some_and(|s| s.eq_ignore_ascii_case(word));
        let is_last = start + word.len() == self.scan.text.len();
        if is_last && self.count > 0 && self.figure.lines.iter().any(is_start) {
            self.cut();
            return Ok(());
        }
        if general(word, Comma::Separator) != Token::Other {
            let message = format!("{:?} is neither a frame's number nor a bone", short(word));
            return self.refuse(&codes::FRAME_NUMBER, start, message);
        }
        self.warn(&codes::UNKNOWN_BONE, start, || format!("there is no bone {:?}", short(word)));
        Ok(())
    }

    fn open_frame(&mut self, digits: &[u8], at: usize) -> Result<(), FormatsError> {
        let number = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok());
        let Some(number) = number else {
            let message = format!("{:?} is not a frame's number", short(digits));
            return self.scan.notes.refuse(&codes::FRAME_NUMBER, at, message);
        };
        self.close()?;
        self.values.start_frame();
        self.open = Some(Open { number, at, lines: 0, is_cut: false });
        Ok(())
    }

    /// Notes that the text ends inside a line.
    fn cut(&mut self) {
        if let Some(open) = &mut self.open {
            open.is_cut = true;
        }
    }

    /// Ends the open frame.
    fn close(&mut self) -> Result<(), FormatsError> {
        let Some(open) = self.open.take() else { return Ok(()) };
        self.check_number(&open);
        for line in self.values.missing_in(self.count + 1) {
            let message = || format!("frame {} has no {}", open.number, short(&line.name));
            self.scan.notes.warn_in_frame(&codes::MISSING_BONE, open.at, self.count, message);
            self.missing += 1;
        }
        self.lines += open.lines;
        self.check_room(&open)?;
        let done = self.figure.push(&mut self.parts, self.values.all(), self.radians_per_unit);
        if done.is_none() {
            return self.refuse(&codes::OUT_OF_RANGE, open.at, "a value of the frame is out of range");
        }
        self.count += 1;
        if self.count == 1 { self.reserve(open.at) } else { Ok(()) }
    }

    /// Ends the last frame, or leaves it out where the text was cut in it: it is empty, or has fewer lines than the one before and
    /// lacks the last of them.
    fn close_last(&mut self) -> Result<(), FormatsError> {
        let Some(open) = &self.open else { return Ok(()) };
        let (number, at) = (open.number, open.at);
        let missing = self.last.map_or(0, |(_, lines)| lines.saturating_sub(open.lines));
        let is_cut =
            open.is_cut || open.lines == 0 || (missing > 0 && !self.values.has_ended(self.count + 1));
        if is_cut {
            self.open = None;
            let what = if missing > 0 { format!("lacks {missing} lines") } else { "is cut off".to_owned() };
            self.scan.notes.warn(&codes::TRUNCATED_FRAME, at, || format!("frame {number} {what}"));
        }
        self.close()
    }

    fn check_number(&mut self, open: &Open) {
        let number = open.number;
        let found = match self.last.map(|(last, _)| last) {
            None if number != 1 => {
                Some((&codes::FIRST_FRAME, format!("the first frame has the number {number}")))
            }
            Some(last) if number <= last => Some((&codes::FRAME_ORDER, format!("{number} follows {last}"))),
            Some(last) if number - last > 1 => {
                let missing = number - last - 1;
                Some((&codes::FRAME_GAP, format!("{number} follows {last}: {missing} are missing")))
            }
            _ => None,
        };
        if let Some((code, message)) = found {
            self.warn(code, open.at, || message);
        }
        self.last = Some((number, open.lines));
    }

    /// How many frames there is room for.
    fn room(&self) -> usize {
        let limits = &self.scan.limits;
        limits.frames.min(limits.memory_bytes / self.figure.bytes_per_frame().max(1))
    }

    fn check_room(&self, open: &Open) -> Result<(), FormatsError> {
        if self.missing > MAX_MISSING && self.missing / MAX_MISSING_PER_LINE > self.lines {
            let message = "hardly any bone of the skeleton is in the motion";
            return self.scan.notes.refuse(&codes::WRONG_SKELETON, open.at, message);
        }
        if self.count < self.room() {
            return Ok(());
        }
        let limits = &self.scan.limits;
        let message = match self.count >= limits.frames {
            true => format!("more than {} frames", limits.frames),
            false => format!("more than {} bytes of motion", limits.memory_bytes),
        };
        self.scan.notes.refuse(&codes::LIMIT, open.at, message)
    }

    /// Makes room for as many frames as the rest of the text can hold, now that the size of one is known.
    fn reserve(&mut self, at: usize) -> Result<(), FormatsError> {
        // A value takes two bytes at least, however little the first frame has.
        let bytes = (self.scan.at - self.start).max(2 * self.values.all().len()).max(1);
        let expected = self.scan.rest().len() / bytes;
        let expected = expected.saturating_add(expected / 16).saturating_add(2).min(self.room());
        if !self.figure.reserve(&mut self.parts, expected) {
            return self.scan.notes.refuse(&codes::LIMIT, at, format!("no memory for {expected} frames"));
        }
        Ok(())
    }

    /// Refuses a motion that has next to nothing to do with the skeleton.
    fn judge(&self) -> Result<(), FormatsError> {
        // The root is in every file; it does not count.
        let has_bones = (1..self.figure.lines.len()).any(|index| self.values.read_in(index) > 0);
        if !has_bones && self.scan.notes.report.has(&codes::UNKNOWN_BONE) {
            let message = "no bone of the motion is one of the skeleton";
            return self.scan.notes.refuse(&codes::WRONG_SKELETON, self.start, message);
        }
        match self.damaged {
            Some((lines, first)) if lines * 10 > self.count => {
                let message =
                    format!("{lines} of the lines in {} frames have another number of values", self.count);
                self.scan.notes.refuse(&codes::VALUE_COUNT, first, message)
            }
            _ => Ok(()),
        }
    }

    /// Notes something in the frame that is open.
    fn warn(&mut self, code: &'static Code, at: usize, message: impl FnOnce() -> String) {
        self.scan.notes.warn_in_frame(code, at, self.count, message);
    }

    /// Refuses the file for something in the frame that is open.
    fn refuse(&self, code: &'static Code, at: usize, message: impl Into<String>) -> Result<(), FormatsError> {
        Err(FormatsError::refused(code, self.scan.notes.place(at).frame(self.count), message))
    }
}
