//! A posture: where the weight, the feet, the arms and the trunk are.

use marey_motion::{Ground, Side};

use super::arms::Arms;
use super::vocabulary::Word;
use crate::figure::sign;

/// Where the feet are in fifth position: to the side, ahead, for the left foot in front; and how far they are turned out.
const FIFTH: [f32; 2] = [0.035, 0.075];
pub(super) const TURNED_OUT_RAD: f32 = 1.05;
/// How far a stretched knee is folded, in radians.
pub(super) const STRAIGHT_RAD: f32 = 0.14;

/// A leg that does not stand: where its foot is from the hip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Out {
    /// From ahead, over the own side, to behind, in radians.
    pub(super) round_rad: f32,
    /// From the vertical, in radians.
    pub(super) up_rad: f32,
    /// How far the leg is stretched, from 0 to 1.
    pub(super) stretch: f32,
}

/// A posture; lengths for a body of 1.72 m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Posture {
    /// Where the weight is, and which way the body faces; grows beyond a whole turn.
    pub(super) x: f32,
    pub(super) z: f32,
    pub(super) heading_rad: f32,
    /// Where each foot stands.
    pub(super) feet: [Ground; 2],
    /// Where each foot is if it does not stand.
    pub(super) out: [Option<Out>; 2],
    /// The fold of each standing knee, in radians.
    pub(super) fold_rad: [f32; 2],
    /// How high the heels are, as a turn of the foot, in radians.
    pub(super) heels_rad: f32,
    pub(super) arms: Arms,
    /// The trunk turned to the left, tipped to the right, tipped forward, in radians.
    pub(super) trunk: [f32; 3],
    /// The head turned to the left and tipped to the right, against the trunk, in radians.
    pub(super) head: [f32; 2],
    pub(super) word: Word,
}

impl Posture {
    /// The same with one leg out, the other one standing.
    pub(super) fn reaching(&self, leg: Side, out: Out) -> Self {
        let mut posture = *self;
        posture.out = [None; 2];
        posture.out[leg as usize] = Some(out);
        posture.fold_rad[leg as usize] = STRAIGHT_RAD;
        posture
    }
}

/// Where a foot is in fifth position, from the middle.
pub(super) fn fifth(side: Side, front: Side) -> Ground {
    let ahead = if side == front { FIFTH[1] } else { -FIFTH[1] };
    Ground::new(sign(side) * FIFTH[0], ahead, sign(side) * TURNED_OUT_RAD)
}
