//! Which formats there are, and how they are told apart.

use std::fmt;

use crate::{acclaim, bvh};

/// A file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Biovision hierarchy.
    Bvh,
    /// Acclaim skeleton file.
    Asf,
    /// Acclaim motion file, which needs its skeleton file.
    Amc,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 3] = [Format::Bvh, Format::Asf, Format::Amc];

    /// The usual ending of files in this format, as in `bvh`.
    pub fn ending(self) -> &'static str {
        match self {
            Format::Bvh => "bvh",
            Format::Asf => "asf",
            Format::Amc => "amc",
        }
    }

    /// Whether files in this format hold motion, not a skeleton alone.
    pub fn has_motion(self) -> bool {
        self != Format::Asf
    }

    /// The format of a file by its ending.
    pub fn of_ending(ending: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| ending.eq_ignore_ascii_case(format.ending()))
    }

    /// The format of bytes by their content.
    pub fn sniff(bytes: &[u8]) -> Option<Self> {
        if bvh::sniff(bytes) { Some(Format::Bvh) } else { acclaim::sniff(bytes) }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.ending())
    }
}
