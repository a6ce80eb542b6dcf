//! The command that the page offers to copy.

use std::fmt::Display;

/// A command line, quoted for a shell.
///
/// ```
/// use marey_studio::CommandLine;
/// let line = CommandLine::new("vary").arg("my walks.marey").option("--seed", [7]).flag("--keep-first", true);
/// assert_eq!(line.option("--turn", None::<f64>).to_string(), "marey vary 'my walks.marey' --seed 7 --keep-first");
/// assert_eq!(CommandLine::new("check").arg("it's $5").to_string(), r"marey check 'it'\''s $5'");
/// ```
#[derive(Debug, Clone)]
pub struct CommandLine {
    line: String,
}

impl CommandLine {
    /// The command `marey`, followed by a subcommand.
    pub fn new(subcommand: &str) -> Self {
        Self { line: format!("marey {subcommand}") }
    }

    /// A command line that exists already.
    pub(crate) fn continued(line: &str) -> Self {
        Self { line: line.to_owned() }
    }

    /// Appends an argument.
    pub fn arg(mut self, argument: impl Display) -> Self {
        let argument = argument.to_string();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-@".contains(c);
        self.line.push(' ');
        if !argument.is_empty() && !argument.starts_with('-') && argument.chars().all(is_plain) {
            self.line += &argument;
        } else {
            self.line += &format!("'{}'", argument.replace('\'', r"'\''"));
        }
        self
    }

    /// Appends an option once for each value: none for `None` or an empty list.
    pub fn option<V: Display>(self, name: &str, values: impl IntoIterator<Item = V>) -> Self {
        values.into_iter().fold(self, |mut line, value| {
            line.line += &format!(" {name}");
            line.arg(value)
        })
    }

    /// Appends a flag if it is set.
    pub fn flag(mut self, name: &str, is_set: bool) -> Self {
        if is_set {
            self.line += &format!(" {name}");
        }
        self
    }
}

impl Display for CommandLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.line)
    }
}
