//! Rigid motions in numbers that points are quickly carried by.

use marey_motion::{Quat, Vec3};

use crate::Motion;

/// A rigid motion of points that are stretched about the origin, each by its own factor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Carry {
    /// Over the floor: sine and cosine of the turn, then the shift.
    Floor { sin: f32, cos: f32, x: f32, z: f32 },
    /// Anyhow: a turn as a quaternion, then the shift.
    Rigid { turn: [f32; 4], shift: [f32; 3] },
}

impl Carry {
    /// Nothing is moved.
    pub(crate) const STILL: Self = Self::Floor { sin: 0.0, cos: 1.0, x: 0.0, z: 0.0 };

    pub(crate) fn of(motion: Motion) -> Self {
        match motion {
            Motion::Ground(ground) => {
                let (sin, cos) = ground.yaw_rad.sin_cos();
                Self::Floor { sin, cos, x: ground.x, z: ground.z }
            }
            Motion::Rigid { turn, shift } => Self::Rigid { turn: turn.to_array(), shift: shift.to_array() },
        }
    }

    /// Carries points, each with the factor it is stretched by: three numbers each, measured from those of `about`.
    pub(crate) fn carry(&self, points: &[(Vec3, f32)], about: &[f32], into: &mut [f32]) {
        let triples = about.as_chunks::<3>().0.iter().zip(into.as_chunks_mut::<3>().0);
        match *self {
            Self::Floor { sin, cos, x, z } => {
                for (&(p, scale), (about, into)) in points.iter().zip(triples) {
                    *into = [
                        cos * p.x + sin * p.z + (scale * x - about[0]),
                        p.y - about[1],
                        cos * p.z - sin * p.x + (scale * z - about[2]),
                    ];
                }
            }
            Self::Rigid { turn, shift } => {
                let (turn, shift) = (Quat::from_array(turn), Vec3::from_array(shift));
                for (&(p, scale), (about, into)) in points.iter().zip(triples) {
                    *into = (turn * p + (scale * shift - Vec3::from_array(*about))).to_array();
                }
            }
        }
    }
}
