//! Writes a skeleton as nodes in its rest pose.

use glam::{Quat, Vec3};
use marey_body::RestSkeleton;

use super::scene::{Node, Scene};

/// Adds a node named after the actor, then a node for each joint, then one for each tip. Returns the index of the first.
pub(super) fn add_nodes(rest: &RestSkeleton<'_>, actor: &str, scene: &mut Scene) -> usize {
    let first = scene.nodes.len();
    let joint_node = |joint: usize| first + 1 + joint;
    scene.add_root(Node { name: actor.to_owned(), children: vec![joint_node(0)], ..Node::default() });
    for joint in rest.skeleton.joints() {
        let offset = if joint.parent.is_some() { joint.offset } else { rest.root };
        scene.add(Node {
            name: joint.name.clone(),
            translation: (offset != Vec3::ZERO).then(|| offset.to_array()),
            rotation: (joint.rest_rotation != Quat::IDENTITY).then(|| joint.rest_rotation.to_array()),
            ..Node::default()
        });
    }
    let mut below: Vec<(usize, usize)> = Vec::new();
    for (joint, data) in rest.skeleton.joints().iter().enumerate() {
        below.extend(data.parent.map(|parent| (parent, joint_node(joint))));
    }
    for tip in rest.skeleton.tips() {
        let joint = rest.skeleton.joints().get(tip.parent);
        let name = format!("{}_end", joint.map_or("", |joint| joint.name.as_str()));
        let translation = (tip.offset != Vec3::ZERO).then(|| tip.offset.to_array());
        below.push((tip.parent, scene.add(Node { name, translation, ..Node::default() })));
    }
    for (parent, child) in below {
        if let Some(node) = scene.nodes.get_mut(joint_node(parent)) {
            node.children.push(child);
        }
    }
    first
}
