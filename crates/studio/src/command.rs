//! Words of commands that the page offers to be copied.

/// A word as a shell takes it: as it is where it is plain, else in quotation marks.
///
/// ```
/// use marey_studio::quoted;
/// assert_eq!(quoted("walks/a.marey"), "walks/a.marey");
/// assert_eq!(quoted("it's $5"), r"'it'\''s $5'");
/// ```
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-@".contains(c);
    let plain = !word.is_empty() && !word.starts_with('-') && word.chars().all(is_plain);
    if plain { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}
