//! Errors of studies.

use marey_motion::Place;

/// Why a study cannot be read, planned or analysed.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, thiserror::Error, marey_motion::Coded)]
pub enum StudyError {
    /// The definition is not TOML, or has an unknown or missing field.
    #[code(codes::SYNTAX, place = place)]
    #[error("{message}")]
    Syntax {
        /// Position in the definition.
        place: Place,
        /// Description of the problem.
        message: String,
    },
    /// The parts of the definition do not fit together.
    #[code(codes::DEFINITION, place = place)]
    #[error("{message}")]
    Definition {
        /// Position in the definition.
        place: Place,
        /// Description of the problem.
        message: String,
    },
    /// There are too few answers for the analysis.
    #[code(codes::TOO_FEW)]
    #[error("{message}")]
    TooFew {
        /// What is missing.
        message: String,
    },
    /// A table of ratings is incomplete.
    #[code(codes::INCOMPLETE)]
    #[error("{message}")]
    Incomplete {
        /// What is missing.
        message: String,
    },
    /// A setting of a plan is out of range.
    #[code(codes::SETTING, usage = true)]
    #[error("{message}")]
    Setting {
        /// The setting and its range.
        message: String,
    },
}

impl StudyError {
    /// A part of the definition that does not fit, on a line of it.
    pub fn definition(place: Place, message: impl Into<String>) -> Self {
        Self::Definition { place, message: message.into() }
    }

    pub(crate) fn too_few(message: impl Into<String>) -> Self {
        Self::TooFew { message: message.into() }
    }

    pub(crate) fn setting(message: impl Into<String>) -> Self {
        Self::Setting { message: message.into() }
    }
}

/// Codes of the errors of this crate.
pub mod codes {
    marey_motion::codes! {
        SYNTAX = "study/syntax":
            "The definition of a study is not valid TOML, or a field is unknown, missing or of the wrong type."
            => "Correct the reported line; `marey study new NEW.toml --example` writes a definition with comments.";
        DEFINITION = "study/definition":
            "The parts of the definition of a study do not fit together."
            => "Correct what the message names; docs/study.md lists what each design needs.";
        TOO_FEW = "study/too-few":
            "There are too few answers for the analysis."
            => "Wait for more raters; `marey study plan` computes how many a study needs.";
        INCOMPLETE = "study/incomplete":
            "Raters who did not answer everything are left out of the analysis of variance."
            => "Nothing to do; the CSV contains their answers, and the report counts them.";
        SETTING = "study/setting":
            "A setting of a plan is out of range." => "Use a value in the range that the message gives.";
    }
}
