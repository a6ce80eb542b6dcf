//! Why bytes were refused.

use marey_motion::{Code, Coded, Place};

/// Codes that belong to no single format.
pub mod codes {
    marey_motion::codes! {
        UNKNOWN_FORMAT = "file/unknown-format":
            "The file's format is not one that Marey reads."
            => "Convert it to BVH first, or check that it is a motion file.";
    }
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
    /// A roles file does not fit.
    #[error(transparent)]
    Roles(#[from] crate::roles::Error),
    /// The content reads well but is no possible motion.
    #[error(transparent)]
    Motion(#[from] marey_motion::Error),
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
            Error::Refused { code, .. } => code,
            Error::Roles(error) => error.code(),
            Error::Motion(error) => error.code(),
        }
    }

    fn place(&self) -> Place {
        match self {
            Error::Refused { place, .. } => place.clone(),
            Error::Roles(error) => error.place(),
            Error::Motion(error) => error.place(),
        }
    }
}
