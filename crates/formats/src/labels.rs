//! What points are called: each by a name of its own.

use std::collections::{BTreeMap, BTreeSet};

/// Names of points, each of its own.
#[derive(Debug, PartialEq)]
pub(crate) struct Labels {
    pub(crate) names: Vec<String>,
    /// How many had none, and which was the first.
    pub(crate) unnamed: (usize, Option<usize>),
    /// How many had another's, and which was the first.
    pub(crate) repeated: (usize, Option<usize>),
}

impl Labels {
    /// Names for so many points: those given, in order; `WORD 7` for the seventh where it has none, and a number behind one
    /// that was there before.
    pub(crate) fn settle(given: Vec<String>, count: usize, word: &str) -> Self {
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

/// A text as UTF-8, or as Latin-1 where it is not; and whether it was not.
pub(crate) fn decoded(text: &[u8]) -> (String, bool) {
    match std::str::from_utf8(text) {
        Ok(text) => (text.to_owned(), false),
        Err(_) => (text.iter().map(|&byte| char::from(byte)).collect(), true),
    }
}

/// The start of a text from a file, for messages.
pub(crate) fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_gets_a_name_of_its_own() {
        let given = ["a", "", "a", "a 2", "a", "point 2"].map(str::to_owned).to_vec();
        let found = Labels::settle(given, 8, "point");
        assert_eq!(found.names, ["a", "point 3", "a 3", "a 2", "a 4", "point 2", "point 7", "point 8"]);
        assert_eq!((found.unnamed, found.repeated), ((3, Some(1)), (2, Some(2))));
        assert_eq!(Labels::settle(vec!["x".into(), "y".into()], 1, "point").names, ["x"]);
    }

    #[test]
    fn texts_are_utf8_or_latin1() {
        assert_eq!(decoded("ü".as_bytes()), ("ü".into(), false));
        assert_eq!(decoded(&[0xfc]), ("ü".into(), true));
    }
}
