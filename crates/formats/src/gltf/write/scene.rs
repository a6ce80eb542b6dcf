//! The JSON description of an output file.

use std::collections::BTreeMap;

use glam::Vec3;
use marey_body::SkinnedMesh;
use serde::Serialize;
use serde_json::json;

use super::pack::{Accessor, Pack, View};

/// The extension of VRM animations.
const VRM_ANIMATION: &str = "VRMC_vrm_animation";

/// The scene, without the content of buffers.
#[derive(Debug, Default)]
pub(in crate::gltf) struct Scene {
    pub(in crate::gltf) nodes: Vec<Node>,
    roots: Vec<usize>,
    pub(in crate::gltf) skins: Vec<Skin>,
    pub(in crate::gltf) meshes: Vec<Mesh>,
    pub(in crate::gltf) materials: Vec<Material>,
    pub(in crate::gltf) animations: Vec<Animation>,
    /// The node of each humanoid bone, if the file is a VRM animation.
    pub(in crate::gltf) humanoid: BTreeMap<String, usize>,
}

#[derive(Debug, Default, Serialize)]
pub(in crate::gltf) struct Node {
    pub(in crate::gltf) name: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(in crate::gltf) children: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::gltf) translation: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::gltf) rotation: Option<[f32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::gltf) mesh: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::gltf) skin: Option<usize>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::gltf) struct Skin {
    pub(in crate::gltf) inverse_bind_matrices: usize,
    pub(in crate::gltf) joints: Vec<usize>,
    pub(in crate::gltf) name: String,
}

#[derive(Debug, Serialize)]
pub(in crate::gltf) struct Mesh {
    pub(in crate::gltf) primitives: Vec<Primitive>,
    pub(in crate::gltf) name: String,
}

#[derive(Debug, Serialize)]
pub(in crate::gltf) struct Primitive {
    attributes: BTreeMap<&'static str, usize>,
    indices: usize,
    material: usize,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::gltf) struct Material {
    name: String,
    pbr_metallic_roughness: Surface,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Surface {
    base_color_factor: [f32; 4],
    metallic_factor: f32,
    roughness_factor: f32,
}

#[derive(Debug, Default, Serialize)]
pub(in crate::gltf) struct Animation {
    pub(in crate::gltf) name: String,
    pub(in crate::gltf) channels: Vec<Channel>,
    pub(in crate::gltf) samplers: Vec<Sampler>,
}

#[derive(Debug, Serialize)]
pub(in crate::gltf) struct Channel {
    pub(in crate::gltf) sampler: usize,
    pub(in crate::gltf) target: Target,
}

#[derive(Debug, Serialize)]
pub(in crate::gltf) struct Target {
    pub(in crate::gltf) node: usize,
    pub(in crate::gltf) path: &'static str,
}

#[derive(Debug, Serialize)]
pub(in crate::gltf) struct Sampler {
    pub(in crate::gltf) input: usize,
    pub(in crate::gltf) output: usize,
}

/// The whole description, in output order.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'a> {
    asset: Asset,
    #[serde(skip_serializing_if = "no_items")]
    extensions_used: &'a [&'static str],
    #[serde(skip_serializing_if = "Option::is_none")]
    extensions: Option<serde_json::Value>,
    scene: usize,
    scenes: [Nodes<'a>; 1],
    nodes: &'a [Node],
    #[serde(skip_serializing_if = "no_items")]
    meshes: &'a [Mesh],
    #[serde(skip_serializing_if = "no_items")]
    materials: &'a [Material],
    #[serde(skip_serializing_if = "no_items")]
    skins: &'a [Skin],
    #[serde(skip_serializing_if = "no_items")]
    animations: &'a [Animation],
    accessors: &'a [Accessor],
    buffer_views: &'a [View],
    buffers: [Buffer; 1],
}

#[derive(Serialize)]
struct Asset {
    version: &'static str,
    generator: &'static str,
}

#[derive(Serialize)]
struct Nodes<'a> {
    nodes: &'a [usize],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Buffer {
    byte_length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri: Option<String>,
}

fn no_items<T>(items: &&[T]) -> bool {
    items.is_empty()
}

impl Scene {
    /// Adds a node, and returns its index.
    pub(in crate::gltf) fn add(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Adds a node at the top of the scene, and returns its index.
    pub(in crate::gltf) fn add_root(&mut self, node: Node) -> usize {
        let index = self.add(node);
        self.roots.push(index);
        index
    }

    /// The extension that makes the file a VRM animation.
    fn vrm_animation(&self) -> Option<serde_json::Value> {
        let bone = |(bone, node): (&String, &usize)| (bone.clone(), json!({ "node": node }));
        let bones: serde_json::Map<String, serde_json::Value> = self.humanoid.iter().map(bone).collect();
        let extension = json!({ "specVersion": "1.0", "humanoid": { "humanBones": bones } });
        (!self.humanoid.is_empty()).then(|| json!({ VRM_ANIMATION: extension }))
    }

    /// The description as JSON. The buffer is at a URI, or in the GLB.
    pub(in crate::gltf) fn to_json(&self, pack: &Pack, uri: Option<String>) -> Vec<u8> {
        let document = Document {
            asset: Asset { version: "2.0", generator: "Marey" },
            extensions_used: if self.humanoid.is_empty() { &[] } else { &[VRM_ANIMATION] },
            extensions: self.vrm_animation(),
            scene: 0,
            scenes: [Nodes { nodes: &self.roots }],
            nodes: &self.nodes,
            meshes: &self.meshes,
            materials: &self.materials,
            skins: &self.skins,
            animations: &self.animations,
            accessors: &pack.accessors,
            buffer_views: &pack.views,
            buffers: [Buffer { byte_length: pack.bytes.len(), uri }],
        };
        // Serialising plain structs with string keys cannot fail.
        serde_json::to_vec(&document).unwrap_or_default()
    }
}

impl Material {
    /// A matt surface with a linear colour.
    pub(in crate::gltf) fn matt(name: &str, colour: Vec3) -> Self {
        let base_color_factor = colour.extend(1.0).to_array();
        let surface = Surface { base_color_factor, metallic_factor: 0.0, roughness_factor: 0.75 };
        Self { name: name.to_owned(), pbr_metallic_roughness: surface }
    }
}

impl Primitive {
    /// Packs a mesh for a skin with a number of joints.
    pub(in crate::gltf) fn of(mesh: &SkinnedMesh, joints: usize, material: usize, pack: &mut Pack) -> Self {
        let attributes = BTreeMap::from([
            ("POSITION", pack.positions(&mesh.positions)),
            ("NORMAL", pack.normals(&mesh.normals)),
            ("JOINTS_0", pack.vertex_joints(&mesh.joints, joints)),
            ("WEIGHTS_0", pack.vertex_weights(&mesh.weights)),
        ]);
        let indices = pack.triangles(&mesh.triangles, mesh.positions.len());
        Self { attributes, indices, material }
    }
}
