//! Text as lines of words and numbers.

use std::ops::Range;

use super::number::number;
use super::random::Random;

/// Changes a word, a number or a line.
pub(super) fn change(bytes: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    match random.below(4) {
        0 => change_lines(bytes, random),
        _ => change_word(bytes, random),
    }
}

/// Runs of characters of words and numbers.
fn words(bytes: &[u8]) -> Vec<Range<usize>> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"_.+-:#".contains(&byte) || byte >= 0x80;
    let (mut found, mut start) = (Vec::new(), None);
    for (at, &byte) in bytes.iter().enumerate() {
        match (is_word(byte), start) {
            (true, None) => start = Some(at),
            (false, Some(first)) => {
                found.push(first..at);
                start = None;
            }
            _ => {}
        }
    }
    found.extend(start.map(|first| first..bytes.len()));
    found
}

fn change_word(bytes: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let words = words(bytes);
    // Headers are short, so that every second choice is among the first words.
    let reach = if random.one_in(2) { words.len().min(100) } else { words.len() };
    let range = words.get(random.below(reach))?.clone();
    let old = std::str::from_utf8(bytes.get(range.clone())?).unwrap_or_default();
    let new: Vec<u8> = match (old.parse::<f64>(), random.below(8)) {
        (Ok(value), 0..6) => written(number(value, random), random).into_bytes(),
        (Err(_), 0..3) => written(number(1.0, random), random).into_bytes(),
        (_, 6) => Vec::new(),
        (_, 7) => [old.as_bytes(), b" ", old.as_bytes()].concat(),
        _ => bytes.get(random.pick(&words)?.clone())?.to_vec(),
    };
    Some([bytes.get(..range.start)?, &new, bytes.get(range.end..)?].concat())
}

/// A number as files have it: whole, with decimals, with an exponent, or with a decimal comma.
fn written(value: f64, random: &mut Random) -> String {
    match random.below(5) {
        0 => format!("{value:e}"),
        1 => format!("{value:.6}"),
        2 if value.abs() < 1e18 => format!("{}", value as i64),
        3 => format!("{value:.3}").replace('.', ","),
        _ => format!("{value}"),
    }
}

/// Removes, repeats, swaps or moves lines.
fn change_lines(bytes: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let mut lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    if lines.is_empty() {
        return None;
    }
    let (one, other) = (random.below(lines.len()), random.below(lines.len()));
    match random.below(5) {
        0 if lines.len() > 1 => {
            lines.remove(one);
        }
        1 => {
            let line = *lines.get(one)?;
            for _ in 0..=random.below(20) {
                lines.insert(one, line);
            }
        }
        2 => lines.swap(one, other),
        3 => lines.truncate(one.max(1)),
        _ => {
            let line = *lines.get(one)?;
            lines.insert(other, line);
        }
    }
    Some(lines.concat())
}
