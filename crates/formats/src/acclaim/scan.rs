//! Scans words and numbers of skeleton and motion files.

use super::codes;
use crate::number::{Comma, Token, general, is_blank};
use crate::text::{Notes, is_line_end};
use crate::{FormatsError, Limits};

/// A position in the text, and the warnings so far.
pub(super) struct Scanner<'a> {
    pub(super) text: &'a [u8],
    pub(super) at: usize,
    pub(super) limits: Limits,
    pub(super) notes: Notes<'a>,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a [u8], limits: Limits) -> Self {
        Self { text, at: 0, limits, notes: Notes::on(text) }
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Refuses a line beyond the limit.
    pub(super) fn check_line(&self, start: usize, length: usize) -> Result<(), FormatsError> {
        let limit = self.limits.line_bytes;
        if length > limit {
            return self.notes.refuse(&codes::LIMIT, start, format!("a line of more than {limit} bytes"));
        }
        Ok(())
    }

    /// Skips to the end of the line.
    pub(super) fn skip_line(&mut self) {
        self.at += line_length(self.rest());
    }

    /// Skips gaps and comments, to the next word of this line or, with `through_lines`, of any.
    fn skip_gaps(&mut self, through_lines: bool) {
        while let Some(&byte) = self.text.get(self.at) {
            if byte == b'#' {
                self.skip_line();
            } else if is_gap(byte) && (through_lines || !is_line_end(byte)) {
                self.at += 1;
            } else {
                break;
            }
        }
    }

    /// The next word, without consuming it. Empty at the end.
    pub(super) fn peek_word(&mut self) -> &'a [u8] {
        self.skip_gaps(true);
        word_at_start(self.rest())
    }

    /// Consumes the next word. Empty at the end.
    pub(super) fn word(&mut self) -> &'a [u8] {
        let word = self.peek_word();
        self.at += word.len();
        word
    }

    /// Consumes the next word of this line. `None` if there is none.
    pub(super) fn word_in_line(&mut self) -> Option<&'a [u8]> {
        self.skip_gaps(false);
        let word = word_at_start(self.rest());
        self.at += word.len();
        (!word.is_empty()).then_some(word)
    }

    /// Consumes the next word, unless it is the keyword of a section. `None` at such a keyword and at the end.
    pub(super) fn word_in_section(&mut self) -> Option<&'a [u8]> {
        let word = self.peek_word();
        if word.is_empty() || word.starts_with(b":") {
            return None;
        }
        self.at += word.len();
        Some(word)
    }

    /// Consumes the next number, if there is one.
    fn number(&mut self) -> Option<f64> {
        self.skip_gaps(true);
        let Token::Number(value, length) = general(self.rest(), Comma::Separator) else { return None };
        self.at += length;
        Some(value)
    }

    /// Consumes `N` finite numbers.
    pub(super) fn numbers<const N: usize>(&mut self, what: &str) -> Result<[f64; N], FormatsError> {
        let mut values = [0.0; N];
        for value in &mut values {
            let Some(number) = self.number() else {
                let found = short(self.peek_word());
                let message = format!("{what} contains {found:?}, which is not a number");
                return self.notes.refuse(&codes::BAD_NUMBER, self.at, message);
            };
            if !number.is_finite() {
                return self.notes.refuse(&codes::NOT_FINITE, self.at, format!("{what} is not finite"));
            }
            *value = number;
        }
        Ok(values)
    }

    /// Decodes a name as UTF-8, or as Latin-1 if it is not UTF-8.
    pub(super) fn name(&mut self, bytes: &[u8], offset: usize) -> String {
        if let Ok(text) = std::str::from_utf8(bytes) {
            return text.to_owned();
        }
        let name: String = bytes.iter().map(|&byte| char::from(byte)).collect();
        self.notes.warn(&codes::ENCODING, offset, || format!("the name {name:?} is not UTF-8"));
        name
    }

    /// Reports an unknown word, and skips its line.
    pub(super) fn skip_unknown(&mut self, word: &[u8], at: usize) {
        self.notes.warn(&codes::UNKNOWN_KEYWORD, at, || format!("skipped {:?}", short(word)));
        self.skip_line();
    }
}

/// Whether a byte separates words: blanks, commas and parentheses.
pub(super) fn is_gap(byte: u8) -> bool {
    is_blank(byte) || matches!(byte, b',' | b'(' | b')')
}

/// The number of bytes to the end of the line.
pub(super) fn line_length(text: &[u8]) -> usize {
    text.iter().position(|byte| is_line_end(*byte)).unwrap_or(text.len())
}

/// The bytes up to the next gap.
pub(super) fn word_at_start(text: &[u8]) -> &[u8] {
    let length = text.iter().position(|byte| is_gap(*byte)).unwrap_or(text.len());
    text.get(..length).unwrap_or_default()
}

/// Compares a word with a keyword, ignoring case.
pub(super) fn is_word(word: &[u8], keyword: &str) -> bool {
    word.eq_ignore_ascii_case(keyword.as_bytes())
}

/// The lookup key of a bone: its name in lower case.
pub(super) fn key(name: &[u8]) -> Vec<u8> {
    name.to_ascii_lowercase()
}

/// The start of a word, for a message.
pub(super) fn short(word: &[u8]) -> String {
    String::from_utf8_lossy(word).chars().take(40).collect()
}
