//! The movements of a fighter.

use serde::{Deserialize, Serialize};

/// A basic movement of a fighter: a state of the [`Chain`](super::Chain).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Movement {
    /// A bounce in the stance.
    Guard,
    /// A shuffle forward.
    Approach,
    /// A shuffle back.
    Retreat,
    /// A shuffle around the opponent, to the fighter's left.
    CircleLeft,
    /// A shuffle around the opponent, to the fighter's right.
    CircleRight,
    /// A punch with the rear hand.
    Punch,
    /// A straight kick with the rear leg, with the ball of the foot.
    FrontKick,
    /// A kick with the lead leg and the body turned sideways, with the heel.
    SideKick,
    /// A circular kick with the rear leg at the trunk, with the instep.
    Roundhouse,
    /// A circular kick with the rear leg at the head.
    HighKick,
    /// A low block of a foot with the rear forearm.
    LowBlock,
    /// A block of a fist or a foot in front of the chest with the rear forearm.
    MiddleBlock,
    /// A block of a foot beside the head with the rear forearm.
    HighBlock,
    /// A hop back with a lean.
    Dodge,
    /// Hit at the trunk: the body folds and moves back.
    Hit,
    /// Hit at the head: the head moves to the side.
    HeadHit,
}

/// The type of a movement (Park et al., section 5.1.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MovementKind {
    /// Footwork.
    Normal,
    /// An attack.
    Offensive,
    /// A response to an attack: a block, a dodge, or a hit.
    Defensive,
}

impl Movement {
    /// All movements, in the order of the chain's rows.
    pub const ALL: [Movement; 16] = [
        Movement::Guard,
        Movement::Approach,
        Movement::Retreat,
        Movement::CircleLeft,
        Movement::CircleRight,
        Movement::Punch,
        Movement::FrontKick,
        Movement::SideKick,
        Movement::Roundhouse,
        Movement::HighKick,
        Movement::LowBlock,
        Movement::MiddleBlock,
        Movement::HighBlock,
        Movement::Dodge,
        Movement::Hit,
        Movement::HeadHit,
    ];

    /// The type of the movement.
    pub const fn kind(self) -> MovementKind {
        use Movement::*;
        match self {
            Guard | Approach | Retreat | CircleLeft | CircleRight => MovementKind::Normal,
            Punch | FrontKick | SideKick | Roundhouse | HighKick => MovementKind::Offensive,
            LowBlock | MiddleBlock | HighBlock | Dodge | Hit | HeadHit => MovementKind::Defensive,
        }
    }

    /// The name in ground truths.
    pub const fn name(self) -> &'static str {
        match self {
            Movement::Guard => "guard",
            Movement::Approach => "approach",
            Movement::Retreat => "retreat",
            Movement::CircleLeft => "circle-left",
            Movement::CircleRight => "circle-right",
            Movement::Punch => "punch",
            Movement::FrontKick => "front-kick",
            Movement::SideKick => "side-kick",
            Movement::Roundhouse => "roundhouse",
            Movement::HighKick => "high-kick",
            Movement::LowBlock => "low-block",
            Movement::MiddleBlock => "middle-block",
            Movement::HighBlock => "high-block",
            Movement::Dodge => "dodge",
            Movement::Hit => "hit",
            Movement::HeadHit => "head-hit",
        }
    }

    /// Whether the movement blocks with the forearm.
    pub(super) const fn is_block(self) -> bool {
        matches!(self, Movement::LowBlock | Movement::MiddleBlock | Movement::HighBlock)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_the_serialised_form() {
        for (i, movement) in Movement::ALL.into_iter().enumerate() {
            assert_eq!(serde_json::to_string(&movement).unwrap(), format!("{:?}", movement.name()));
            assert_eq!(movement as usize, i);
        }
    }
}
