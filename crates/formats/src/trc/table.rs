//! The lines of a text, and the fields of a line.

use crate::number::is_blank;
use crate::text::is_line_end;

/// A line and its offset.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'a> {
    pub(super) at: usize,
    pub(super) text: &'a [u8],
}

/// The lines of a text that are not blank.
pub(super) fn lines(text: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let mut at = 0;
    let all = text.split_inclusive(|byte| is_line_end(*byte)).map(move |whole| {
        let line =
            Line { at, text: whole.strip_suffix(b"\n").or(whole.strip_suffix(b"\r")).unwrap_or(whole) };
        at += whole.len();
        line
    });
    all.filter(|line| !line.text.iter().all(|byte| is_blank(*byte)))
}

/// The trimmed fields of a line: separated by tabs, possibly empty; or by white space if there are no tabs.
pub(super) fn fields(line: &[u8]) -> Vec<&[u8]> {
    if line.contains(&b'\t') {
        line.split(|byte| *byte == b'\t').map(<[u8]>::trim_ascii).collect()
    } else {
        line.split(|byte| is_blank(*byte)).filter(|field| !field.is_empty()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_between_tabs_or_blanks() {
        assert_eq!(fields(b"1\t\t 2 \t"), [b"1".as_slice(), b"", b"2", b""]);
        assert_eq!(fields(b" 1  2 "), [b"1".as_slice(), b"2"]);
    }

    #[test]
    fn blank_lines_are_skipped_and_all_line_ends_are_recognised() {
        let found: Vec<(usize, &[u8])> = lines(b"a\r\n\t\nb\rc").map(|line| (line.at, line.text)).collect();
        assert_eq!(found, [(0, b"a".as_slice()), (5, b"b"), (7, b"c")]);
    }
}
