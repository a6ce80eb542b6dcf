//! The two streams: stdout is data, stderr is the rest.

use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::Path;

use clap::ColorChoice;
use indicatif::{ProgressBar, ProgressStyle};
use marey::motion::{Progress, Warning};

use crate::ink::Ink;
use crate::notice;
use marey::Error;

/// Where everything is printed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Console {
    /// Colours for data.
    pub(crate) out: Ink,
    /// Colours for the rest.
    pub(crate) err: Ink,
    quiet: bool,
}

impl Console {
    pub(crate) fn new(colour: ColorChoice, quiet: bool) -> Self {
        Self { out: Ink::new(colour, &io::stdout()), err: Ink::new(colour, &io::stderr()), quiet }
    }

    /// Prints data. A reader that has seen enough, as `head` does, is no failure.
    pub(crate) fn print(&self, text: &str) -> Result<(), Error> {
        let mut out = io::stdout().lock();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                let file = Path::new("<stdout>");
                Err(Error::from(marey::formats::FormatsError::file(file, error)).in_file(file))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn error(&self, failure: &Error) {
        self.tell(&notice::error(self.err, failure));
    }

    /// Prints a warning about a file, unless told to be quiet.
    pub(crate) fn warning(&self, warning: &Warning, file: &Path) {
        self.note(&notice::warning(self.err, warning, Some(file)));
    }

    /// Prints what is good to know, unless told to be quiet.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet {
            self.tell(text);
        }
    }

    /// Prints to stderr.
    pub(crate) fn tell(&self, text: &str) {
        // Where this cannot be written, nobody is there to be told.
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }

    /// A progress bar over so many files; hidden where nobody sees it, or there is one file only.
    pub(crate) fn progress(&self, files: usize) -> ProgressBar {
        if self.quiet || files < 2 || !io::stderr().is_terminal() {
            return ProgressBar::hidden();
        }
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} files, {eta} left");
        ProgressBar::new(files as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
    }

    /// A progress bar over so many steps of a kind, with a message beside it; hidden where nobody sees it.
    pub(crate) fn steps(&self, steps: u64, kind: &str) -> ProgressBar {
        if self.quiet || !io::stderr().is_terminal() {
            return ProgressBar::hidden();
        }
        let template = format!("{{wide_bar}} {{pos}}/{{len}} {kind}, {{msg}}, {{eta}} left");
        let style = ProgressStyle::with_template(&template);
        ProgressBar::new(steps).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
    }
}

/// An observer that moves a progress bar.
pub(crate) fn observing(bar: &ProgressBar) -> impl Fn(Progress) -> ControlFlow<()> + Sync + '_ {
    |progress| {
        bar.set_length(progress.total as u64);
        bar.set_position(progress.done as u64);
        ControlFlow::Continue(())
    }
}
