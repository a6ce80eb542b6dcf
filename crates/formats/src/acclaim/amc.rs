//! The motion file: frames of lines, each a bone's name and its values.
//!
//! A line is read fast where it is the one that followed the last time and all its values are plain; whatever is unusual is
//! left to a patient reader, line by line. Values stay from frame to frame, so that a bone which a frame lacks keeps its own.

use std::collections::HashMap;

use marey_motion::ClipParts;

use super::asf::DEGREE;
use super::codes;
use super::decimal;
use super::figure::Figure;
use super::scan::{Scanner, is_gap, is_word, key, line_length, short, word_at_start};
use crate::Error;
use crate::number::{Comma, Token, general, is_blank};
use crate::text::is_line_end;

/// What a motion file holds.
pub(super) struct Motion {
    pub(super) parts: ClipParts,
    pub(super) frames: usize,
    /// Frames a second, where the file says it.
    pub(super) rate_hz: Option<f64>,
}

/// Reads a motion of a figure.
pub(super) fn read(scan: &mut Scanner<'_>, figure: &Figure) -> Result<Motion, Error> {
    let header = Header::read(scan, figure)?;
    let line_of = figure.lines.iter().enumerate().map(|(i, line)| (line.key.as_slice(), i)).collect();
    let mut frames = Frames {
        start: scan.at,
        scan,
        figure,
        line_of,
        values: figure.rest_values.clone(),
        read_in: vec![0; figure.lines.len()],
        // Lines are taken to come in the order of the skeleton, until they do not.
        follower: (0..=figure.lines.len()).collect(),
        behind: 0,
        radians_per_unit: header.radians_per_unit as f32,
        open: None,
        count: 0,
        damaged: None,
        has_bones: false,
        last_number: None,
        parts: ClipParts::default(),
    };
    frames.run()?;
    let Frames { parts, count, .. } = frames;
    Ok(Motion { parts, frames: count, rate_hz: header.rate_hz })
}

/// What stands before the first frame.
struct Header {
    radians_per_unit: f64,
    rate_hz: Option<f64>,
}

impl Header {
    /// Reads keywords up to the first word that is none.
    fn read(scan: &mut Scanner<'_>, figure: &Figure) -> Result<Self, Error> {
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
                    let text = scan.word_in_line().unwrap_or_default();
                    let rate = std::str::from_utf8(text).ok().and_then(|text| text.parse::<f64>().ok());
                    header.rate_hz = rate.filter(|rate| (1e-3..=1e6).contains(rate));
                }
                _ => scan.skip_unknown(word, at),
            }
        }
    }
}

/// A frame whose lines are coming in.
struct Open {
    number: u64,
    /// Where its number is.
    at: usize,
    /// Whether the text ends inside one of its lines.
    is_cut: bool,
}

struct Frames<'s, 'a, 'f> {
    scan: &'s mut Scanner<'a>,
    figure: &'f Figure,
    /// The line of a name.
    line_of: HashMap<&'f [u8], usize>,
    /// All lines' values, as last read.
    values: Vec<f32>,
    /// For each line the frame it was last read in, from 1; 0 where in none yet.
    read_in: Vec<usize>,
    /// The line that came first in the last frame, and for each line the one that came after it.
    follower: Vec<usize>,
    /// How many of those are passed: 0 at the start of a frame, 1 behind the first line of the skeleton.
    behind: usize,
    radians_per_unit: f32,
    open: Option<Open>,
    /// Frames that are complete.
    count: usize,
    /// How many lines were replaced by what was before, and where the first is.
    damaged: Option<(usize, usize)>,
    /// Whether a bone of the skeleton was met, the root left aside.
    has_bones: bool,
    last_number: Option<u64>,
    /// Where the frames start.
    start: usize,
    parts: ClipParts,
}

impl Frames<'_, '_, '_> {
    fn run(&mut self) -> Result<(), Error> {
        loop {
            let rest = self.scan.rest();
            self.scan.at += rest.iter().take_while(|byte| is_gap(**byte)).count();
            let start = self.scan.at;
            match self.scan.rest().first() {
                None => break,
                Some(b'#') => self.scan.skip_line(),
                Some(b':') => self.scan.skip_unknown(word_at_start(self.scan.rest()), start),
                Some(_) => {
                    if !self.fast_line(start) {
                        self.slow_line(start)?;
                    }
                }
            }
            self.scan.check_line(start, self.scan.at - start)?;
        }
        self.close_last()?;
        self.judge()
    }

    /// Reads the line that is expected, where it is there and plain.
    fn fast_line(&mut self, start: usize) -> bool {
        if self.open.is_none() {
            return false;
        }
        let Some(&index) = self.follower.get(self.behind) else { return false };
        let Some(line) = self.figure.lines.get(index) else { return false };
        let Some(mut rest) = self.scan.rest().strip_prefix(line.name.as_slice()) else { return false };
        let Some(values) = self.values.get_mut(line.slots.clone()) else { return false };
        let is_again = self.read_in.get(index) == Some(&(self.count + 1));
        if is_again || rest.first().is_some_and(|byte| !is_blank(*byte)) {
            return false;
        }
        // Should the line turn out to be unusual, the values that were there before may be needed.
        let mut fresh = [0.0; MAX_VALUES];
        let Some(fresh) = fresh.get_mut(..values.len()) else { return false };
        for value in fresh.iter_mut() {
            rest = past_spaces(rest);
            let Some((number, length)) = decimal::read(rest) else { return false };
            *value = number;
            rest = rest.get(length..).unwrap_or_default();
        }
        rest = past_spaces(rest);
        if rest.first().is_some_and(|byte| !is_line_end(*byte)) {
            return false;
        }
        values.copy_from_slice(fresh);
        self.scan.at = self.scan.text.len() - rest.len();
        debug_assert!(self.scan.at >= start);
        self.note_read(index);
        true
    }

    /// Notes that a line of the frame has come.
    fn note_read(&mut self, index: usize) {
        if let Some(read_in) = self.read_in.get_mut(index) {
            *read_in = self.count + 1;
        }
        self.has_bones |= index > 0;
        self.behind = index + 1;
    }

    /// Reads any line.
    fn slow_line(&mut self, start: usize) -> Result<(), Error> {
        let word = self.scan.word();
        let (found, is_whole) = self.values_in_line(start)?;
        if found.is_empty() && word.iter().all(u8::is_ascii_digit) {
            return self.open_frame(word, start);
        }
        if self.open.is_none() {
            let message = format!("{:?} before the first frame's number", short(word));
            return self.scan.refuse(&codes::FRAME_NUMBER, start, message);
        }
        match self.line_of.get(key(word).as_slice()) {
            Some(&index) => self.take_line(index, &found, is_whole, start),
            None => self.unknown_line(word, start),
        }
    }

    /// The numbers to the end of the line, in any notation, and whether the line ends before the text does.
    fn values_in_line(&mut self, start: usize) -> Result<(Vec<f64>, bool), Error> {
        let mut found = Vec::new();
        while let Some(word) = self.scan.word_in_line() {
            let at = self.scan.at - word.len();
            match general(word, Comma::Separator) {
                Token::Number(value, length) => {
                    // Glued numbers come apart.
                    self.scan.at = at + length;
                    found.push(value);
                }
                Token::Other if self.is_cut_number(at) => {
                    self.scan.at = self.scan.text.len();
                    break;
                }
                Token::Other => {
                    let place = self.scan.notes.place(at).frame(self.count);
                    let message = format!("{:?} is not a number", short(word));
                    return Err(Error::refused(&codes::BAD_NUMBER, place, message));
                }
            }
            self.scan.check_line(start, self.scan.at - start)?;
        }
        Ok((found, self.scan.at < self.scan.text.len()))
    }

    /// Whether the text ends here, in what could have become a number: `-`, `.`.
    fn is_cut_number(&self, at: usize) -> bool {
        let rest = self.scan.text.get(at..).unwrap_or_default();
        rest.len() <= 2 && rest.iter().all(|byte| matches!(byte, b'+' | b'-' | b'.'))
    }

    fn open_frame(&mut self, digits: &[u8], at: usize) -> Result<(), Error> {
        let number = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok());
        let Some(number) = number else {
            let message = format!("{:?} is not a frame's number", short(digits));
            return self.scan.refuse(&codes::FRAME_NUMBER, at, message);
        };
        self.close()?;
        self.behind = 0;
        self.open = Some(Open { number, at, is_cut: false });
        Ok(())
    }

    /// Takes a line of a known bone.
    fn take_line(&mut self, index: usize, found: &[f64], is_whole: bool, start: usize) -> Result<(), Error> {
        let Some(line) = self.figure.lines.get(index) else { return Ok(()) };
        let name = short(&line.name);
        let frame = self.count;
        let was_read = self.read_in.get(index).copied().unwrap_or(0);
        if found.len() != line.slots.len() {
            let message = format!("{name} has {} values where {} belong", found.len(), line.slots.len());
            if !is_whole && found.len() < line.slots.len() && frame > 0 {
                self.cut();
                return Ok(());
            }
            if was_read == 0 {
                let place = self.scan.notes.place(start).frame(frame);
                return Err(Error::refused(&codes::VALUE_COUNT, place, message));
            }
            self.scan.notes.warn_in_frame(&codes::DAMAGED_LINE, start, frame, || message);
            let (lines, first) = self.damaged.unwrap_or((0, start));
            self.damaged = Some((lines + 1, first));
        } else if let Some(values) = self.values.get_mut(line.slots.clone()) {
            for (value, &number) in values.iter_mut().zip(found) {
                let number = number as f32;
                if number.is_finite() {
                    *value = number;
                } else if was_read == 0 {
                    let place = self.scan.notes.place(start).frame(frame);
                    let message = format!("a value of {name} is not finite");
                    return Err(Error::refused(&codes::NOT_FINITE, place, message));
                } else {
                    let message = || format!("a value of {name}");
                    self.scan.notes.warn_in_frame(&codes::HELD_VALUE, start, frame, message);
                }
            }
        }
        if was_read == frame + 1 {
            self.scan.notes.warn_in_frame(&codes::REPEATED_BONE, start, frame, || format!("{name} again"));
        }
        // The next frame will have the same order.
        if let Some(follower) = self.follower.get_mut(self.behind) {
            *follower = index;
        }
        self.note_read(index);
        Ok(())
    }

    /// Passes over a line whose bone is not known. The last one of a text that was cut may be known by its start.
    fn unknown_line(&mut self, word: &[u8], start: usize) -> Result<(), Error> {
        if start + word.len() == self.scan.text.len() && self.count > 0 {
            let start_of_one = key(word);
            if self.figure.lines.iter().any(|line| line.key.starts_with(&start_of_one)) {
                self.cut();
                return Ok(());
            }
        }
        if general(word, Comma::Separator) != Token::Other {
            let message = format!("{:?} is neither a frame's number nor a bone", short(word));
            return self.scan.refuse(&codes::FRAME_NUMBER, start, message);
        }
        let frame = self.count;
        let message = || format!("there is no bone {:?}", short(word));
        self.scan.notes.warn_in_frame(&codes::UNKNOWN_BONE, start, frame, message);
        Ok(())
    }

    /// Notes that the text ends inside a line.
    fn cut(&mut self) {
        if let Some(open) = &mut self.open {
            open.is_cut = true;
        }
    }

    /// Ends the open frame.
    fn close(&mut self) -> Result<(), Error> {
        let Some(open) = self.open.take() else { return Ok(()) };
        self.check_number(&open);
        self.report_missing(&open);
        self.check_room(&open)?;
        let done = self.figure.push(&mut self.parts, &self.values, self.radians_per_unit);
        if done.is_none() {
            let place = self.scan.notes.place(open.at).frame(self.count);
            return Err(Error::refused(&codes::OUT_OF_RANGE, place, "a value of the frame is out of range"));
        }
        self.count += 1;
        if self.count == 1 {
            self.reserve(open.at)?;
        }
        Ok(())
    }

    /// Ends the last frame, or leaves it out where the text was cut in it.
    fn close_last(&mut self) -> Result<(), Error> {
        let Some(open) = &self.open else { return Ok(()) };
        let at = open.at;
        let missing = self.read_in.iter().filter(|read_in| **read_in == self.count).count();
        let is_empty = !self.read_in.contains(&(self.count + 1));
        if open.is_cut || is_empty || (self.count > 0 && missing > 0) {
            let number = open.number;
            self.open = None;
            self.scan.warn(&codes::TRUNCATED_FRAME, at, || format!("frame {number} lacks {missing} lines"));
            return Ok(());
        }
        self.close()
    }

    fn check_number(&mut self, open: &Open) {
        let (number, frame) = (open.number, self.count);
        let mut warn = |code, message: String| {
            self.scan.notes.warn_in_frame(code, open.at, frame, || message);
        };
        match self.last_number {
            None if number != 1 => {
                warn(&codes::FIRST_FRAME, format!("the first frame has the number {number}"))
            }
            Some(last) if number <= last => warn(&codes::FRAME_ORDER, format!("{number} follows {last}")),
            Some(last) if number - last > 1 => {
                warn(
                    &codes::FRAME_GAP,
                    format!("{number} follows {last}: {} are missing", number - last - 1),
                );
            }
            _ => {}
        }
        self.last_number = Some(number);
    }

    fn report_missing(&mut self, open: &Open) {
        let frame = self.count;
        for (line, read_in) in self.figure.lines.iter().zip(&self.read_in) {
            if *read_in != frame + 1 && !line.slots.is_empty() {
                let message = || format!("frame {} has no {}", open.number, short(&line.name));
                self.scan.notes.warn_in_frame(&codes::MISSING_BONE, open.at, frame, message);
            }
        }
    }

    fn check_room(&self, open: &Open) -> Result<(), Error> {
        let limits = &self.scan.limits;
        if self.count >= limits.frames {
            let message = format!("more than {} frames", limits.frames);
            return self.scan.refuse(&codes::LIMIT, open.at, message);
        }
        if self.count >= limits.memory_bytes / self.figure.bytes_per_frame().max(1) {
            let message = format!("more than {} bytes of motion", limits.memory_bytes);
            return self.scan.refuse(&codes::LIMIT, open.at, message);
        }
        Ok(())
    }

    /// Makes room for as many frames as the rest of the text can hold, now that the size of one is known.
    fn reserve(&mut self, at: usize) -> Result<(), Error> {
        // A value takes two bytes at least, however little the first frame has.
        let bytes = (self.scan.at - self.start).max(2 * self.values.len()).max(1);
        let expected = self.scan.rest().len() / bytes;
        let limits = &self.scan.limits;
        let room = (limits.memory_bytes / self.figure.bytes_per_frame().max(1)).min(limits.frames);
        let expected = expected.saturating_add(expected / 16).saturating_add(2).min(room);
        if !self.figure.reserve(&mut self.parts, expected) {
            return self.scan.refuse(&codes::LIMIT, at, format!("no memory for {expected} frames"));
        }
        Ok(())
    }

    /// Refuses a motion that has next to nothing to do with the skeleton.
    fn judge(&self) -> Result<(), Error> {
        if !self.has_bones && self.scan.notes.report.has(&codes::UNKNOWN_BONE) {
            let message = "no bone of the motion is one of the skeleton";
            return self.scan.refuse(&codes::WRONG_SKELETON, self.start, message);
        }
        match self.damaged {
            Some((lines, first)) if lines * 10 > self.count => {
                let message = format!("{lines} lines in {} frames have another number of values", self.count);
                self.scan.refuse(&codes::VALUE_COUNT, first, message)
            }
            _ => Ok(()),
        }
    }
}

/// A bone has seven degrees of freedom at most.
const MAX_VALUES: usize = 7;

fn past_spaces(text: &[u8]) -> &[u8] {
    let spaces = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    text.get(spaces..).unwrap_or_default()
}
