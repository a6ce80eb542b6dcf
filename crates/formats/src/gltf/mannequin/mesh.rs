//! Triangles with normals, skinned to joints.

use glam::Vec3;

/// The joints a vertex follows, and how much of each; at most four.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::gltf) struct Weights {
    joints: [usize; 4],
    shares: [f32; 4],
}

impl Weights {
    /// All of one joint.
    pub(super) fn all(joint: usize) -> Self {
        Self { joints: [joint, 0, 0, 0], shares: [1.0, 0.0, 0.0, 0.0] }
    }

    /// Between two joints: 0 is all of the first, 1 all of the second.
    pub(super) fn between(first: usize, second: usize, share: f32) -> Self {
        let share = share.clamp(0.0, 1.0);
        if first == second || share == 0.0 {
            return Self::all(first);
        }
        if share == 1.0 {
            return Self::all(second);
        }
        Self { joints: [first, second, 0, 0], shares: [1.0 - share, share, 0.0, 0.0] }
    }

    /// The joints and how many 255ths of each, which add up to 255. What has none names joint 0.
    pub(in crate::gltf) fn of_255(&self) -> ([u16; 4], [u8; 4]) {
        let mut parts = self.shares.map(|share| (share * 255.0).round() as u8);
        let rest: u8 = parts.iter().skip(1).fold(0, |sum, part| sum.saturating_add(*part));
        if let Some(first) = parts.first_mut() {
            *first = 255 - rest;
        }
        let mut joints = self.joints.map(|joint| joint as u16);
        for (joint, part) in joints.iter_mut().zip(parts) {
            *joint = if part == 0 { 0 } else { *joint };
        }
        (joints, parts)
    }
}

/// Vertices and the triangles between them.
#[derive(Debug, Clone, Default)]
pub(in crate::gltf) struct Mesh {
    pub(in crate::gltf) positions: Vec<Vec3>,
    pub(in crate::gltf) normals: Vec<Vec3>,
    pub(in crate::gltf) weights: Vec<Weights>,
    pub(in crate::gltf) triangles: Vec<[u32; 3]>,
}

impl Mesh {
    pub(in crate::gltf) fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// Adds a closed piece, its triangles in the order of its own vertices. Turns it right side out, and gives it smooth normals.
    pub(super) fn add(&mut self, vertices: &[(Vec3, Weights)], mut triangles: Vec<[usize; 3]>) {
        let at = |index: usize| vertices.get(index).map_or(Vec3::ZERO, |(at, _)| *at);
        let volume = |[a, b, c]: &[usize; 3]| at(*a).dot(at(*b).cross(at(*c)));
        if triangles.iter().map(volume).sum::<f32>() < 0.0 {
            triangles.iter_mut().for_each(|triangle| triangle.reverse());
        }
        let mut normals = vec![Vec3::ZERO; vertices.len()];
        for &[a, b, c] in &triangles {
            // Twice the area long: larger triangles count for more.
            let normal = (at(b) - at(a)).cross(at(c) - at(a));
            for corner in [a, b, c] {
                if let Some(sum) = normals.get_mut(corner) {
                    *sum += normal;
                }
            }
        }
        let first = self.positions.len();
        self.positions.extend(vertices.iter().map(|(at, _)| *at));
        self.weights.extend(vertices.iter().map(|(_, weights)| *weights));
        self.normals.extend(normals.into_iter().map(|sum| unit(sum * 1e6)));
        self.triangles
            .extend(triangles.into_iter().map(|corners| corners.map(|corner| (first + corner) as u32)));
    }
}

fn unit(v: Vec3) -> Vec3 {
    v.try_normalize().unwrap_or(Vec3::Y)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn shares_add_up(share in -1f32..2.0) {
            let (joints, parts) = Weights::between(3, 9, share).of_255();
            prop_assert_eq!(parts.iter().map(|part| u32::from(*part)).sum::<u32>(), 255);
            for (joint, part) in joints.iter().zip(parts) {
                prop_assert!(part > 0 || *joint == 0);
            }
        }
    }

    #[test]
    fn pieces_are_right_side_out_however_they_are_given() {
        let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z].map(|at| (at, Weights::all(0)));
        let faces = vec![[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]];
        for faces in [faces.clone(), faces.into_iter().map(|[a, b, c]| [c, b, a]).collect()] {
            let mut mesh = Mesh::default();
            mesh.add(&corners, faces);
            assert!(mesh.normals[0].dot(Vec3::ONE) < -0.9 && mesh.normals[1].x > 0.5);
        }
    }
}
