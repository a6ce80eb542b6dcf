//! Writes takes in any format that Marey can write.

use marey_motion::{Actor, Place, Report, Take};

use crate::bvh::{self, BvhOptions};
#[cfg(feature = "fbx")]
use crate::fbx::{self, FbxOptions};
use crate::gltf::{self, Form, GltfOptions};
#[cfg(feature = "npz")]
use crate::npz;
use crate::usd::{self, UsdOptions};
use crate::{Format, FormatsError, codes};

/// The output format and its options.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum WriteOptions {
    /// Biovision hierarchy.
    Bvh(BvhOptions),
    /// glTF or GLB.
    Gltf(GltfOptions),
    /// VRM animation.
    Vrma,
    /// Binary FBX.
    #[cfg(feature = "fbx")]
    Fbx(FbxOptions),
    /// NPZ in the layout of the AMASS archive.
    #[cfg(feature = "npz")]
    Npz,
    /// USD as text.
    Usda(UsdOptions),
}

impl WriteOptions {
    /// The default options of a format. `None` if Marey can only read the format.
    pub fn for_format(format: Format) -> Option<Self> {
        match format {
            Format::Bvh => Some(Self::Bvh(BvhOptions::default())),
            Format::Glb => Some(Self::Gltf(GltfOptions::default())),
            Format::Gltf => Some(Self::Gltf(GltfOptions { form: Form::Text, ..GltfOptions::default() })),
            Format::Vrma => Some(Self::Vrma),
            #[cfg(feature = "fbx")]
            Format::Fbx => Some(Self::Fbx(FbxOptions::default())),
            #[cfg(feature = "npz")]
            Format::Npz => Some(Self::Npz),
            Format::Usda => Some(Self::Usda(UsdOptions::default())),
            _ => None,
        }
    }
}

/// Writes a take. The report lists what the format cannot represent.
pub fn write(take: &Take, options: &WriteOptions) -> Result<(Vec<u8>, Report), FormatsError> {
    match options {
        WriteOptions::Bvh(options) => Ok(bvh::write(take, options)),
        WriteOptions::Gltf(options) => gltf::write(take, options),
        WriteOptions::Vrma => gltf::write_vrma(take),
        #[cfg(feature = "fbx")]
        WriteOptions::Fbx(options) => fbx::write(take, options),
        #[cfg(feature = "npz")]
        WriteOptions::Npz => npz::write(take),
        WriteOptions::Usda(options) => usd::write(take, options),
    }
}

/// The actor of a take, for formats that hold one. Fails if there are several.
pub(crate) fn only_actor(take: &Take) -> Result<&Actor, FormatsError> {
    match take.actors() {
        [actor] => Ok(actor),
        actors => {
            let names: Vec<String> = actors.iter().map(|actor| format!("{:?}", actor.name)).collect();
            Err(FormatsError::refused(&codes::ONE_ACTOR, Place::default(), names.join(", ")))
        }
    }
}
