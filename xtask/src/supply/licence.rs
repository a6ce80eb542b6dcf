//! SPDX expressions of licences.

/// Licences that Marey accepts. All allow it to be distributed in source and binary form under its own licence, with a notice.
const ACCEPTED: [&str; 9] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Whether an expression can be met with accepted licences alone. `/` is an old form of `OR`.
pub(super) fn is_accepted(expression: &str) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    let is_met = either(&mut rest);
    is_met == Some(true) && rest.is_empty()
}

/// `A OR B`; `None` if the words are not an expression.
fn either(words: &mut &[&str]) -> Option<bool> {
    let mut is_met = both(words)?;
    while let ["OR", rest @ ..] = *words {
        *words = rest;
        is_met |= both(words)?;
    }
    Some(is_met)
}

/// `A AND B`, which binds tighter.
fn both(words: &mut &[&str]) -> Option<bool> {
    let mut is_met = one(words)?;
    while let ["AND", rest @ ..] = *words {
        *words = rest;
        is_met &= one(words)?;
    }
    Some(is_met)
}

/// A licence with or without an exception, or an expression in brackets.
fn one(words: &mut &[&str]) -> Option<bool> {
    match *words {
        ["(", rest @ ..] => {
            *words = rest;
            let is_met = either(words)?;
            let [")", rest @ ..] = *words else { return None };
            *words = rest;
            Some(is_met)
        }
        [licence, "WITH", exception, rest @ ..] => {
            *words = rest;
            Some(ACCEPTED.contains(&format!("{licence} WITH {exception}").as_str()))
        }
        [licence, rest @ ..] => {
            *words = rest;
            Some(ACCEPTED.contains(licence))
        }
        [] => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_met_or_not() {
        for accepted in [
            "MIT",
            "MIT/Apache-2.0",
            "MIT OR Apache-2.0 OR LGPL-2.1-or-later",
            "(MIT OR GPL-3.0-only) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception",
            "GPL-3.0-only OR MIT AND Zlib",
        ] {
            assert!(is_accepted(accepted), "{accepted}");
        }
        for refused in
            ["", "GPL-3.0-only", "MIT AND GPL-3.0-only", "MIT OR", "(MIT", "MIT WITH x", "MIT Zlib"]
        {
            assert!(!is_accepted(refused), "{refused}");
        }
    }
}
