//! Presets for tools: joint names, root bone, unit, and import instructions.
//!
//! Joint names follow from roles, so that a tool's own mapping finds every bone. Joints without a role keep their names. If a
//! tool reads root motion from a root bone, the preset adds one.

mod advice;

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use marey_conventions::Unit;
use marey_motion::{Actor, Clip, Joint, Role, Side, Skeleton, Take};

use crate::{Format, FormatsError};

/// A program that motion is exported for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tool {
    /// Blender: names of its human metarig, so that its mirror tools know left from right; BVH in metres.
    Blender,
    /// Unreal Engine: names of its mannequin, travel on a root bone.
    Unreal,
    /// Unity: the names of its humanoid bones.
    Unity,
    /// Godot: the names of its humanoid skeleton profile, travel on a root bone.
    Godot,
    /// three.js: names without the characters that its animation paths reserve.
    Three,
}

impl Tool {
    /// Every tool.
    pub const ALL: [Tool; 5] = [Tool::Blender, Tool::Unreal, Tool::Unity, Tool::Godot, Tool::Three];

    /// The name for command-line flags.
    pub fn name(self) -> &'static str {
        match self {
            Tool::Blender => "blender",
            Tool::Unreal => "unreal",
            Tool::Unity => "unity",
            Tool::Godot => "godot",
            Tool::Three => "three",
        }
    }

    /// Whether the tool opens files of a format. All tools open GLB.
    pub fn opens(self, format: Format) -> bool {
        match format {
            Format::Glb | Format::Gltf | Format::Fbx => true,
            Format::Bvh => matches!(self, Tool::Blender | Tool::Three),
            Format::Usda => matches!(self, Tool::Blender | Tool::Unreal),
            Format::Vrma => self == Tool::Three,
            _ => false,
        }
    }

    /// The unit of a BVH for the tool. GLB is always in metres.
    pub fn bvh_unit(self) -> Unit {
        match self {
            Tool::Blender | Tool::Three => Unit::Metre,
            Tool::Unreal | Tool::Unity | Tool::Godot => Unit::Centimetre,
        }
    }

    /// The name of the root bone for root motion, if the tool needs one.
    pub(crate) fn root(self) -> Option<&'static str> {
        match self {
            Tool::Unreal => Some("root"),
            Tool::Godot => Some("Root"),
            Tool::Blender | Tool::Unity | Tool::Three => None,
        }
    }

    /// Gives a take the tool's joint names. A joint above the hips gets the name of the tool's root bone.
    pub(crate) fn rename(self, take: Take) -> Result<Take, FormatsError> {
        let name = take.name().to_owned();
        let convert = |actor: Actor| Ok(Actor { clip: self.rename_joints(actor.clip)?, ..actor });
        Ok(Take::new(
            name,
            take.into_actors().into_iter().map(convert).collect::<Result<_, FormatsError>>()?,
        )?)
    }

    fn rename_joints(self, clip: Clip) -> Result<Clip, FormatsError> {
        let skeleton = Arc::new(self.named(clip.skeleton())?);
        Ok(clip.with_skeleton(skeleton)?)
    }

    fn named(self, skeleton: &Skeleton) -> Result<Skeleton, FormatsError> {
        let mut taken: HashSet<String> = HashSet::new();
        let mut wanted: Vec<Option<String>> =
            skeleton.joints().iter().map(|joint| joint.role.and_then(|role| self.bone(role))).collect();
        if skeleton.joint_of(Role::Hips).is_some_and(|hips| hips > 0)
            && let (Some(first), Some(root)) = (wanted.first_mut(), self.root())
        {
            first.get_or_insert_with(|| root.to_owned());
        }
        taken.extend(wanted.iter().flatten().cloned());
        let joints = skeleton.joints().iter().zip(wanted).map(|(joint, wanted)| {
            let name = wanted.unwrap_or_else(|| {
                let mut name = self.sanitised(&joint.name);
                while !taken.insert(name.clone()) {
                    name.push('_');
                }
                name
            });
            Joint { name, ..joint.clone() }
        });
        Ok(Skeleton::new(joints.collect(), skeleton.tips().to_vec())?)
    }

    /// A name without the characters that the tool reserves.
    fn sanitised(self, name: &str) -> String {
        match self {
            Tool::Three => three_name(name),
            _ => name.to_owned(),
        }
    }

    /// The tool's name for a role, if it has one.
    fn bone(self, role: Role) -> Option<String> {
        match self {
            Tool::Blender => sided(role, blender(left(role))?, ".L", ".R"),
            Tool::Unreal => sided(role, unreal(left(role))?, "_l", "_r"),
            // Both use the humanoid bone names that our roles use.
            Tool::Unity | Tool::Godot => Some(role.name().to_owned()),
            Tool::Three => None,
        }
    }
}

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Tool {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = Tool::ALL.into_iter().find(|tool| tool.name() == text);
        known.ok_or_else(|| format!("{text:?} is not one of {}", Tool::ALL.map(Tool::name).join(", ")))
    }
}

/// The role on the left side that corresponds to a role on either side.
fn left(role: Role) -> Role {
    if role.side() == Some(Side::Right) { role.mirrored() } else { role }
}

fn sided(role: Role, bone: &str, left: &str, right: &str) -> Option<String> {
    Some(match role.side() {
        None => bone.to_owned(),
        Some(Side::Left) => format!("{bone}{left}"),
        Some(Side::Right) => format!("{bone}{right}"),
    })
}

/// A name as three.js sanitises it on loading: white space becomes underscores, characters of property paths are removed.
fn three_name(name: &str) -> String {
    let spaced = name.chars().map(|c| if c.is_whitespace() { '_' } else { c });
    spaced.filter(|c| !matches!(c, '[' | ']' | '.' | ':' | '/')).collect()
}

/// Bones of Blender's human metarig (Rigify).
fn blender(role: Role) -> Option<&'static str> {
    Some(match role {
        Role::Hips => "spine",
        Role::Spine => "spine.001",
        Role::Chest => "spine.002",
        Role::UpperChest => "spine.003",
        Role::Neck => "spine.004",
        Role::Head => "spine.006",
        Role::Jaw => "jaw",
        Role::LeftEye => "eye",
        Role::LeftShoulder => "shoulder",
        Role::LeftUpperArm => "upper_arm",
        Role::LeftLowerArm => "forearm",
        Role::LeftHand => "hand",
        Role::LeftUpperLeg => "thigh",
        Role::LeftLowerLeg => "shin",
        Role::LeftFoot => "foot",
        Role::LeftToes => "toe",
        Role::LeftThumbMetacarpal => "thumb.01",
        Role::LeftThumbProximal => "thumb.02",
        Role::LeftThumbDistal => "thumb.03",
        Role::LeftIndexProximal => "f_index.01",
        Role::LeftIndexIntermediate => "f_index.02",
        Role::LeftIndexDistal => "f_index.03",
        Role::LeftMiddleProximal => "f_middle.01",
        Role::LeftMiddleIntermediate => "f_middle.02",
        Role::LeftMiddleDistal => "f_middle.03",
        Role::LeftRingProximal => "f_ring.01",
        Role::LeftRingIntermediate => "f_ring.02",
        Role::LeftRingDistal => "f_ring.03",
        Role::LeftLittleProximal => "f_pinky.01",
        Role::LeftLittleIntermediate => "f_pinky.02",
        Role::LeftLittleDistal => "f_pinky.03",
        _ => return None,
    })
}

/// Bones of Unreal's mannequin.
fn unreal(role: Role) -> Option<&'static str> {
    Some(match role {
        Role::Hips => "pelvis",
        Role::Spine => "spine_01",
        Role::Chest => "spine_02",
        Role::UpperChest => "spine_03",
        Role::Neck => "neck_01",
        Role::Head => "head",
        Role::Jaw => "jaw",
        Role::LeftEye => "eye",
        Role::LeftShoulder => "clavicle",
        Role::LeftUpperArm => "upperarm",
        Role::LeftLowerArm => "lowerarm",
        Role::LeftHand => "hand",
        Role::LeftUpperLeg => "thigh",
        Role::LeftLowerLeg => "calf",
        Role::LeftFoot => "foot",
        Role::LeftToes => "ball",
        Role::LeftThumbMetacarpal => "thumb_01",
        Role::LeftThumbProximal => "thumb_02",
        Role::LeftThumbDistal => "thumb_03",
        Role::LeftIndexProximal => "index_01",
        Role::LeftIndexIntermediate => "index_02",
        Role::LeftIndexDistal => "index_03",
        Role::LeftMiddleProximal => "middle_01",
        Role::LeftMiddleIntermediate => "middle_02",
        Role::LeftMiddleDistal => "middle_03",
        Role::LeftRingProximal => "ring_01",
        Role::LeftRingIntermediate => "ring_02",
        Role::LeftRingDistal => "ring_03",
        Role::LeftLittleProximal => "pinky_01",
        Role::LeftLittleIntermediate => "pinky_02",
        Role::LeftLittleDistal => "pinky_03",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use marey_examples::walk::{WalkSettings, walk};

    use super::*;
    use crate::ExportOptions;

    fn walker() -> Take {
        walk(&WalkSettings { duration_secs: 6.0, rate_hz: 30.0, ..Default::default() }).unwrap().take
    }

    #[test]
    fn every_tool_has_a_name_for_every_role_or_uses_ours() {
        for role in Role::ALL {
            for tool in Tool::ALL {
                assert_eq!(tool.bone(*role).is_none(), tool == Tool::Three, "{tool} {role:?}");
            }
        }
        assert_eq!(Tool::Blender.bone(Role::RightUpperArm).as_deref(), Some("upper_arm.R"));
        assert_eq!(Tool::Unreal.bone(Role::LeftToes).as_deref(), Some("ball_l"));
        assert_eq!(Tool::Godot.bone(Role::LeftUpperLeg).as_deref(), Some("LeftUpperLeg"));
    }

    #[test]
    fn names_change_and_the_motion_does_not() {
        let take = walker();
        for tool in Tool::ALL {
            let options = ExportOptions { tool: Some(tool), ..ExportOptions::default() };
            let dressed = options.prepare(take.clone()).unwrap();
            let (before, after) = (take.first(), dressed.first());
            assert_eq!(after.skeleton().joint_of(Role::Hips).unwrap() > 0, tool.root().is_some(), "{tool}");
            for role in Role::CORE {
                let at = |clip: &Clip, frame| {
                    clip.world().positions_at(frame)[clip.skeleton().joint_of(role).unwrap()]
                };
                for frame in [0, 60, 150] {
                    assert!(at(before, frame).distance(at(after, frame)) < 1e-5, "{tool} {role:?} {frame}");
                }
            }
        }
    }

    #[test]
    fn a_root_joint_of_the_file_gets_the_name_and_the_travel() {
        let clip = marey_ops::root::with_ground_root(walker().first(), "Armature").unwrap();
        // As in many files: the root stands still, and the hips travel.
        let before = clip.skeleton().joints().to_vec();
        for tool in [Tool::Unreal, Tool::Godot] {
            let options = ExportOptions { tool: Some(tool), ..ExportOptions::default() };
            let take = options.prepare(Take::solo("walk", clip.clone())).unwrap();
            let joints = take.first().skeleton().joints();
            assert_eq!(Some(joints[0].name.as_str()), tool.root());
            assert_eq!(joints.len(), before.len());
            let (world, track) = (take.first().world(), walker().first().ground_track());
            for frame in [0, take.frames() / 2, take.frames() - 1] {
                let ground = track.frames[frame].translation();
                assert!(world.positions_at(frame)[0].distance(ground) < 1e-3, "frame {frame}");
            }
        }
    }

    #[test]
    fn duplicate_names_become_unique() {
        let joints = vec![
            Joint::new("Hips", None, glam::Vec3::ZERO).with_role(Role::Hips),
            Joint::new("spine", Some(0), glam::Vec3::Y),
            Joint::new("a:b", Some(0), glam::Vec3::Y),
            Joint::new("ab", Some(0), glam::Vec3::Y),
        ];
        let skeleton = Skeleton::new(joints, vec![]).unwrap();
        let names = |tool: Tool| -> Vec<String> {
            tool.named(&skeleton).unwrap().joints().iter().map(|joint| joint.name.clone()).collect()
        };
        assert_eq!(names(Tool::Blender), ["spine", "spine_", "a:b", "ab"]);
        assert_eq!(names(Tool::Three), ["Hips", "spine", "ab", "ab_"]);
    }

    #[test]
    fn tools_are_parsed_by_their_flag_names() {
        for tool in Tool::ALL {
            assert_eq!(tool.name().parse(), Ok(tool));
        }
        assert!("maya".parse::<Tool>().is_err());
    }
}
