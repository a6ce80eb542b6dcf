//! The library's error.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::codes;
use crate::formats::FileTake;
use crate::motion::{Code, Coded, Place};

/// Why a verb failed. Every [`Coded`] error of another crate converts into it with `?`.
///
/// ```
/// use marey::Error;
/// let error: Error = marey::motion::MotionError::Empty { what: "a clip" }.into();
/// assert_eq!(error.code.id, "motion/mismatch");
/// let error = error.in_file("walk.bvh".as_ref());
/// assert_eq!(error.to_string(), "walk.bvh: a clip is empty");
/// ```
#[derive(Debug, Clone)]
pub struct Error {
    /// The kind of error, with a hint for the user.
    pub code: &'static Code,
    /// The details, without file, place and hint.
    pub message: String,
    /// The file that the error concerns.
    pub file: Option<PathBuf>,
    /// The position in the file.
    pub place: Box<Place>,
    /// True if the request was wrong, false if an input was.
    pub is_usage: bool,
}

impl Error {
    /// An error that concerns no file.
    pub fn new(code: &'static Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), file: None, place: Box::default(), is_usage: false }
    }

    /// An error in the request.
    pub fn usage(code: &'static Code, message: impl Into<String>) -> Self {
        Self { is_usage: true, ..Self::new(code, message) }
    }

    /// Settings outside their range.
    pub fn settings(error: impl fmt::Display) -> Self {
        Self::usage(&codes::SETTINGS, error.to_string())
    }

    /// A file has several takes where one is needed.
    pub fn several_takes(readings: &[FileTake]) -> Self {
        let names: Vec<String> =
            readings.iter().map(|reading| format!("{:?}", reading.take.name())).collect();
        Self::new(&codes::SEVERAL_TAKES, format!("takes {}", names.join(", ")))
    }

    /// The same error with the file that it concerns, unless it has one.
    pub fn in_file(mut self, file: &Path) -> Self {
        self.file.get_or_insert_with(|| file.to_owned());
        self
    }

    /// The same error at a position in its file.
    pub fn at(mut self, place: Place) -> Self {
        *self.place = place;
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{}: ", file.display())?;
        }
        if !self.place.is_nowhere() {
            write!(f, "{}: ", self.place)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl<E: Coded> From<E> for Error {
    fn from(error: E) -> Self {
        Self {
            place: Box::new(error.place()),
            file: error.file().map(Path::to_owned),
            is_usage: error.is_usage(),
            ..Self::new(error.code(), error.to_string())
        }
    }
}
