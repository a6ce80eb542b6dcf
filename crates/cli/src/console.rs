//! The two streams: data on stdout, everything else on stderr.

use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::Path;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use marey::motion::{Observer, Progress, Report, Warning};

use crate::args::Cli;
use crate::cancel::{self, Cancellable};
use crate::ink::Ink;
use crate::notice;
use marey::{Budget, Context, Error};

/// Prints to both streams.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Console {
    /// Colours of stdout.
    pub(crate) out: Ink,
    /// Colours of stderr.
    pub(crate) err: Ink,
    quiet: bool,
    budget: Budget,
}

impl Console {
    pub(crate) fn new(cli: &Cli) -> Self {
        let budget = cli.budget.iter().fold(Budget::default(), |budget, limit| budget.with(*limit));
        Self {
            out: Ink::new(cli.color, &io::stdout()),
            err: Ink::new(cli.color, &io::stderr()),
            quiet: cli.quiet,
            budget,
        }
    }

    /// Prints data. A reader that closes the pipe early, as `head` does, causes no error.
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

    /// Prints a table about files that were written, unless `--quiet` is set.
    pub(crate) fn summary(&self, text: &str) -> Result<(), Error> {
        if self.quiet { Ok(()) } else { self.print(text) }
    }

    pub(crate) fn error(&self, failure: &Error) {
        self.tell(&notice::error(self.err, failure));
    }

    /// Prints a warning about a file, unless `--quiet` is set.
    pub(crate) fn warning(&self, warning: &Warning, file: &Path) {
        self.note(&notice::warning(self.err, warning, Some(file)));
    }

    /// Prints the warnings about a file.
    pub(crate) fn warnings(&self, report: &Report, file: &Path) {
        report.warnings().iter().for_each(|warning| self.warning(warning, file));
    }

    /// Prints a message, unless `--quiet` is set.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet {
            self.tell(text);
        }
    }

    /// Prints to stderr.
    pub(crate) fn tell(&self, text: &str) {
        // An error of stderr cannot be reported.
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }

    /// Shows a progress bar on a terminal.
    fn show(&self, bar: &ProgressBar) {
        if !self.quiet && io::stderr().is_terminal() {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    /// The context of work that this console observes.
    pub(crate) fn context<'a>(&self, context: Context<'a>, observer: Observer<'a>) -> Context<'a> {
        context.with_budget(self.budget).observed_by(observer)
    }

    /// Runs work with a progress bar on a terminal. The bar is hidden until the work has several steps. Ctrl-C cancels the work.
    pub(crate) fn observed<T>(&self, work: impl FnOnce(Observer<'_>) -> T) -> T {
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len}, {msg}, {eta} left");
        let bar = ProgressBar::hidden().with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let observe = |progress: Progress| {
            if progress.total > 1 && bar.is_hidden() {
                self.show(&bar);
            }
            bar.set_message(progress.stage);
            bar.set_length(progress.total as u64);
            bar.set_position(progress.done as u64);
            if cancel::is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let _cancellable = Cancellable::start();
        let result = work(Observer::new(&observe));
        bar.finish_and_clear();
        result
    }
}
