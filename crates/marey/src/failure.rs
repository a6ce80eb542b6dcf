//! What went wrong, whoever found it: ready to be shown by the command, or to be raised in Python.

use std::path::{Path, PathBuf};

use crate::codes;
use crate::formats::Reading;
use crate::motion::{Code, Coded, Place};

/// Something that went wrong, in any room. Every [`Coded`] error becomes one by `?`.
///
/// ```
/// use marey::failure::Failure;
/// let failure: Failure = marey::motion::Error::Empty { what: "a clip" }.into();
/// assert_eq!(failure.code.id, "motion/mismatch");
/// assert_eq!(failure.in_file("walk.bvh".as_ref()).file, Some("walk.bvh".into()));
/// ```
#[derive(Debug, Clone)]
pub struct Failure {
    /// What kind of thing.
    pub code: &'static Code,
    /// What exactly.
    pub message: String,
    /// The file it concerns.
    pub file: Option<PathBuf>,
    /// Where in the file.
    pub place: Box<Place>,
    /// Whether something was asked for wrongly, rather than that an input is at fault.
    pub is_usage: bool,
}

impl Failure {
    /// A failure that concerns no file.
    pub fn new(code: &'static Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), file: None, place: Box::default(), is_usage: false }
    }

    /// Something that was asked for wrongly.
    pub fn usage(code: &'static Code, message: impl Into<String>) -> Self {
        Self { is_usage: true, ..Self::new(code, message) }
    }

    /// Settings that cannot be.
    pub fn settings(error: impl std::fmt::Display) -> Self {
        Self::usage(&codes::SETTINGS, error.to_string())
    }

    /// One take is wanted of a file with several.
    pub fn several_takes(readings: &[Reading]) -> Self {
        let names: Vec<String> =
            readings.iter().map(|reading| format!("{:?}", reading.take.name())).collect();
        Self::new(&codes::SEVERAL_TAKES, format!("takes {}", names.join(", ")))
    }

    /// The same failure, naming the file it concerns, where it names none yet.
    pub fn in_file(mut self, file: &Path) -> Self {
        self.file.get_or_insert_with(|| file.to_owned());
        self
    }
}

impl<E: Coded> From<E> for Failure {
    fn from(error: E) -> Self {
        Self { place: Box::new(error.place()), ..Self::new(error.code(), error.to_string()) }
    }
}
