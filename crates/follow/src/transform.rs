//! The transform that aligns an example with the control: M of equation 2.
//!
//! Hsu, Gentry and Popović (2004) translate on the floor and rotate about the vertical, for which [`marey_ops::align`] has
//! the closed form. They mention two others: a full rigid transform (section 4.1; the Procrustes problem), solved here by
//! the singular value decomposition of the covariance, after Arun, Huang and Blostein (*Least-squares fitting of two 3-D
//! point sets*, 1987) with Umeyama's (1991) guard against reflections; and none (section 7).

use marey_motion::{Ground, Quat, Vec3};
use marey_ops::align::align;
use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};
use serde::{Deserialize, Serialize};

use crate::Result;

/// How an example may be transformed to match the control.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Transform {
    /// Not at all: absolute positions matter, as for faces or pedals.
    None,
    /// On the floor: x, z, yaw.
    #[default]
    Ground,
    /// In space. Such an interpretation has a transcript but no plan, since it is not on the floor.
    Rigid,
}

/// A rigid transform that aligns an example with the control.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RigidMotion {
    /// On the floor.
    Ground(Ground),
    /// In space: a rotation, then a translation.
    Rigid {
        /// The rotation.
        turn: Quat,
        /// The translation, in metres.
        shift: Vec3,
    },
}

impl RigidMotion {
    /// Appends the transformed points.
    pub(crate) fn apply(&self, points: &[Vec3], into: &mut Vec<Vec3>) {
        match *self {
            RigidMotion::Ground(ground) => {
                let (sin, cos) = ground.yaw_rad.sin_cos();
                into.extend(points.iter().map(|p| {
                    Vec3::new(cos * p.x + sin * p.z + ground.x, p.y, cos * p.z - sin * p.x + ground.z)
                }));
            }
            RigidMotion::Rigid { turn, shift } => into.extend(points.iter().map(|&p| turn * p + shift)),
        }
    }
}

impl Transform {
    /// The transform of the points `a` that is nearest to the points `x`, and the weighted sum of squares that remains
    /// (equations 1 and 2).
    pub(crate) fn align(self, x: &[Vec3], a: &[Vec3], weights: &[f32]) -> Result<(RigidMotion, f64)> {
        match self {
            Transform::None => Ok((RigidMotion::Ground(Ground::IDENTITY), squared(x, a, weights))),
            Transform::Ground => {
                let aligned = align(x, a, weights)?;
                Ok((RigidMotion::Ground(aligned.x_from_a), aligned.squared_m2))
            }
            Transform::Rigid => Ok(rigid(x, a, weights)),
        }
    }
}

/// The weighted sum of squared distances of pairs.
pub(crate) fn squared(x: &[Vec3], a: &[Vec3], weights: &[f32]) -> f64 {
    let pairs = x.iter().zip(a).zip(weights);
    pairs.map(|((x, a), &w)| f64::from(w) * f64::from(x.distance_squared(*a))).sum()
}

fn rigid(x: &[Vec3], a: &[Vec3], weights: &[f32]) -> (RigidMotion, f64) {
    let wide = |p: &Vec3| Vector3::new(f64::from(p.x), f64::from(p.y), f64::from(p.z));
    let sum = weights.iter().map(|&w| f64::from(w)).sum::<f64>().max(f64::MIN_POSITIVE);
    let mean = |points: &[Vec3]| {
        let weighted = points.iter().zip(weights).map(|(p, &w)| wide(p) * f64::from(w));
        weighted.sum::<Vector3<f64>>() / sum
    };
    let (mx, ma) = (mean(x), mean(a));
    let mut covariance = Matrix3::zeros();
    for ((x, a), &w) in x.iter().zip(a).zip(weights) {
        covariance += (wide(x) - mx) * (wide(a) - ma).transpose() * f64::from(w);
    }
    let svd = covariance.svd(true, true);
    let (Some(u), Some(v_t)) = (svd.u, svd.v_t) else {
        return (RigidMotion::Ground(Ground::IDENTITY), squared(x, a, weights));
    };
    let handedness = if (u * v_t).determinant() < 0.0 { -1.0 } else { 1.0 };
    let turn = u * Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, handedness)) * v_t;
    let mut residual = 0.0;
    for ((x, a), &w) in x.iter().zip(a).zip(weights) {
        residual += f64::from(w) * ((wide(x) - mx) - turn * (wide(a) - ma)).norm_squared();
    }
    let shift = mx - turn * ma;
    let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(turn));
    let turn = Quat::from_xyzw(turn.i as f32, turn.j as f32, turn.k as f32, turn.w as f32).normalize();
    let shift = Vec3::new(shift.x as f32, shift.y as f32, shift.z as f32);
    (RigidMotion::Rigid { turn, shift }, residual)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn points() -> impl Strategy<Value = Vec<Vec3>> {
        let point = (-2f32..2.0, 0f32..2.0, -2f32..2.0).prop_map(|(x, y, z)| Vec3::new(x, y, z));
        proptest::collection::vec(point, 4..20)
    }

    proptest! {
        #[test]
        fn freer_transforms_leave_a_smaller_residual(pairs in points(), other in points()) {
            let count = pairs.len().min(other.len());
            let (x, a) = (&pairs[..count], &other[..count]);
            let weights: Vec<f32> = (0..count).map(|i| 0.5 + i as f32 / 7.0).collect();
            let mut before = f64::INFINITY;
            for transform in [Transform::None, Transform::Ground, Transform::Rigid] {
                let (motion, residual) = transform.align(x, a, &weights).unwrap();
                let mut moved = Vec::new();
                motion.apply(a, &mut moved);
                prop_assert!((squared(x, &moved, &weights) - residual).abs() < 1e-3 * (1.0 + residual));
                prop_assert!(residual <= before * (1.0 + 1e-5));
                before = residual;
            }
        }

        #[test]
        fn a_rotated_copy_is_aligned_exactly(a in points(), axis in (-1f32..1.0, -1f32..1.0, 0.1f32..1.0), angle in -3f32..3.0) {
            let turn = Quat::from_axis_angle(Vec3::new(axis.0, axis.1, axis.2).normalize(), angle);
            let x: Vec<Vec3> = a.iter().map(|&p| turn * p + Vec3::new(3.0, 1.0, -2.0)).collect();
            let (_, residual) = Transform::Rigid.align(&x, &a, &vec![1.0; a.len()]).unwrap();
            prop_assert!(residual < 1e-6 * a.len() as f64, "{residual}");
        }
    }
}
