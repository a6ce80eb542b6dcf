//! C: the conditions under which a hand or foot engages with a feature.

use glam::Vec3;
use marey_motion::{Role, Side};
use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::geometry::NearestPoint;

/// An end of a limb, which can engage with features.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum Effector {
    LeftHand,
    RightHand,
    LeftFoot,
    RightFoot,
}

impl Effector {
    /// All four. An effector's number is its index here.
    pub const ALL: [Effector; 4] =
        [Effector::LeftHand, Effector::RightHand, Effector::LeftFoot, Effector::RightFoot];

    /// The role of the joint.
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

/// The body part that engages with a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EngageBy {
    /// Hands only.
    Hands,
    /// Feet only.
    Feet,
    /// Hands and feet.
    Limbs,
    /// The centre of mass, when it is inside.
    Body,
    /// Nothing: scenery.
    Nothing,
}

/// C as a world file gives it: the paper's default condition, by distance.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Engage {
    /// The engaged body part.
    pub by: EngageBy,
    /// Whether hands must be closed.
    pub closed: bool,
    /// The largest distance at which a limb end engages, in metres; 0.001 to 2.
    pub within_m: f32,
    /// Whether feet must be above the surface.
    pub above: bool,
}

impl Default for Engage {
    fn default() -> Self {
        Self { by: EngageBy::Hands, closed: true, within_m: 0.15, above: false }
    }
}

impl Engage {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<(), OutOfRange> {
        OutOfRange::check("within_m", self.within_m, 0.001..=2.0)
    }

    /// Whether this kind of effector can engage at all.
    pub fn takes(&self, effector: Effector) -> bool {
        match self.by {
            EngageBy::Hands => effector.is_hand(),
            EngageBy::Feet => !effector.is_hand(),
            EngageBy::Limbs => true,
            EngageBy::Body | EngageBy::Nothing => false,
        }
    }
}

/// A limb end near a feature: the input of a [`Condition`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Situation {
    /// The limb end.
    pub effector: Effector,
    /// Its position, in metres.
    pub place: Vec3,
    /// Its velocity, in metres per second.
    pub velocity: Vec3,
    /// Whether the hand is closed; always false for feet.
    pub closed: bool,
    /// The nearest point of the feature.
    pub nearest: NearestPoint,
    /// The character's centre of mass.
    pub centre: Vec3,
    /// Whether it holds this feature already.
    pub holds: bool,
    /// For a foot, whether the performer stands on it, level with the other foot.
    pub firm: bool,
}

/// A condition of engagement: decides whether a limb end takes hold, and whether it keeps its hold.
///
/// World files use [`Engage`]; [`crate::PerformSession::set_condition`] sets another.
///
/// ```
/// use marey_perform::{Condition, Situation};
/// /// Engages only from below.
/// struct FromBelow;
/// impl Condition for FromBelow {
///     fn engages(&self, at: &Situation) -> bool {
///         at.closed && at.nearest.distance_m < 0.1 && (at.holds || at.place.y < at.nearest.point.y)
///     }
/// }
/// ```
pub trait Condition: Send {
    /// Whether the limb end takes hold of the feature, or keeps its hold.
    fn engages(&self, at: &Situation) -> bool;
}

/// A standing foot lets go when it is lifted by this much, in metres; less than the height of a step.
const LIFTED_M: f32 = 0.03;
/// The limit for a foot that the performer stands on: after a quick duck, the character's body comes down later than its feet.
const DUCKED_M: f32 = 0.12;

impl Condition for Engage {
    fn engages(&self, at: &Situation) -> bool {
        if !self.takes(at.effector) {
            return false;
        }
        let near = at.nearest.distance_m;
        if at.effector.is_hand() {
            // An existing grip depends on the closed hand only. The distance of the hand from its hold depends on the arm.
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
        let nearest = NearestPoint { point: Vec3::ZERO, normal: Vec3::Y, distance_m };
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
        let floor = Engage { by: EngageBy::Feet, closed: false, within_m: 0.02, above: false };
        let foot = |distance, holds| floor.engages(&situation(Effector::RightFoot, distance, false, holds));
        assert!(foot(0.01, false) && foot(-0.05, false) && !foot(0.025, false));
        assert!(foot(0.025, true) && !foot(0.04, true));
        let ducked = Situation { firm: true, ..situation(Effector::RightFoot, 0.04, false, true) };
        assert!(floor.engages(&ducked));
    }
}
