//! The relative position of two dancers in an embrace.

use marey_motion::Vec3;

use super::Goal;
use crate::figure::Figure;

/// Half the sideways offset between the partners, in metres. Each right foot steps between the partner's feet.
pub(crate) const OFFSET_M: f64 = 0.05;
/// Rotation of each dancer towards the joined hands, in radians.
pub(crate) const OPEN_RAD: f64 = 0.10;

/// Height of the collar bone above the upper chest of a body with legs of the usual length, as a fraction of the body's height. If it
/// is higher, hands rest higher by the same distance, because their place depends on the shoulders.
const COLLAR_OVER_CHEST: f32 = 0.0786;

/// The embrace of two bodies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Embrace {
    /// The place of the leader's right hand on the follower's left shoulder blade.
    pub(crate) on_follower: Goal,
    /// The place of the follower's left hand on the leader's right shoulder.
    pub(crate) on_leader: Goal,
    /// The distance between the bodies, in metres.
    pub(crate) apart_m: f64,
}

impl Embrace {
    pub(crate) fn of(leader: &Figure, follower: &Figure) -> Self {
        let on = |figure: &Figure, place: [f32; 3]| {
            let up_m = figure.collar_over_chest_m() - COLLAR_OVER_CHEST * figure.height_m;
            Goal::On(figure.height_m / 1.72 * Vec3::from(place) + Vec3::Y * up_m)
        };
        // Limits how high hands reach for a tall partner's shoulder, and how low for a short partner's back.
        let taller_m = leader.height_m - follower.height_m - 0.12;
        let down_share = if taller_m > 0.0 { 0.7 } else { 0.2 };
        Self {
            on_follower: on(follower, [0.17, -0.03 + down_share * taller_m, 0.02]),
            on_leader: on(leader, [-0.20, 0.11 - 0.6 * taller_m, 0.07]),
            apart_m: 0.285 * f64::from(0.5 * (leader.height_m + follower.height_m)),
        }
    }
}
