//! Errors of the corpus.

use std::path::{Path, PathBuf};

use marey_motion::{Code, Coded, Observer, Place};
use rusqlite::ErrorCode;

/// Codes of the corpus; errors of the file system have the codes of `formats`.
pub mod codes {
    marey_motion::codes! {
        NOT_A_CORPUS = "corpus/not-a-corpus":
            "The file is not a corpus."
            => "Create a corpus with `marey corpus new`, and add motion files to it with `marey corpus add`.";
        NEWER = "corpus/newer":
            "A newer version of Marey wrote the corpus; it was not changed."
            => "Open it with the version of Marey that wrote it, or a later one.";
        OLDER = "corpus/older":
            "The corpus has an older layout and is read-only, so it cannot be upgraded."
            => "Make the file and its folder writable and open it once, or copy it to a writable folder.";
        DAMAGED = "corpus/damaged":
            "The stored data differs from what was written."
            => "Restore the file from a copy, or export the takes that `marey corpus check` does not report and create a new corpus.";
        BUSY = "corpus/busy":
            "Another process was writing to the corpus for too long."
            => "Wait until it has finished, then run the command again.";
        MOVED = "corpus/moved":
            "The corpus was moved, deleted or replaced while it was open; the file that is there now was not changed."
            => "Save the corpus under another name to keep it with all changes, or open the file that is there now.";
        OVERWRITTEN = "corpus/overwritten":
            "Another program wrote over the corpus while it was open; the file was not changed further."
            => "Open the file that is there now; repeat the changes that it lacks.";
        SQLITE = "corpus/sqlite":
            "SQLite reported an error."
            => "Read the message; `marey corpus check` reports whether the file is intact.";
        NO_TAKE = "corpus/no-take":
            "There is no such take."
            => "List the takes with `marey corpus ls`; name a take by its name, or by # and its number.";
        NO_ACTOR = "corpus/no-actor":
            "The take has no such actor."
            => "Actors are counted from 0; `marey corpus show` lists them.";
        NO_SEGMENT = "corpus/no-segment":
            "There is no such segment."
            => "List the segments of a take with `marey corpus show`.";
        NO_CHARACTER = "corpus/no-character":
            "There is no such character."
            => "It may have been removed in another window; reload the page.";
        CHARACTER_SIZE = "corpus/character-size":
            "The file of a character is too large to be kept in a corpus."
            => "Reduce its textures, or use the file itself with --character.";
        NAME = "corpus/name":
            "A name is empty, too long, or contains characters that are not allowed."
            => "Use up to 200 characters without line breaks; take names also without : and a leading #.";
        NO_MOMENTS = "corpus/no-moments":
            "There is no such moment, or its character has no left and right foot."
            => "Moments are compared by feet and hips; `marey inspect` shows the joints that have these roles.";
        CSV = "corpus/csv":
            "A table cannot be read."
            => "Check the reported line; docs/corpus.md lists the columns of each table.";
        PAGE = "corpus/page":
            "A page of an exported corpus cannot be read, or does not match the motion beside it."
            => "Export the corpus again, or undo the changes to its files.";
        NO_PAGES = "corpus/no-pages" alias "command/no-pages":
            "The folder does not contain an exported corpus."
            => "Name a folder that `marey corpus export` wrote; add motion files with `marey corpus add`.";
        OVERLAP = "corpus/overlap":
            "Two contacts of one part of the body with the same thing overlap."
            => "Give one contact for the whole time, or shorten one of them.";
        NOTHING = "corpus/nothing":
            "There is nothing to remove."
            => "`marey corpus show` lists the annotations and segments of a take, and their makers.";
        SPACING = "corpus/spacing":
            "Some cluster centres are closer than the spacing, because no segment may exceed the radius."
            => "Allow a larger radius or a smaller spacing; half of the radius is usual.";
        NEIGHBOURS = "corpus/neighbours":
            "There are more similar segments than can be compared at once, so there may be more clusters than necessary."
            => "Use a smaller threshold, or cluster fewer segments with --made-by.";
        RENAMED = "corpus/renamed":
            "A take has another name than its file: another take has that name, or it contains what names of takes may not."
            => "To choose the name yourself, rename the file before you add it.";
        NO_PARTNER = "corpus/no-partner" alias "command/no-partner":
            "A file of a pair has no partner and was left out."
            => "Name the folder of the partner too, or leave --pair out to add the file by itself.";
        UNPAIRED = "corpus/unpaired":
            "A file matches no pattern of a pair and was added by itself."
            => "Name only the files of pairs, or change the patterns of --pair.";
        PAIRED_TWICE = "corpus/paired-twice" alias "command/paired-twice":
            "A file would be in two takes."
            => "Check the patterns and the table of pairs; each file belongs to one take.";
        PAIRS_TABLE = "corpus/pairs-table" alias "command/pairs-table":
            "A line of a table of pairs does not name the files of a take."
            => "Write one take per line, with commas between its files; lines that start with # are ignored.";
        TRIMMED = "corpus/trimmed" alias "command/trimmed":
            "The files of one take differ in length and were cut to the shortest."
            => "Check that they were recorded together; the frames after the end of the shortest are left out.";
        REST_REMOVED = "corpus/rest-removed":
            "A calibration pose in the first frame was removed."
            => "Nothing to do; `marey corpus add --skip rest` keeps it.";
        FLOOR_MOVED = "corpus/floor-moved":
            "The floor was not at height 0; the take was moved vertically."
            => "Nothing to do; `marey corpus add --skip floor` keeps heights.";
        REPAIRED = "corpus/repaired":
            "Short spikes or gaps were replaced by interpolation."
            => "Nothing to do; `marey corpus add --skip repair` keeps them.";
        UNUSABLE = "corpus/unusable":
            "Frames with jumps, long spikes or long gaps were tagged as unusable; no segment uses them."
            => "`marey corpus show TAKE` lists the tags; remove a tag to use its frames after all.";
        ROUGH_ENDS = "corpus/rough-ends":
            "Fingers or toes jump for longer than can be repaired; they were kept as they are."
            => "Nothing to do, unless fingers matter: then choose other takes.";
        NEAR_DUPLICATE = "corpus/near-duplicate":
            "The take is nearly equal to one in the corpus and was not added."
            => "Nothing to do; `marey corpus add --skip duplicates` adds it.";
        NOT_A_LABEL = "corpus/not-a-label" alias "command/not-a-label":
            "A label is not a key and a value."
            => "Write key=value; put quotation marks around text with spaces.";
        REQUEST = "corpus/request":
            "The request is incomplete, or asks for two things that exclude each other."
            => "Add what is missing, or leave one of the two out.";
        STUDY = "corpus/study":
            "The corpus contains no study, has one already, or has too many raters."
            => "`marey study new STUDY.toml` makes a corpus with a study.";
        CANCELLED = "corpus/cancelled":
            "The work was cancelled before it was done."
            => "Takes that were added or segmented before stay as they are; run the command again to continue.";
    }
}

/// Why a corpus could not be read or changed.
#[non_exhaustive]
#[derive(Debug, Clone, thiserror::Error, marey_motion::Coded)]
pub enum CorpusError {
    /// The corpus, or data for it, has a problem.
    #[error("{message}")]
    #[code(code, place = place)]
    Refused {
        /// The kind of error.
        code: &'static Code,
        /// Position in the input.
        place: Place,
        /// Description of the problem.
        message: String,
    },
    /// The request is wrong.
    #[error("{message}")]
    #[code(code, usage = true)]
    Request {
        /// The kind of error.
        code: &'static Code,
        /// Description of the problem.
        message: String,
    },
    /// An error that concerns one file or take.
    #[error("{error}")]
    #[code(error.code(), place = error.place(), file = path, usage = error.is_usage())]
    InFile {
        /// The file, or the name of the take.
        path: PathBuf,
        /// The error.
        error: Box<CorpusError>,
    },
    /// The observer cancelled the work.
    #[error("cancelled after {done} of {total} {stage}")]
    #[code(codes::CANCELLED)]
    Cancelled {
        /// What was counted.
        stage: &'static str,
        /// How many were done.
        done: usize,
        /// How many there were.
        total: usize,
    },
    /// A file could not be read or written.
    #[error(transparent)]
    #[code(transparent)]
    File(#[from] marey_formats::FormatsError),
    /// An operation on motion failed.
    #[error(transparent)]
    #[code(transparent)]
    Ops(#[from] marey_ops::OpsError),
    /// Motion or an annotation is invalid.
    #[error(transparent)]
    #[code(transparent)]
    Motion(#[from] marey_motion::MotionError),
}

impl CorpusError {
    pub(crate) fn refused(code: &'static Code, message: impl Into<String>) -> Self {
        Self::Refused { code, place: Place::default(), message: message.into() }
    }

    /// An error in a request.
    pub(crate) fn request(code: &'static Code, message: impl Into<String>) -> Self {
        Self::Request { code, message: message.into() }
    }

    pub(crate) fn damaged(message: impl Into<String>) -> Self {
        Self::refused(&codes::DAMAGED, message)
    }

    /// Whether the file was moved or replaced while it was open.
    pub(crate) fn is_moved(&self) -> bool {
        self.code() == &codes::MOVED
    }

    /// Whether the content of the file is wrong, rather than access to it.
    pub(crate) fn is_content(&self) -> bool {
        [&codes::NOT_A_CORPUS, &codes::NEWER, &codes::DAMAGED, &codes::SQLITE].contains(&self.code())
    }

    /// The same error with the file that it concerns, unless it has one.
    pub(crate) fn in_file(self, path: &Path) -> Self {
        match self.file() {
            Some(_) => self,
            None => Self::InFile { path: path.to_owned(), error: Box::new(self) },
        }
    }

    /// An error of SQLite that occurred in a file.
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

/// Whether a column has a value of the wrong type, because another program changed the file.
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

/// Reports progress to an observer. Fails if the observer cancels the work.
pub(crate) fn report(
    observer: Observer<'_>,
    stage: &'static str,
    done: usize,
    total: usize,
) -> Result<(), CorpusError> {
    match observer.report(stage, done, total).is_continue() {
        true => Ok(()),
        false => Err(CorpusError::Cancelled { stage, done, total }),
    }
}
