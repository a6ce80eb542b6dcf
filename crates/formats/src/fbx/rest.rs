//! The rest pose of a figure.
//!
//! A file has up to three candidates:
//!
//! 1. The bind pose of a skin.
//! 2. The pose with all rotations zero. In Maya, MotionBuilder and capture programs, pre-rotations contain the axes of the bones,
//!    and this is a T-pose.
//! 3. The current pose of the nodes. This is the rest pose in Blender's files and an arbitrary frame in others.
//!
//! The first candidate that stands is used. If none does, the first one is used, and [`marey_conventions`] looks for a frame that
//! stands.

use glam::{DAffine3, DQuat, DVec3};
use marey_motion::{Joint, Skeleton};
use ufbx::{Node, RotationOrder, Scene};

use super::figures::{Figure, FigureJoint, FigureTip};
use super::nodes::{Nodes, Placed, World, rotation_of, vector};

/// Rotation and position of each joint in its parent, in the order of a figure's joints.
#[derive(Clone)]
pub(super) struct Pose {
    pub(super) rotations: Vec<DQuat>,
    pub(super) offsets: Vec<DVec3>,
}

/// The positions of a figure's tips in the frames of their joints.
pub(super) fn tip_offsets(figure: &Figure, world: &World) -> Vec<DVec3> {
    let offset = |tip: &FigureTip| {
        let joint = world.get(figure.joints.get(tip.parent)?.node)?;
        let rotation = rotation_of(joint.world_from_node)?;
        Some(
            rotation.inverse()
                * (world.get(tip.node)?.world_from_node.translation - joint.world_from_node.translation),
        )
    };
    figure.tips.iter().map(|tip| offset(tip).unwrap_or_default()).collect()
}

impl Pose {
    /// The pose of a figure from the world transforms of its nodes. A joint without one is at its parent.
    pub(super) fn of(figure: &Figure, world: &World) -> Self {
        let mut pose = Self { rotations: Vec::new(), offsets: Vec::new() };
        let mut placed: Vec<(DQuat, DVec3)> = Vec::with_capacity(figure.joints.len());
        for joint in &figure.joints {
            let (above, origin) = above(&placed, joint);
            let here = world.get(joint.node);
            let rotation = here.map_or(above, |node: &Placed| node.world_rotation(above));
            let place = here.map_or(origin, |node| node.world_from_node.translation);
            pose.rotations.push((above.inverse() * rotation).normalize());
            pose.offsets.push(above.inverse() * (place - origin));
            placed.push((rotation, place));
        }
        pose
    }

    /// The same pose with these world rotations. Joints without one keep their rotation in their parents.
    fn with_world_rotations(&self, figure: &Figure, world_rotation: impl Fn(usize) -> Option<DQuat>) -> Self {
        let mut pose = Self { rotations: Vec::new(), offsets: self.offsets.clone() };
        let mut world: Vec<(DQuat, DVec3)> = Vec::with_capacity(figure.joints.len());
        for (index, (joint, local)) in figure.joints.iter().zip(&self.rotations).enumerate() {
            let (above, _) = above(&world, joint);
            let rotation = world_rotation(index).unwrap_or(above * *local);
            pose.rotations.push((above.inverse() * rotation).normalize());
            world.push((rotation, DVec3::ZERO));
        }
        pose
    }
}

/// World rotation and position of a joint's parent.
fn above(placed: &[(DQuat, DVec3)], joint: &FigureJoint) -> (DQuat, DVec3) {
    joint.parent.and_then(|parent| placed.get(parent)).copied().unwrap_or((DQuat::IDENTITY, DVec3::ZERO))
}

/// The matrix of each node in skins and bind poses.
pub(super) fn bind_matrices(scene: &Scene, nodes: &Nodes<'_>) -> Vec<Option<DAffine3>> {
    let mut matrices = vec![None; nodes.len()];
    let mut keep = |node: &Node, matrix: &ufbx::Matrix| {
        if let Some(slot @ None) = nodes.place(node).and_then(|place| matrices.get_mut(place)) {
            *slot = Some(affine(matrix));
        }
    };
    for cluster in &scene.skin_clusters {
        if let Some(node) = &cluster.bone_node {
            keep(node, &cluster.bind_to_world);
        }
    }
    for pose in scene.poses.iter().filter(|pose| pose.is_bind_pose) {
        pose.bone_poses.iter().for_each(|bone| keep(&bone.bone_node, &bone.bone_to_world));
    }
    matrices
}

/// Chooses the rest pose of a figure. `current` is the current pose of its nodes.
pub(super) fn choose(
    nodes: &Nodes<'_>,
    figure: &Figure,
    current: &Pose,
    world: &World,
    bind: &[Option<DAffine3>],
) -> Pose {
    let matrix = |index: usize| *bind.get(figure.joints.get(index)?.node)?;
    let bound_joints = (0..figure.joints.len()).filter(|index| matrix(*index).is_some()).count();
    let bound = (bound_joints * 2 > figure.joints.len()).then(|| {
        let mut pose = current.with_world_rotations(figure, |index| rotation_of(matrix(index)?));
        let root_place = matrix(0).map(|matrix| matrix.translation).filter(|place| place.is_finite());
        if let (Some(offset), Some(place)) = (pose.offsets.first_mut(), root_place) {
            *offset = place;
        }
        pose
    });
    let zero = Pose {
        rotations: zero_rotations(nodes, figure, world).unwrap_or_else(|| current.rotations.clone()),
        offsets: current.offsets.clone(),
    };
    let candidates = [bound, Some(zero), Some(current.clone())];
    let standing = candidates.iter().flatten().find(|pose| is_standing(figure, pose)).cloned();
    let [bound, ..] = candidates;
    standing.or(bound).unwrap_or_else(|| current.clone())
}

/// Rotations with all animated rotations zero, so that only pre- and post-rotations remain. Nodes above the figure are
/// unchanged.
fn zero_rotations(nodes: &Nodes<'_>, figure: &Figure, world: &World) -> Option<Vec<DQuat>> {
    let mut rotations = Vec::with_capacity(figure.joints.len());
    for joint in &figure.joints {
        let node = nodes.node(joint.node)?;
        let mut rotation = DQuat::IDENTITY;
        if node.use_rotation_space {
            rotation = euler(node, "PreRotation") * euler(node, "PostRotation").inverse();
        }
        if joint.parent.is_none() {
            let above = nodes.parent(joint.node).and_then(|parent| world.get(parent));
            rotation =
                above.and_then(|above| rotation_of(above.world_from_node)).unwrap_or_default() * rotation;
        }
        rotations.push(rotation);
    }
    Some(rotations)
}

/// A property of three angles in degrees. Pre- and post-rotations always rotate about x first.
fn euler(node: &Node, name: &str) -> DQuat {
    let Some(prop) = ufbx::find_prop(&node.element.props, name) else { return DQuat::IDENTITY };
    let ufbx::Vec4 { x, y, z, .. } = prop.value_vec4;
    let q = super::nodes::quaternion(ufbx::euler_to_quat(ufbx::Vec3 { x, y, z }, RotationOrder::Xyz));
    if q.is_finite() { q.normalize() } else { DQuat::IDENTITY }
}

fn is_standing(figure: &Figure, pose: &Pose) -> bool {
    let joints = figure.joints.iter().zip(pose.rotations.iter().zip(&pose.offsets)).map(
        |(joint, (rotation, offset))| {
            let mut rest = Joint::new(joint.name.as_str(), joint.parent, offset.as_vec3());
            rest.rest_rotation = rotation.as_quat();
            rest
        },
    );
    let Ok(skeleton) = Skeleton::new(joints.collect(), vec![]) else { return false };
    let guess = marey_conventions::roles::detect(&skeleton);
    skeleton.with_roles(&guess.roles).is_ok_and(|skeleton| marey_conventions::is_standing(&skeleton))
}

fn affine(m: &ufbx::Matrix) -> DAffine3 {
    let column = |x, y, z| vector(ufbx::Vec3 { x, y, z });
    DAffine3 {
        matrix3: glam::DMat3::from_cols(
            column(m.m00, m.m10, m.m20),
            column(m.m01, m.m11, m.m21),
            column(m.m02, m.m12, m.m22),
        ),
        translation: column(m.m03, m.m13, m.m23),
    }
}
