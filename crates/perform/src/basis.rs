//! The directions in which a pose varies, largest variance first: the eigenvectors of an example's covariance (sections 6.2, 7).
//!
//! A pose is described by one rotation vector per joint, in the joint's own frame, relative to a reference pose. Each column of B is
//! scaled by its standard deviation √λ, so that the smallest solution is the most likely one.
//!
//! Changed: a small multiple of a general human covariance (`prior`) is added to that of Q. Directions that Q never shows then come
//! last, in a defined order, and a body without Q still has a basis.

use glam::{Quat, Vec3};
use marey_motion::{Role, Skeleton};
use nalgebra::DMatrix;

use crate::pose_solver::dot;

/// The principal directions of poses.
#[derive(Debug, Clone)]
pub(crate) struct Basis {
    /// The length of a pose vector: three numbers per joint.
    pub(crate) dims: usize,
    /// The directions, one after another, each scaled by its standard deviation, in radians.
    pub(crate) columns: Vec<f32>,
    /// The eigenvalue λ of each direction.
    pub(crate) variances: Vec<f32>,
}

/// The smallest standard deviation of a direction that is used, in radians.
const MIN_DEVIATION_RAD: f32 = 0.004;
/// The weight of the prior that is added to an example's covariance.
const PRIOR_WEIGHT: f32 = 0.05;

impl Basis {
    /// The directions of poses around their mean; without poses, those of the prior.
    pub(crate) fn new(skeleton: &Skeleton, deviations: &[Vec<f32>]) -> Self {
        let dims = 3 * skeleton.len();
        let prior_weight = if deviations.is_empty() { 1.0 } else { PRIOR_WEIGHT };
        let mut covariance = prior(skeleton) * prior_weight;
        for row in deviations {
            let row = DMatrix::from_row_slice(1, dims, row);
            covariance += row.transpose() * row / deviations.len() as f32;
        }
        let eigen = covariance.symmetric_eigen();
        let mut order: Vec<usize> = (0..dims).collect();
        order.sort_by(|&a, &b| eigen.eigenvalues[b].total_cmp(&eigen.eigenvalues[a]).then(a.cmp(&b)));
        let mut basis = Self { dims, columns: Vec::new(), variances: Vec::new() };
        for index in order {
            let variance = eigen.eigenvalues[index];
            if variance.is_nan() || variance < MIN_DEVIATION_RAD * MIN_DEVIATION_RAD {
                continue;
            }
            let vector = eigen.eigenvectors.column(index);
            // Eigenvectors have no sign. Making the largest component positive gives the same basis on every run.
            let largest = vector.iter().copied().max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or(1.0);
            let scale = variance.sqrt() * largest.signum();
            basis.columns.extend(vector.iter().map(|v| v * scale));
            basis.variances.push(variance);
        }
        basis
    }

    /// The number of directions.
    pub(crate) fn len(&self) -> usize {
        self.variances.len()
    }

    /// One direction, scaled by its standard deviation.
    pub(crate) fn column(&self, index: usize) -> &[f32] {
        &self.columns[index * self.dims..][..self.dims]
    }

    /// Σ z_i √λ_i b_i: a deviation of the pose.
    pub(crate) fn deviation_into(&self, z: &[f32], out: &mut [f32]) {
        out.fill(0.0);
        for (index, z) in z.iter().enumerate().filter(|(_, z)| **z != 0.0) {
            for (out, value) in out.iter_mut().zip(self.column(index)) {
                *out += z * value;
            }
        }
    }

    /// The coordinates of a deviation in units of the standard deviations: Bᵀ v / √λ.
    pub(crate) fn coordinates_into(&self, deviation: &[f32], z: &mut [f32]) {
        for (index, z) in z.iter_mut().enumerate().take(self.len()) {
            *z = dot(self.column(index), deviation) / self.variances[index];
        }
    }
}

/// The rotation from one rotation to another, as a rotation vector in the joint's own frame.
pub(crate) fn log(from: Quat, to: Quat) -> Vec3 {
    let rotation = from.inverse() * to;
    (if rotation.w < 0.0 { -rotation } else { rotation }).to_scaled_axis()
}

/// The standard deviations of human joint rotations about the axes of the body (left, up, ahead), in radians.
fn deviations_rad(role: Option<Role>) -> Vec3 {
    let Some(role) = role else { return Vec3::splat(0.01) };
    match role.on(marey_motion::Side::Left) {
        Role::Hips => Vec3::splat(0.45),
        Role::Spine | Role::Chest | Role::UpperChest => Vec3::new(0.14, 0.08, 0.08),
        Role::Neck | Role::Head => Vec3::splat(0.06),
        Role::LeftShoulder => Vec3::splat(0.10),
        Role::LeftUpperArm => Vec3::splat(0.7),
        Role::LeftLowerArm => Vec3::new(0.05, 0.5, 0.4),
        Role::LeftHand => Vec3::splat(0.2),
        Role::LeftUpperLeg => Vec3::new(0.6, 0.25, 0.25),
        // Knees are hinges.
        Role::LeftLowerLeg => Vec3::new(0.6, 0.01, 0.01),
        Role::LeftFoot => Vec3::new(0.3, 0.06, 0.08),
        Role::LeftToes => Vec3::new(0.12, 0.01, 0.01),
        _ => Vec3::splat(0.01),
    }
}

/// A general covariance of human poses.
fn prior(skeleton: &Skeleton) -> DMatrix<f32> {
    let rest_rotations = skeleton.rest_world_rotations();
    let dims = 3 * skeleton.len();
    let mut covariance = DMatrix::zeros(dims, dims);
    for (joint, rest_rotation) in rest_rotations.iter().enumerate() {
        let deviations = deviations_rad(skeleton.joints()[joint].role);
        // From the axes of the body at rest to those of the joint.
        for (axis, deviation) in Vec3::AXES.into_iter().zip(deviations.to_array()) {
            let local = (rest_rotation.inverse() * axis).to_array();
            for row in 0..3 {
                for column in 0..3 {
                    covariance[(3 * joint + row, 3 * joint + column)] +=
                        local[row] * local[column] * deviation * deviation;
                }
            }
        }
    }
    covariance
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_orthogonal_and_those_of_the_example_come_first() {
        let skeleton = marey_body::BodyProportions::default().skeleton().unwrap();
        let knee = 3 * skeleton.joint_of(Role::LeftLowerLeg).unwrap();
        let rows: Vec<Vec<f32>> = (0..40)
            .map(|frame| {
                let mut row = vec![0.0; 3 * skeleton.len()];
                row[knee] = (frame as f32 * 0.3).sin();
                row[knee + 9] = 0.5 * row[knee];
                row
            })
            .collect();
        let basis = Basis::new(&skeleton, &rows);
        let first = basis.column(0);
        assert!(first[knee].abs() > 0.6 && (first[knee + 9] / first[knee] - 0.5).abs() < 0.02);
        for a in 0..basis.len() {
            for b in 0..a {
                let dot: f32 = basis.column(a).iter().zip(basis.column(b)).map(|(a, b)| a * b).sum();
                let size = (basis.variances[a] * basis.variances[b]).sqrt();
                assert!(dot.abs() < 1e-2 * size.max(1e-4), "{a} {b}: {dot}");
            }
        }
        let mut z = vec![0.0; basis.len()];
        let mut back = vec![0.0; basis.dims];
        basis.coordinates_into(&rows[3], &mut z);
        basis.deviation_into(&z, &mut back);
        assert!(rows[3].iter().zip(&back).all(|(a, b)| (a - b).abs() < 1e-2));
    }
}
