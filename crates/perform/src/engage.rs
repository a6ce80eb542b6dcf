//! C: when a hand or a foot takes hold of a feature.

use glam::Vec3;
use marey_motion::{Role, Side};
use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::geometry::Nearest;

/// What can take hold: the ends of the limbs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum Effector {
    LeftHand,
    RightHand,
    LeftFoot,
    RightFoot,
}

impl Effector {
    /// All four; an effector's number is its place here.
    pub const ALL: [Effector; 4] =
        [Effector::LeftHand, Effector::RightHand, Effector::LeftFoot, Effector::RightFoot];

    /// The role of its joint.
    pub fn role(self) -> Role {
        match self {
            Effector::LeftHand => Role::LeftHand,
            Effector::RightHand => Role::RightHand,
            Effector::LeftFoot => Role::LeftFoot,
            Effector::RightFoot => Role::RightFoot,
        }
    }

    /// Whether it is a hand.
    pub fn is_hand(self) -> bool {
        matches!(self, Effector::LeftHand | Effector::RightHand)
    }

    /// Its side.
    pub fn side(self) -> Side {
        match self {
            Effector::LeftHand | Effector::LeftFoot => Side::Left,
            Effector::RightHand | Effector::RightFoot => Side::Right,
        }
    }
}

/// What takes hold of a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// Hands only.
    Hands,
    /// Feet only.
    Feet,
    /// Hands and feet.
    Limbs,
    /// The centre of mass, by being inside.
    Body,
    /// Nothing: scenery.
    Nothing,
}

/// C as a world file writes it: the default condition of the paper, by distance.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Engage {
    /// What takes hold.
    pub by: By,
    /// Whether hands must be closed.
    pub closed: bool,
    /// How near an end of a limb must be, in metres; 0.001 to 2.
    pub within_m: f32,
    /// Whether feet must be above the place.
    pub above: bool,
}

impl Default for Engage {
    fn default() -> Self {
        Self { by: By::Hands, closed: true, within_m: 0.15, above: false }
    }
}

impl Engage {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<(), OutOfRange> {
        OutOfRange::check("within_m", self.within_m, 0.001..=2.0)
    }

    /// Whether an end of a limb may take hold at all.
    pub fn takes(&self, effector: Effector) -> bool {
        match self.by {
            By::Hands => effector.is_hand(),
            By::Feet => !effector.is_hand(),
            By::Limbs => true,
            By::Body | By::Nothing => false,
        }
    }
}

/// An end of a limb near a feature, as a condition sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Situation {
    /// Which end.
    pub effector: Effector,
    /// Where it is, in metres.
    pub place: Vec3,
    /// How fast it goes, in metres a second.
    pub velocity: Vec3,
    /// Whether it is closed; feet never are.
    pub closed: bool,
    /// Where the feature is from there.
    pub nearest: Nearest,
    /// The character's centre of mass.
    pub centre: Vec3,
    /// Whether it holds this feature already.
    pub holds: bool,
    /// Of a foot, whether the performer stands on it, level with the other: it is not being lifted.
    pub firm: bool,
}

/// A condition of engagement: says whether an end of a limb takes hold, and keeps it.
///
/// [`Engage`] is the one that world files write; [`crate::Session::set_condition`] puts another in its place.
///
/// ```
/// use marey_perform::{Condition, Situation};
/// /// Only who comes from below may hold on.
/// struct FromBelow;
/// impl Condition for FromBelow {
///     fn engages(&self, at: &Situation) -> bool {
///         at.closed && at.nearest.distance_m < 0.1 && (at.holds || at.place.y < at.nearest.point.y)
///     }
/// }
/// ```
pub trait Condition: Send {
    /// Whether the end of the limb takes hold of the feature, or goes on holding it.
    fn engages(&self, at: &Situation) -> bool;
}

/// A foot that stands leaves when it is lifted by this, in metres; less than steps are high.
const LIFTED_M: f32 = 0.03;
/// One that the performer stands on leaves later: who ducks quickly comes down after the feet.
const DUCKED_M: f32 = 0.12;

impl Condition for Engage {
    fn engages(&self, at: &Situation) -> bool {
        if !self.takes(at.effector) {
            return false;
        }
        let near = at.nearest.distance_m;
        if at.effector.is_hand() {
            // Who holds on is kept by the grip alone: how far the hand then is from its place is up to the arm.
            return (at.closed || !self.closed) && (near <= self.within_m || at.holds && self.closed);
        }
        let most_m = match (at.holds, at.firm) {
            (true, true) => DUCKED_M.max(self.within_m),
            (true, false) => LIFTED_M.max(self.within_m),
            _ => self.within_m,
        };
        let above = !self.above || at.place.y >= at.nearest.point.y - self.within_m;
        above && near <= most_m
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn situation(effector: Effector, distance_m: f32, closed: bool, holds: bool) -> Situation {
        let place = Vec3::Y * distance_m;
        let nearest = Nearest { point: Vec3::ZERO, normal: Vec3::Y, distance_m };
        Situation {
            effector,
            place,
            velocity: Vec3::ZERO,
            closed,
            nearest,
            centre: Vec3::Y,
            holds,
            firm: false,
        }
    }

    #[test]
    fn hands_hold_by_being_closed_and_near_and_let_go_by_opening() {
        let bar = Engage::default();
        let hand =
            |distance, closed, holds| bar.engages(&situation(Effector::LeftHand, distance, closed, holds));
        assert!(hand(0.1, true, false) && !hand(0.1, false, false) && !hand(0.2, true, false));
        assert!(hand(0.5, true, true) && !hand(0.0, false, true));
        assert!(!bar.engages(&situation(Effector::LeftFoot, 0.0, true, false)));
    }

    #[test]
    fn feet_stand_by_being_near_and_leave_by_being_lifted() {
        let floor = Engage { by: By::Feet, closed: false, within_m: 0.02, above: false };
        let foot = |distance, holds| floor.engages(&situation(Effector::RightFoot, distance, false, holds));
        assert!(foot(0.01, false) && foot(-0.05, false) && !foot(0.025, false));
        assert!(foot(0.025, true) && !foot(0.04, true));
        let ducked = Situation { firm: true, ..situation(Effector::RightFoot, 0.04, false, true) };
        assert!(floor.engages(&ducked));
    }
}
