//! The nodes of a figure, and the values that put them into a pose.
//!
//! Reading removes scales and the nodes above a figure's root; a [`Rig`] is the inverse. A pose of the figure's skeleton becomes
//! local rotations and translations of the file's own nodes: the root's in the frame of the node above it, whatever that node's
//! scale and rotation, the others' in those of their parents.

use glam::{DMat4, DQuat, DVec3, Mat3, Quat, Vec3};
use marey_conventions::{DetectedConventions, UpAxis};
use serde::Serialize;

use super::document::Document;
use super::figures::Figure;
use super::nodes::{Local, Nodes, is_sheared, name_of};

/// A figure of a file: its nodes in the order of the skeleton's joints.
#[derive(Debug, Clone)]
pub(crate) struct Rig {
    /// The name of the figure.
    pub(crate) name: String,
    pub(super) joints: Vec<RigNode>,
    /// Position and rotation of the node above the root.
    above: (DVec3, DQuat),
    /// The names of nodes of the figure, or above it, whose scale is negative or zero.
    pub(super) mirrored: Vec<String>,
}

/// The node of a joint.
#[derive(Debug, Clone, Copy)]
pub(super) struct RigNode {
    pub(super) node: usize,
    /// The file's own transform.
    pub(super) local: Local,
    /// Whether the file gives the transform as a matrix.
    pub(super) has_matrix: bool,
    /// Whether the matrix is more than its translation, rotation and scale.
    pub(super) is_sheared: bool,
    /// The factor by which reading multiplies its translation.
    inherited_scale: DVec3,
    /// The same factor for its children.
    pub(super) child_scale: DVec3,
}

/// From Marey's conventions to those of a file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FileSpace {
    up: UpAxis,
    metres: f64,
}

impl FileSpace {
    /// The space in which the conventions were found.
    pub(super) fn of(detected: &DetectedConventions) -> Self {
        Self { up: detected.up_axis.value, metres: detected.unit.value.metres() }
    }

    fn point(self, at: Vec3) -> DVec3 {
        self.up.from_y_up(at).as_dvec3() / self.metres
    }

    fn rotation(self, q: Quat) -> DQuat {
        let axis = self.up.from_y_up(Vec3::new(q.x, q.y, q.z));
        Quat::from_xyzw(axis.x, axis.y, axis.z, q.w).as_dquat()
    }

    /// A point of the file in Marey's conventions.
    pub(super) fn to_marey(self, at: DVec3) -> Vec3 {
        self.up.to_y_up((at * self.metres).as_vec3())
    }
}

/// How a pose of a character's skeleton becomes transforms of the nodes of its file, for a program that shows the file itself.
///
/// With C for `file_from_marey`: joint n rotates by C q C⁻¹ in its parent. The root, and other joints that translate, are at
/// C p / `metres`, divided by their `scales`. For the root, both are relative to `above`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RigLayout {
    /// The node of each joint.
    pub nodes: Vec<usize>,
    /// The scale above each joint.
    pub scales: Vec<[f64; 3]>,
    /// The rotation from Marey's axes to those of the file, x y z w.
    pub file_from_marey: [f32; 4],
    /// Metres per unit of the file.
    pub metres: f64,
    /// Position of the node above the root, in units of the file.
    pub above_position: [f64; 3],
    /// Rotation of the node above the root, x y z w.
    pub above_rotation: [f64; 4],
}

impl Rig {
    pub(super) fn layout(&self, space: FileSpace) -> RigLayout {
        let axes = Mat3::from_cols(
            space.up.from_y_up(Vec3::X),
            space.up.from_y_up(Vec3::Y),
            space.up.from_y_up(Vec3::Z),
        );
        RigLayout {
            nodes: self.joints.iter().map(|joint| joint.node).collect(),
            scales: self.joints.iter().map(|joint| joint.inherited_scale.to_array()).collect(),
            file_from_marey: Quat::from_mat3(&axes).to_array(),
            metres: space.metres,
            above_position: self.above.0.to_array(),
            above_rotation: self.above.1.to_array(),
        }
    }

    pub(super) fn of(document: &Document, nodes: &Nodes, figure: &Figure) -> Self {
        let joint = |&node: &usize| {
            let local = *nodes.locals.get(node)?;
            let inherited_scale = nodes.inherited_scale.get(node).copied().unwrap_or(DVec3::ONE);
            let matrix =
                document.nodes.get(node).and_then(|node| node.matrix).map(|m| DMat4::from_cols_array(&m));
            Some(RigNode {
                node,
                local,
                has_matrix: matrix.is_some(),
                is_sheared: matrix.is_some_and(|matrix| is_sheared(matrix, &local)),
                inherited_scale,
                child_scale: nodes.child_scale(node),
            })
        };
        let root = figure.root();
        let above = nodes.parents.get(root).copied().flatten();
        let above_root = above.map_or((DVec3::ZERO, DQuat::IDENTITY), |node| {
            (nodes.world_position(node), nodes.world_rotation(node))
        });
        let chain = nodes.with_ancestors(root).skip(1).chain(figure.nodes.iter().copied());
        let is_mirrored = |node: &usize| {
            let scale = nodes.locals.get(*node).map_or(DVec3::ONE, |local| local.scale);
            !(scale.x * scale.y * scale.z > 0.0 && scale.min_element() > 0.0)
        };
        let name = |node: usize| document.nodes.get(node).map(|data| name_of(node, data));
        Self {
            name: figure.name.clone(),
            joints: figure.nodes.iter().filter_map(joint).collect(),
            above: above_root,
            mirrored: chain.filter(is_mirrored).filter_map(name).collect(),
        }
    }

    /// The local rotation of a joint's node for its rotation in Marey; the root's is in the world.
    pub(super) fn rotation(&self, joint: usize, rotation: Quat, space: FileSpace) -> Quat {
        let rotation = space.rotation(rotation);
        let rotation = if joint == 0 { self.above.1.inverse() * rotation } else { rotation };
        rotation.as_quat()
    }

    /// The local translation of a joint's node for its translation in Marey; the root's is in the world.
    pub(super) fn translation(&self, joint: usize, at: Vec3, space: FileSpace) -> Vec3 {
        let at = space.point(at);
        let (above_at, above_rotation) = self.above;
        let at = if joint == 0 { above_rotation.inverse() * (at - above_at) } else { at };
        let scale = self.joints.get(joint).map_or(DVec3::ONE, |joint| joint.inherited_scale);
        (at / scale).as_vec3()
    }
}
