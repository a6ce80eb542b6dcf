//! C: the conditions under which a hand or foot engages with a feature.

use glam::Vec3;
use marey_motion::{Role, Side};
use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::geometry::NearestPoint;
use crate::hand_stillness::HandStillness;

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
    /// All effectors. Arrays over effectors use this order.
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

/// How a hand shows that it grips.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GripSign {
    /// It closes. A hand whose fingers the stream does not show never grips.
    Closed,
    /// It is near.
    Near,
    /// It stays near and keeps still. It lets go when it leaves.
    Dwell,
    /// It stays near and keeps still while the body moves. It lets go when it leaves.
    Pull,
}

/// C in a world file: the paper's default condition, a largest distance.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Engage {
    /// The body part that engages.
    pub by: EngageBy,
    /// How hands show that they grip; default [`GripSign::Closed`] if the stream shows the fingers, else [`GripSign::Dwell`].
    pub grip: Option<GripSign>,
    /// The largest distance at which a limb end engages, in metres; 0.001 to 2.
    pub within_m: f32,
    /// Whether feet must be above the surface.
    pub above: bool,
}

impl Default for Engage {
    fn default() -> Self {
        Self { by: EngageBy::Hands, grip: None, within_m: 0.15, above: false }
    }
}

impl Engage {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<(), OutOfRange> {
        OutOfRange::check("within_m", self.within_m, 0.001..=2.0)
    }

    /// How a hand shows that it grips, in a stream that shows its fingers or not.
    pub fn grip_sign(&self, shows_fingers: bool) -> GripSign {
        self.grip.unwrap_or(if shows_fingers { GripSign::Closed } else { GripSign::Dwell })
    }

    /// Whether an effector of this kind can engage.
    pub fn accepts(&self, effector: Effector) -> bool {
        match self.by {
            EngageBy::Hands => effector.is_hand(),
            EngageBy::Feet => !effector.is_hand(),
            EngageBy::Limbs => true,
            EngageBy::Body | EngageBy::Nothing => false,
        }
    }
}

/// The input of an [`EngageCondition`]: a hand or foot near a feature.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EngageContext {
    /// The hand or foot.
    pub effector: Effector,
    /// Its position, in metres.
    pub position: Vec3,
    /// Its velocity, in metres per second.
    pub velocity: Vec3,
    /// Whether the hand is closed; `None` for feet, and if the stream does not show it.
    pub is_closed: Option<bool>,
    /// How long the hand has kept still, and how long it has kept still while the body moved; 0 for feet.
    pub still: HandStillness,
    /// The nearest point of the feature.
    pub nearest: NearestPoint,
    /// The character's centre of mass.
    pub centre: Vec3,
    /// Whether it already holds the feature.
    pub is_holding: bool,
    /// Whether the performer stands on this foot, level with the other foot; always false for hands.
    pub is_supporting: bool,
}

/// Decides whether a hand or foot takes hold of a feature, and whether it keeps its hold.
///
/// World files use [`Engage`]. [`crate::PerformSession::set_condition`] replaces it.
///
/// ```
/// use marey_perform::{EngageCondition, EngageContext};
/// /// Engages only from below.
/// struct FromBelow;
/// impl EngageCondition for FromBelow {
///     fn engages(&self, at: &EngageContext) -> bool {
///         at.is_closed == Some(true) && at.nearest.distance_m < 0.1 && (at.is_holding || at.position.y < at.nearest.point.y)
///     }
/// }
/// ```
pub trait EngageCondition: Send {
    /// Whether the hand or foot takes hold of the feature, or keeps its hold.
    fn engages(&self, at: &EngageContext) -> bool;
}

/// A foot lets go when it is lifted by this much, in metres; less than the height of a step.
const LIFTED_M: f32 = 0.03;
/// The limit for a foot that the performer stands on, in metres. When the performer ducks quickly, the character's body follows late.
const DUCKED_M: f32 = 0.12;

impl EngageCondition for Engage {
    fn engages(&self, at: &EngageContext) -> bool {
        if !self.accepts(at.effector) {
            return false;
        }
        let near = at.nearest.distance_m;
        if at.effector.is_hand() {
            let sign = self.grip_sign(at.is_closed.is_some());
            // A grip lasts as long as the hand shows it, whatever the distance of the performer's hand.
            let grips = match sign {
                GripSign::Closed => at.is_closed == Some(true),
                GripSign::Near => true,
                GripSign::Dwell if !at.is_holding => at.still.dwells() || at.still.pulls(),
                GripSign::Pull if !at.is_holding => at.still.pulls(),
                GripSign::Dwell | GripSign::Pull => !at.still.has_left,
            };
            return grips && (near <= self.within_m || at.is_holding && sign != GripSign::Near);
        }
        let limit_m = match (at.is_holding, at.is_supporting) {
            (true, true) => DUCKED_M.max(self.within_m),
            (true, false) => LIFTED_M.max(self.within_m),
            _ => self.within_m,
        };
        let is_above = !self.above || at.position.y >= at.nearest.point.y - self.within_m;
        is_above && near <= limit_m
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn context(
        effector: Effector,
        distance_m: f32,
        is_closed: Option<bool>,
        is_holding: bool,
    ) -> EngageContext {
        let position = Vec3::Y * distance_m;
        let nearest = NearestPoint { point: Vec3::ZERO, normal: Vec3::Y, distance_m };
        EngageContext {
            effector,
            position,
            velocity: Vec3::ZERO,
            is_closed,
            still: HandStillness::default(),
            nearest,
            centre: Vec3::Y,
            is_holding,
            is_supporting: false,
        }
    }

    #[test]
    fn closed_hands_near_a_bar_hold_it_until_they_open() {
        let bar = Engage::default();
        let hand = |distance, is_closed, is_holding| {
            bar.engages(&context(Effector::LeftHand, distance, Some(is_closed), is_holding))
        };
        assert!(hand(0.1, true, false) && !hand(0.1, false, false) && !hand(0.2, true, false));
        assert!(hand(0.5, true, true) && !hand(0.0, false, true));
        assert!(!bar.engages(&context(Effector::LeftFoot, 0.0, None, false)));
    }

    #[test]
    fn feet_near_a_floor_stand_until_they_are_lifted() {
        let floor = Engage { by: EngageBy::Feet, grip: None, within_m: 0.02, above: false };
        let foot =
            |distance, is_holding| floor.engages(&context(Effector::RightFoot, distance, None, is_holding));
        assert!(foot(0.01, false) && foot(-0.05, false) && !foot(0.025, false));
        assert!(foot(0.025, true) && !foot(0.04, true));
        let ducked = EngageContext { is_supporting: true, ..context(Effector::RightFoot, 0.04, None, true) };
        assert!(floor.engages(&ducked));
    }

    #[test]
    fn a_hand_without_fingers_holds_a_bar_while_it_keeps_still() {
        let still = |dwell_secs, pull_secs, has_left| HandStillness { dwell_secs, pull_secs, has_left };
        let hand = |grip, distance, is_holding, still| {
            let bar = Engage { grip, ..Engage::default() };
            bar.engages(&EngageContext { still, ..context(Effector::LeftHand, distance, None, is_holding) })
        };
        let (dwells, pulls) = (still(1.0, 0.0, false), still(0.1, 1.0, false));
        assert!(hand(None, 0.1, false, dwells) && hand(None, 0.1, false, pulls));
        assert!(!hand(None, 0.1, false, still(0.01, 0.0, false)) && !hand(None, 0.3, false, dwells));
        assert!(
            !hand(Some(GripSign::Pull), 0.1, false, dwells) && hand(Some(GripSign::Pull), 0.1, false, pulls)
        );
        assert!(!hand(Some(GripSign::Closed), 0.1, false, dwells));
        // It holds until it leaves.
        assert!(
            hand(None, 0.5, true, still(0.0, 0.0, false)) && !hand(None, 0.1, true, still(0.0, 0.0, true))
        );
        assert!(hand(Some(GripSign::Near), 0.1, true, still(0.0, 0.0, true)));
    }
}
