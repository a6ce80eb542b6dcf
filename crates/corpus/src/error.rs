//! Why a corpus refused.

use std::path::Path;

use marey_motion::{Code, Place};
use rusqlite::ErrorCode;

/// Codes of the corpus; what the file system refuses has the codes of `formats`.
pub mod codes {
    marey_motion::codes! {
        NOT_A_CORPUS = "corpus/not-a-corpus":
            "The file is not a corpus."
            => "A corpus is made by `marey corpus new`; motion files are put into one by `marey corpus add`.";
        NEWER = "corpus/newer":
            "The corpus was written by a newer Marey, and is left alone."
            => "Open it with the Marey that wrote it, or a later one.";
        OLDER = "corpus/older":
            "The corpus is of an older layout and may not be written, so it cannot be brought up to date."
            => "Open it once where the file and its folder may be written, or copy it there.";
        DAMAGED = "corpus/damaged":
            "What is stored is not what was written."
            => "Restore the file from a copy, or export what `marey corpus check` does not name and start anew.";
        BUSY = "corpus/busy":
            "Another process has been writing to the corpus all the while."
            => "Wait until it has ended, then run the command again.";
        SQLITE = "corpus/sqlite":
            "SQLite refused for a reason of its own."
            => "See what it said; `marey corpus check` tells whether the file is sound.";
        NO_TAKE = "corpus/no-take":
            "There is no such take."
            => "List the takes with `marey corpus ls`; a take is meant by its name or by # and its number.";
        NO_ACTOR = "corpus/no-actor":
            "The take has no such actor."
            => "Actors are counted from 0; `marey corpus show` lists them.";
        NO_SEGMENT = "corpus/no-segment":
            "There is no such segment."
            => "List them with `marey corpus show`.";
        NAME = "corpus/name":
            "A name is empty, too long, or has characters that would be in the way."
            => "Use up to 200 characters without line breaks; take names also without : and a leading #.";
        NO_MOMENTS = "corpus/no-moments":
            "There is no such moment: nothing that has a left and a right foot."
            => "Moments are compared by feet and hips; `marey inspect` shows which joints are taken for them.";
        CSV = "corpus/csv":
            "A table cannot be understood."
            => "Look at the line; docs/corpus.md lists the columns of each table.";
        PAGE = "corpus/page":
            "A page of an exported corpus cannot be understood, or does not fit the motion beside it."
            => "Export the corpus anew, or undo what was changed in its files.";
        OVERLAP = "corpus/overlap":
            "Two contacts of one part of the body with the same thing overlap."
            => "Give one contact for the whole time, or shorten one of them.";
        NOTHING = "corpus/nothing":
            "There is nothing of the kind that could be taken out."
            => "`marey corpus show` lists what is said about a take, how it is cut, and who made that.";
        SPACING = "corpus/spacing":
            "Some centres of clusters are nearer to each other than asked for, since no radius may be exceeded."
            => "Allow a larger radius, or a smaller distance; half of the radius is usual.";
        RENAMED = "corpus/renamed":
            "Another take has the name, so a number was put behind it."
            => "Give the file another name before adding it, if you mind.";
    }
}

/// Why something could not be kept, found or read.
#[non_exhaustive]
#[derive(Debug, thiserror::Error, marey_motion::Coded)]
pub enum CorpusError {
    /// A refusal of the corpus itself.
    #[error("{message}")]
    #[code(code, place = place)]
    Refused {
        /// Which kind.
        code: &'static Code,
        /// Where.
        place: Place,
        /// What exactly.
        message: String,
    },
    /// A file could not be read or written.
    #[error(transparent)]
    #[code(transparent)]
    File(#[from] marey_formats::FormatsError),
    /// An operation on motion refused.
    #[error(transparent)]
    #[code(transparent)]
    Ops(#[from] marey_ops::OpsError),
    /// Motion or an annotation that cannot be.
    #[error(transparent)]
    #[code(transparent)]
    Motion(#[from] marey_motion::MotionError),
}

impl CorpusError {
    pub(crate) fn refused(code: &'static Code, message: impl Into<String>) -> Self {
        Self::Refused { code, place: Place::default(), message: message.into() }
    }

    pub(crate) fn damaged(message: impl Into<String>) -> Self {
        Self::refused(&codes::DAMAGED, message)
    }

    /// The same, where it was met in a file.
    pub(crate) fn sqlite(path: &Path, error: rusqlite::Error) -> Self {
        use marey_formats::codes as file;
        let known = error.sqlite_error_code();
        let message = match &error {
            rusqlite::Error::SqliteFailure(_, Some(text)) => text.clone(),
            other => other.to_string(),
        };
        let code = match known {
            Some(ErrorCode::DiskFull) => &file::FULL,
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => &file::PERMISSION,
            Some(ErrorCode::CannotOpen) => &file::PERMISSION,
            Some(ErrorCode::SystemIoFailure) => &file::IO,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => &codes::BUSY,
            Some(ErrorCode::NotADatabase) => &codes::NOT_A_CORPUS,
            Some(ErrorCode::DatabaseCorrupt) => &codes::DAMAGED,
            _ if is_wrong_value(&error) => &codes::DAMAGED,
            _ => &codes::SQLITE,
        };
        if code.id.starts_with("file/") {
            return Self::File(marey_formats::FormatsError::File { code, path: path.to_owned(), message });
        }
        Self::refused(code, message)
    }
}

/// Whether a column held what it never should: the file was changed by something else.
fn is_wrong_value(error: &rusqlite::Error) -> bool {
    use rusqlite::Error as E;
    matches!(
        error,
        E::InvalidColumnType(..)
            | E::IntegralValueOutOfRange(..)
            | E::FromSqlConversionFailure(..)
            | E::Utf8Error(..)
    )
}
