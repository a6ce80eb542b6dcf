//! The nodes of a scene, parents before children, and their transforms at a time.

use glam::{DAffine3, DQuat, DVec3};
use ufbx::{Anim, InheritMode, Node, Scene, Transform};

/// The nodes of the tree, depth first. The first is the root of the scene.
pub(super) struct Nodes<'s> {
    pub(super) list: Vec<&'s Node>,
    /// The parent of each node. `None` for the root of the scene.
    pub(super) parents: Vec<Option<usize>>,
    /// The index in the list for each node index of ufbx.
    place_of: Vec<Option<usize>>,
}

impl<'s> Nodes<'s> {
    pub(super) fn of(scene: &'s Scene) -> Self {
        let mut nodes =
            Self { list: Vec::new(), parents: Vec::new(), place_of: vec![None; scene.nodes.len()] };
        let mut to_visit: Vec<(&Node, Option<usize>)> = vec![(&scene.root_node, None)];
        while let Some((node, parent)) = to_visit.pop() {
            let place = nodes.list.len();
            match nodes.place_of.get_mut(node.element.typed_id as usize) {
                Some(slot @ None) => *slot = Some(place),
                _ => continue,
            }
            nodes.list.push(node);
            nodes.parents.push(parent);
            let children: &[ufbx::Ref<Node>] = &node.children;
            to_visit.extend(children.iter().rev().map(|child| (&**child, Some(place))));
        }
        nodes
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// The index of a node in the list.
    pub(super) fn place(&self, node: &Node) -> Option<usize> {
        self.place_of.get(node.element.typed_id as usize).copied().flatten()
    }

    pub(super) fn node(&self, place: usize) -> Option<&'s Node> {
        self.list.get(place).copied()
    }

    pub(super) fn parent(&self, place: usize) -> Option<usize> {
        self.parents.get(place).copied().flatten()
    }

    /// Marks a node and its ancestors.
    pub(super) fn mark_with_ancestors(&self, place: usize, marks: &mut [bool]) {
        let mut next = Some(place);
        while let Some(place) = next {
            match marks.get_mut(place) {
                Some(mark @ false) => *mark = true,
                _ => return,
            }
            next = self.parent(place);
        }
    }
}

/// The world transform of a node, and the scale that its children inherit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed {
    pub(super) world_from_node: DAffine3,
    world_from_unscaled: DAffine3,
    inherited_scale: DVec3,
    /// Scale and rotation relative to the parent.
    pub(super) scale: DVec3,
    pub(super) rotation: DQuat,
}

impl Placed {
    /// Computes the world transform of a node below its parent. Scale is inherited by the node's mode; see [`InheritMode`].
    fn under(parent: Option<&Placed>, scale_from: Option<&Placed>, node: &Node, local: &Transform) -> Self {
        let (mut translation, mut scale) = (vector(local.translation), vector(local.scale));
        let rotation = quaternion(local.rotation);
        let own_scale = scale;
        let above = match parent {
            None => DAffine3::IDENTITY,
            Some(parent) if node.inherit_mode == InheritMode::Normal => parent.world_from_node,
            Some(parent) => {
                translation *= parent.inherited_scale;
                scale *= scale_from.map_or(DVec3::ONE, |other| other.inherited_scale);
                parent.world_from_unscaled
            }
        };
        let unscaled = DAffine3::from_rotation_translation(rotation, translation);
        Self {
            world_from_node: above * unscaled * DAffine3::from_scale(scale),
            world_from_unscaled: above * unscaled,
            inherited_scale: scale,
            scale: own_scale,
            rotation,
        }
    }

    /// The world rotation of the node without scale: the orthonormalised columns of its matrix. A mirrored node has the rotation
    /// of its mirror image in x. A node with scale zero has the rotation it would have without.
    pub(super) fn world_rotation(&self, parent_rotation: DQuat) -> DQuat {
        rotation_of(self.world_from_node).unwrap_or(parent_rotation * self.rotation)
    }
}

/// The rotation of a matrix; see [`Placed::world_rotation`]. `None` if the matrix is singular.
pub(super) fn rotation_of(matrix: DAffine3) -> Option<DQuat> {
    let m = matrix.matrix3;
    let mirror = if m.determinant() < 0.0 { -1.0 } else { 1.0 };
    let x = (m.x_axis * mirror).try_normalize()?;
    let y = (m.y_axis - x * x.dot(m.y_axis)).try_normalize()?;
    let z = x.cross(y);
    let q = DQuat::from_mat3(&glam::DMat3::from_cols(x, y, z)).normalize();
    q.is_finite().then_some(q)
}

/// The world transforms of nodes at one time.
pub(super) struct World {
    /// One for each needed node; others keep their previous value.
    pub(super) placed: Vec<Option<Placed>>,
}

impl World {
    pub(super) fn new(nodes: &Nodes<'_>) -> Self {
        Self { placed: vec![None; nodes.len()] }
    }

    /// Computes the transforms of the needed nodes, parents before children, from an animation at a time, or from the current pose
    /// without one.
    pub(super) fn set(&mut self, nodes: &Nodes<'_>, wanted: &[usize], animation: Option<AnimationAt<'_>>) {
        for &place in wanted {
            let Some(node) = nodes.node(place) else { continue };
            let local = match animation {
                Some(AnimationAt { anim, animated, secs }) if animated.get(place) == Some(&true) => {
                    ufbx::evaluate_transform(anim, node, secs)
                }
                _ => node.local_transform,
            };
            let at = |place: Option<usize>| self.placed.get(place?).and_then(Option::as_ref);
            let parent = at(nodes.parent(place));
            let scale_from = at(node.inherit_scale_node.as_ref().and_then(|other| nodes.place(other)));
            let placed = Placed::under(parent, scale_from, node, &local);
            if let Some(slot) = self.placed.get_mut(place) {
                *slot = Some(placed);
            }
        }
    }

    pub(super) fn get(&self, place: usize) -> Option<&Placed> {
        self.placed.get(place)?.as_ref()
    }
}

/// An animation at a time.
#[derive(Clone, Copy)]
pub(super) struct AnimationAt<'a> {
    pub(super) anim: &'a Anim,
    /// Which nodes it animates.
    pub(super) animated: &'a [bool],
    pub(super) secs: f64,
}

pub(super) fn vector(v: ufbx::Vec3) -> DVec3 {
    DVec3::new(v.x, v.y, v.z)
}

pub(super) fn quaternion(q: ufbx::Quat) -> DQuat {
    DQuat::from_xyzw(q.x, q.y, q.z, q.w)
}
