//! Colours, and text from files without control characters.

use std::io::IsTerminal;

use clap::ColorChoice;

/// Whether text for a stream is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ink {
    on: bool,
}

impl Ink {
    /// Text without colours.
    #[cfg(test)]
    pub(crate) const NONE: Ink = Ink { on: false };

    /// Colours for a stream: as chosen, else on a terminal unless `NO_COLOR` is set (see no-color.org).
    pub(crate) fn new(choice: ColorChoice, stream: &impl IsTerminal) -> Self {
        let is_disabled = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let on = match choice {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => stream.is_terminal() && !is_disabled,
        };
        Self { on }
    }

    pub(crate) fn error(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    pub(crate) fn warning(self, text: &str) -> String {
        self.paint("1;33", text)
    }

    pub(crate) fn hint(self, text: &str) -> String {
        self.paint("36", text)
    }

    pub(crate) fn heading(self, text: &str) -> String {
        self.paint("1", text)
    }

    fn paint(self, sequence: &str, text: &str) -> String {
        if self.on { format!("\x1b[{sequence}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// Replaces control characters, so that text from a file cannot control the terminal.
pub(crate) fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_as_chosen() {
        let always = Ink::new(ColorChoice::Always, &std::io::stderr());
        assert_eq!(always.heading("a"), "\x1b[1ma\x1b[0m");
        assert_eq!(Ink::new(ColorChoice::Never, &std::io::stderr()), Ink::NONE);
        assert_eq!(Ink::NONE.error("a"), "a");
    }

    #[test]
    fn names_from_files_cannot_control_the_terminal() {
        assert_eq!(plain("Hips\x1b[2J\n"), "Hips\u{fffd}[2J\u{fffd}");
        assert_eq!(plain("Hüfte"), "Hüfte");
    }
}
