//! The names of bones in Unity's `HumanBodyBones`.
//!
//! They are the names of roles, except for thumbs: Unity counts proximal, intermediate and distal from the wrist, where a role counts
//! metacarpal, proximal and distal.

use std::str::FromStr;

use marey_motion::Role;

/// Bones of thumbs: Unity's name, and the role.
const THUMBS: [(&str, Role); 6] = [
    ("LeftThumbProximal", Role::LeftThumbMetacarpal),
    ("LeftThumbIntermediate", Role::LeftThumbProximal),
    ("LeftThumbDistal", Role::LeftThumbDistal),
    ("RightThumbProximal", Role::RightThumbMetacarpal),
    ("RightThumbIntermediate", Role::RightThumbProximal),
    ("RightThumbDistal", Role::RightThumbDistal),
];

/// The role of a bone of Unity.
pub(crate) fn role_of_bone(name: &str) -> Option<Role> {
    let thumb = THUMBS.iter().find(|(bone, _)| bone.eq_ignore_ascii_case(name));
    thumb.map(|(_, role)| *role).or_else(|| Role::from_str(name).ok())
}

/// Unity's name of the bone with a role.
pub(crate) fn bone_of_role(role: Role) -> &'static str {
    THUMBS.iter().find(|(_, thumb)| *thumb == role).map_or(role.name(), |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_role_has_a_bone_of_its_own() {
        for role in Role::ALL {
            assert_eq!(role_of_bone(bone_of_role(*role)), Some(*role));
        }
        assert_eq!(role_of_bone("LeftThumbProximal"), Some(Role::LeftThumbMetacarpal));
        assert_eq!(bone_of_role(Role::RightThumbProximal), "RightThumbIntermediate");
        assert_eq!(role_of_bone("LastBone"), None);
    }
}
