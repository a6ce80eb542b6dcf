//! One way out: a take to the bytes of any format that is written.

use marey_motion::{Report, Take};

use crate::bvh::{self, BvhOptions};
use crate::gltf::{self, Form, GltfOptions};
use crate::{Error, Format};

/// The format that is written, and how.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum WriteOptions {
    /// Biovision hierarchy.
    Bvh(BvhOptions),
    /// glTF or GLB.
    Gltf(GltfOptions),
}

impl WriteOptions {
    /// The usual options of a format; `None` for one that is only read.
    pub fn of(format: Format) -> Option<Self> {
        match format {
            Format::Bvh => Some(Self::Bvh(BvhOptions::default())),
            Format::Glb => Some(Self::Gltf(GltfOptions::default())),
            Format::Gltf => Some(Self::Gltf(GltfOptions { form: Form::Text, ..GltfOptions::default() })),
            _ => None,
        }
    }
}

/// Writes a take. The report says what the format could not hold as it was.
pub fn write(take: &Take, options: &WriteOptions) -> Result<(Vec<u8>, Report), Error> {
    match options {
        WriteOptions::Bvh(options) => Ok(bvh::write(take, options)),
        WriteOptions::Gltf(options) => gltf::write(take, options),
    }
}
