//! A simple mesh for a skeleton, so that an exported file shows a person in any viewer.
//!
//! A skeleton with the roles of a person gets limbs, a trunk, a head, hands and feet, whose thicknesses are fractions of the stature,
//! chosen by eye. Any other skeleton gets a rod for each bone. All pieces are [lofts](loft): rings around a line, skinned to the
//! joints they lie at. Pieces overlap where they meet, like the sockets of a wooden mannequin. Only knees, elbows, the trunk and
//! the balls of the feet bend smoothly.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unreachable
    )
)]

mod extremities;
mod human;
mod loft;
mod mesh;
mod rods;

use human::Human;
use marey_motion::{Skeleton, Vec3};
use mesh::Mesh;

use crate::RestSkeleton;

/// A mesh in the rest pose of a skeleton, skinned to its joints.
///
/// ```
/// use marey_body::Mannequin;
/// use marey_motion::{Joint, Skeleton, Vec3};
/// let joints = vec![Joint::new("a", None, Vec3::ZERO), Joint::new("b", Some(0), Vec3::Y)];
/// let mannequin = Mannequin::of(&Skeleton::new(joints, vec![])?).unwrap();
/// assert_eq!(mannequin.inverse_binds.len(), 2);
/// let suit = &mannequin.parts[0];
/// assert!(suit.triangles.iter().flatten().all(|&corner| (corner as usize) < suit.positions.len()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Mannequin {
    /// The clothed part, and the bare part (head and hands), which may be empty.
    pub parts: [SkinnedMesh; 2],
    /// For each joint the matrix that takes a point of the rest pose to the joint's frame, by columns.
    pub inverse_binds: Vec<[f32; 16]>,
}

/// Triangles that follow joints.
#[derive(Debug, Clone, PartialEq)]
pub struct SkinnedMesh {
    /// The position of each vertex at rest, in metres.
    pub positions: Vec<Vec3>,
    /// The normal of each vertex, of unit length.
    pub normals: Vec<Vec3>,
    /// The joints that each vertex follows.
    pub joints: Vec<[u16; 4]>,
    /// The weight of each of these joints in 255ths; they add up to 255.
    pub weights: Vec<[u8; 4]>,
    /// The corners of each triangle, counter-clockwise as seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

impl Mannequin {
    /// The mannequin of a skeleton standing on the floor; `None` if it has no size or more than 65,535 joints.
    pub fn of(skeleton: &Skeleton) -> Option<Self> {
        Self::at_rest(&RestSkeleton::on_floor(skeleton))
    }

    /// The mannequin of a skeleton in this rest pose; `None` if it has no size or more than 65,535 joints.
    pub fn at_rest(rest: &RestSkeleton<'_>) -> Option<Self> {
        if rest.skeleton.len() > usize::from(u16::MAX) {
            return None;
        }
        let (mut suit, mut skin) = (Mesh::default(), Mesh::default());
        match Human::of(rest) {
            Some(human) => human.build(&mut suit, &mut skin),
            None => rods::build(rest, &mut suit),
        }
        let inverse_binds = rest.inverse_bind_matrices();
        let inverse_binds = inverse_binds.iter().map(|matrix| matrix.as_mat4().to_cols_array()).collect();
        let parts = [suit, skin].map(SkinnedMesh::from);
        (!parts.iter().all(SkinnedMesh::is_empty)).then_some(Self { parts, inverse_binds })
    }
}

impl SkinnedMesh {
    /// Whether there are no triangles.
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }
}

impl From<Mesh> for SkinnedMesh {
    fn from(mesh: Mesh) -> Self {
        let (joints, weights) = mesh.weights.iter().map(|weights| weights.of_255()).unzip();
        let Mesh { positions, normals, triangles, .. } = mesh;
        Self { positions, normals, joints, weights, triangles }
    }
}
