//! The list of formats, and how they are recognised.

use std::fmt;

use crate::{acclaim, bvh, c3d, gltf, path, signature, trc};

/// A file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Format {
    /// Biovision hierarchy.
    Bvh,
    /// Acclaim skeleton file.
    Asf,
    /// Acclaim motion file, which needs its skeleton file.
    Amc,
    /// Autodesk FBX, binary or ASCII.
    Fbx,
    /// Markers from an optical capture system.
    C3d,
    /// Poses of a body model, in the layout of the AMASS archive.
    Npz,
    /// A table of marker positions.
    Trc,
    /// A drawn path as CSV.
    Csv,
    /// A drawn path as JSON.
    Json,
    /// glTF as JSON, with embedded buffers or buffers in files beside it.
    Gltf,
    /// glTF in one binary file. VRM files are GLB.
    Glb,
    /// An animation for VRM characters: GLB with an extension.
    Vrma,
    /// USD as text, with UsdSkel. Marey writes it, but does not read it.
    Usda,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 13] = [
        Format::Bvh,
        Format::Asf,
        Format::Amc,
        Format::Fbx,
        Format::Gltf,
        Format::Glb,
        Format::Vrma,
        Format::Usda,
        Format::C3d,
        Format::Npz,
        Format::Trc,
        Format::Csv,
        Format::Json,
    ];

    /// The usual file name ending, for example `bvh`.
    pub fn ending(self) -> &'static str {
        match self {
            Format::Bvh => "bvh",
            Format::Asf => "asf",
            Format::Amc => "amc",
            Format::Fbx => "fbx",
            Format::C3d => "c3d",
            Format::Npz => "npz",
            Format::Trc => "trc",
            Format::Csv => "csv",
            Format::Json => "json",
            Format::Gltf => "gltf",
            Format::Glb => "glb",
            Format::Vrma => "vrma",
            Format::Usda => "usda",
        }
    }

    /// Whether Marey reads motion from files in this format, rather than only a skeleton, a drawn path or nothing.
    pub fn has_motion(self) -> bool {
        !matches!(self, Format::Asf | Format::Csv | Format::Json | Format::Usda)
    }

    /// The format with a file name ending.
    pub fn from_ending(ending: &str) -> Option<Self> {
        let ending = if ending.eq_ignore_ascii_case("vrm") { "glb" } else { ending };
        Self::ALL.into_iter().find(|format| ending.eq_ignore_ascii_case(format.ending()))
    }

    /// Recognises the format of a file by its content.
    pub fn sniff(bytes: &[u8]) -> Option<Self> {
        let by_signature = [
            (signature::is_fbx(bytes), Format::Fbx),
            (c3d::sniff(bytes), Format::C3d),
            (signature::is_npz(bytes), Format::Npz),
            (bvh::sniff(bytes), Format::Bvh),
            (trc::sniff(bytes), Format::Trc),
        ];
        let found = by_signature.into_iter().find(|(is_match, _)| *is_match).map(|(_, format)| format);
        found.or_else(|| gltf::sniff(bytes)).or_else(|| acclaim::sniff(bytes)).or_else(|| path::sniff(bytes))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.ending())
    }
}
