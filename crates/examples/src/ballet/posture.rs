//! A posture: weight, feet, arms and trunk.

use marey_motion::{Ground, Side};

use super::arms::Arms;
use super::vocabulary::Word;
use crate::figure::sign;

/// Offset of a foot in front in fifth position, outwards and forward, in metres.
const FIFTH: [f32; 2] = [0.035, 0.075];
/// Turn-out of the feet, in radians.
pub(super) const TURNED_OUT_RAD: f32 = 1.05;
/// Fold of a stretched knee, in radians.
pub(super) const STRAIGHT_RAD: f32 = 0.14;

/// The direction and stretch of a leg that does not stand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RaisedLeg {
    /// Azimuth from the front over the leg's own side to the back, in radians.
    pub(super) azimuth_rad: f32,
    /// Angle from the vertical, in radians.
    pub(super) from_vertical_rad: f32,
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
    /// Each leg that does not stand.
    pub(super) raised: [Option<RaisedLeg>; 2],
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
    /// The same posture with one leg raised and the other one standing.
    pub(super) fn with_raised_leg(&self, leg: Side, raised: RaisedLeg) -> Self {
        let mut posture = *self;
        posture.raised = [None; 2];
        posture.raised[leg as usize] = Some(raised);
        posture.fold_rad[leg as usize] = STRAIGHT_RAD;
        posture
    }
}

/// The place of a foot in fifth position, relative to the middle.
pub(super) fn fifth(side: Side, front: Side) -> Ground {
    let ahead = if side == front { FIFTH[1] } else { -FIFTH[1] };
    Ground::new(sign(side) * FIFTH[0], ahead, sign(side) * TURNED_OUT_RAD)
}
