//! Rigid transforms in the form that the inner loop of the search needs.

use marey_motion::{Quat, Vec3};

use crate::RigidMotion;

/// A rigid transform of points that are then scaled about the origin, each by its own factor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum PackedTransform {
    /// On the floor: sine and cosine of the yaw, then the translation.
    Floor { sin: f32, cos: f32, x: f32, z: f32 },
    /// In space: a quaternion, then the translation.
    Rigid { turn: [f32; 4], shift: [f32; 3] },
}

impl PackedTransform {
    pub(crate) fn from_motion(motion: RigidMotion) -> Self {
        match motion {
            RigidMotion::Ground(ground) => {
                let (sin, cos) = ground.yaw_rad.sin_cos();
                Self::Floor { sin, cos, x: ground.x, z: ground.z }
            }
            RigidMotion::Rigid { turn, shift } => {
                Self::Rigid { turn: turn.to_array(), shift: shift.to_array() }
            }
        }
    }

    /// Transforms points and scales them. Writes three coordinates each, relative to those of `origin`.
    pub(crate) fn apply(&self, points: &[Vec3], scales: &[f32], origin: &[f32], into: &mut [f32]) {
        let triples = origin.as_chunks::<3>().0.iter().zip(into.as_chunks_mut::<3>().0);
        let scaled = points.iter().zip(scales).map(|(&p, &scale)| (scale * p, scale));
        match *self {
            Self::Floor { sin, cos, x, z } => {
                for ((p, scale), (origin, into)) in scaled.zip(triples) {
                    *into = [
                        cos * p.x + sin * p.z + (scale * x - origin[0]),
                        p.y - origin[1],
                        cos * p.z - sin * p.x + (scale * z - origin[2]),
                    ];
                }
            }
            Self::Rigid { turn, shift } => {
                let (turn, shift) = (Quat::from_array(turn), Vec3::from_array(shift));
                for ((p, scale), (origin, into)) in scaled.zip(triples) {
                    *into = (turn * p + (scale * shift - Vec3::from_array(*origin))).to_array();
                }
            }
        }
    }
}
