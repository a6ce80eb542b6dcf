//! VRM extensions of the example character.

use marey_motion::Role;
use serde_json::{Map, Value, json};

use super::glb::Glb;

/// Nodes of the character that extensions refer to.
#[derive(Debug)]
pub(super) struct CharacterNodes {
    /// The node of each role.
    pub(super) roles: Vec<(Role, usize)>,
    /// The node that shows the mesh, and its mesh.
    pub(super) body: (usize, usize),
    /// A pony tail, from its root to its end.
    pub(super) tail: Vec<usize>,
    /// The image and the texture of the skin.
    pub(super) picture: (usize, usize),
    /// The material of the clothes.
    pub(super) cloth: usize,
}

impl CharacterNodes {
    fn of(&self, role: Role) -> Option<usize> {
        self.roles.iter().find(|(other, _)| *other == role).map(|(_, node)| *node)
    }

    /// Bones with the names of VRM.
    fn bones(&self) -> impl Iterator<Item = (String, usize)> + '_ {
        self.roles.iter().map(|(role, node)| {
            let name = role.name();
            (name[..1].to_lowercase() + &name[1..], *node)
        })
    }
}

/// Adds VRM 1.0: humanoid bones, an expression, spring bones, a constraint and a toon material.
pub(super) fn add_vrm_1(glb: &mut Glb, nodes: &CharacterNodes) {
    let bones: Map<String, Value> =
        nodes.bones().map(|(bone, node)| (bone, json!({ "node": node }))).collect();
    let smile = json!({ "morphTargetBinds": [{ "node": nodes.body.0, "index": 0, "weight": 1.0 }], "isBinary": false });
    let joints: Vec<Value> = nodes
        .tail
        .iter()
        .map(|node| json!({ "node": node, "hitRadius": 0.02, "stiffness": 0.8, "dragForce": 0.4 }))
        .collect();
    glb.json["extensionsUsed"] =
        json!(["VRMC_vrm", "VRMC_springBone", "VRMC_node_constraint", "VRMC_materials_mtoon"]);
    glb.json["extensions"] = json!({
        "VRMC_vrm": {
            "specVersion": "1.0",
            "meta": {
                "name": "Marey's example character",
                "authors": ["Marey"],
                "licenseUrl": "https://vrm.dev/licenses/1.0/",
                "thumbnailImage": nodes.picture.0,
            },
            "humanoid": { "humanBones": bones },
            "firstPerson": { "meshAnnotations": [{ "node": nodes.body.0, "type": "auto" }] },
            "expressions": { "preset": { "happy": smile } },
        },
        "VRMC_springBone": {
            "specVersion": "1.0",
            "colliders": [{ "node": nodes.of(Role::Head), "shape": { "sphere": { "offset": [0, 0.08, 0], "radius": 0.09 } } }],
            "colliderGroups": [{ "name": "head", "colliders": [0] }],
            "springs": [{ "name": "tail", "joints": joints, "colliderGroups": [0], "center": nodes.of(Role::Hips) }],
        },
    });
    if let Some((left, right)) = nodes.of(Role::LeftMiddleProximal).zip(nodes.of(Role::RightMiddleProximal)) {
        // The right fingers copy the left ones.
        glb.json["nodes"][right]["extensions"]["VRMC_node_constraint"] =
            json!({ "specVersion": "1.0", "constraint": { "rotation": { "source": left, "weight": 1.0 } } });
    }
    glb.json["materials"][nodes.cloth]["extensions"]["VRMC_materials_mtoon"] = json!({
        "specVersion": "1.0",
        "shadeColorFactor": [0.3, 0.2, 0.4],
        "shadeMultiplyTexture": { "index": nodes.picture.1 },
    });
}

/// Adds VRM 0: the same where it has it.
pub(super) fn add_vrm_0(glb: &mut Glb, nodes: &CharacterNodes) {
    // Each bone of the thumb has the name of the next one further out; this character has no thumb joints.
    let bones: Vec<Value> = nodes
        .bones()
        .map(|(bone, node)| json!({ "bone": bone, "node": node, "useDefaultValues": true }))
        .collect();
    let materials = glb.json["materials"].as_array().map_or(0, Vec::len);
    let properties = (0..materials).map(|material| {
        json!({
            "name": format!("material {material}"), "shader": "VRM_USE_GLTFSHADER", "renderQueue": 2000,
            "floatProperties": {}, "vectorProperties": {}, "textureProperties": { "_MainTex": nodes.picture.1 },
            "keywordMap": {}, "tagMap": {},
        })
    });
    let properties: Vec<Value> = properties.collect();
    glb.json["extensionsUsed"] = json!(["VRM"]);
    glb.json["extensions"] = json!({ "VRM": {
        "exporterVersion": "Marey", "specVersion": "0.0",
        "meta": { "title": "Marey's example character", "author": "Marey", "texture": nodes.picture.1 },
        "humanoid": { "humanBones": bones },
        "firstPerson": { "firstPersonBone": nodes.of(Role::Head), "meshAnnotations": [{ "mesh": nodes.body.1, "firstPersonFlag": "Auto" }] },
        "blendShapeMaster": { "blendShapeGroups": [{
            "name": "Joy", "presetName": "joy", "binds": [{ "mesh": nodes.body.1, "index": 0, "weight": 100 }], "materialValues": [],
        }] },
        "secondaryAnimation": {
            "boneGroups": [{ "stiffiness": 0.8, "gravityPower": 0, "gravityDir": { "x": 0, "y": -1, "z": 0 }, "dragForce": 0.4,
                "center": -1, "hitRadius": 0.02, "bones": [nodes.tail[0]], "colliderGroups": [0] }],
            "colliderGroups": [{ "node": nodes.of(Role::Head), "colliders": [{ "offset": { "x": 0, "y": 0.08, "z": 0 }, "radius": 0.09 }] }],
        },
        "materialProperties": properties,
    } });
}
