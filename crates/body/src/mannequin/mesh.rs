//! Triangles with normals, skinned to joints.

use glam::Vec3;

/// The joints that a vertex follows, at most four, and their weights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Weights {
    joints: [usize; 4],
    values: [f32; 4],
}

impl Weights {
    /// Follows one joint.
    pub(super) fn all(joint: usize) -> Self {
        Self { joints: [joint, 0, 0, 0], values: [1.0, 0.0, 0.0, 0.0] }
    }

    /// Follows two joints: only the first if the fraction is 0, only the second if it is 1.
    pub(super) fn between(first: usize, second: usize, fraction: f32) -> Self {
        let fraction = fraction.clamp(0.0, 1.0);
        if first == second || fraction == 0.0 {
            return Self::all(first);
        }
        if fraction == 1.0 {
            return Self::all(second);
        }
        Self { joints: [first, second, 0, 0], values: [1.0 - fraction, fraction, 0.0, 0.0] }
    }

    /// The joints and their weights in 255ths, which add up to 255. Unused slots name joint 0.
    pub(super) fn of_255(&self) -> ([u16; 4], [u8; 4]) {
        let mut parts = self.values.map(|value| (value * 255.0).round() as u8);
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
pub(super) struct Mesh {
    pub(super) positions: Vec<Vec3>,
    pub(super) normals: Vec<Vec3>,
    pub(super) weights: Vec<Weights>,
    pub(super) triangles: Vec<[u32; 3]>,
}

impl Mesh {
    /// Adds a closed piece whose triangles index its own vertices. Orients it outwards and computes smooth normals.
    pub(super) fn add(&mut self, vertices: &[(Vec3, Weights)], mut triangles: Vec<[usize; 3]>) {
        let at = |index: usize| vertices.get(index).map_or(Vec3::ZERO, |(at, _)| *at);
        let volume = |[a, b, c]: &[usize; 3]| at(*a).dot(at(*b).cross(at(*c)));
        if triangles.iter().map(volume).sum::<f32>() < 0.0 {
            triangles.iter_mut().for_each(|triangle| triangle.reverse());
        }
        let mut normals = vec![Vec3::ZERO; vertices.len()];
        for &[a, b, c] in &triangles {
            // Its length is twice the area, so larger triangles weigh more.
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
        fn weights_add_up(fraction in -1f32..2.0) {
            let (joints, parts) = Weights::between(3, 9, fraction).of_255();
            prop_assert_eq!(parts.iter().map(|part| u32::from(*part)).sum::<u32>(), 255);
            for (joint, part) in joints.iter().zip(parts) {
                prop_assert!(part > 0 || *joint == 0);
            }
        }
    }

    #[test]
    fn pieces_face_outwards_in_either_winding() {
        let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z].map(|at| (at, Weights::all(0)));
        let faces = vec![[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]];
        for faces in [faces.clone(), faces.into_iter().map(|[a, b, c]| [c, b, a]).collect()] {
            let mut mesh = Mesh::default();
            mesh.add(&corners, faces);
            assert!(mesh.normals[0].dot(Vec3::ONE) < -0.9 && mesh.normals[1].x > 0.5);
        }
    }
}
