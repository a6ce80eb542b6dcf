//! The body of a figure for those who draw it themselves.

use glam::Vec3;
use marey_motion::Skeleton;

use super::skeleton::RestBody;
use crate::gltf::mannequin;

/// The simple body that is written into a glTF, as plain arrays: what it looks like at rest, and which joints it follows.
///
/// ```
/// use marey_formats::gltf::Mannequin;
/// use marey_motion::{Joint, Skeleton, Vec3};
/// let joints = vec![Joint::new("a", None, Vec3::ZERO), Joint::new("b", Some(0), Vec3::Y)];
/// let body = Mannequin::of(&Skeleton::new(joints, vec![])?).unwrap();
/// assert_eq!(body.inverse_binds.len(), 2);
/// assert!(body.parts[0].triangles.iter().flatten().all(|&corner| (corner as usize) < body.parts[0].positions.len()));
/// # Ok::<(), marey_motion::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Mannequin {
    /// What is clothed, and what is bare: head and hands. The second may be empty.
    pub parts: [SkinnedMesh; 2],
    /// What takes a point of the world at rest to each joint's frame: columns of a matrix.
    pub inverse_binds: Vec<[f32; 16]>,
}

/// Triangles that follow joints.
#[derive(Debug, Clone, PartialEq)]
pub struct SkinnedMesh {
    /// Where each vertex is at rest, in metres.
    pub positions: Vec<Vec3>,
    /// Its normal, of unit length.
    pub normals: Vec<Vec3>,
    /// The joints that it follows.
    pub joints: Vec<[u16; 4]>,
    /// How many 255ths of each; they add up to 255.
    pub weights: Vec<[u8; 4]>,
    /// The corners of triangles, against the clock as seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

impl Mannequin {
    /// The body of a skeleton; `None` where it has no size, or more joints than can be numbered.
    pub fn of(skeleton: &Skeleton) -> Option<Self> {
        let body = RestBody::of(skeleton);
        let parts = body.meshes()?.map(SkinnedMesh::from);
        let inverse_binds = body.inverse_bind_matrices();
        let inverse_binds = inverse_binds.iter().map(|matrix| matrix.as_mat4().to_cols_array()).collect();
        Some(Self { parts, inverse_binds })
    }
}

impl From<mannequin::Mesh> for SkinnedMesh {
    fn from(mesh: mannequin::Mesh) -> Self {
        let (joints, weights) = mesh.weights.iter().map(|weights| weights.of_255()).unzip();
        let mannequin::Mesh { positions, normals, triangles, .. } = mesh;
        Self { positions, normals, joints, weights, triangles }
    }
}

impl RestBody<'_> {
    /// The meshes of the mannequin, where it has a size and its joints can be numbered.
    pub(super) fn meshes(&self) -> Option<[mannequin::Mesh; 2]> {
        let rest = mannequin::Rest { skeleton: self.skeleton, positions: &self.positions, tips: &self.tips };
        if self.skeleton.len() <= usize::from(u16::MAX) { mannequin::body(&rest) } else { None }
    }
}
