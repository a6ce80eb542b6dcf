//! Reads the frames of a BVH: a fast path for regular lines, a tolerant one for others.

use super::codes;
use super::scan::Scanner;
use crate::FormatsError;
use crate::fast_rows::FastRows;
use crate::number::{self, Comma, Token, is_blank};
use crate::text::is_line_end;

/// The result of consuming a row.
pub(super) enum RowResult {
    Accepted,
    /// A value in the row is too large.
    OutOfRange,
    /// The memory limit is reached.
    Full(String),
}

/// Reads rows of `width` values to the end of the text and passes each to `take`, with the number of remaining bytes.
///
/// A row is a line. Lines with another number of values are repaired, read in order, or an error; see the codes. Returns the
/// number of rows.
pub(super) fn read(
    scan: &mut Scanner<'_>,
    width: usize,
    announced: Option<usize>,
    take: &mut dyn FnMut(&[f32], usize) -> RowResult,
) -> Result<usize, FormatsError> {
    let values = vec![0.0; width];
    let mut rows = Rows { scan, values, held: Vec::new(), announced, count: 0, damaged: None, take };
    rows.run()?;
    let Rows { count, damaged, .. } = rows;
    if let Some((lines, first)) = damaged
        && lines * 10 > count
    {
        let message = format!("{lines} of {count} lines do not have {width} values");
        return scan.refuse(&codes::FRAME_WIDTH, first, message);
    }
    if let Some(announced) = announced.filter(|&n| n != count) {
        let at = scan.at();
        scan.warn(&codes::FRAME_COUNT, at, || format!("{announced} frames announced, {count} found"));
    }
    Ok(count)
}

struct Rows<'s, 'a, 't> {
    scan: &'s mut Scanner<'a>,
    /// The row being read.
    values: Vec<f32>,
    /// The previous row. Empty at first.
    held: Vec<f32>,
    announced: Option<usize>,
    count: usize,
    /// Number of lines replaced by the previous one, and the offset of the first.
    damaged: Option<(usize, usize)>,
    take: &'t mut dyn FnMut(&[f32], usize) -> RowResult,
}

/// Whether to continue reading rows.
#[derive(PartialEq)]
enum Next {
    Row,
    Stop,
}

impl Rows<'_, '_, '_> {
    fn run(&mut self) -> Result<(), FormatsError> {
        let width = self.values.len();
        let mut quick = FastRows::new(self.scan.text(), width);
        quick.seek(self.scan.at());
        loop {
            let start = self.scan.at();
            if let Some(after) = quick.read(start, &mut self.values) {
                let start = self.scan.past_blank(start);
                self.scan.set_at(after);
                self.check_line(start, after - start)?;
                self.finish(start)?;
                continue;
            }
            self.scan.skip_blank();
            let start = self.scan.at();
            if self.scan.rest().is_empty() {
                return Ok(());
            }
            let numbers = self.slow_row(start)?;
            let next = match numbers {
                None => Next::Stop,
                Some(numbers) if numbers.len() == width => {
                    self.accept(&numbers, start)?;
                    Next::Row
                }
                Some(numbers) => self.irregular(&numbers, start)?,
            };
            if next == Next::Stop {
                return Ok(());
            }
            quick.seek(self.scan.at());
        }
    }

    fn check_line(&self, start: usize, length: usize) -> Result<(), FormatsError> {
        let limit = self.scan.limits().line_bytes;
        if length > limit {
            return self.scan.refuse(&codes::LIMIT, start, format!("a line of more than {limit} bytes"));
        }
        Ok(())
    }

    /// Passes the row to `take`.
    fn finish(&mut self, start: usize) -> Result<(), FormatsError> {
        match (self.take)(&self.values, self.scan.rest().len()) {
            RowResult::Accepted => {}
            RowResult::OutOfRange => {
                let place = self.scan.place(start).frame(self.count);
                return Err(FormatsError::refused(&codes::OUT_OF_RANGE, place, "a value is out of range"));
            }
            RowResult::Full(message) => return self.scan.refuse(&codes::LIMIT, start, message),
        }
        self.count += 1;
        if self.count > self.scan.limits().frames {
            let message = format!("more than {} frames", self.scan.limits().frames);
            return self.scan.refuse(&codes::LIMIT, start, message);
        }
        if self.held.is_empty() {
            self.held = vec![0.0; self.values.len()];
        }
        std::mem::swap(&mut self.values, &mut self.held);
        Ok(())
    }

    /// Accepts the numbers of a row. A value that is not finite is replaced by the previous one.
    fn accept(&mut self, numbers: &[f64], start: usize) -> Result<(), FormatsError> {
        for (i, &number) in numbers.iter().enumerate() {
            let mut value = number as f32;
            if !value.is_finite() {
                let frame = self.count;
                let Some(&held) = self.held.get(i) else {
                    let place = self.scan.place(start).frame(frame);
                    let message = format!("value {} of the first frame is not finite", i + 1);
                    return Err(FormatsError::refused(&codes::NOT_FINITE, place, message));
                };
                self.scan.warn(&codes::HELD_VALUE, start, || {
                    format!("value {} of frame {frame} is not finite", i + 1)
                });
                value = held;
            }
            if let Some(slot) = self.values.get_mut(i) {
                *slot = value;
            }
        }
        self.finish(start)
    }

    /// Consumes a line of numbers in any notation. `None` at the end of the text.
    fn slow_row(&mut self, start: usize) -> Result<Option<Vec<f64>>, FormatsError> {
        let line = self.scan.rest();
        let length = line.iter().take_while(|b| !is_line_end(**b)).count();
        self.check_line(start, length)?;
        let line = line.get(..length).unwrap_or_default();
        let comma = if line.contains(&b',') { self.scan.comma(start) } else { Comma::Separator };
        let mut numbers = Vec::new();
        let mut at = 0;
        while let Some((skipped, token)) = next_token(line.get(at..).unwrap_or_default(), comma) {
            match token {
                Token::Number(value, size) => {
                    numbers.push(value);
                    at += skipped + size;
                }
                Token::Other => {
                    let word: Vec<u8> = line
                        .iter()
                        .skip(at + skipped)
                        .take_while(|b| !b.is_ascii_whitespace())
                        .take(20)
                        .copied()
                        .collect();
                    let word = String::from_utf8_lossy(&word).into_owned();
                    let all_there = self.announced.is_some_and(|n| self.count >= n);
                    if all_there && numbers.is_empty() {
                        self.scan
                            .warn(&codes::TRAILING_TEXT, start, || format!("{word:?} after the last frame"));
                        return Ok(None);
                    }
                    if self.count > 0 && self.is_cut_number(start + at + skipped) {
                        self.scan
                            .warn(&codes::TRUNCATED_FRAME, start, || format!("the frame ends in {word:?}"));
                        return Ok(None);
                    }
                    let place = self.scan.place(start + at + skipped).frame(self.count);
                    return Err(FormatsError::refused(
                        &codes::BAD_NUMBER,
                        place,
                        format!("{word:?} is not a number"),
                    ));
                }
            }
        }
        self.scan.set_at(start + length);
        Ok(Some(numbers))
    }

    /// Whether the text ends in the start of a number or an exponent: `-`, `.`, `e-`.
    fn is_cut_number(&self, at: usize) -> bool {
        let rest = self.scan.text().get(at..).unwrap_or_default();
        rest.len() <= 2 && rest.iter().all(|b| matches!(b, b'+' | b'-' | b'.' | b'e' | b'E'))
    }

    /// Handles a line that is not a row: the last line of a truncated file, the first of wrapped frames, or a damaged line.
    fn irregular(&mut self, numbers: &[f64], start: usize) -> Result<Next, FormatsError> {
        let width = self.values.len();
        if self.count == 0 && self.matches_announced(start) {
            self.scan.warn(&codes::WRAPPED_FRAMES, start, || {
                format!("{} values in a line; {width} expected", numbers.len())
            });
            return self.read_by_count(start);
        }
        if self.count == 0 {
            let message =
                format!("the joints have {width} channels, the first line has {} values", numbers.len());
            return self.scan.refuse(&codes::FRAME_WIDTH, start, message);
        }
        self.scan.skip_blank();
        let is_last = self.scan.rest().is_empty();
        if is_last && numbers.len() < width {
            self.scan.warn(&codes::TRUNCATED_FRAME, start, || format!("{} of {width} values", numbers.len()));
            return Ok(Next::Stop);
        }
        self.scan
            .warn(&codes::DAMAGED_FRAME, start, || format!("{} values; {width} expected", numbers.len()));
        let (lines, first) = self.damaged.unwrap_or((0, start));
        self.damaged = Some((lines + 1, first));
        self.values.copy_from_slice(&self.held);
        self.finish(start)?;
        Ok(Next::Row)
    }

    /// Whether the number of values to the end of the text is that of the announced frames, regardless of lines.
    fn matches_announced(&mut self, start: usize) -> bool {
        let Some(announced) = self.announced else { return false };
        let comma = self.scan.comma(start);
        let mut text = self.scan.text().get(start..).unwrap_or_default();
        let mut total = 0usize;
        while let Some((skipped, Token::Number(_, size))) = next_token(text, comma) {
            total += 1;
            text = text.get(skipped + size..).unwrap_or_default();
        }
        next_token(text, comma).is_none() && announced.checked_mul(self.values.len()) == Some(total)
    }

    /// Reads rows by counting values.
    fn read_by_count(&mut self, start: usize) -> Result<Next, FormatsError> {
        let comma = self.scan.comma(start);
        self.scan.set_at(start);
        let mut numbers = Vec::with_capacity(self.values.len());
        while let Some((skipped, Token::Number(value, size))) = next_token(self.scan.rest(), comma) {
            let at = self.scan.at() + skipped;
            numbers.push(value);
            self.scan.set_at(at + size);
            if numbers.len() == self.values.len() {
                self.accept(&numbers, at)?;
                numbers.clear();
            }
        }
        Ok(Next::Stop)
    }
}

/// The next token after blanks, separators and comments, and the number of bytes before it. `None` at the end.
fn next_token(text: &[u8], comma: Comma) -> Option<(usize, Token)> {
    let is_gap = |b: &u8| is_blank(*b) || *b == b';' || (*b == b',' && comma == Comma::Separator);
    let mut skipped = 0;
    loop {
        skipped += text.get(skipped..)?.iter().take_while(|b| is_gap(b)).count();
        let rest = text.get(skipped..)?;
        match rest {
            [] => return None,
            [b'#', ..] | [b'/', b'/', ..] => skipped += rest.iter().take_while(|b| !is_line_end(**b)).count(),
            _ => return Some((skipped, number::general(rest, comma))),
        }
    }
}
