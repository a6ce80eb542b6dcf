//! A skeleton as nodes in its rest pose.

use glam::{DMat4, Quat, Vec3};
use marey_motion::Skeleton;

use super::scene::{Node, Scene};

/// A skeleton at rest, standing on the floor.
pub(super) struct RestBody<'a> {
    pub(super) skeleton: &'a Skeleton,
    /// Where each joint is in the world.
    pub(super) positions: Vec<Vec3>,
    /// Each tip: its joint, and where it is in the world.
    pub(super) tips: Vec<(usize, Vec3)>,
    rotations: Vec<Quat>,
    /// Where the root is.
    root: Vec3,
}

impl<'a> RestBody<'a> {
    /// The rest pose of a skeleton over the middle of the floor: a root's own offset says little, and with most it would
    /// put the figure's feet below the floor.
    pub(super) fn of(skeleton: &'a Skeleton) -> Self {
        let rotations = skeleton.rest_world_rotations();
        let mut positions = skeleton.rest_positions();
        let own = positions.first().copied().unwrap_or_default();
        let tip_at = |positions: &[Vec3], tip: &marey_motion::Tip| {
            let (at, turn) = (positions.get(tip.parent)?, rotations.get(tip.parent)?);
            Some((tip.parent, *at + *turn * tip.offset))
        };
        let tips: Vec<(usize, Vec3)> =
            skeleton.tips().iter().filter_map(|tip| tip_at(&positions, tip)).collect();
        let heights = positions.iter().chain(tips.iter().map(|(_, at)| at)).map(|at| at.y);
        let lowest_m = heights.fold(f32::INFINITY, f32::min);
        let root = Vec3::new(0.0, own.y - lowest_m, 0.0);
        let carry = root - own;
        positions.iter_mut().for_each(|at| *at += carry);
        let tips = tips.into_iter().map(|(joint, at)| (joint, at + carry)).collect();
        Self { skeleton, positions, tips, rotations, root }
    }

    /// Adds a node named after the actor, one for each joint behind it, and one for each tip behind those; the first's number.
    pub(super) fn add_nodes(&self, actor: &str, scene: &mut Scene) -> usize {
        let first = scene.nodes.len();
        let joint_node = |joint: usize| first + 1 + joint;
        scene.add_root(Node { name: actor.to_owned(), children: vec![joint_node(0)], ..Node::default() });
        for joint in self.skeleton.joints() {
            let offset = if joint.parent.is_some() { joint.offset } else { self.root };
            scene.add(Node {
                name: joint.name.clone(),
                translation: (offset != Vec3::ZERO).then(|| offset.to_array()),
                rotation: (joint.rest_rotation != Quat::IDENTITY).then(|| joint.rest_rotation.to_array()),
                ..Node::default()
            });
        }
        let mut below: Vec<(usize, usize)> = Vec::new();
        for (joint, data) in self.skeleton.joints().iter().enumerate() {
            below.extend(data.parent.map(|parent| (parent, joint_node(joint))));
        }
        for tip in self.skeleton.tips() {
            let joint = self.skeleton.joints().get(tip.parent);
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

    /// What takes a point of the world to each joint's frame at rest.
    pub(super) fn inverse_bind_matrices(&self) -> Vec<DMat4> {
        let matrix = |(at, turn): (&Vec3, &Quat)| {
            let turn = turn.as_dquat().normalize();
            let mut inverse = DMat4::from_rotation_translation(turn, at.as_dvec3()).inverse();
            // Exactly so by the specification, whatever was rounded.
            inverse.x_axis.w = 0.0;
            inverse.y_axis.w = 0.0;
            inverse.z_axis.w = 0.0;
            inverse.w_axis.w = 1.0;
            inverse
        };
        self.positions.iter().zip(&self.rotations).map(matrix).collect()
    }
}
