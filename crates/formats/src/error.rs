//! Why bytes were refused.

use std::path::PathBuf;

use marey_motion::{Code, Coded, Place};

/// Codes that belong to no single format.
pub mod codes {
    marey_motion::codes! {
        UNKNOWN_FORMAT = "file/unknown-format":
            "The file's format is not one that Marey reads."
            => "Convert it to BVH first, or check that it is a motion file.";
        NO_FIGURE = "file/no-figure":
            "A figure is wanted, but the file holds points without a skeleton."
            => "Solve the markers to a skeleton in a capture program first; `marey inspect` shows what the file holds.";
        NO_SUCH_TAKE = "file/no-such-take":
            "The file has no take of that name or number."
            => "`marey inspect` lists the takes of a file.";
        NOT_FOUND = "file/not-found":
            "There is no such file, or no folder to write it in."
            => "Check the path; look for typing errors.";
        PERMISSION = "file/permission":
            "The file system does not permit it."
            => "Check who may read or write the file and its folder.";
        IS_FOLDER = "file/is-folder":
            "A folder stands where a file is wanted."
            => "Name a file in it.";
        EXISTS = "file/exists":
            "A file is there already, and was left as it is."
            => "Write to another name, or overwrite it with --force.";
        FULL = "file/full":
            "No space is left on the disk."
            => "Make room, or write elsewhere; what was there before is untouched.";
        IO = "file/io":
            "The file system failed."
            => "See what it said; try again, or copy the file to another disk.";
    }
}

/// Every code of this crate.
pub fn every_code() -> Vec<&'static Code> {
    use crate::{acclaim, bvh, c3d, door, fbx, gltf, neighbours, npz, path, roles, trc};
    let lists: [&[&'static Code]; 12] = [
        codes::ALL,
        acclaim::codes::ALL,
        bvh::codes::ALL,
        c3d::codes::ALL,
        door::codes::ALL,
        fbx::codes::ALL,
        gltf::codes::ALL,
        neighbours::codes::ALL,
        npz::codes::ALL,
        path::codes::ALL,
        roles::codes::ALL,
        trc::codes::ALL,
    ];
    lists.concat()
}

/// Why a file could not be read or written.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The content is not what its format asks for, or larger than the limits allow.
    #[error("{message}")]
    Refused {
        /// Which kind of fault.
        code: &'static Code,
        /// Where.
        place: Place,
        /// What exactly.
        message: String,
    },
    /// The file system refused.
    #[error("{message}")]
    File {
        /// Which kind of refusal.
        code: &'static Code,
        /// The file or folder.
        path: PathBuf,
        /// What exactly.
        message: String,
    },
    /// A roles file does not fit.
    #[error(transparent)]
    Roles(#[from] crate::roles::Error),
    /// The content reads well but is no possible motion.
    #[error(transparent)]
    Motion(#[from] marey_motion::Error),
    /// The motion could not be made ready for a tool.
    #[error(transparent)]
    Ops(#[from] marey_ops::Error),
}

impl Error {
    /// A refusal.
    pub(crate) fn refused(code: &'static Code, place: Place, message: impl Into<String>) -> Self {
        Self::Refused { code, place, message: message.into() }
    }
}

impl Coded for Error {
    fn code(&self) -> &'static Code {
        match self {
            Error::Refused { code, .. } | Error::File { code, .. } => code,
            Error::Roles(error) => error.code(),
            Error::Motion(error) => error.code(),
            Error::Ops(error) => error.code(),
        }
    }

    fn place(&self) -> Place {
        match self {
            Error::Refused { place, .. } => place.clone(),
            Error::File { .. } => Place::default(),
            Error::Roles(error) => error.place(),
            Error::Motion(error) => error.place(),
            Error::Ops(error) => error.place(),
        }
    }
}
