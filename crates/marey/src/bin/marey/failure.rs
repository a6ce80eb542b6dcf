//! What went wrong, ready to be shown, and what a whole run comes to.

use std::path::{Path, PathBuf};

use marey::codes;
use marey::formats::Reading;
use marey::motion::{Code, Coded, Place};

/// Something that went wrong.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    pub(crate) code: &'static Code,
    pub(crate) message: String,
    /// The file it concerns.
    pub(crate) file: Option<PathBuf>,
    /// Where in the file.
    pub(crate) place: Box<Place>,
    /// Whether the command was used wrongly, rather than that an input is at fault.
    pub(crate) is_usage: bool,
}

impl Failure {
    pub(crate) fn new(code: &'static Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), file: None, place: Box::default(), is_usage: false }
    }

    /// A wrong use of the command.
    pub(crate) fn usage(code: &'static Code, message: impl Into<String>) -> Self {
        Self { is_usage: true, ..Self::new(code, message) }
    }

    /// One take is wanted of a file with several.
    pub(crate) fn several_takes(readings: &[Reading]) -> Self {
        let names: Vec<String> =
            readings.iter().map(|reading| format!("{:?}", reading.take.name())).collect();
        Self::new(&codes::SEVERAL_TAKES, format!("takes {}", names.join(", ")))
    }

    /// The same failure, naming the file it concerns, where it names none yet.
    pub(crate) fn in_file(mut self, file: &Path) -> Self {
        self.file.get_or_insert_with(|| file.to_owned());
        self
    }
}

impl<E: Coded> From<E> for Failure {
    fn from(error: E) -> Self {
        Self { place: Box::new(error.place()), ..Self::new(error.code(), error.to_string()) }
    }
}

/// What a run over its inputs comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    AllDone,
    SomeFailed,
}

impl Verdict {
    pub(crate) fn of<T>(results: &[Result<T, Failure>]) -> Self {
        if results.iter().all(Result::is_ok) { Self::AllDone } else { Self::SomeFailed }
    }
}
