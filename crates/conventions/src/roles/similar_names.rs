//! Suggestions for a mistyped name.

/// Largest number of suggestions.
const SUGGESTIONS: usize = 3;
/// Number of leading characters that are compared.
const COMPARED: usize = 64;

/// The names most similar to `wanted`, best first: those within a few edits of it, ignoring case.
pub(super) fn similar_names<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let wanted = letters(wanted);
    let allowed = 1 + wanted.len() / 4;
    let mut found: Vec<(usize, &str)> = names.map(|name| (distance(&wanted, &letters(name)), name)).collect();
    found.retain(|(distance, _)| *distance <= allowed);
    found.sort();
    found.into_iter().take(SUGGESTIONS).map(|(_, name)| name.to_owned()).collect()
}

fn letters(name: &str) -> Vec<char> {
    name.chars().flat_map(char::to_lowercase).take(COMPARED).collect()
}

/// The Levenshtein distance: the least number of letters to insert, delete or replace.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let (mut diagonal, mut left) = (i, i + 1);
        for (above, y) in row.iter_mut().skip(1).zip(b) {
            let here = (diagonal + usize::from(x != y)).min(left + 1).min(*above + 1);
            diagonal = std::mem::replace(above, here);
            left = here;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_match_textbook_examples() {
        for (a, b, expected) in
            [("kitten", "sitting", 3), ("", "abc", 3), ("abc", "", 3), ("flaw", "lawn", 2)]
        {
            assert_eq!(distance(&letters(a), &letters(b)), expected, "{a} {b}");
        }
    }

    #[test]
    fn the_most_similar_come_first() {
        let names = ["RightFoot", "LeftFoot", "Head", "Spine"];
        assert_eq!(similar_names("leftfot", names.into_iter()), ["LeftFoot"]);
        assert_eq!(similar_names("ightFoot", names.into_iter()), ["RightFoot", "LeftFoot"]);
        assert!(similar_names("quux", names.into_iter()).is_empty());
    }
}
