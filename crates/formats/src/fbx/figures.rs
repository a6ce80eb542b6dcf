//! Decides which nodes are joints, and of which figure.
//!
//! Bones are joints: limb nodes, and nodes that a skin is bound to, such as the boxes of a 3ds Max biped. Other nodes between two
//! bones are joints too. Nodes above the first bone of a figure (an armature, MotionBuilder's `Reference`) are not; their motion
//! is added to that of the first joint. An exception is a node with several trees of bones of which at most one branches, such as
//! a body and the targets of its limbs: that node is the root of all. If there are no bones, an animated hierarchy of other nodes
//! is a figure.
//!
//! A bone without children, keys and skin that is named after its parent with `_end` marks the end of the parent's bone: it is a tip.

use marey_motion::{Place, Report};
use ufbx::{ElementType, Node, Scene};

use super::names::Names;
use super::nodes::Nodes;
use super::{TIP_SUFFIX, codes};
use crate::{FormatsError, Limits};

/// A tree of joints.
pub(super) struct Figure {
    pub(super) name: String,
    /// Parents before children.
    pub(super) joints: Vec<FigureJoint>,
    pub(super) tips: Vec<FigureTip>,
}

/// The end of a joint's bone.
pub(super) struct FigureTip {
    /// Its joint.
    pub(super) parent: usize,
    /// Its index among all nodes.
    pub(super) node: usize,
}

impl Figure {
    /// The nodes of all joints and tips.
    pub(super) fn nodes(&self) -> impl Iterator<Item = usize> {
        self.joints.iter().map(|joint| joint.node).chain(self.tips.iter().map(|tip| tip.node))
    }
}

/// A joint of a figure.
pub(super) struct FigureJoint {
    pub(super) name: String,
    /// Its index among all nodes.
    pub(super) node: usize,
    /// Its parent joint.
    pub(super) parent: Option<usize>,
}

/// Finds the figures of a scene. An error if there are none.
pub(super) fn find(
    scene: &Scene,
    nodes: &Nodes<'_>,
    limits: Limits,
    report: &mut Report,
) -> Result<Vec<Figure>, FormatsError> {
    let mut bones = bones(scene, nodes);
    if !bones.contains(&true) {
        bones = moving_trees(scene, nodes);
        let count = bones.iter().filter(|bone| **bone).count();
        if count == 0 {
            let message = format!("{} nodes, none of them a bone", nodes.len().saturating_sub(1));
            return Err(FormatsError::refused(&codes::NO_SKELETON, Place::default(), message));
        }
        report.warn(&codes::NO_BONES, Place::default(), format!("{count} nodes were used as joints"));
    }
    let mut is_joint = with_nodes_between(nodes, &bones);
    add_shared_roots(nodes, &mut is_joint);
    let count = is_joint.iter().filter(|joint| **joint).count();
    if count > limits.joints {
        let message = format!("{count} joints; the limit is {}", limits.joints);
        return Err(FormatsError::refused(&codes::LIMIT, Place::default(), message));
    }
    let is_tip = tips(scene, nodes, &is_joint);
    let figures = trees(nodes, &is_joint, &is_tip, report);
    if let Some(deepest) = figures.iter().map(depth).max().filter(|deepest| *deepest > limits.depth) {
        let message = format!("{deepest} joints from root to tip; the limit is {}", limits.depth);
        return Err(FormatsError::refused(&codes::LIMIT, Place::default(), message));
    }
    Ok(without_strays(figures, report))
}

/// The number of joints from the root to the farthest tip.
fn depth(figure: &Figure) -> usize {
    let mut depths: Vec<usize> = Vec::with_capacity(figure.joints.len());
    for joint in &figure.joints {
        let above = joint.parent.and_then(|parent| depths.get(parent)).copied().unwrap_or(0);
        depths.push(above + 1);
    }
    depths.into_iter().max().unwrap_or(0)
}

/// Which nodes are bones.
fn bones(scene: &Scene, nodes: &Nodes<'_>) -> Vec<bool> {
    let mut bones: Vec<bool> = nodes.list.iter().map(|node| node.bone.is_some()).collect();
    for node in scene.skin_clusters.iter().filter_map(|cluster| cluster.bone_node.as_ref()) {
        if let Some(bone) = nodes.place(node).and_then(|place| bones.get_mut(place)) {
            *bone = true;
        }
    }
    bones
}

/// The nodes in trees of at least two nodes, one of them animated, without cameras, lights and the like.
fn moving_trees(scene: &Scene, nodes: &Nodes<'_>) -> Vec<bool> {
    let may_be_joint = |node: &Node| {
        let kind = node.attrib_type;
        !node.is_root
            && matches!(
                kind,
                ElementType::Unknown | ElementType::Empty | ElementType::Mesh | ElementType::Marker
            )
    };
    // The first node of the tree that each node belongs to.
    let mut tree_of: Vec<Option<usize>> = Vec::with_capacity(nodes.len());
    let mut sizes = vec![0usize; nodes.len()];
    for (place, node) in nodes.list.iter().enumerate() {
        let above = nodes.parent(place).and_then(|parent| *tree_of.get(parent)?);
        let tree = may_be_joint(node).then(|| above.unwrap_or(place));
        if let Some(size) = tree.and_then(|tree| sizes.get_mut(tree)) {
            *size += 1;
        }
        tree_of.push(tree);
    }
    let mut moves = vec![false; nodes.len()];
    for value in scene.anim_layers.iter().flat_map(|layer| layer.anim_props.iter()) {
        let has_keys = value.anim_value.curves.iter().flatten().any(|curve| !curve.keyframes.is_empty());
        let place = ufbx::as_node(&value.element).and_then(|node| nodes.place(node));
        let tree = place.and_then(|place| *tree_of.get(place)?);
        if let Some(mark) = tree.filter(|_| has_keys).and_then(|tree| moves.get_mut(tree)) {
            *mark = true;
        }
    }
    let is_figure =
        |tree: usize| sizes.get(tree).is_some_and(|size| *size > 1) && moves.get(tree) == Some(&true);
    tree_of.iter().map(|tree| tree.is_some_and(is_figure)).collect()
}

/// Bones, and nodes with bones above and below them.
fn with_nodes_between(nodes: &Nodes<'_>, bones: &[bool]) -> Vec<bool> {
    let mut above = Vec::with_capacity(nodes.len());
    for (place, bone) in bones.iter().enumerate() {
        let parent_has = nodes.parent(place).is_some_and(|parent| above.get(parent) == Some(&true));
        above.push(parent_has || *bone);
    }
    let mut below = vec![false; nodes.len()];
    for place in bones.iter().enumerate().filter(|(_, bone)| **bone).map(|(place, _)| place) {
        nodes.mark_with_ancestors(place, &mut below);
    }
    above.iter().zip(&below).map(|(above, below)| *above && *below).collect()
}

/// Makes the node above several trees of joints their root, if at most one of them branches.
fn add_shared_roots(nodes: &Nodes<'_>, is_joint: &mut [bool]) {
    let children = count_children(nodes, is_joint);
    // For each node that is not a joint: the number of trees directly below it, and how many of those branch.
    let mut trees = vec![(0usize, 0usize); nodes.len()];
    let mut tree_of: Vec<Option<usize>> = vec![None; nodes.len()];
    let mut branches = vec![false; nodes.len()];
    for place in 0..nodes.len() {
        if is_joint.get(place) != Some(&true) {
            continue;
        }
        let above = nodes.parent(place).and_then(|parent| *tree_of.get(parent)?);
        let tree = above.unwrap_or(place);
        if let Some(slot) = tree_of.get_mut(place) {
            *slot = Some(tree);
        }
        if children.get(place).is_some_and(|count| *count > 1)
            && let Some(mark) = branches.get_mut(tree)
        {
            *mark = true;
        }
    }
    for (place, tree) in tree_of.iter().enumerate() {
        let holder = nodes.parent(place).filter(|_| *tree == Some(place));
        if let Some((count, branching)) = holder.and_then(|holder| trees.get_mut(holder)) {
            *count += 1;
            *branching += usize::from(branches.get(place) == Some(&true));
        }
    }
    for (place, (count, branching)) in trees.iter().enumerate() {
        let is_scene = nodes.parent(place).is_none();
        if let Some(joint) = is_joint.get_mut(place).filter(|_| !is_scene && *count > 1 && *branching <= 1) {
            *joint = true;
        }
    }
}

/// The number of joints directly below each node.
fn count_children(nodes: &Nodes<'_>, is_joint: &[bool]) -> Vec<usize> {
    let mut counts = vec![0usize; nodes.len()];
    for (place, _) in is_joint.iter().enumerate().filter(|(_, joint)| **joint) {
        if let Some(count) = nodes.parent(place).and_then(|parent| counts.get_mut(parent)) {
            *count += 1;
        }
    }
    counts
}

/// Which joints mark only the end of a bone.
fn tips(scene: &Scene, nodes: &Nodes<'_>, is_joint: &[bool]) -> Vec<bool> {
    let mut is_held = count_children(nodes, is_joint).into_iter().map(|count| count > 0).collect::<Vec<_>>();
    let animated = scene.anim_layers.iter().flat_map(|layer| layer.anim_props.iter());
    let animated = animated.filter_map(|prop| ufbx::as_node(&prop.element));
    let bound = scene.skin_clusters.iter().filter_map(|cluster| cluster.bone_node.as_deref());
    for node in animated.chain(bound) {
        if let Some(held) = nodes.place(node).and_then(|place| is_held.get_mut(place)) {
            *held = true;
        }
    }
    let name = |place: usize| nodes.node(place).map_or("", |node| &*node.element.name);
    let is_end = |(place, held): (usize, &bool)| {
        let parent = nodes.parent(place).filter(|parent| is_joint.get(*parent) == Some(&true));
        let is_named = |parent| name(place).strip_suffix(TIP_SUFFIX).is_some_and(|stem| stem == name(parent));
        !held && is_joint.get(place) == Some(&true) && parent.is_some_and(is_named)
    };
    is_held.iter().enumerate().map(is_end).collect()
}

/// Splits the joints into trees.
fn trees(nodes: &Nodes<'_>, is_joint: &[bool], is_tip: &[bool], report: &mut Report) -> Vec<Figure> {
    let mut figures: Vec<(Figure, Names)> = Vec::new();
    let mut actor_names = Names::default();
    // The figure of each node, and the index of its joint.
    let mut seat_of: Vec<Option<(usize, usize)>> = vec![None; nodes.len()];
    for (place, node) in nodes.list.iter().enumerate() {
        if is_joint.get(place) != Some(&true) {
            continue;
        }
        let seat = nodes.parent(place).and_then(|parent| *seat_of.get(parent)?);
        let figure_index = seat.map_or(figures.len(), |(figure, _)| figure);
        if seat.is_none() {
            let name = actor_names.claim(&actor_name(nodes, place), "figure", report);
            figures.push((Figure { name, joints: Vec::new(), tips: Vec::new() }, Names::default()));
        }
        let Some((figure, names)) = figures.get_mut(figure_index) else { continue };
        if let Some((_, parent)) = seat.filter(|_| is_tip.get(place) == Some(&true)) {
            figure.tips.push(FigureTip { parent, node: place });
            continue;
        }
        let name = names.claim(&node.element.name, "joint", report);
        if let Some(slot) = seat_of.get_mut(place) {
            *slot = Some((figure_index, figure.joints.len()));
        }
        figure.joints.push(FigureJoint { name, node: place, parent: seat.map(|(_, joint)| joint) });
    }
    figures.into_iter().map(|(figure, _)| figure).collect()
}

/// The name of a figure: the namespace of its root (`Anna:Hips`), or else the topmost node above it.
fn actor_name(nodes: &Nodes<'_>, root: usize) -> String {
    let name = |place: usize| nodes.node(place).map_or("", |node| &*node.element.name);
    if let Some((space, _)) = name(root).rsplit_once(':').filter(|(space, _)| !space.is_empty()) {
        return space.to_owned();
    }
    let mut top = root;
    while let Some(parent) = nodes.parent(top).filter(|parent| nodes.parent(*parent).is_some()) {
        top = parent;
    }
    name(top).to_owned()
}

/// Omits chains that do not branch if there are figures that do.
fn without_strays(figures: Vec<Figure>, report: &mut Report) -> Vec<Figure> {
    let branches = |figure: &Figure| {
        let mut counts = vec![0usize; figure.joints.len()];
        let parents = figure.joints.iter().filter_map(|joint| joint.parent);
        parents.for_each(|parent| counts.iter_mut().skip(parent).take(1).for_each(|count| *count += 1));
        counts.iter().any(|count| *count > 1)
    };
    let (bodies, chains): (Vec<Figure>, Vec<Figure>) = figures.into_iter().partition(branches);
    if bodies.is_empty() {
        return chains;
    }
    for joint in chains.iter().filter_map(|chain| chain.joints.first()) {
        let message = format!("a chain of bones from {}", joint.name);
        report.warn(&codes::STRAY_BONES, Place::default().joint(joint.name.clone()), message);
    }
    bodies
}
