//! A character: a skinned mesh with materials, a texture, a morph target and a pony tail, as a GLB or a VRM file.
//!
//! It stands in for the character of a user, in tests and for first steps: what motion is put on it must leave everything else in its
//! file as it is. Its shoes are thicker than its joints show, so that feet that are placed by joints alone sink into the floor.

mod glb;
mod vrm;

use glam::{DMat4, DQuat, DVec3};
use glb::Glb;
use marey_body::{BodyProportions, Mannequin, RestSkeleton};
use marey_motion::{Joint, Role, Skeleton, Tip, Vec3};
use serde::{Deserialize, Serialize};
use serde_json::json;
use vrm::CharacterNodes;

use crate::Result;

/// The kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CharacterFile {
    /// A plain GLB.
    #[default]
    Glb,
    /// A GLB as modelling programs export it: an armature in centimetres with Z up, above the hips.
    Armature,
    /// VRM 0.
    Vrm0,
    /// VRM 1.0.
    Vrm1,
}

/// Settings of the example character.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CharacterSettings {
    /// The kind of file; default a plain GLB.
    pub file: CharacterFile,
    /// Size and build; default a person of 1.72 m.
    pub body: BodyProportions,
    /// Thickness of the soles, in metres; default 0.03; 0 to 0.2.
    pub sole_m: f32,
}

impl Default for CharacterSettings {
    fn default() -> Self {
        Self { file: CharacterFile::default(), body: BodyProportions::default(), sole_m: 0.03 }
    }
}

impl CharacterSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        self.body.validate()?;
        Ok(marey_ops::OutOfRange::check("sole_m", self.sole_m, 0.0..=0.2)?)
    }
}

/// Scale of the armature: its units are centimetres.
const ARMATURE_SCALE: f64 = 0.01;
/// Bones of the pony tail.
const TAIL: usize = 3;
/// Length of each of them, in metres.
const TAIL_BONE_M: f32 = 0.09;

/// The bytes of a GLB or VRM file.
///
/// ```
/// use marey_examples::character::{CharacterFile, CharacterSettings, character};
/// let vrm = character(&CharacterSettings { file: CharacterFile::Vrm1, ..CharacterSettings::default() })?;
/// assert!(vrm.starts_with(b"glTF"));
/// # Ok::<(), marey_examples::ExamplesError>(())
/// ```
pub fn character(settings: &CharacterSettings) -> Result<Vec<u8>> {
    settings.validate()?;
    let (skeleton, tail) = skeleton(settings)?;
    let rest = RestSkeleton::on_floor(&skeleton);
    let mannequin =
        Mannequin::at_rest(&rest).ok_or(marey_motion::MotionError::Empty { what: "a character" })?;
    let mut glb = Glb::new();
    let picture = add_picture(&mut glb);
    let cloth = add_materials(&mut glb, picture.1);
    let nodes = add_nodes(&mut glb, &rest, settings.file);
    let mesh = add_mesh(&mut glb, &rest, &mannequin);
    let scale = if settings.file == CharacterFile::Armature { ARMATURE_SCALE } else { 1.0 };
    let binds: Vec<[f32; 16]> = rest.positions.iter().map(|at| inverse_bind(*at, scale)).collect();
    let binds = glb.matrices(&binds);
    let skin = glb.push("skins", json!({ "joints": nodes, "inverseBindMatrices": binds, "name": "skin" }));
    let body = glb
        .push("nodes", json!({ "name": "Body", "mesh": mesh, "skin": skin, "extras": { "note": "shown" } }));
    glb.json["scenes"] = json!([{ "name": "scene", "nodes": [0, body] }]);
    glb.json["scene"] = json!(0);
    glb.json["extras"] = json!({ "made by": "Marey", "numbers": [1, 2.5, -3e-7] });
    let roles = skeleton.roles().map(|(role, joint)| (role, nodes[joint])).collect();
    let tail = tail.iter().map(|joint| nodes[*joint]).collect();
    let nodes = CharacterNodes { roles, body: (body, mesh), tail, picture, cloth };
    match settings.file {
        CharacterFile::Glb | CharacterFile::Armature => {}
        CharacterFile::Vrm0 => vrm::add_vrm_0(&mut glb, &nodes),
        CharacterFile::Vrm1 => vrm::add_vrm_1(&mut glb, &nodes),
    }
    Ok(glb.close())
}

/// The skeleton with thick soles and a pony tail, and the joints of the tail.
fn skeleton(settings: &CharacterSettings) -> Result<(Skeleton, Vec<usize>)> {
    let plain = settings.body.skeleton()?;
    let feet: Vec<usize> =
        [Role::LeftFoot, Role::RightFoot].into_iter().filter_map(|role| plain.joint_of(role)).collect();
    let is_foot = |joint: usize| feet.iter().any(|foot| plain.is_under(joint, *foot));
    let lower = |tip: &Tip| match is_foot(tip.parent) {
        true => Tip { offset: tip.offset - Vec3::Y * settings.sole_m, ..*tip },
        false => *tip,
    };
    let mut joints = plain.joints().to_vec();
    let mut parent = plain.joint_of(Role::Head).unwrap_or(0);
    let mut tail = Vec::new();
    for bone in 0..TAIL {
        let offset = if bone == 0 { Vec3::new(0.0, 0.1, -0.1) } else { Vec3::NEG_Y * TAIL_BONE_M };
        joints.push(Joint::new(format!("tail {}", bone + 1), Some(parent), offset));
        parent = joints.len() - 1;
        tail.push(parent);
    }
    Ok((Skeleton::new(joints, plain.tips().iter().map(lower).collect())?, tail))
}

/// Adds a small chequered picture, and returns its image and texture.
fn add_picture(glb: &mut Glb) -> (usize, usize) {
    const SIZE: u32 = 16;
    let pixel = |i: u32| {
        let is_light = (i % SIZE / 4 + i / SIZE / 4).is_multiple_of(2);
        if is_light { [235, 195, 170] } else { [205, 150, 125] }
    };
    let pixels: Vec<u8> = (0..SIZE * SIZE).flat_map(pixel).collect();
    let view = glb.view(&png(SIZE, &pixels), None);
    let image = glb.push("images", json!({ "bufferView": view, "mimeType": "image/png", "name": "chequer" }));
    let sampler = glb.push("samplers", json!({ "magFilter": 9728, "minFilter": 9728 }));
    (image, glb.push("textures", json!({ "source": image, "sampler": sampler })))
}

/// A PNG of red, green and blue.
fn png(size: u32, pixels: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, size, size);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    // Writing to memory cannot fail.
    if let Ok(mut writer) = encoder.write_header() {
        let _ = writer.write_image_data(pixels);
    }
    bytes
}

/// Adds the materials of clothes and skin, and returns the first.
fn add_materials(glb: &mut Glb, texture: usize) -> usize {
    let cloth = json!({ "name": "cloth", "extras": { "washable": true }, "pbrMetallicRoughness":
        { "baseColorFactor": [0.45, 0.16, 0.42, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.8 } });
    let skin = json!({ "name": "skin", "pbrMetallicRoughness":
        { "baseColorTexture": { "index": texture }, "metallicFactor": 0.0, "roughnessFactor": 0.6 } });
    let first = glb.push("materials", cloth);
    glb.push("materials", skin);
    first
}

/// Adds a node for each joint, and returns them. An armature comes before them.
fn add_nodes(glb: &mut Glb, rest: &RestSkeleton<'_>, file: CharacterFile) -> Vec<usize> {
    let joints = rest.skeleton.joints();
    let is_armature = file == CharacterFile::Armature;
    let first = usize::from(is_armature);
    let children = |parent: usize| -> Vec<usize> {
        let is_child = |(_, joint): &(usize, &Joint)| joint.parent == Some(parent);
        joints.iter().enumerate().filter(is_child).map(|(joint, _)| first + joint).collect()
    };
    // Z up in centimetres: the armature's rotation and scale, undone by the root.
    let world_from_armature = DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2);
    if is_armature {
        let rotation = world_from_armature.to_array();
        let scale = [ARMATURE_SCALE; 3];
        glb.push(
            "nodes",
            json!({ "name": "Armature", "children": [first], "rotation": rotation, "scale": scale }),
        );
    }
    let is_vrm = matches!(file, CharacterFile::Vrm0 | CharacterFile::Vrm1);
    for (index, joint) in joints.iter().enumerate() {
        let offset = if index == 0 { rest.root } else { joint.offset }.as_dvec3();
        let offset = if is_armature { offset / ARMATURE_SCALE } else { offset };
        let is_root = is_armature && index == 0;
        let offset = if is_root { world_from_armature.inverse() * offset } else { offset };
        // The bones of a VRM are found by its extension, whatever their names.
        let name = if is_vrm { format!("bone {index}") } else { joint.name.clone() };
        let mut node =
            json!({ "name": name, "translation": offset.to_array(), "extras": { "joint": index } });
        if is_root {
            node["rotation"] = json!(world_from_armature.inverse().to_array());
        }
        let children = children(index);
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        glb.push("nodes", node);
    }
    (first..first + joints.len()).collect()
}

/// Adds the mesh: clothes and skin, with a morph target that changes the head.
fn add_mesh(glb: &mut Glb, rest: &RestSkeleton<'_>, mannequin: &Mannequin) -> usize {
    let head = rest.skeleton.joint_of(Role::Head).unwrap_or(0);
    let height_m = rest.height_m();
    let mut primitives = Vec::new();
    for (material, part) in mannequin.parts.iter().enumerate() {
        let places = |at: &Vec3| [at.x.atan2(at.z) / std::f32::consts::TAU + 0.5, 1.0 - at.y / height_m];
        let places: Vec<[f32; 2]> = part.positions.iter().map(places).collect();
        let joints: Vec<[u8; 4]> = part.joints.iter().map(|four| four.map(|joint| joint as u8)).collect();
        let smile = part.joints.iter().zip(&part.normals);
        let smile = smile
            .map(|(four, normal)| if usize::from(four[0]) == head { *normal * 0.01 } else { Vec3::ZERO });
        let smile: Vec<Vec3> = smile.collect();
        let attributes = json!({
            "POSITION": glb.vectors(&part.positions),
            "NORMAL": glb.vectors(&part.normals),
            "TEXCOORD_0": glb.texture_coordinates(&places),
            "JOINTS_0": glb.fours(&joints, false),
            "WEIGHTS_0": glb.fours(&part.weights, true),
        });
        primitives.push(json!({
            "attributes": attributes,
            "indices": glb.triangles(&part.triangles),
            "material": material,
            "targets": [{ "POSITION": glb.vectors(&smile) }],
        }));
    }
    let names = json!({ "targetNames": ["smile"] });
    glb.push("meshes", json!({ "name": "Body", "primitives": primitives, "weights": [0.0], "extras": names }))
}

/// The inverse bind matrix of a joint that rests unrotated at a place, with a scale above it.
fn inverse_bind(at: Vec3, scale: f64) -> [f32; 16] {
    let bind = DMat4::from_scale_rotation_translation(DVec3::splat(scale), DQuat::IDENTITY, at.as_dvec3());
    bind.inverse().as_mat4().to_cols_array()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn every_kind_of_file_is_whole() {
        for file in [CharacterFile::Glb, CharacterFile::Armature, CharacterFile::Vrm0, CharacterFile::Vrm1] {
            let bytes = character(&CharacterSettings { file, ..CharacterSettings::default() }).unwrap();
            assert_eq!(u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize, bytes.len());
            let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
            let json: Value = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
            assert_eq!(json["skins"][0]["joints"].as_array().unwrap().len(), 24 + TAIL);
            assert_eq!(
                bytes,
                character(&CharacterSettings { file, ..CharacterSettings::default() }).unwrap()
            );
        }
        assert!(character(&CharacterSettings { sole_m: 1.0, ..CharacterSettings::default() }).is_err());
    }
}
