//! Anatomical roles of joints.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Left or right of the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The character's own left, +X at rest.
    Left,
    /// The character's own right, −X at rest.
    Right,
}

impl Side {
    /// Both sides.
    pub const BOTH: [Side; 2] = [Side::Left, Side::Right];

    /// The other side.
    pub fn other(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }
}

/// Defines [`Role`] from one list, so that each role is named once.
macro_rules! roles {
    (middle: $($middle:ident),*; paired: $($left:ident / $right:ident),*;) => {
        /// The anatomical role of a joint, whatever its name in a file. The names are those of the VRM
        /// humanoid.
        ///
        /// The role of a limb is on the joint it rotates about: `LeftLowerArm` is at the elbow, `LeftFoot` at
        /// the ankle, `LeftToes` at the ball of the foot. `LeftShoulder` is the joint of the collar bone.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[expect(missing_docs, reason = "the names are the documentation")]
        pub enum Role { $($middle,)* $($left, $right,)* }

        impl Role {
            /// Every role, in declaration order.
            pub const ALL: &'static [Role] = &[$(Role::$middle,)* $(Role::$left, Role::$right,)*];

            /// The role's name, as in `LeftFoot`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Role::$middle => stringify!($middle),)*
                    $(Role::$left => stringify!($left), Role::$right => stringify!($right),)*
                }
            }

            /// The side of the body; `None` for the middle.
            #[inline]
            pub fn side(self) -> Option<Side> {
                match self {
                    $(Role::$middle => None,)*
                    $(Role::$left => Some(Side::Left), Role::$right => Some(Side::Right),)*
                }
            }

            /// The same role on the other side; itself in the middle.
            #[inline]
            pub fn mirrored(self) -> Role {
                match self {
                    $(Role::$middle => Role::$middle,)*
                    $(Role::$left => Role::$right, Role::$right => Role::$left,)*
                }
            }
        }
    };
}

roles! {
    middle: Hips, Spine, Chest, UpperChest, Neck, Head, Jaw;
    paired:
        LeftEye / RightEye,
        LeftShoulder / RightShoulder,
        LeftUpperArm / RightUpperArm,
        LeftLowerArm / RightLowerArm,
        LeftHand / RightHand,
        LeftUpperLeg / RightUpperLeg,
        LeftLowerLeg / RightLowerLeg,
        LeftFoot / RightFoot,
        LeftToes / RightToes,
        LeftThumbMetacarpal / RightThumbMetacarpal,
        LeftThumbProximal / RightThumbProximal,
        LeftThumbDistal / RightThumbDistal,
        LeftIndexProximal / RightIndexProximal,
        LeftIndexIntermediate / RightIndexIntermediate,
        LeftIndexDistal / RightIndexDistal,
        LeftMiddleProximal / RightMiddleProximal,
        LeftMiddleIntermediate / RightMiddleIntermediate,
        LeftMiddleDistal / RightMiddleDistal,
        LeftRingProximal / RightRingProximal,
        LeftRingIntermediate / RightRingIntermediate,
        LeftRingDistal / RightRingDistal,
        LeftLittleProximal / RightLittleProximal,
        LeftLittleIntermediate / RightLittleIntermediate,
        LeftLittleDistal / RightLittleDistal;
}

impl Role {
    /// The roles that a complete human needs: hips, head, and four limbs of three joints.
    pub const CORE: [Role; 14] = [
        Role::Hips,
        Role::Head,
        Role::LeftUpperArm,
        Role::RightUpperArm,
        Role::LeftLowerArm,
        Role::RightLowerArm,
        Role::LeftHand,
        Role::RightHand,
        Role::LeftUpperLeg,
        Role::RightUpperLeg,
        Role::LeftLowerLeg,
        Role::RightLowerLeg,
        Role::LeftFoot,
        Role::RightFoot,
    ];

    /// The roles of a body, without fingers, eyes and jaw.
    pub const BODY: [Role; 22] = [
        Role::Hips,
        Role::Spine,
        Role::Chest,
        Role::UpperChest,
        Role::Neck,
        Role::Head,
        Role::LeftShoulder,
        Role::RightShoulder,
        Role::LeftUpperArm,
        Role::RightUpperArm,
        Role::LeftLowerArm,
        Role::RightLowerArm,
        Role::LeftHand,
        Role::RightHand,
        Role::LeftUpperLeg,
        Role::RightUpperLeg,
        Role::LeftLowerLeg,
        Role::RightLowerLeg,
        Role::LeftFoot,
        Role::RightFoot,
        Role::LeftToes,
        Role::RightToes,
    ];

    /// The roles whose positions describe a posture: hips, head, elbows, hands, knees and feet. Their neighbours follow from them.
    pub const LANDMARKS: [Role; 10] = [
        Role::Hips,
        Role::Head,
        Role::LeftLowerArm,
        Role::RightLowerArm,
        Role::LeftHand,
        Role::RightHand,
        Role::LeftLowerLeg,
        Role::RightLowerLeg,
        Role::LeftFoot,
        Role::RightFoot,
    ];

    /// This role on `side`: `Role::LeftFoot.on(Side::Right)` is `RightFoot`; itself in the middle.
    #[inline]
    pub fn on(self, side: Side) -> Role {
        if self.side() == Some(side) { self } else { self.mirrored() }
    }

    /// Position in [`Role::ALL`].
    pub(crate) fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Role {
    type Err = String;

    /// Reads a role's name, in any case: `leftFoot`, `LeftFoot`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Role::ALL
            .iter()
            .copied()
            .find(|role| role.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| format!("{text:?} is not a role; roles are named as in LeftFoot"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn role_names_parse_and_mirroring_is_an_involution() {
        for (i, &role) in Role::ALL.iter().enumerate() {
            assert_eq!(role.index(), i);
            assert_eq!(role.name().parse::<Role>(), Ok(role));
            assert_eq!(role.mirrored().mirrored(), role);
            assert_eq!(role.mirrored() == role, role.side().is_none());
            for side in Side::BOTH {
                assert!(role.on(side).side().is_none_or(|s| s == side));
            }
        }
        assert!("LeftFeet".parse::<Role>().is_err());
    }
}
