//! Writes takes in any format that Marey can write.

use marey_motion::{Report, Take};

use crate::bvh::{self, BvhOptions};
#[cfg(feature = "fbx")]
use crate::fbx::{self, FbxOptions};
use crate::gltf::{self, Form, GltfOptions};
use crate::{Format, FormatsError};

/// The output format and its options.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum WriteOptions {
    /// Biovision hierarchy.
    Bvh(BvhOptions),
    /// glTF or GLB.
    Gltf(GltfOptions),
    /// Binary FBX.
    #[cfg(feature = "fbx")]
    Fbx(FbxOptions),
}

impl WriteOptions {
    /// The default options of a format. `None` if Marey can only read the format.
    pub fn for_format(format: Format) -> Option<Self> {
        match format {
            Format::Bvh => Some(Self::Bvh(BvhOptions::default())),
            Format::Glb => Some(Self::Gltf(GltfOptions::default())),
            Format::Gltf => Some(Self::Gltf(GltfOptions { form: Form::Text, ..GltfOptions::default() })),
            #[cfg(feature = "fbx")]
            Format::Fbx => Some(Self::Fbx(FbxOptions::default())),
            _ => None,
        }
    }
}

/// Writes a take. The report lists what the format cannot represent.
pub fn write(take: &Take, options: &WriteOptions) -> Result<(Vec<u8>, Report), FormatsError> {
    match options {
        WriteOptions::Bvh(options) => Ok(bvh::write(take, options)),
        WriteOptions::Gltf(options) => gltf::write(take, options),
        #[cfg(feature = "fbx")]
        WriteOptions::Fbx(options) => fbx::write(take, options),
    }
}
