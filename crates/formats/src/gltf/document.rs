//! The JSON description of a glTF: the parts that motion needs.
//!
//! Meshes, materials and cameras are skipped, so that an error in them does not prevent reading the motion.

use std::collections::BTreeMap;

use marey_motion::Place;
use serde::Deserialize;

use super::codes;
use crate::{FormatsError, Limits};

/// Largest memory that an object of the description may take, in bytes.
const OBJECT_BYTES: usize = 512;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Document {
    asset: Asset,
    pub(super) nodes: Vec<Node>,
    pub(super) skins: Vec<Skin>,
    pub(super) animations: Vec<Animation>,
    pub(super) accessors: Vec<Accessor>,
    pub(super) buffer_views: Vec<BufferView>,
    pub(super) buffers: Vec<Buffer>,
    pub(super) extensions_required: Vec<String>,
    pub(super) extensions: Extensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Asset {
    version: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Node {
    pub(super) name: Option<String>,
    pub(super) children: Vec<usize>,
    pub(super) translation: Option<[f64; 3]>,
    pub(super) rotation: Option<[f64; 4]>,
    pub(super) scale: Option<[f64; 3]>,
    pub(super) matrix: Option<[f64; 16]>,
    pub(super) mesh: Option<usize>,
    pub(super) camera: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Skin {
    #[serde(default)]
    pub(super) joints: Vec<usize>,
    pub(super) inverse_bind_matrices: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Animation {
    pub(super) name: Option<String>,
    pub(super) channels: Vec<Channel>,
    pub(super) samplers: Vec<Sampler>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Channel {
    pub(super) sampler: usize,
    pub(super) target: Target,
}

#[derive(Debug, Deserialize)]
pub(super) struct Target {
    pub(super) node: Option<usize>,
    pub(super) path: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Sampler {
    pub(super) input: usize,
    pub(super) output: usize,
    pub(super) interpolation: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub(super) buffer_view: Option<usize>,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) component_type: u32,
    #[serde(default)]
    pub(super) normalized: bool,
    pub(super) count: usize,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) sparse: Option<Box<Sparse>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Sparse {
    pub(super) count: usize,
    pub(super) indices: SparseIndices,
    pub(super) values: SparseValues,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseIndices {
    pub(super) buffer_view: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) component_type: u32,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseValues {
    pub(super) buffer_view: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub(super) buffer: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) byte_length: usize,
    pub(super) byte_stride: Option<usize>,
    #[serde(default)]
    pub(super) extensions: ViewExtensions,
}

/// Extensions that compress a buffer view.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ViewExtensions {
    #[serde(rename = "EXT_meshopt_compression", alias = "KHR_meshopt_compression")]
    pub(super) meshopt: Option<Empty>,
}

/// An object without fields, whose presence matters.
#[derive(Debug, Deserialize)]
pub(super) struct Empty {}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub(super) uri: Option<String>,
    pub(super) byte_length: usize,
}

/// Extensions of the whole file that name humanoid bones.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Extensions {
    #[serde(rename = "VRM")]
    pub(super) vrm_0: Option<Vrm0>,
    #[serde(rename = "VRMC_vrm")]
    pub(super) vrm_1: Option<Vrm1>,
    #[serde(rename = "VRMC_vrm_animation")]
    pub(super) vrm_animation: Option<Vrm1>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Vrm0 {
    pub(super) humanoid: Humanoid0,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Humanoid0 {
    #[serde(default)]
    pub(super) human_bones: Vec<Bone0>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Bone0 {
    pub(super) bone: String,
    pub(super) node: usize,
}

#[derive(Debug, Deserialize)]
pub(super) struct Vrm1 {
    pub(super) humanoid: Humanoid1,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Humanoid1 {
    #[serde(default)]
    pub(super) human_bones: BTreeMap<String, Bone1>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Bone1 {
    pub(super) node: usize,
}

impl Document {
    /// Parses the description. Its memory is estimated first.
    pub(super) fn of(json: &[u8], limits: Limits) -> Result<Self, FormatsError> {
        let objects = json.iter().filter(|byte| **byte == b'{').count();
        if objects.saturating_mul(OBJECT_BYTES) > limits.memory_bytes {
            let message = format!("the description has {objects} objects");
            return Err(FormatsError::refused(&codes::LIMIT, Place::default(), message));
        }
        let document: Self = serde_json::from_slice(json).map_err(|error| {
            // Check the version first, because other versions have other fields.
            if let Ok(OfAnyVersion { asset: Asset { version: Some(version) } }) = serde_json::from_slice(json)
                && !is_two(&version)
            {
                return wrong_version(&version);
            }
            let place = Place::at(error.line().max(1), error.column().max(1));
            let text = error.to_string();
            // The place is reported separately from the message.
            let words = text.rsplit_once(" at line ").map_or(text.as_str(), |(words, _)| words);
            FormatsError::refused(&codes::JSON, place, words)
        })?;
        match document.asset.version.as_deref() {
            Some(version) if is_two(version) => Ok(document),
            Some(other) => Err(wrong_version(other)),
            None => {
                let message = "the description has no asset.version";
                Err(FormatsError::refused(&codes::VERSION, Place::default(), message))
            }
        }
    }
}

/// The part of the description that every version of glTF has.
#[derive(Debug, Deserialize)]
struct OfAnyVersion {
    asset: Asset,
}

fn is_two(version: &str) -> bool {
    version.starts_with("2.")
}

fn wrong_version(version: &str) -> FormatsError {
    FormatsError::refused(&codes::VERSION, Place::default(), format!("asset.version is {version:?}"))
}
