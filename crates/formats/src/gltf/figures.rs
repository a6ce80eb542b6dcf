//! Decides which nodes are joints, and of which figure.
//!
//! The joints of a skin, and the nodes between them, form a figure. Skins that share a tree of joints (a body and its clothes)
//! belong to one figure; separate trees are several. Without a skin, each tree of the scene with animated nodes is a figure,
//! from the lowest common ancestor of the animated nodes on. Nodes that a humanoid extension names are joints in either case.
//! So are animated nodes below a joint: a prop in the hand, a tail.
//!
//! A node below a joint that has no children and no content and never moves is a tip.

use marey_motion::Place;

use super::codes;
use super::document::Document;
use super::nodes::{Nodes, name_of};
use crate::{FormatsError, Limits};

/// A tree of joints.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Figure {
    /// Its name: that of the node above its root, if no other figure shares it, or that of the root.
    pub(super) name: String,
    /// The node of each joint, parents before children.
    pub(super) nodes: Vec<usize>,
    /// The parent of each joint, as an index among the joints.
    pub(super) parents: Vec<Option<usize>>,
    /// The joint and the node of each tip.
    pub(super) tips: Vec<(usize, usize)>,
}

impl Figure {
    /// The node of the root.
    pub(super) fn root(&self) -> usize {
        self.nodes.first().copied().unwrap_or(0)
    }
}

/// Finds all figures, in the order of their roots, given the animated nodes and those with a humanoid role.
pub(super) fn find(
    document: &Document,
    nodes: &Nodes,
    animated_nodes: &[bool],
    humanoid: &[usize],
    limits: Limits,
) -> Result<Vec<Figure>, FormatsError> {
    let groups = groups(document, nodes, animated_nodes, humanoid)?;
    let roots = roots(nodes, &groups);
    if roots.is_empty() {
        let message = "the file has no skins and no animated nodes";
        return Err(FormatsError::refused(&codes::NO_FIGURE, Place::default(), message));
    }
    let mut owner: Vec<Option<usize>> = vec![None; nodes.parents.len()];
    for (figure, root) in roots.iter().enumerate() {
        if let Some(slot) = owner.get_mut(*root) {
            *slot = Some(figure);
        }
    }
    for node in groups.into_iter().flatten() {
        claim(nodes, &mut owner, node);
    }
    for (node, _) in animated_nodes.iter().enumerate().filter(|(_, moves)| **moves) {
        claim(nodes, &mut owner, node);
    }
    let joints = owner.iter().flatten().count();
    if joints > limits.joints {
        let message = format!("{joints} joints; the limit is {}", limits.joints);
        return Err(FormatsError::refused(&codes::LIMIT, Place::default(), message));
    }
    Ok(gather(document, nodes, &owner, &roots))
}

/// Groups of nodes that belong to one figure: the joints of each skin, the nodes with a humanoid role, or, without skins, the
/// animated nodes of each tree.
fn groups(
    document: &Document,
    nodes: &Nodes,
    animated_nodes: &[bool],
    humanoid: &[usize],
) -> Result<Vec<Vec<usize>>, FormatsError> {
    let mut groups: Vec<Vec<usize>> = vec![humanoid.to_vec()];
    for (index, skin) in document.skins.iter().enumerate() {
        if let Some(joint) = skin.joints.iter().find(|joint| **joint >= nodes.parents.len()) {
            let message = format!("skin {index} has a joint {joint}, which does not exist");
            return Err(FormatsError::refused(&codes::INDEX, Place::default(), message));
        }
        groups.push(skin.joints.clone());
    }
    if groups.iter().all(Vec::is_empty) {
        groups.push(
            animated_nodes.iter().enumerate().filter(|(_, moves)| **moves).map(|(node, _)| node).collect(),
        );
    }
    // A group in several trees of the scene is split.
    let mut in_one_tree = Vec::new();
    for group in groups {
        let mut by_tree: Vec<(usize, usize)> =
            group.into_iter().map(|node| (nodes.with_ancestors(node).last().unwrap_or(node), node)).collect();
        by_tree.sort_unstable();
        let trees = by_tree.chunk_by(|a, b| a.0 == b.0);
        in_one_tree.extend(trees.map(|tree| tree.iter().map(|(_, node)| *node).collect()));
    }
    Ok(in_one_tree)
}

/// The sorted roots of the figures: the lowest common ancestor of each group, unless it is below another root.
fn roots(nodes: &Nodes, groups: &[Vec<usize>]) -> Vec<usize> {
    let lowest = |group: &Vec<usize>| group.iter().copied().reduce(|a, b| common_ancestor(nodes, a, b));
    let mut is_lowest = vec![false; nodes.parents.len()];
    let all: Vec<usize> = groups.iter().filter_map(lowest).collect();
    for &node in &all {
        if let Some(slot) = is_lowest.get_mut(node) {
            *slot = true;
        }
    }
    let is_one = |node: &usize| is_lowest.get(*node).copied().unwrap_or(false);
    let mut roots: Vec<usize> = all
        .into_iter()
        .map(|node| nodes.with_ancestors(node).filter(is_one).last().unwrap_or(node))
        .collect();
    roots.sort_unstable();
    roots.dedup();
    roots
}

/// The lowest common ancestor of two nodes of one tree.
fn common_ancestor(nodes: &Nodes, a: usize, b: usize) -> usize {
    let depth = |node: usize| nodes.with_ancestors(node).count();
    let (a_depth, b_depth) = (depth(a), depth(b));
    let mut a_path = nodes.with_ancestors(a).skip(a_depth.saturating_sub(b_depth));
    let mut b_path = nodes.with_ancestors(b).skip(b_depth.saturating_sub(a_depth));
    loop {
        match (a_path.next(), b_path.next()) {
            (Some(x), Some(y)) if x == y => return x,
            (Some(_), Some(_)) => continue,
            _ => return a,
        }
    }
}

/// Assigns a node and its ancestors to the figure that one of the ancestors belongs to, if any.
fn claim(nodes: &Nodes, owner: &mut [Option<usize>], node: usize) {
    let of = |owner: &[Option<usize>], node: usize| owner.get(node).copied().flatten();
    let Some(figure) = nodes.with_ancestors(node).find_map(|node| of(owner, node)) else { return };
    for node in nodes.with_ancestors(node) {
        match owner.get_mut(node) {
            Some(slot @ None) => *slot = Some(figure),
            _ => break,
        }
    }
}

fn gather(document: &Document, nodes: &Nodes, owner: &[Option<usize>], roots: &[usize]) -> Vec<Figure> {
    let owner_of = |node: usize| owner.get(node).copied().flatten();
    let mut joint_of: Vec<usize> = vec![0; owner.len()];
    let mut figures: Vec<Figure> = Vec::new();
    for name in names(document, nodes, roots) {
        figures.push(Figure { name, nodes: Vec::new(), parents: Vec::new(), tips: Vec::new() });
    }
    // The order of the file, if parents come before children in it.
    let is_in_order = nodes.parents.iter().enumerate().all(|(node, parent)| parent.is_none_or(|p| p < node));
    let in_order = (0..owner.len()).collect::<Vec<usize>>();
    let order = if is_in_order { &in_order } else { &nodes.depth_first };
    for &node in order {
        let parent = nodes.parents.get(node).copied().flatten();
        let parent_joint = parent.and_then(|parent| joint_of.get(parent)).copied();
        if let Some(figure) = owner_of(node).and_then(|figure| figures.get_mut(figure)) {
            if let Some(slot) = joint_of.get_mut(node) {
                *slot = figure.nodes.len();
            }
            figure.parents.push(parent_joint.filter(|_| !figure.nodes.is_empty()));
            figure.nodes.push(node);
        } else if document.nodes.get(node).is_some_and(is_empty)
            && let Some(figure) = parent.and_then(owner_of).and_then(|figure| figures.get_mut(figure))
        {
            figure.tips.push((parent_joint.unwrap_or(0), node));
        }
    }
    figures
}

fn is_empty(node: &super::document::Node) -> bool {
    node.children.is_empty() && node.mesh.is_none() && node.camera.is_none()
}

/// The name of each figure: that of the node above its root, if it has one and no other figure shares it, or that of the root.
fn names(document: &Document, nodes: &Nodes, roots: &[usize]) -> Vec<String> {
    let above = |root: &usize| nodes.parents.get(*root).copied().flatten();
    let name = |root: &usize| {
        let own =
            above(root).filter(|node| roots.iter().filter(|root| above(root) == Some(*node)).count() == 1);
        let named = own.filter(|node| document.nodes.get(*node).is_some_and(|node| node.name.is_some()));
        let node = named.unwrap_or(*root);
        document.nodes.get(node).map_or_else(String::new, |data| name_of(node, data))
    };
    roots.iter().map(name).collect()
}
