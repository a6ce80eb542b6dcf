//! The nodes of a file: hierarchy, transforms and scales.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | t, r, s | a node's translation, rotation and scale | file units, rotation, – |
//! | m | the scale that children inherit: the geometric mean of \|s\| | – |
//! | a | the accumulated scale of a node: Π m of its ancestors | – |
//! | o = a_parent (s_parent ∘ t) | offset of a node in its parent's frame, without scales | metres |
//!
//! A skeleton has no scales, so they are multiplied into the offsets of descendants. That is exact for uniform scales, and for
//! the direct children of non-uniform ones. Further down, a non-uniform scale shears rotated nodes, which a skeleton cannot
//! do: there the mean is used, and reported.

use glam::{DMat3, DMat4, DQuat, DVec3};
use marey_motion::{Place, Report};

use super::codes;
use super::document::{Document, Node};
use crate::{FormatsError, Limits};

/// Scales that differ by less than this are equal, because exporters round.
const SCALE_NOISE: f64 = 1e-3;

/// Largest plausible length, in metres.
const MAX_COORDINATE: f64 = 1e9;

/// A node in its parent's frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Local {
    pub(super) translation: DVec3,
    pub(super) rotation: DQuat,
    pub(super) scale: DVec3,
}

/// All nodes of a file, as trees.
#[derive(Debug)]
pub(super) struct Nodes {
    pub(super) parents: Vec<Option<usize>>,
    pub(super) locals: Vec<Local>,
    /// The factor by which the translations of each node are multiplied.
    pub(super) inherited_scale: Vec<DVec3>,
    /// Every node once, parents before children, children in the file's order.
    pub(super) depth_first: Vec<usize>,
}

impl Nodes {
    /// Reads the trees. An error if nodes do not form trees, or if a tree is deeper than the limit.
    pub(super) fn of(document: &Document, limits: Limits, report: &mut Report) -> Result<Self, FormatsError> {
        let parents = parents(&document.nodes)?;
        let depth_first = depth_first(&document.nodes, &parents, limits)?;
        let mut locals = Vec::with_capacity(parents.len());
        for (index, node) in document.nodes.iter().enumerate() {
            locals.push(local(index, node, report)?);
        }
        let mut nodes =
            Self { inherited_scale: vec![DVec3::ONE; parents.len()], parents, locals, depth_first };
        nodes.inherit_scales();
        Ok(nodes)
    }

    /// Computes `inherited_scale`.
    fn inherit_scales(&mut self) {
        let mut above = vec![1.0; self.parents.len()];
        for &node in &self.depth_first {
            let Some(parent) = self.parents.get(node).copied().flatten() else { continue };
            let Some(scale) = self.locals.get(parent).map(|local| local.scale) else { continue };
            let from_above = above.get(parent).copied().unwrap_or(1.0);
            if let (Some(inherited_scale), Some(above)) =
                (self.inherited_scale.get_mut(node), above.get_mut(node))
            {
                *inherited_scale = from_above * scale;
                *above = from_above * mean(scale);
            }
        }
    }

    /// A node and its ancestors, from the node upwards.
    pub(super) fn with_ancestors(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(node), |node| self.parents.get(*node).copied().flatten())
    }

    /// The offset of a node in its parent's frame, without scales.
    pub(super) fn offset(&self, node: usize, translation: DVec3) -> DVec3 {
        self.inherited_scale.get(node).map_or(translation, |inherited_scale| *inherited_scale * translation)
    }

    /// The factor by which the translations of a node's children are multiplied.
    pub(super) fn child_scale(&self, node: usize) -> DVec3 {
        let above: f64 = self
            .with_ancestors(node)
            .skip(1)
            .filter_map(|node| self.locals.get(node))
            .map(|local| mean(local.scale))
            .product();
        self.locals.get(node).map_or(DVec3::ONE, |local| above * local.scale)
    }

    /// The world position of a node by the nodes' own transforms.
    pub(super) fn world_position(&self, node: usize) -> DVec3 {
        let own = |node: usize| {
            self.offset(node, self.locals.get(node).map_or(DVec3::ZERO, |local| local.translation))
        };
        let step = |below: DVec3, node: usize| {
            let turned = self.locals.get(node).map_or(below, |local| local.rotation * below);
            turned + own(node)
        };
        self.with_ancestors(node).skip(1).fold(own(node), step)
    }

    /// The world rotation of a node by the nodes' own transforms.
    pub(super) fn world_rotation(&self, node: usize) -> DQuat {
        let turns = self.with_ancestors(node).filter_map(|node| Some(self.locals.get(node)?.rotation));
        turns.fold(DQuat::IDENTITY, |below, turn| turn * below)
    }
}

/// Whether a scale can be removed without loss.
pub(super) fn is_plain_scale(scale: DVec3) -> bool {
    let (low, high) = (scale.min_element(), scale.max_element());
    low > 0.0 && high - low <= SCALE_NOISE * high
}

fn mean(scale: DVec3) -> f64 {
    if is_plain_scale(scale) && scale.x == scale.y && scale.y == scale.z {
        return scale.x;
    }
    (scale.x * scale.y * scale.z).abs().cbrt()
}

fn parents(nodes: &[Node]) -> Result<Vec<Option<usize>>, FormatsError> {
    let mut parents: Vec<Option<usize>> = vec![None; nodes.len()];
    for (parent, node) in nodes.iter().enumerate() {
        for &child in &node.children {
            let Some(slot) = parents.get_mut(child) else {
                let message = format!("node {parent} has a child {child}, which does not exist");
                return Err(FormatsError::refused(&codes::INDEX, Place::default(), message));
            };
            if let Some(other) = slot.replace(parent) {
                let message = format!("node {child} has two parents, {other} and {parent}");
                return Err(FormatsError::refused(&codes::HIERARCHY, Place::default(), message));
            }
        }
    }
    Ok(parents)
}

fn depth_first(
    nodes: &[Node],
    parents: &[Option<usize>],
    limits: Limits,
) -> Result<Vec<usize>, FormatsError> {
    let mut order = Vec::with_capacity(nodes.len());
    let roots = parents.iter().enumerate().filter(|(_, parent)| parent.is_none());
    let mut todo: Vec<(usize, usize)> = roots.map(|(root, _)| (root, 1)).rev().collect();
    while let Some((node, depth)) = todo.pop() {
        if depth > limits.depth {
            let message = format!("nodes are nested more than {} deep", limits.depth);
            return Err(FormatsError::refused(&codes::LIMIT, Place::default(), message));
        }
        order.push(node);
        let children = nodes.get(node).map(|node| node.children.as_slice()).unwrap_or_default();
        todo.extend(children.iter().rev().map(|child| (*child, depth + 1)));
    }
    // Each node has at most one parent, so nodes that no root reaches form cycles.
    if order.len() < nodes.len() {
        let message = "a node is its own ancestor";
        return Err(FormatsError::refused(&codes::HIERARCHY, Place::default(), message));
    }
    Ok(order)
}

fn local(index: usize, node: &Node, report: &mut Report) -> Result<Local, FormatsError> {
    let place = || Place::default().joint(name_of(index, node));
    let local = match node.matrix {
        Some(matrix) => of_matrix(DMat4::from_cols_array(&matrix)),
        None => Local {
            translation: node.translation.map_or(DVec3::ZERO, DVec3::from_array),
            rotation: node.rotation.map_or(DQuat::IDENTITY, DQuat::from_array),
            scale: node.scale.map_or(DVec3::ONE, DVec3::from_array),
        },
    };
    let sizes = [local.translation, local.scale, local.rotation.xyz()].map(|v| v.abs().max_element());
    if sizes.iter().any(|size| !size.is_finite() || *size > MAX_COORDINATE) {
        let message = format!("node {index} has a number that is too large");
        return Err(FormatsError::refused(&codes::OUT_OF_RANGE, place(), message));
    }
    let is_sheared = node.matrix.is_some_and(|matrix| is_sheared(DMat4::from_cols_array(&matrix), &local));
    if is_sheared || !is_plain_scale(local.scale) {
        let what = if is_sheared { "sheared".into() } else { format!("scaled by {}", local.scale) };
        report.warn(&codes::SCALE, place(), format!("node {index} is {what}"));
    }
    let length = local.rotation.length();
    let rotation = if (1e-6..1e6).contains(&length) {
        local.rotation / length
    } else {
        report.warn(&codes::HELD_VALUE, place(), format!("the rotation of node {index} has no direction"));
        DQuat::IDENTITY
    };
    Ok(Local { rotation, ..local })
}

/// The name of a node, or its number.
pub(super) fn name_of(index: usize, node: &Node) -> String {
    node.name.clone().filter(|name| !name.is_empty()).unwrap_or_else(|| format!("node_{index}"))
}

/// Decomposes a matrix. A mirrored one has a negative scale along x; a singular one has no rotation.
pub(super) fn of_matrix(matrix: DMat4) -> Local {
    let [x, y, z, translation] =
        [matrix.x_axis, matrix.y_axis, matrix.z_axis, matrix.w_axis].map(|c| c.truncate());
    let mirrored = x.cross(y).dot(z) < 0.0;
    let sign = if mirrored { -1.0 } else { 1.0 };
    let scale = DVec3::new(x.length() * sign, y.length(), z.length());
    // Orthogonalise the axes, keeping the first.
    let axes = (x * sign).try_normalize().and_then(|x| {
        let y = (y - x * x.dot(y)).try_normalize()?;
        Some(DMat3::from_cols(x, y, x.cross(y)))
    });
    let is_flat = scale.abs().min_element() <= 1e-12 * scale.abs().max_element();
    let rotation = axes.filter(|_| !is_flat).map_or(DQuat::IDENTITY, |axes| DQuat::from_mat3(&axes));
    Local { translation, rotation, scale }
}

/// Whether the axes of a matrix are not orthogonal.
pub(super) fn is_sheared(matrix: DMat4, parts: &Local) -> bool {
    let made = DMat4::from_scale_rotation_translation(parts.scale, parts.rotation, parts.translation);
    let size = parts.scale.abs().max_element();
    !made.abs_diff_eq(matrix, SCALE_NOISE * size.max(f64::MIN_POSITIVE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrices_are_decomposed() {
        let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.3, -1.2, 2.5);
        for scale in [DVec3::ONE, DVec3::new(-2.0, 3.0, 0.5)] {
            let matrix = DMat4::from_scale_rotation_translation(scale, turn, DVec3::new(1.0, 2.0, 3.0));
            let local = of_matrix(matrix);
            assert!(!is_sheared(matrix, &local));
            assert!(local.scale.distance(scale) < 1e-12 && local.rotation.dot(turn).abs() > 1.0 - 1e-12);
        }
        let sheared =
            DMat4::from_cols_array(&[1., 0., 0., 0., 0.5, 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.]);
        assert!(is_sheared(sheared, &of_matrix(sheared)));
        assert_eq!(of_matrix(DMat4::ZERO).rotation, DQuat::IDENTITY);
    }

    #[test]
    fn scales_are_multiplied_into_descendants() {
        let json = br#"{"asset":{"version":"2.0"},"nodes":[
            {"children":[1],"scale":[0.01,0.01,0.01]},
            {"children":[2],"translation":[0,100,0],"scale":[2,2,2]},
            {"translation":[0,50,0]}]}"#;
        let document = Document::of(json, Limits::default()).unwrap();
        let mut report = Report::default();
        let nodes = Nodes::of(&document, Limits::default(), &mut report).unwrap();
        let offset = |node: usize| nodes.offset(node, nodes.locals[node].translation);
        assert!(offset(1).distance(DVec3::Y) < 1e-12 && offset(2).distance(DVec3::Y) < 1e-12);
        assert!(report.is_empty());
    }
}
