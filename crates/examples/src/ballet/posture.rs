//! A posture: weight, feet, arms and trunk.

use marey_motion::{Ground, Side};

use super::arms::Arms;
use super::vocabulary::Word;
use crate::figure::sign;

/// Offset of the left foot in front in fifth position, to the side and forward; and turn-out of the feet.
const FIFTH: [f32; 2] = [0.035, 0.075];
pub(super) const TURNED_OUT_RAD: f32 = 1.05;
/// Fold of a stretched knee, in radians.
pub(super) const STRAIGHT_RAD: f32 = 0.14;

/// The direction of a leg that does not stand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Out {
    /// Azimuth from the front over the leg's own side to the back, in radians.
    pub(super) round_rad: f32,
    /// Angle from the vertical, in radians.
    pub(super) up_rad: f32,
    /// Stretch of the leg, from 0 to 1.
    pub(super) stretch: f32,
}

/// A posture. Lengths are for a body of 1.72 m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Posture {
    /// Position of the weight, and heading of the body, not wrapped to one turn.
    pub(super) x: f32,
    pub(super) z: f32,
    pub(super) heading_rad: f32,
    /// Footholds.
    pub(super) feet: [Ground; 2],
    /// Direction of each leg that does not stand.
    pub(super) out: [Option<Out>; 2],
    /// The fold of each standing knee, in radians.
    pub(super) fold_rad: [f32; 2],
    /// Raise of the heels, as a rotation of the foot in radians.
    pub(super) heels_rad: f32,
    pub(super) arms: Arms,
    /// Rotation of the trunk: to the left, tilted to the right, tilted forward, in radians.
    pub(super) trunk: [f32; 3],
    /// Rotation of the head against the trunk: to the left, and tilted to the right, in radians.
    pub(super) head: [f32; 2],
    pub(super) word: Word,
}

impl Posture {
    /// The same posture with one leg out and the other one standing.
    pub(super) fn reaching(&self, leg: Side, out: Out) -> Self {
        let mut posture = *self;
        posture.out = [None; 2];
        posture.out[leg as usize] = Some(out);
        posture.fold_rad[leg as usize] = STRAIGHT_RAD;
        posture
    }
}

/// The place of a foot in fifth position, relative to the middle.
pub(super) fn fifth(side: Side, front: Side) -> Ground {
    let ahead = if side == front { FIFTH[1] } else { -FIFTH[1] };
    Ground::new(sign(side) * FIFTH[0], ahead, sign(side) * TURNED_OUT_RAD)
}
