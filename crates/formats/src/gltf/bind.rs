//! The rest pose: the bind pose of the mesh, or the pose of the nodes.
//!
//! The transforms of a file's nodes may be any pose: the rest pose with most exporters, the first frame with some. The
//! inverse bind matrices of a skin give the pose that the mesh was modelled in, a T- or A-pose, which is Marey's rest pose.
//! The *rotations* of the rest pose therefore come from them, if they exist and are consistent: relative to its parent, each
//! joint must be where its node is, up to one common scale. *Offsets* come from the nodes, which the motion builds on.
//!
//! Bind matrices are in the axes of the mesh. These are the axes of the world, or those of the node above the root if a file was
//! rotated from Z up to Y up. The choice is the one that puts the root closer to its node.

use glam::{DMat4, DQuat, DVec3};

use super::accessor::{MATRICES, Numbers};
use super::document::Document;
use super::figures::Figure;
use super::nodes::{Nodes, of_matrix};
use crate::FormatsError;

/// Rotations that differ by less than this, in radians, are equal.
const SAME_RAD: f64 = 3e-3;

/// Largest distance of a joint from its node, as a fraction of its bone.
const OFF_BONE: f64 = 0.05;

/// The bind transform of a joint, in the axes of the mesh.
#[derive(Debug, Clone, Copy)]
struct Bound {
    at: DVec3,
    turn: DQuat,
}

/// The rest rotation of each joint of a figure: the root's in the world, the others' in their parents' frames.
pub(super) fn rest_rotations(
    document: &Document,
    nodes: &Nodes,
    figure: &Figure,
    numbers: &mut Numbers<'_>,
) -> Result<Vec<DQuat>, FormatsError> {
    let of_nodes = node_rotations(nodes, figure);
    let mut bound: Vec<Option<Bound>> = vec![None; figure.nodes.len()];
    let mut joint_of: Vec<Option<usize>> = vec![None; nodes.parents.len()];
    for (joint, node) in figure.nodes.iter().enumerate() {
        if let Some(slot) = joint_of.get_mut(*node) {
            *slot = Some(joint);
        }
    }
    for skin in &document.skins {
        let joints = || skin.joints.iter().map(|node| joint_of.get(*node).copied().flatten());
        let Some(accessor) = skin.inverse_bind_matrices.filter(|_| joints().any(|joint| joint.is_some()))
        else {
            continue;
        };
        let matrices = numbers.read(accessor, MATRICES)?;
        for (matrix, joint) in matrices.as_chunks::<16>().0.iter().zip(joints()) {
            let slot = joint.and_then(|joint| bound.get_mut(joint));
            if let Some(slot @ None) = slot {
                *slot = bound_by(matrix);
            }
        }
    }
    if !fits(nodes, figure, &bound) {
        return Ok(of_nodes);
    }
    Ok(bound_rotations(nodes, figure, &bound, &of_nodes).unwrap_or(of_nodes))
}

/// The bind transform of a joint. `None` if the matrix is singular.
fn bound_by(matrix: &[f32; 16]) -> Option<Bound> {
    let inverse = DMat4::from_cols_array(&matrix.map(f64::from));
    let matrix = inverse.inverse();
    if !inverse.is_finite() || !matrix.is_finite() || inverse.determinant() <= 0.0 {
        return None;
    }
    let local = of_matrix(matrix);
    Some(Bound { at: local.translation, turn: local.rotation })
}

fn node_rotations(nodes: &Nodes, figure: &Figure) -> Vec<DQuat> {
    let local = |node: &usize| nodes.locals.get(*node).map_or(DQuat::IDENTITY, |local| local.rotation);
    let mut rotations: Vec<DQuat> = figure.nodes.iter().map(local).collect();
    if let Some(root) = rotations.first_mut() {
        *root = nodes.world_rotation(figure.root());
    }
    rotations
}

/// Whether the bind pose agrees with the nodes: relative to its parent, each joint is at its node, up to a common scale.
fn fits(nodes: &Nodes, figure: &Figure, bound: &[Option<Bound>]) -> bool {
    let pairs = figure.nodes.iter().zip(&figure.parents).zip(bound).skip(1);
    let bones: Vec<(DVec3, DVec3)> = pairs
        .filter_map(|((node, parent), bound_here)| {
            let (here, above) = ((*bound_here)?, (*bound.get((*parent)?)?)?);
            let offset = nodes.offset(*node, nodes.locals.get(*node)?.translation);
            Some((above.turn.inverse() * (here.at - above.at), offset))
        })
        .collect();
    let of_nodes: f64 = bones.iter().map(|(_, offset)| offset.length()).sum();
    let factor = bones.iter().map(|(bone, _)| bone.length()).sum::<f64>() / of_nodes;
    if !factor.is_finite() || factor < 1e-6 {
        return false;
    }
    let slack = OFF_BONE * of_nodes / bones.len() as f64;
    let is_near = |(bone, offset): &&(DVec3, DVec3)| (*bone / factor - *offset).length() <= slack;
    bones.iter().filter(is_near).count() * 10 >= bones.len() * 9
}

/// The rotations of the bind pose, and those of the nodes for unbound joints. `None` if they are equal.
fn bound_rotations(
    nodes: &Nodes,
    figure: &Figure,
    bound: &[Option<Bound>],
    of_nodes: &[DQuat],
) -> Option<Vec<DQuat>> {
    let first = bound.iter().position(|bound| bound.is_some())?;
    let (top, by_node) = ((*bound.get(first)?)?, nodes.world_rotation(*figure.nodes.get(first)?));
    let above = nodes.parents.get(figure.root()).copied().flatten();
    let turned = above.map_or(DQuat::IDENTITY, |above| nodes.world_rotation(above));
    let off = |world: &DQuat| (*world * top.turn).dot(by_node).abs();
    let world_from_mesh = [DQuat::IDENTITY, turned].into_iter().max_by(|a, b| off(a).total_cmp(&off(b)))?;
    let mut world: Vec<DQuat> = Vec::with_capacity(of_nodes.len());
    let mut rotations = Vec::with_capacity(of_nodes.len());
    let mut differs = false;
    for ((parent, bound), by_node) in figure.parents.iter().zip(bound).zip(of_nodes) {
        let above = parent.and_then(|parent| world.get(parent).copied()).unwrap_or(DQuat::IDENTITY);
        let here = bound.map_or(above * *by_node, |bound| world_from_mesh * bound.turn);
        let mut rotation = (above.inverse() * here).normalize();
        if rotation.angle_between(*by_node) < SAME_RAD {
            rotation = *by_node;
        } else {
            differs = true;
        }
        world.push(above * rotation);
        rotations.push(rotation);
    }
    differs.then_some(rotations)
}
