//! Unique labels for points.

use std::collections::{BTreeMap, BTreeSet};

/// Unique labels of points.
#[derive(Debug, PartialEq)]
pub(crate) struct Labels {
    pub(crate) names: Vec<String>,
    /// Number of points without a label, and the first of them.
    pub(crate) unnamed: (usize, Option<usize>),
    /// Number of points with a duplicate label, and the first of them.
    pub(crate) repeated: (usize, Option<usize>),
}

impl Labels {
    /// Labels for `count` points: those given, in order. The seventh point without a label becomes `WORD 7`; a number is appended
    /// to a duplicate.
    pub(crate) fn new(given: Vec<String>, count: usize, word: &str) -> Self {
        let mut taken: BTreeSet<String> = given.iter().take(count).cloned().collect();
        let mut seen: BTreeSet<String> = BTreeSet::new();
        let mut next: BTreeMap<String, usize> = BTreeMap::new();
        let mut found = Self { names: Vec::new(), unnamed: (0, None), repeated: (0, None) };
        let mut given = given.into_iter();
        for index in 0..count {
            let name = given.next().unwrap_or_default();
            if !name.is_empty() && seen.insert(name.clone()) {
                found.names.push(name);
                continue;
            }
            let (counted, stem, start) = if name.is_empty() {
                (&mut found.unnamed, word.to_owned(), index + 1)
            } else {
                (&mut found.repeated, name, 2)
            };
            counted.0 += 1;
            counted.1.get_or_insert(index);
            let number = next.entry(stem.clone()).or_insert(start);
            *number = (*number).max(start);
            let free = loop {
                let name = format!("{stem} {number}");
                *number += 1;
                if taken.insert(name.clone()) {
                    break name;
                }
            };
            found.names.push(free);
        }
        found
    }
}

/// Decodes UTF-8, or Latin-1 if the text is not UTF-8, and returns whether it was not.
pub(crate) fn decoded(text: &[u8]) -> (String, bool) {
    match std::str::from_utf8(text) {
        Ok(text) => (text.to_owned(), false),
        Err(_) => (text.iter().map(|&byte| char::from(byte)).collect(), true),
    }
}

/// The start of a text, for messages.
pub(crate) fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_unique() {
        let given = ["a", "", "a", "a 2", "a", "point 2"].map(str::to_owned).to_vec();
        let found = Labels::new(given, 8, "point");
        assert_eq!(found.names, ["a", "point 3", "a 3", "a 2", "a 4", "point 2", "point 7", "point 8"]);
        assert_eq!((found.unnamed, found.repeated), ((3, Some(1)), (2, Some(2))));
        assert_eq!(Labels::new(vec!["x".into(), "y".into()], 1, "point").names, ["x"]);
    }

    #[test]
    fn text_is_utf8_or_latin1() {
        assert_eq!(decoded("ü".as_bytes()), ("ü".into(), false));
        assert_eq!(decoded(&[0xfc]), ("ü".into(), true));
    }
}
