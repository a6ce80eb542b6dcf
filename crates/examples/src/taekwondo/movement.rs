//! What a fighter can do.

use serde::{Deserialize, Serialize};

/// A basic movement of a fighter: a state of the [`Chain`](super::Chain).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Movement {
    /// A bounce in the stance.
    Guard,
    /// A shuffle ahead.
    Approach,
    /// A shuffle back.
    Retreat,
    /// A shuffle round the other, to the own left.
    CircleLeft,
    /// A shuffle round the other, to the own right.
    CircleRight,
    /// A punch with the rear hand.
    Punch,
    /// A kick straight ahead with the rear leg: the ball of the foot.
    FrontKick,
    /// A kick with the leading leg, body turned aside: the heel.
    SideKick,
    /// A kick round from the side with the rear leg, at the trunk: the instep.
    Roundhouse,
    /// The same at the head.
    HighKick,
    /// The rear forearm goes down to meet a foot.
    LowBlock,
    /// The rear forearm meets a fist or a foot before the chest.
    MiddleBlock,
    /// The rear forearm meets a foot beside the head.
    HighBlock,
    /// A hop back, leaning away.
    Dodge,
    /// Struck at the trunk: folds, and is pushed back.
    Hit,
    /// Struck at the head: it is thrown aside.
    HeadHit,
}

/// What a movement is for (Park et al., section 5.1.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Footwork.
    Normal,
    /// An attack.
    Offensive,
    /// An answer to an attack: a block, a dodge, a hit taken.
    Defensive,
}

impl Movement {
    /// All of them, in the order of the chain's rows.
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

    /// What it is for.
    pub const fn kind(self) -> Kind {
        use Movement::*;
        match self {
            Guard | Approach | Retreat | CircleLeft | CircleRight => Kind::Normal,
            Punch | FrontKick | SideKick | Roundhouse | HighKick => Kind::Offensive,
            LowBlock | MiddleBlock | HighBlock | Dodge | Hit | HeadHit => Kind::Defensive,
        }
    }

    /// Its name in a truth.
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

    /// Whether it meets the attack with the forearm.
    pub(super) const fn is_block(self) -> bool {
        matches!(self, Movement::LowBlock | Movement::MiddleBlock | Movement::HighBlock)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_file() {
        for (i, movement) in Movement::ALL.into_iter().enumerate() {
            assert_eq!(serde_json::to_string(&movement).unwrap(), format!("{:?}", movement.name()));
            assert_eq!(movement as usize, i);
        }
    }
}
