//! Scans words, names and numbers of the text.

use marey_motion::{Code, Place};

use super::codes;
use crate::number::{Comma, Token, general, is_blank};
use crate::text::{Notes, is_line_end};
use crate::{FormatsError, Limits};

/// A position in the text, and the warnings so far.
pub(super) struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
    comma: Option<Comma>,
    limits: Limits,
    pub(super) notes: Notes<'a>,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a [u8], limits: Limits) -> Self {
        Self { text, at: 0, comma: None, limits, notes: Notes::on(text) }
    }

    pub(super) fn text(&self) -> &'a [u8] {
        self.text
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn set_at(&mut self, at: usize) {
        self.at = at;
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    pub(super) fn place(&self, offset: usize) -> Place {
        self.notes.place(offset)
    }

    /// An error at an offset.
    pub(super) fn refuse<T>(
        &self,
        code: &'static Code,
        offset: usize,
        message: impl Into<String>,
    ) -> Result<T, FormatsError> {
        self.notes.refuse(code, offset, message)
    }

    /// Reports a warning at an offset.
    pub(super) fn warn(&mut self, code: &'static Code, offset: usize, message: impl FnOnce() -> String) {
        self.notes.warn(code, offset, message);
    }

    /// The meaning of commas in this file, determined at the first comma.
    pub(super) fn comma(&mut self, offset: usize) -> Comma {
        if let Some(comma) = self.comma {
            return comma;
        }
        let comma = Comma::of(self.text.split(|b| is_line_end(*b)).filter(|line| is_numbers(line)));
        if comma == Comma::Decimal {
            self.warn(&codes::DECIMAL_COMMA, offset, || "commas are decimal points".into());
        }
        self.comma = Some(comma);
        comma
    }

    /// The first offset from `offset` on that is not blank.
    pub(super) fn past_blank(&self, offset: usize) -> usize {
        offset + self.text.iter().skip(offset).take_while(|b| is_blank(**b)).count()
    }

    /// Skips spaces, line ends and comments (`#` or `//` at the start of a word).
    pub(super) fn skip_blank(&mut self) {
        while let Some(byte) = self.peek() {
            if is_blank(byte) {
                self.at += 1;
            } else if byte == b'#' || self.rest().starts_with(b"//") {
                self.skip_line();
            } else {
                break;
            }
        }
    }

    /// Skips spaces and tabs.
    pub(super) fn skip_spaces(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | 0x0b | 0x0c)) {
            self.at += 1;
        }
    }

    /// Skips to the end of the line.
    pub(super) fn skip_line(&mut self) {
        self.at += self.rest().iter().take_while(|b| !is_line_end(**b)).count();
    }

    /// The next word, without consuming it: up to a space, a line end or a brace. A brace is a word of its own.
    pub(super) fn peek_word(&mut self) -> &'a [u8] {
        self.skip_blank();
        let rest = self.rest();
        let length = match rest.first() {
            Some(b'{' | b'}') => 1,
            _ => rest.iter().take_while(|b| !is_blank(**b) && !matches!(b, b'{' | b'}')).count(),
        };
        rest.get(..length).unwrap_or_default()
    }

    /// Consumes the next word.
    pub(super) fn word(&mut self) -> &'a [u8] {
        let word = self.peek_word();
        self.at += word.len();
        word
    }

    /// Consumes the rest of the line up to a brace or a comment, and returns it trimmed.
    pub(super) fn rest_of_line(&mut self) -> Result<&'a [u8], FormatsError> {
        self.skip_spaces();
        let start = self.at;
        let rest = self.rest();
        let mut length = 0;
        let mut after_space = true;
        for (i, &byte) in rest.iter().enumerate() {
            let comment =
                after_space && (byte == b'#' || rest.get(i..).is_some_and(|r| r.starts_with(b"//")));
            if is_line_end(byte) || matches!(byte, b'{' | b'}') || comment {
                break;
            }
            after_space = matches!(byte, b' ' | b'\t');
            length = i + 1;
        }
        if length > self.limits.line_bytes {
            let message = format!("a line of more than {} bytes", self.limits.line_bytes);
            return self.refuse(&codes::LIMIT, start, message);
        }
        self.at += length;
        Ok(rest.get(..length).unwrap_or_default().trim_ascii())
    }

    /// Consumes the next number, if there is one, and a comma or semicolon after it.
    pub(super) fn number(&mut self) -> Option<f64> {
        self.skip_blank();
        let start = self.at;
        let comma = if self.rest().iter().take(32).any(|b| *b == b',') {
            self.comma(start)
        } else {
            Comma::Separator
        };
        let Token::Number(value, length) = general(self.rest(), comma) else { return None };
        self.at += length;
        if matches!(self.peek(), Some(b',' | b';')) {
            self.at += 1;
        }
        Some(value)
    }

    /// Decodes a name as UTF-8, or as Latin-1 if it is not UTF-8.
    pub(super) fn name(&mut self, bytes: &[u8], offset: usize) -> String {
        match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => {
                let name: String = bytes.iter().map(|&b| char::from(b)).collect();
                self.warn(&codes::ENCODING, offset, || format!("the name {name:?} is not UTF-8"));
                name
            }
        }
    }
}

/// Whether a line is an OFFSET or part of the table. Names contain points and commas, and another program may have written
/// the frame time.
fn is_numbers(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    let starts_as_number = matches!(line.first(), Some(b'0'..=b'9' | b'+' | b'-' | b'.' | b','));
    starts_as_number || line.get(..6).is_some_and(|word| is_word(word, "OFFSET"))
}

/// Compares a word with a keyword, ignoring case.
pub(super) fn is_word(word: &[u8], keyword: &str) -> bool {
    word.eq_ignore_ascii_case(keyword.as_bytes())
}
