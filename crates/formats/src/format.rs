//! Which formats there are, and how they are told apart.

use std::fmt;

use crate::{acclaim, bvh, gltf};

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
    /// glTF as text, with its numbers embedded or in files beside it.
    Gltf,
    /// glTF in one binary file; VRM is one.
    Glb,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 5] = [Format::Bvh, Format::Asf, Format::Amc, Format::Gltf, Format::Glb];

    /// The usual ending of files in this format, as in `bvh`.
    pub fn ending(self) -> &'static str {
        match self {
            Format::Bvh => "bvh",
            Format::Asf => "asf",
            Format::Amc => "amc",
            Format::Gltf => "gltf",
            Format::Glb => "glb",
        }
    }

    /// Whether files in this format hold motion, not a skeleton alone.
    pub fn has_motion(self) -> bool {
        self != Format::Asf
    }

    /// The format of a file by its ending.
    pub fn of_ending(ending: &str) -> Option<Self> {
        let is_vrm = ["vrm", "vrma"].iter().any(|vrm| ending.eq_ignore_ascii_case(vrm));
        let ending = if is_vrm { "glb" } else { ending };
        Self::ALL.into_iter().find(|format| ending.eq_ignore_ascii_case(format.ending()))
    }

    /// The format of bytes by their content.
    pub fn sniff(bytes: &[u8]) -> Option<Self> {
        let bvh = || bvh::sniff(bytes).then_some(Format::Bvh);
        gltf::sniff(bytes).or_else(bvh).or_else(|| acclaim::sniff(bytes))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.ending())
    }
}
