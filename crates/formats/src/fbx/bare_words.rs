//! Finds words in place of numbers in ASCII files.
//!
//! ufbx reads a bare word as the character code of its first letter, as in `Shading: T`. A misspelled number would silently
//! become another number.

use marey_motion::Report;

use super::codes;
use crate::lines::place_of;

/// Reports bare words of at least two letters that are not names of nodes.
pub(super) fn report_bare_words(bytes: &[u8], report: &mut Report) {
    let mut count = 0;
    let mut first = None;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let rest = bytes.get(at..).unwrap_or_default();
        at += match byte {
            b'"' => length_to(rest.get(1..).unwrap_or_default(), |byte| byte == b'"') + 2,
            b';' => length_to(rest, |byte| matches!(byte, b'\n' | b'\r')),
            byte if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.' | b'_') => {
                let length = length_to(rest, is_separator);
                let (word, after) = rest.split_at(length);
                if is_bare_word(word, after) {
                    count += 1;
                    first = first.or(Some((at, word)));
                }
                length
            }
            _ => 1,
        };
    }
    if let Some((at, word)) = first {
        let word = String::from_utf8_lossy(word.get(..word.len().min(40)).unwrap_or_default()).into_owned();
        report.warn_many(&codes::BARE_WORD, place_of(bytes, at), count, format!("{word:?} is not a number"));
    }
}

fn is_separator(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b',' | b':' | b'{' | b'}' | b'"' | b';' | b'*')
}

fn is_bare_word(word: &[u8], after: &[u8]) -> bool {
    let is_letter = matches!(word, [letter] if letter.is_ascii_alphabetic());
    let is_number =
        || std::str::from_utf8(word).is_ok_and(|text| text.parse::<f64>().is_ok_and(f64::is_finite));
    let is_name = || after.trim_ascii_start().first() == Some(&b':');
    !is_letter && !is_number() && !is_name()
}

/// The number of bytes before the first one that ends a token.
fn length_to(bytes: &[u8], is_end: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|byte| is_end(*byte)).unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use marey_motion::Place;

    use super::*;

    fn found(text: &str) -> Option<(Place, usize)> {
        let mut report = Report::default();
        report_bare_words(text.as_bytes(), &mut report);
        report.warnings().first().map(|warning| (warning.place.clone(), warning.count))
    }

    #[test]
    fn numbers_names_letters_strings_and_comments_are_not_bare_words() {
        assert_eq!(
            found("; a comment\nP: \"Lcl Translation\", \"\", \"A\",0,-1.5e-05,+3\nShading: T\n"),
            None
        );
        assert_eq!(found("KeyTime: *3 {\n\ta: 0,1,2\n}\nKey : 0,1,L,C,n ; more\n"), None);
        assert_eq!(found("a: 1,\n  nine,2,1.2.3\n"), Some((Place::at(2, 3), 2)));
        assert_eq!(found("a: \"never closed"), None);
    }
}
