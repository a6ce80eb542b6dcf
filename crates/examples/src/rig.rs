//! Rigs as programs and data sets build them: the same kind of body, with other names, joint axes, proportions and rest poses.

use marey_body::BodyProportions;
use marey_motion::{Joint, Quat, Role, Side, Skeleton, Tip, Vec3};

use crate::Result;

/// A way to build a skeleton.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RigKind {
    /// Mixamo: `mixamorig:` names, every bone along the Y axis of its joint.
    Mixamo,
    /// VRM 1: names in camel case, joints parallel to the world, arms that hang at an angle.
    Vrm,
    /// SMPL: names of its body model, joints parallel to the world, no finger.
    Smpl,
    /// Unreal Engine: names of its mannequin, a root on the floor, every bone along the X axis of its joint, arms that hang at an angle.
    Unreal,
}

impl RigKind {
    /// Every kind.
    pub const ALL: [RigKind; 4] = [RigKind::Mixamo, RigKind::Vrm, RigKind::Smpl, RigKind::Unreal];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            RigKind::Mixamo => "Mixamo",
            RigKind::Vrm => "VRM",
            RigKind::Smpl => "SMPL",
            RigKind::Unreal => "Unreal",
        }
    }

    /// A build that differs from kind to kind.
    fn proportions(self) -> BodyProportions {
        let (height_m, leg_length, shoulder_width, hip_width) = match self {
            RigKind::Mixamo => (1.82, 1.02, 1.1, 0.95),
            RigKind::Vrm => (1.48, 0.96, 0.88, 1.0),
            RigKind::Smpl => (1.7, 1.0, 1.0, 1.1),
            RigKind::Unreal => (1.88, 1.05, 1.15, 0.9),
        };
        BodyProportions { height_m, leg_length, shoulder_width, hip_width }
    }

    /// The axis of a joint along which its bone lies; `None` if joints are parallel to the world.
    fn bone_axis(self) -> Option<Vec3> {
        match self {
            RigKind::Mixamo => Some(Vec3::Y),
            RigKind::Unreal => Some(Vec3::X),
            RigKind::Vrm | RigKind::Smpl => None,
        }
    }

    /// How far the arms hang down at rest, in radians.
    fn arm_drop_rad(self) -> f32 {
        match self {
            RigKind::Vrm => 0.5,
            RigKind::Unreal => 0.9,
            RigKind::Mixamo | RigKind::Smpl => 0.0,
        }
    }

    /// The name of a role's joint; `None` if the rig has none.
    fn joint_name(self, role: Role) -> Option<String> {
        let of_left = if role.side() == Some(Side::Right) { role.mirrored() } else { role };
        let row = NAMES.iter().find(|(named, _)| *named == of_left)?;
        let name = row.1[self as usize];
        let is_left = role.side().map(|side| side == Side::Left);
        let (long, short) = match is_left {
            Some(true) => ("Left", "l"),
            Some(false) => ("Right", "r"),
            None => ("", ""),
        };
        let sided = name.replace("Left", long).replace("left", &long.to_lowercase()).replace('~', short);
        (!name.is_empty()).then_some(sided)
    }
}

/// The names of each role in the order of [`RigKind::ALL`]; `~` is replaced by `l` or `r`.
const NAMES: [(Role, [&str; 4]); 15] = [
    (Role::Hips, ["mixamorig:Hips", "hips", "Pelvis", "pelvis"]),
    (Role::Spine, ["mixamorig:Spine", "spine", "Spine1", "spine_01"]),
    (Role::Chest, ["mixamorig:Spine1", "chest", "Spine2", "spine_02"]),
    (Role::UpperChest, ["mixamorig:Spine2", "upperChest", "Spine3", "spine_03"]),
    (Role::Neck, ["mixamorig:Neck", "neck", "Neck", "neck_01"]),
    (Role::Head, ["mixamorig:Head", "head", "Head", "head"]),
    (Role::LeftShoulder, ["mixamorig:LeftShoulder", "leftShoulder", "~_Collar", "clavicle_~"]),
    (Role::LeftUpperArm, ["mixamorig:LeftArm", "leftUpperArm", "~_Shoulder", "upperarm_~"]),
    (Role::LeftLowerArm, ["mixamorig:LeftForeArm", "leftLowerArm", "~_Elbow", "lowerarm_~"]),
    (Role::LeftHand, ["mixamorig:LeftHand", "leftHand", "~_Wrist", "hand_~"]),
    (Role::LeftMiddleProximal, ["mixamorig:LeftHandMiddle1", "leftMiddleProximal", "", "middle_01_~"]),
    (Role::LeftUpperLeg, ["mixamorig:LeftUpLeg", "leftUpperLeg", "~_Hip", "thigh_~"]),
    (Role::LeftLowerLeg, ["mixamorig:LeftLeg", "leftLowerLeg", "~_Knee", "calf_~"]),
    (Role::LeftFoot, ["mixamorig:LeftFoot", "leftFoot", "~_Ankle", "foot_~"]),
    (Role::LeftToes, ["mixamorig:LeftToeBase", "leftToes", "~_Foot", "ball_~"]),
];

/// The skeleton of a rig, standing on the floor, with roles.
///
/// ```
/// use marey_examples::rig::{RigKind, rig};
/// use marey_motion::Role;
/// let unreal = rig(RigKind::Unreal)?;
/// let hips = unreal.joint_of(Role::Hips).unwrap();
/// assert_eq!((unreal.joints()[0].name.as_str(), unreal.joints()[hips].name.as_str()), ("root", "pelvis"));
/// # Ok::<(), marey_examples::ExamplesError>(())
/// ```
pub fn rig(kind: RigKind) -> Result<Skeleton> {
    let plain = named(&*kind.proportions().skeleton()?, kind)?;
    let dropped = with_dropped_arms(&plain, kind.arm_drop_rad())?;
    match kind.bone_axis() {
        Some(axis) => with_bone_axis(&dropped, axis),
        None => Ok(dropped),
    }
}

/// The skeleton with the joints and names of a kind, below a root on the floor if it has one.
fn named(skeleton: &Skeleton, kind: RigKind) -> Result<Skeleton> {
    let mut joints: Vec<Joint> = Vec::new();
    if kind == RigKind::Unreal {
        joints.push(Joint::new("root", None, Vec3::ZERO));
    }
    let mut place: Vec<Option<usize>> = Vec::new();
    for joint in skeleton.joints() {
        let name = joint.role.and_then(|role| kind.joint_name(role));
        place.push(name.as_ref().map(|_| joints.len()));
        if let Some(name) = name {
            let parent = joint.parent.and_then(|parent| place[parent]).or((!joints.is_empty()).then_some(0));
            joints.push(Joint { name, parent, moves: joint.parent.is_none(), ..joint.clone() });
        }
    }
    let tips = skeleton.tips().iter().filter_map(|tip| Some(Tip { parent: place[tip.parent]?, ..*tip }));
    Ok(Skeleton::new(joints, tips.collect())?)
}

/// The skeleton with arms that hang down at rest.
fn with_dropped_arms(skeleton: &Skeleton, angle_rad: f32) -> Result<Skeleton> {
    let mut joints = skeleton.joints().to_vec();
    for (role, turn) in [(Role::LeftUpperArm, -angle_rad), (Role::RightUpperArm, angle_rad)] {
        if let Some(joint) = skeleton.joint_of(role) {
            joints[joint].rest_rotation = Quat::from_rotation_z(turn);
        }
    }
    Ok(Skeleton::new(joints, skeleton.tips().to_vec())?)
}

/// The same body with joint frames whose `axis` points along the bone.
fn with_bone_axis(skeleton: &Skeleton, axis: Vec3) -> Result<Skeleton> {
    let (positions, rotations) = (skeleton.rest_positions(), skeleton.rest_world_rotations());
    let frame = |joint: usize| {
        let child =
            skeleton.parents().iter().skip(1).position(|&parent| parent == joint).map(|index| index + 1);
        let end = child.map(|child| positions[child] - positions[joint]);
        let tip = || {
            skeleton.tips().iter().find(|tip| tip.parent == joint).map(|tip| rotations[joint] * tip.offset)
        };
        // A root keeps its frame.
        let bone = if joint == 0 { None } else { end.or_else(tip) };
        bone.and_then(Vec3::try_normalize).map_or(Quat::IDENTITY, |bone| Quat::from_rotation_arc(axis, bone))
    };
    let frames: Vec<Quat> = (0..skeleton.len()).map(frame).collect();
    let joints = skeleton.joints().iter().enumerate().map(|(index, joint)| {
        let (above, at) = match joint.parent {
            Some(parent) => (frames[parent], positions[index] - positions[parent]),
            None => (Quat::IDENTITY, positions[index]),
        };
        Joint {
            offset: above.inverse() * at,
            rest_rotation: (above.inverse() * frames[index]).normalize(),
            ..joint.clone()
        }
    });
    let tips = skeleton.tips().iter().map(|tip| Tip {
        offset: frames[tip.parent].inverse() * (rotations[tip.parent] * tip.offset),
        ..*tip
    });
    Ok(Skeleton::new(joints.collect(), tips.collect())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rigs_stand_and_have_the_roles_of_a_person() {
        for kind in RigKind::ALL {
            let skeleton = rig(kind).unwrap();
            for role in Role::CORE {
                assert!(skeleton.joint_of(role).is_some(), "{} {role}", kind.name());
            }
            let rest = skeleton.rest_positions();
            let height_m = rest.iter().map(|at| at.y).fold(0.0, f32::max);
            assert!((1.2..1.9).contains(&height_m), "{} {height_m}", kind.name());
            let hand = rest[skeleton.joint_of(Role::LeftHand).unwrap()];
            let shoulder = rest[skeleton.joint_of(Role::LeftUpperArm).unwrap()];
            assert!(hand.x > shoulder.x, "{}", kind.name());
            assert_eq!(shoulder.y - hand.y > 0.1, kind.arm_drop_rad() > 0.0, "{}", kind.name());
            let axis = kind.bone_axis().unwrap_or(Vec3::ZERO);
            let knee = skeleton.joints()[skeleton.joint_of(Role::RightLowerLeg).unwrap()].offset;
            assert!(knee.distance(axis * knee.length()) < 1e-5 || axis == Vec3::ZERO, "{}", kind.name());
        }
    }
}
