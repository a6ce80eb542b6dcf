//! Errors of this crate.

use std::path::{Path, PathBuf};

use marey_motion::{Code, Coded, Place};

/// Codes that belong to no single format.
pub mod codes {
    marey_motion::codes! {
        UNKNOWN_FORMAT = "file/unknown-format":
            "The file's format is not one that Marey reads."
            => "Convert it to BVH first, or check that it is a motion file.";
        READER_LEFT_OUT = "file/reader-left-out":
            "This build of Marey has no reader for the format."
            => "Build Marey with the cargo feature that the message names.";
        NO_FIGURE = "file/no-figure":
            "A figure is needed, but the file contains points without a skeleton."
            => "Solve the markers to a skeleton in a capture program first; `marey inspect` shows what the file contains.";
        NO_SUCH_TAKE = "file/no-such-take":
            "The file has no take of that name or number."
            => "`marey inspect` lists the takes of a file.";
        NOT_FOUND = "file/not-found":
            "There is no such file, or no folder to write it in."
            => "Check the path for typing errors.";
        PERMISSION = "file/permission":
            "The file system denies access."
            => "Check the permissions of the file and its folder.";
        IS_FOLDER = "file/is-folder":
            "The path is a folder, but a file is needed."
            => "Name a file in the folder.";
        EXISTS = "file/exists":
            "The file already exists and was not changed."
            => "Choose another name, or overwrite the file with --force.";
        FULL = "file/full":
            "No space is left on the disk."
            => "Free some space or write to another disk. Existing files were not changed.";
        IO = "file/io":
            "The file system reported an error."
            => "Read the message, try again, or copy the file to another disk.";
        NO_INPUT = "file/no-input" alias "command/no-input":
            "A folder or pattern contains no motion file."
            => "In folders and patterns, files ending in .bvh, .amc, .fbx, .glb, .gltf, .vrm, .c3d, .npz or .trc are found; name a file to read it whatever its ending.";
        PATTERN = "file/pattern" alias "command/pattern":
            "A pattern of file names is malformed."
            => "A pattern consists of * ? [abc] and **, as in 'walks/**/*.bvh'.";
        NO_MESH = "file/no-mesh" alias "gltf/no-mesh":
            "A figure has no size, or too many joints, and was written without a mesh."
            => "Nothing to do; the skeleton and its motion are in the file.";
        ONE_ACTOR = "file/one-actor":
            "The format holds one figure, but the motion has several."
            => "Write a .fbx, .glb, .usda or .bvh, which hold several.";
        SAME_OUTPUT = "file/same-output" alias "command/same-output":
            "Two results would be written to the same file."
            => "Write them one by one, or give the takes or files names that differ.";
    }
}

/// Every code of this crate.
pub fn every_code() -> Vec<&'static Code> {
    use crate::{acclaim, bvh, c3d, gltf, keyframes, neighbours, path, terrain, trc};
    let lists: &[&[&'static Code]] = &[
        codes::ALL,
        acclaim::codes::ALL,
        bvh::codes::ALL,
        c3d::codes::ALL,
        #[cfg(feature = "fbx")]
        crate::fbx::codes::ALL,
        gltf::codes::ALL,
        gltf::character::codes::ALL,
        keyframes::codes::ALL,
        neighbours::codes::ALL,
        #[cfg(feature = "npz")]
        crate::npz::codes::ALL,
        path::codes::ALL,
        terrain::codes::ALL,
        trc::codes::ALL,
    ];
    lists.concat()
}

/// Why a file could not be read or written.
#[non_exhaustive]
#[derive(Debug, Clone, thiserror::Error, Coded)]
pub enum FormatsError {
    /// The content is malformed, unsupported or beyond the limits.
    #[error("{message}")]
    #[code(code, place = place)]
    Refused {
        /// The kind of error.
        code: &'static Code,
        /// Position in the file.
        place: Place,
        /// Description of the problem.
        message: String,
    },
    /// A file pattern is malformed.
    #[error("{pattern:?}: {message}")]
    #[code(codes::PATTERN, usage = true)]
    Pattern {
        /// The pattern.
        pattern: String,
        /// Description of the problem.
        message: String,
    },
    /// The file system reported an error.
    #[error("{message}")]
    #[code(code, file = path)]
    File {
        /// The kind of error.
        code: &'static Code,
        /// The file or folder.
        path: PathBuf,
        /// Description of the problem.
        message: String,
    },
    /// An error in a file that was read by its path.
    #[error("{error}")]
    #[code(error.code(), place = error.place(), file = path)]
    InFile {
        /// The file.
        path: PathBuf,
        /// The error.
        error: Box<FormatsError>,
    },
    /// The conventions of the file could not be applied.
    #[error(transparent)]
    #[code(transparent)]
    Conventions(#[from] marey_conventions::ConventionsError),
    /// The content is well formed but not a valid motion.
    #[error(transparent)]
    #[code(transparent)]
    Motion(#[from] marey_motion::MotionError),
    /// The motion could not be converted for a tool.
    #[error(transparent)]
    #[code(transparent)]
    Ops(#[from] marey_ops::OpsError),
}

impl FormatsError {
    /// An error in the content of a file.
    pub(crate) fn refused(code: &'static Code, place: Place, message: impl Into<String>) -> Self {
        Self::Refused { code, place, message: message.into() }
    }

    /// The same error with the file that it concerns, unless it has one.
    pub fn in_file(self, path: &Path) -> Self {
        match self.file() {
            Some(_) => self,
            None => Self::InFile { path: path.to_owned(), error: Box::new(self) },
        }
    }
}
