//! Converts byte offsets to lines and columns, and back.

use marey_motion::Place;

/// The line and byte column of an offset, both from 1. Lines end with LF, CR, or CR LF.
pub(crate) fn place_of(text: &[u8], offset: usize) -> Place {
    let before = text.get(..offset.min(text.len())).unwrap_or(text);
    let mut line = 1;
    let mut start = 0;
    for (i, &byte) in before.iter().enumerate() {
        let ends = match byte {
            b'\n' => true,
            // The CR of a CR LF pair does not end the line by itself.
            b'\r' => text.get(i + 1) != Some(&b'\n'),
            _ => false,
        };
        if ends {
            line += 1;
            start = i + 1;
        }
    }
    Place::at(line, before.len() - start + 1)
}

/// The offset of a line and column as `serde_json` counts them: both from 1, by line feeds only.
pub(crate) fn offset_of(text: &[u8], line: usize, column: usize) -> usize {
    let before = text.split_inclusive(|byte| *byte == b'\n').take(line.saturating_sub(1));
    before.map(<[u8]>::len).sum::<usize>() + column.saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_line_end_counts_once() {
        let text = b"ab\ncd\r\nef\rgh";
        for (offset, line, column) in
            [(0, 1, 1), (1, 1, 2), (3, 2, 1), (7, 3, 1), (10, 4, 1), (11, 4, 2), (99, 4, 3)]
        {
            assert_eq!(place_of(text, offset), Place::at(line, column), "{offset}");
        }
    }
}
