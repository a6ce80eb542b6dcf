//! Builds the skeleton of a figure.

use std::collections::{BTreeMap, HashSet};

use glam::DVec3;
use marey_motion::{Joint, Place, Report, Role, Skeleton, Tip};

use super::accessor::Numbers;
use super::animation::AnimationCurves;
use super::bind::rest_rotations;
use super::codes;
use super::document::Document;
use super::figures::Figure;
use super::nodes::{Nodes, name_of};
use crate::FormatsError;

/// Largest movement of a fixed joint, as a fraction of the longest bone. Exporters round.
const FIXED_TOLERANCE: f64 = 2e-6;

/// Builds one skeleton of a figure for all animations of the file.
pub(super) fn skeleton(
    document: &Document,
    nodes: &Nodes,
    figure: &Figure,
    roles: &BTreeMap<Role, usize>,
    animations: &[AnimationCurves],
    numbers: &mut Numbers<'_>,
    report: &mut Report,
) -> Result<Skeleton, FormatsError> {
    let rotations = rest_rotations(document, nodes, figure, numbers)?;
    let offsets: Vec<DVec3> = figure.nodes.iter().map(|node| rest_offset(nodes, *node)).collect();
    let longest = offsets.iter().skip(1).map(|offset| offset.length()).fold(0.0, f64::max);
    let names = names(document, figure, report);
    let mut joints = Vec::with_capacity(names.len());
    for ((((name, &node), &parent), offset), rotation) in
        names.into_iter().zip(&figure.nodes).zip(&figure.parents).zip(&offsets).zip(rotations)
    {
        let offset = if parent.is_some() { *offset } else { nodes.world_position(node) };
        joints.push(Joint {
            name,
            parent,
            offset: offset.as_vec3(),
            rest_rotation: rotation.as_quat(),
            role: roles.iter().find(|(_, at)| **at == node).map(|(role, _)| *role),
            moves: parent.is_none() || is_moved(nodes, node, animations, FIXED_TOLERANCE * longest),
        });
    }
    let tip = |&(parent, node): &(usize, usize)| Tip { parent, offset: rest_offset(nodes, node).as_vec3() };
    Ok(Skeleton::new(joints, figure.tips.iter().map(tip).collect())?)
}

fn rest_offset(nodes: &Nodes, node: usize) -> DVec3 {
    nodes.offset(node, nodes.locals.get(node).map_or(DVec3::ZERO, |local| local.translation))
}

/// Whether any animation moves a node from its rest position.
fn is_moved(nodes: &Nodes, node: usize, animations: &[AnimationCurves], slack: f64) -> bool {
    let Some(rest) = nodes.locals.get(node).map(|local| local.translation) else { return false };
    let curves = animations.iter().filter_map(|animations| animations.translations.get(&node));
    curves.into_iter().any(|curve| {
        let keys = (0..curve.times.len()).filter_map(|key| curve.key(key));
        let off = keys.map(|at| nodes.offset(node, at.as_dvec3() - rest).length()).fold(0.0, f64::max);
        // Tangents may move a node between keys that are all at rest.
        let swings = curve.values.len() > curve.times.len()
            && curve
                .values
                .iter()
                .step_by(3)
                .chain(curve.values.iter().skip(2).step_by(3))
                .any(|v| v.length() > 0.0);
        off > slack || swings
    })
}

/// A unique name for each joint.
fn names(document: &Document, figure: &Figure, report: &mut Report) -> Vec<String> {
    let mut taken = HashSet::new();
    let mut names = Vec::with_capacity(figure.nodes.len());
    for &index in &figure.nodes {
        let Some(node) = document.nodes.get(index) else { continue };
        let given = name_of(index, node);
        let mut name = given.clone();
        if !taken.insert(name.clone()) {
            // The index of the node makes the name unique. It is appended again if a name already ends in it.
            name = format!("{given}_{index}");
            while !taken.insert(name.clone()) {
                name = format!("{name}_{index}");
            }
        }
        if node.name.as_ref() != Some(&name) {
            let message = format!("node {index} was renamed {name:?}");
            report.warn(&codes::RENAMED, Place::default().joint(given), message);
        }
        names.push(name);
    }
    names
}
