//! Footsteps from the footfalls of a dance.

use marey_motion::{Ground, Side};

use super::Path;
use crate::figure::sign;
use crate::gait::{Foothold, Footsteps};

/// Half the distance between the feet, in metres.
const HALF_WIDTH_M: f32 = 0.1;
/// Toe-out angle, in radians.
const TOE_OUT_RAD: f32 = 0.10;

/// Times within a step, in seconds.
mod secs {
    /// Longest swing of a foot.
    pub(super) const MAX_SWING: f64 = 0.36;
    /// From first contact to foot flat.
    pub(super) const TO_FLAT: f64 = 0.05;
    /// From heel-off to toe-off.
    pub(super) const ROLL_OFF: f64 = 0.16;
    /// Shortest time that a foot stays flat.
    pub(super) const MIN_FLAT: f64 = 0.01;
}

/// Fraction of the time between two landings in which a foot is in the air.
const SWING_SHARE: f64 = 0.88;
/// Length of a step in which the foot rolls as in ordinary walking, in metres.
const FULL_ROLL_M: f32 = 1.1;

/// A landing of a foot: its time, and its offset from the place under the body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Footfall {
    pub(crate) side: Side,
    pub(crate) secs: f64,
    /// Forward offset from its place under the body, in metres.
    pub(crate) ahead_m: f32,
    /// Outward offset from its place under the body, in metres.
    pub(crate) out_m: f32,
}

/// Converts footfalls, which alternate between the feet, to footsteps under a body's path. Both feet stand before the first.
pub(crate) fn footsteps(path: &Path, falls: &[Footfall]) -> Footsteps {
    let first = falls.first().map_or(Side::Left, |fall| fall.side);
    let mut holds: Vec<Foothold> =
        [first, first.other()].map(|side| standing(path, 0.0, side, [0.0, 0.02])).to_vec();
    for (i, fall) in falls.iter().enumerate() {
        // The foot stands until about the second landing after its own. The body is over it halfway.
        let stands_secs = falls.get(i + 1).map_or(0.3, |next| next.secs - fall.secs);
        let secs = fall.secs + 0.5 * stands_secs;
        let mut hold = standing(path, secs, fall.side, [fall.ahead_m, fall.out_m]);
        hold.land_secs = fall.secs;
        hold.flat_secs = fall.secs + secs::TO_FLAT.min(0.25 * stands_secs);
        holds.push(hold);
    }
    for i in 2..holds.len() {
        set_lift_times(&mut holds, i);
    }
    Footsteps { passages: Vec::new(), holds }
}

/// Sets the lift times of the foot's previous hold, so that it lands in hold `i` in time.
fn set_lift_times(holds: &mut [Foothold], i: usize) {
    let to = holds[i];
    let since_other = to.land_secs - holds[i - 1].land_secs;
    let step_m = holds[i - 2].place.translation().distance(to.place.translation());
    let roll = f64::from((step_m / FULL_ROLL_M).clamp(0.05, 0.45));
    let from = &mut holds[i - 2];
    from.lift_secs = to.land_secs - (SWING_SHARE * since_other).min(secs::MAX_SWING);
    from.heel_off_secs = (from.lift_secs - secs::ROLL_OFF)
        .max(from.flat_secs + secs::MIN_FLAT)
        .min(from.lift_secs - secs::MIN_FLAT);
    from.push = roll;
    holds[i].strike = 0.3 * roll;
}

/// A foot that stands all the time, at an offset (forward, outwards) from its place under the body at `secs`.
fn standing(path: &Path, secs: f64, side: Side, [ahead_m, out_m]: [f32; 2]) -> Foothold {
    let beside = Ground::new(sign(side) * (HALF_WIDTH_M + out_m), ahead_m, sign(side) * TOE_OUT_RAD);
    Foothold::standing(side, path.at(secs) * beside, path.heading_rad.at(secs))
}
