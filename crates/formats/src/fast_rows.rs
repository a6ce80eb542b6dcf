//! Fast parser for rows of plain numbers, such as the motion table of a BVH.
//!
//! A sequential parser is slow because it must finish one number before it knows where the next one starts. This parser finds
//! the ends first, 64 bytes at a time, as a bit mask of blanks. The numbers are then independent of each other, and the
//! processor works on several at once.
//!
//! A number is read from its end. The eight bytes before the blank contain its decimals; the eight bytes before the decimal
//! point contain its integer digits. Tables are printed with a constant number of decimals, so the position of the point is
//! checked, not searched. The digits of a row are then converted four numbers at a time, by multiplying pairs of digits, then
//! pairs of pairs (as in D. Lemire, "Number parsing at a gigabyte per second", 2021).
//!
//! Only the form `-12.3456` is supported. A row with anything else, such as an exponent or a missing value, is left to
//! [`general`](crate::number::general).

use bytemuck::cast;
use wide::{f32x4, i16x8, u8x16};

/// Number of bytes that are searched for blanks at once.
const BLOCK: usize = 64;

/// Number of bytes before its end that a number may take.
const REACH: usize = 24;

/// Reads rows of a text in order.
pub(crate) struct FastRows<'a> {
    text: &'a [u8],
    blanks: Option<Blanks<'a>>,
    /// Number of decimals of the last number.
    decimals: usize,
    /// The eight digits of each number in the row, the first in the lowest byte, with the sign in the highest bit.
    digits: Vec<u64>,
    /// Numbers of the row with a different number of decimals, by index.
    unusual: Vec<(usize, f32)>,
}

impl<'a> FastRows<'a> {
    /// A parser for rows of `width` numbers. Call [`FastRows::seek`] before the first row.
    pub(crate) fn new(text: &'a [u8], width: usize) -> Self {
        // Rounded up to whole groups of four.
        let digits = vec![0; width.next_multiple_of(4)];
        Self { text, blanks: None, decimals: 4, digits, unusual: Vec::new() }
    }

    /// Continues at an offset.
    pub(crate) fn seek(&mut self, offset: usize) {
        self.blanks = Blanks::at(self.text, offset);
    }

    /// Reads the row at an offset: exactly one plain number for each value, then the end of the line. Blank lines before it are
    /// skipped.
    ///
    /// Returns the offset after the line. `None` if the row has any other form, or near either end of the text; call
    /// [`FastRows::seek`] before the next row then.
    pub(crate) fn read(&mut self, from: usize, values: &mut [f32]) -> Option<usize> {
        // The loop is compiled once for each number of decimals.
        match self.decimals {
            0 | 1 => self.read_with::<1>(from, values),
            2 => self.read_with::<2>(from, values),
            3 => self.read_with::<3>(from, values),
            4 => self.read_with::<4>(from, values),
            5 => self.read_with::<5>(from, values),
            6 => self.read_with::<6>(from, values),
            _ => self.read_with::<7>(from, values),
        }
    }

    fn read_with<const DECIMALS: usize>(&mut self, from: usize, values: &mut [f32]) -> Option<usize> {
        let after = self.collect::<DECIMALS>(from, values.len())?;
        let scale = f32x4::splat(*POWERS.get(DECIMALS)? as f32);
        let mut largest = u8x16::ZERO;
        for (digits, values) in self.digits.as_chunks().0.iter().zip(values.chunks_mut(4)) {
            let numbers = (four_numbers(digits, &mut largest) / scale).to_array();
            match values.as_chunks_mut() {
                ([all], _) => *all = numbers,
                (_, some) => some.iter_mut().zip(numbers).for_each(|(value, number)| *value = number),
            }
        }
        // A byte that is not a digit is above nine.
        if largest.reduce_max() > 9 {
            return None;
        }
        for &(i, number) in &self.unusual {
            *values.get_mut(i)? = number;
        }
        Some(after)
    }

    /// Finds the digits and signs of a row.
    fn collect<const DECIMALS: usize>(&mut self, from: usize, width: usize) -> Option<usize> {
        self.unusual.clear();
        // A local copy stays in registers.
        let mut blanks = self.blanks?;
        let mut start = from;
        let mut end = blanks.next(self.text)?;
        while end.offset == start {
            start += 1;
            end = blanks.next(self.text)?;
        }
        let mut all = 0;
        let mut slots = self.digits.get_mut(..width)?.iter_mut();
        let mut slot = slots.next()?;
        loop {
            match usual_digits::<DECIMALS>(end.before, end.offset - start, &mut all) {
                Some(digits) => *slot = digits,
                None => {
                    *slot = 0;
                    let text = self.text.get(start..end.offset)?;
                    self.decimals = note_unusual(&mut self.unusual, width - 1 - slots.len(), text)?;
                }
            }
            start = end.offset + 1;
            match slots.next() {
                Some(next) => slot = next,
                None => break,
            }
            // A line end inside a row means that values are missing.
            if is_line_end(end.before[REACH]) {
                return None;
            }
            end = blanks.next(self.text)?;
            while end.offset == start {
                // Consecutive blanks.
                if is_line_end(end.before[REACH]) {
                    return None;
                }
                start += 1;
                end = blanks.next(self.text)?;
            }
        }
        // Blanks after the last number, up to the end of the line.
        while !is_line_end(end.before[REACH]) {
            end = blanks.next(self.text)?;
            if end.offset != start {
                return None;
            }
            start += 1;
        }
        // A byte above 127 would set the sign bit.
        if all & SIGN != 0 {
            return None;
        }
        self.blanks = Some(blanks);
        Some(start)
    }
}

/// Iterates over the blanks of a text.
#[derive(Clone, Copy)]
struct Blanks<'a> {
    /// Offset of the current block.
    block: usize,
    /// The block and the `REACH` bytes before it.
    bytes: &'a [u8; REACH + BLOCK],
    /// A bit for each remaining blank in the block.
    ahead: u64,
}

/// A blank: its offset, and the bytes up to and including it.
#[derive(Clone, Copy)]
struct Blank<'a> {
    offset: usize,
    before: &'a [u8; REACH + 1],
}

impl<'a> Blanks<'a> {
    /// Searches the block at an offset. `None` near either end of the text.
    #[inline(always)]
    fn at(text: &'a [u8], offset: usize) -> Option<Self> {
        let bytes: &[u8; REACH + BLOCK] = text.get(offset.checked_sub(REACH)?..)?.first_chunk()?;
        let (_, block) = bytes.split_last_chunk::<BLOCK>()?;
        let (lanes, _) = block.as_chunks::<16>();
        let space = u8x16::splat(b' ');
        let mut ahead = 0;
        for (i, lane) in lanes.iter().enumerate() {
            let blank = u8x16::new(*lane).max(space).simd_eq(space).to_bitmask();
            ahead |= u64::from(blank) << (16 * i);
        }
        Some(Self { block: offset, bytes, ahead })
    }

    #[inline(always)]
    fn next(&mut self, text: &'a [u8]) -> Option<Blank<'a>> {
        while self.ahead == 0 {
            *self = Self::at(text, self.block + BLOCK)?;
        }
        let index = self.ahead.trailing_zeros() as usize & (BLOCK - 1);
        self.ahead &= self.ahead - 1;
        Some(Blank { offset: self.block + index, before: self.bytes.get(index..)?.first_chunk()? })
    }
}

/// The digits of the number of `length` bytes that ends before the last of these, with its sign in the highest bit.
///
/// `None` unless it has exactly `DECIMALS` decimals, one to seven, and at most eight digits. Digits are not checked here; their
/// bits are added to `all`.
#[inline(always)]
fn usual_digits<const DECIMALS: usize>(
    before: &[u8; REACH + 1],
    length: usize,
    all: &mut u64,
) -> Option<u64> {
    let negative = *before.get(REACH.checked_sub(length)?)? == b'-';
    let whole = length.wrapping_sub(DECIMALS + 1 + usize::from(negative));
    if whole.wrapping_sub(1) >= 8 - DECIMALS || *before.get(REACH - 1 - DECIMALS)? != b'.' {
        return None;
    }
    // The digits on either side of the point, the last one in the highest byte, with earlier bytes masked.
    let back = word_at(before, REACH - 8)? & *KEEP.get(DECIMALS)?;
    let front = word_at(before, REACH - 9 - DECIMALS)? & *KEEP.get(whole)?;
    let digits = back | (front >> (8 * DECIMALS));
    *all |= digits;
    Some(digits | (u64::from(negative) << 63))
}

/// Converts four groups of eight digits to numbers: pairs of digits, pairs of pairs, and pairs again. The sign is in the highest
/// bit of each group. Updates the largest digit.
#[inline(always)]
fn four_numbers(digits: &[u64; 4], largest: &mut u8x16) -> f32x4 {
    let halves = cast::<[u64; 4], [u8x16; 2]>(digits.map(|d| d & !SIGN)).map(|half| {
        *largest = largest.max(half);
        let half: i16x8 = cast(half);
        let pairs: i16x8 = (half & i16x8::splat(0xff)) * i16x8::splat(10) + (half >> 8i32);
        pairs.dot(i16x8::new([100, 1, 100, 1, 100, 1, 100, 1]))
    });
    let fours = i16x8::from_i32x8_saturate(cast(halves));
    let numbers = fours.dot(i16x8::new([10_000, 1, 10_000, 1, 10_000, 1, 10_000, 1]));
    let signs = digits.map(|d| ((d & SIGN) >> 32) as u32);
    f32x4::from_i32x4(numbers) ^ cast::<[u32; 4], f32x4>(signs)
}

/// Stores a number that differs in form from the rest of its row, and returns its number of decimals.
#[cold]
#[inline(never)]
fn note_unusual(unusual: &mut Vec<(usize, f32)>, index: usize, text: &[u8]) -> Option<usize> {
    let (number, decimals) = unusual_number(text)?;
    unusual.push((index, number));
    Some(decimals)
}

/// Parses a plain number of at most nineteen characters. Returns the value and its number of decimals.
fn unusual_number(text: &[u8]) -> Option<(f32, usize)> {
    let unsigned = text.strip_prefix(b"-").unwrap_or(text);
    let mut digits: u64 = 0;
    let mut point = None;
    // Nineteen digits fit into a u64.
    if unsigned.len() > 19 {
        return None;
    }
    for (i, &byte) in unsigned.iter().enumerate() {
        match byte {
            b'0'..=b'9' => digits = digits * 10 + u64::from(byte - b'0'),
            b'.' if point.is_none() => point = Some(i),
            _ => return None,
        }
    }
    let count = unsigned.len() - usize::from(point.is_some());
    let places = point.map_or(0, |at| unsigned.len() - at - 1);
    if count == 0 {
        return None;
    }
    let magnitude = digits as f64 / POWERS.get(places)?;
    Some((if text.len() > unsigned.len() { -magnitude } else { magnitude } as f32, places))
}

/// The sign bit in a group of digits.
const SIGN: u64 = 1 << 63;

/// Ten to the power of n.
const POWERS: [f64; 16] =
    [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// Keeps the n highest bytes of a word.
const KEEP: [u64; 9] = [
    0,
    u64::MAX << 56,
    u64::MAX << 48,
    u64::MAX << 40,
    u64::MAX << 32,
    u64::MAX << 24,
    u64::MAX << 16,
    u64::MAX << 8,
    u64::MAX,
];

/// Whether a blank ends a line.
#[inline(always)]
fn is_line_end(blank: u8) -> bool {
    const LINE_ENDS: u64 = 1 << b'\n' | 1 << b'\r';
    LINE_ENDS >> (blank & 63) & 1 != 0
}

/// Eight bytes minus `0`, the last one in the highest byte of the word.
#[inline(always)]
fn word_at(bytes: &[u8; REACH + 1], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?) ^ 0x3030_3030_3030_3030)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::number::{Comma, Token, general, is_blank};

    /// Reads one row of `count` numbers, padded with text before and after it.
    fn row(text: impl AsRef<[u8]>, count: usize) -> Option<Vec<f32>> {
        let (before, text) = (b"MOTION\nFrames: 40\nFrame Time: 0.1\n", text.as_ref());
        let padded = [before, text, b"\n", &b"1 2 3\n".repeat(40)].concat();
        let mut rows = FastRows::new(&padded, count);
        rows.seek(before.len());
        let mut values = vec![0.0; count];
        let after = rows.read(before.len(), &mut values)?;
        assert_eq!(after, before.len() + text.len() + 1, "{}", text.escape_ascii());
        Some(values)
    }

    /// Whether the slow parser finds exactly these numbers in a text.
    fn agree(fast: &[f32], text: &[u8]) -> bool {
        let words: Vec<&[u8]> = text.split(|byte| is_blank(*byte)).filter(|word| !word.is_empty()).collect();
        let same = |(fast, word): (&f32, &&[u8])| match general(word, Comma::Separator) {
            Token::Number(slow, length) => {
                length == word.len() && (f64::from(*fast) - slow).abs() <= slow.abs() * 1.2e-7
            }
            Token::Other => false,
        };
        fast.len() == words.len() && fast.iter().zip(&words).all(same)
    }

    #[test]
    fn plain_rows_are_read() {
        assert_eq!(row("1.5 -2.25 3.125", 3), Some(vec![1.5, -2.25, 3.125]));
        assert_eq!(row("  0.0000\t-0.5000   12.3456 \t", 3), Some(vec![0.0, -0.5, 12.3456]));
        assert_eq!(row("7 -7 0", 3), Some(vec![7.0, -7.0, 0.0]));
        assert_eq!(row("12345678.12345678 1.5", 2), Some(vec![12_345_678.0, 1.5]));
        assert_eq!(row(".5 5. -.25 0.123456789", 4), Some(vec![0.5, 5.0, -0.25, 0.123_456_79]));
        assert_eq!(row("\r\n\n1.5 2", 2), Some(vec![1.5, 2.0]));
    }

    #[test]
    fn other_rows_are_not_read() {
        for text in [
            "",
            "1",
            "1 2 3",
            "1\n2",
            "1 \n 2",
            "1 x",
            "x 1",
            "1 -",
            "- 1",
            "1 .",
            ". 1",
            "-. 1",
            "1 +2",
            "1 1e5",
            "1 1,5",
            "1 0.0-7.5",
            "1 1.2.3",
            "1 1234567890123456789012",
            "1 99999999999999999999999999",
            "1 0.9999999999999999999",
            "1 nan",
            "1 --2",
            "1 2-",
            "1 1:2",
            "1 1/2",
            "1 \u{a0}2",
            "1 2\u{2212}",
        ] {
            assert_eq!(row(text, 2), None, "{text:?}");
        }
    }

    #[test]
    fn a_changed_byte_is_not_a_digit() {
        let plain = b"-12.3456 7.8901 0.5000";
        for at in 0..plain.len() {
            for byte in (0..=255).filter(|byte| !matches!(byte, b'\n' | b'\r')) {
                let mut text = *plain;
                text[at] = byte;
                let agrees = row(text, 3).is_none_or(|fast| agree(&fast, &text));
                assert!(agrees, "{}", text.escape_ascii());
            }
        }
    }

    proptest! {
        #[test]
        fn fast_equals_general(
            numbers in proptest::collection::vec((-9e7f64..9e7, 0u32..9, 0usize..9), 1..40),
            gaps in proptest::collection::vec("[ \t]{1,3}", 40),
        ) {
            let words: Vec<String> =
                numbers.iter().map(|&(v, small, places)| format!("{:.places$}", v / 10f64.powi(small as i32))).collect();
            let text: String = words.iter().zip(&gaps).map(|(word, gap)| format!("{word}{gap}")).collect();
            let fast = row(&text, words.len()).unwrap();
            prop_assert!(agree(&fast, text.as_bytes()), "{:?} for {}", fast, text);
        }

        #[test]
        fn almost_numbers_agree(text in "[-+0-9.eE,# ]{1,24}") {
            if let Some(fast) = row(&text, 1) {
                prop_assert!(agree(&fast, text.as_bytes()), "{:?} for {:?}", fast, text);
            }
        }

        #[test]
        fn any_bytes_are_accepted(bytes in proptest::collection::vec(any::<u8>(), 0..300), at in 0usize..320) {
            let mut rows = FastRows::new(&bytes, 3);
            rows.seek(at);
            let _ = rows.read(at, &mut [0.0; 3]);
        }
    }
}
