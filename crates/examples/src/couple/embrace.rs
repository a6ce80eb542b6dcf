//! The relative position of two dancers in an embrace.

use marey_motion::Vec3;

use super::Goal;
use crate::figure::Figure;

/// Half of how far they are beside each other, in metres: half a step's width in all, so that each right foot goes
/// between the other's feet.
pub(crate) const OFFSET_M: f64 = 0.05;
/// How far each is turned to where their joined hands are, in radians.
pub(crate) const OPEN_RAD: f64 = 0.10;

/// How far the collar of a body with legs of the usual length is over its upper chest, as a share of its height. Where it is farther, hands lie
/// higher by as much: they go by the shoulders.
const COLLAR_OVER_CHEST: f32 = 0.0786;

/// The embrace of two bodies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Embrace {
    /// The leader's right hand lies on the follower's left shoulder blade.
    pub(crate) on_follower: Goal,
    /// The follower's left hand lies on the leader's right shoulder.
    pub(crate) on_leader: Goal,
    /// How far the bodies are from each other, in metres.
    pub(crate) apart_m: f64,
}

impl Embrace {
    pub(crate) fn of(leader: &Figure, follower: &Figure) -> Self {
        let on = |figure: &Figure, place: [f32; 3]| {
            let up_m = figure.collar_over_chest_m() - COLLAR_OVER_CHEST * figure.height_m;
            Goal::On(figure.height_m / 1.72 * Vec3::from(place) + Vec3::Y * up_m)
        };
        // Hands go up to a tall partner's shoulder only so far, and down to a short one's back.
        let taller_m = leader.height_m - follower.height_m - 0.12;
        let down_share = if taller_m > 0.0 { 0.7 } else { 0.2 };
        Self {
            on_follower: on(follower, [0.17, -0.03 + down_share * taller_m, 0.02]),
            on_leader: on(leader, [-0.20, 0.11 - 0.6 * taller_m, 0.07]),
            apart_m: 0.285 * f64::from(0.5 * (leader.height_m + follower.height_m)),
        }
    }
}
