//! The soles of a character, from its mesh.
//!
//! Joints do not show how thick a shoe is. The mesh does: skinned into the rest pose of the skeleton, the lowest vertices that
//! follow a foot are its sole. Their height, rearmost and foremost points become tips of the skeleton, which
//! [`marey_ops::sole`] reads.

use std::collections::BTreeMap;

use glam::{DMat4, DVec3};
use marey_motion::{Quat, Role, Side, Skeleton, Tip, Vec3};
use serde::Deserialize;

use super::super::accessor::{JOINTS, MATRICES, Numbers, VECTORS, WEIGHTS};
use super::super::document::Skin;
use super::super::rig::{FileSpace, Rig};
use crate::FormatsError;

/// Height of the part of a foot that counts as its sole, as a share of the height of the ankle.
const SOLE_SHARE: f32 = 0.2;
/// Distance of the ball from the heel, as a share of the length of the foot (Winter's tables: 0.106 and 0.152 of the height).
const BALL_SHARE: f32 = 0.7;
/// Fewest vertices of a sole.
const MIN_VERTICES: usize = 3;
/// Lowest ankle, in metres. A sole above the ankle is no sole.
const MIN_ANKLE_M: f32 = 1e-3;

/// The meshes of a file, and the nodes that show them.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct MeshDocument {
    nodes: Vec<MeshNode>,
    meshes: Vec<Mesh>,
    skins: Vec<Skin>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct MeshNode {
    mesh: Option<usize>,
    skin: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Mesh {
    primitives: Vec<Primitive>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Primitive {
    attributes: BTreeMap<String, usize>,
}

/// The vertices of one foot, in the rest pose.
#[derive(Debug, Default)]
struct Foot {
    vertices: Vec<Vec3>,
}

/// The skeleton with the soles that the mesh shows. `None` if no mesh follows the feet, or if they have no roles.
pub(super) fn with_soles(
    skeleton: &Skeleton,
    rig: &Rig,
    space: FileSpace,
    meshes: &MeshDocument,
    numbers: &mut Numbers<'_>,
) -> Result<Option<Skeleton>, FormatsError> {
    let feet = Side::BOTH.map(|side| skeleton.joint_of(Role::LeftFoot.on(side)));
    let [Some(left), Some(right)] = feet else { return Ok(None) };
    let mut reader = FootReader {
        rig,
        space,
        feet: [left, right],
        side_of: (0..skeleton.len())
            .map(|joint| [left, right].iter().position(|foot| skeleton.is_under(joint, *foot)))
            .collect(),
        positions: skeleton.rest_positions(),
        rotations: skeleton.rest_world_rotations(),
        found: [Foot::default(), Foot::default()],
    };
    for node in &meshes.nodes {
        let mesh = node.mesh.and_then(|mesh| meshes.meshes.get(mesh));
        let Some((mesh, skin)) = mesh.zip(node.skin.and_then(|skin| meshes.skins.get(skin))) else {
            continue;
        };
        reader.add(mesh, skin, numbers)?;
    }
    Ok(reader.tips(skeleton).and_then(|tips| Skeleton::new(skeleton.joints().to_vec(), tips).ok()))
}

struct FootReader<'a> {
    rig: &'a Rig,
    space: FileSpace,
    feet: [usize; 2],
    /// The foot that each joint is part of.
    side_of: Vec<Option<usize>>,
    positions: Vec<Vec3>,
    rotations: Vec<Quat>,
    found: [Foot; 2],
}

/// A joint of a skin that is part of the figure.
struct SkinJoint {
    joint: usize,
    /// From the mesh to the frame of the joint, in the file's units.
    from_mesh: DMat4,
}

impl FootReader<'_> {
    /// Adds the vertices of a mesh that mostly follow a foot.
    fn add(&mut self, mesh: &Mesh, skin: &Skin, numbers: &mut Numbers<'_>) -> Result<(), FormatsError> {
        let matrices =
            skin.inverse_bind_matrices.map(|accessor| numbers.read(accessor, MATRICES)).transpose()?;
        let matrices = matrices.unwrap_or_default();
        let mut bound = matrices.as_chunks::<16>().0.iter();
        let skin_joint = |node: &usize| {
            let matrix = bound.next().map_or(DMat4::IDENTITY, |m| DMat4::from_cols_array(&m.map(f64::from)));
            let joint = self.rig.joints.iter().position(|joint| joint.node == *node)?;
            Some(SkinJoint { joint, from_mesh: matrix })
        };
        let joints: Vec<Option<SkinJoint>> = skin.joints.iter().map(skin_joint).collect();
        for primitive in &mesh.primitives {
            let attribute = |name: &str| primitive.attributes.get(name).copied();
            let Some(positions) = attribute("POSITION") else { continue };
            let positions = numbers.read(positions, VECTORS)?;
            // Each set holds four joints of every vertex.
            let mut sets = Vec::new();
            while let Some(pair) = attribute(&format!("JOINTS_{}", sets.len()))
                .zip(attribute(&format!("WEIGHTS_{}", sets.len())))
            {
                sets.push((numbers.read(pair.0, JOINTS)?, numbers.read(pair.1, WEIGHTS)?));
            }
            for (vertex, at) in positions.as_chunks::<3>().0.iter().enumerate() {
                let weights = sets.iter().flat_map(|(joints, weights)| {
                    let four =
                        |list: &[f32]| list.as_chunks::<4>().0.get(vertex).copied().unwrap_or_default();
                    four(joints).into_iter().zip(four(weights))
                });
                let weights = weights
                    .filter(|(_, weight)| *weight > 0.0)
                    .filter_map(|(joint, weight)| Some((joints.get(joint as usize)?.as_ref()?, weight)));
                self.add_vertex(DVec3::from_array(at.map(f64::from)), weights);
            }
        }
        Ok(())
    }

    fn add_vertex<'j>(&mut self, at: DVec3, weights: impl Iterator<Item = (&'j SkinJoint, f32)>) {
        let (mut sum, mut position, mut of_feet) = (0.0, Vec3::ZERO, [0.0; 2]);
        for (bound, weight) in weights {
            let Some(node) = self.rig.joints.get(bound.joint) else { continue };
            let local = self.space.to_marey(node.child_scale * bound.from_mesh.transform_point3(at));
            let (Some(origin), Some(rotation)) =
                (self.positions.get(bound.joint), self.rotations.get(bound.joint))
            else {
                continue;
            };
            position += weight * (*origin + *rotation * local);
            sum += weight;
            if let Some(side) =
                self.side_of.get(bound.joint).copied().flatten().and_then(|side| of_feet.get_mut(side))
            {
                *side += weight;
            }
        }
        for (foot, share) in self.found.iter_mut().zip(of_feet) {
            if sum > 0.0 && share > 0.5 * sum {
                foot.vertices.push(position / sum);
            }
        }
    }

    /// The tips of the skeleton with those of the soles; tips of the feet that the file has are replaced. `None` if a foot has no sole.
    fn tips(&self, skeleton: &Skeleton) -> Option<Vec<Tip>> {
        let mut tips = Vec::new();
        for ((side, foot), joint) in Side::BOTH.into_iter().zip(&self.found).zip(self.feet) {
            let toes = skeleton.joint_of(Role::LeftToes.on(side));
            let ankle = *self.positions.get(joint)?;
            let sole = foot.sole(ankle)?;
            let mut add = |parent: usize, at: Vec3| {
                let (origin, rotation) = (self.positions.get(parent)?, self.rotations.get(parent)?);
                tips.push(Tip { parent, offset: rotation.inverse() * (at - *origin) });
                Some(())
            };
            add(joint, sole.heel)?;
            match toes {
                Some(toes) => add(toes, sole.toes)?,
                None => add(joint, sole.heel.lerp(sole.toes, BALL_SHARE))?,
            }
        }
        let is_of_foot = |tip: &&Tip| self.side_of.get(tip.parent).copied().flatten().is_some();
        tips.extend(skeleton.tips().iter().filter(|tip| !is_of_foot(tip)));
        Some(tips)
    }
}

/// Rearmost and foremost point of a sole, at its height.
#[derive(Debug, Clone, Copy, PartialEq)]
struct SoleEnds {
    heel: Vec3,
    toes: Vec3,
}

impl Foot {
    /// The sole: +Z is forward. `None` if the foot has too few vertices, or none behind and none before the ankle.
    fn sole(&self, ankle: Vec3) -> Option<SoleEnds> {
        let lowest_m = self.vertices.iter().map(|at| at.y).fold(f32::INFINITY, f32::min);
        let ankle_m = ankle.y - lowest_m;
        if !ankle_m.is_finite() || ankle_m < MIN_ANKLE_M {
            return None;
        }
        let top_m = lowest_m + SOLE_SHARE * ankle_m;
        let sole = || self.vertices.iter().filter(|at| at.y <= top_m);
        if sole().count() < MIN_VERTICES {
            return None;
        }
        let by_z = |a: &&Vec3, b: &&Vec3| a.z.total_cmp(&b.z);
        let (heel, toes) = (sole().min_by(by_z)?.with_y(lowest_m), sole().max_by(by_z)?.with_y(lowest_m));
        (heel.z < ankle.z && ankle.z < toes.z).then_some(SoleEnds { heel, toes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sole_is_the_lowest_part_of_the_foot() {
        let ankle = Vec3::new(0.1, 0.08, 0.0);
        let shoe = [(-0.06, 0.0), (0.15, 0.005), (0.05, 0.01), (-0.09, 0.06), (0.2, 0.05)];
        let foot = Foot { vertices: shoe.map(|(z, y)| Vec3::new(0.1, y, z)).to_vec() };
        let sole = foot.sole(ankle).unwrap();
        assert_eq!((sole.heel, sole.toes), (Vec3::new(0.1, 0.0, -0.06), Vec3::new(0.1, 0.0, 0.15)));
        let above = Foot { vertices: foot.vertices.iter().map(|at| *at + Vec3::Y).collect() };
        assert_eq!(above.sole(ankle), None);
        assert_eq!(Foot::default().sole(ankle), None);
    }
}
