//! A clip on the bones of a VRM humanoid alone.
//!
//! Players of VRM animations read the rotations of humanoid bones relative to their parents in the file, and the translation of the
//! hips. The motion of other joints would be lost, so it is folded into the next humanoid bone.
//!
//! | symbol | name |
//! |---|---|
//! | Wⱼ, Tⱼ | world rotation of joint j in a frame, and in the T-pose |
//! | Dⱼ = Wⱼ Tⱼ⁻¹ | its rotation from the T-pose |
//!
//! Frames of bones are parallel to the world at rest, so that the local rotation of a bone below p is Dₚ⁻¹ Dⱼ.

use std::sync::Arc;

use glam::{Quat, Vec3};
use marey_body::RestSkeleton;
use marey_motion::{Clip, ClipParts, Joint, Place, Role, Skeleton, Tip, WorldPose};
use marey_ops::t_pose::with_t_pose;

use crate::FormatsError;
use crate::gltf::codes;

/// Largest distance of the lowest point from the floor at rest, as a fraction of the height.
const NEAR_FLOOR: f32 = 0.02;

/// Whether VRM requires a bone.
fn is_required(role: Role) -> bool {
    role == Role::Spine || Role::CORE.contains(&role)
}

/// The same motion on the humanoid bones, with a T-pose at rest. World rotations of bones and the position of the hips are kept.
pub(super) fn humanoid(clip: &Clip) -> Result<Clip, FormatsError> {
    let posed = with_t_pose(clip.skeleton())?;
    let bones = Bones::of(&posed)?;
    let rest = standing(&posed);
    let skeleton = Arc::new(bones.skeleton(&rest)?);
    let inverse_rest: Vec<Quat> = rest.rotations.iter().map(|rotation| rotation.inverse()).collect();
    let mut world = WorldPose::scratch(clip.skeleton());
    let mut from_rest: Vec<Quat> = Vec::with_capacity(bones.list.len());
    let mut parts = ClipParts::default();
    for pose in clip.poses() {
        world.set(pose);
        from_rest.clear();
        for bone in &bones.list {
            let rotations = world.rotations.get(bone.joint).zip(inverse_rest.get(bone.joint));
            let rotation = rotations.map_or(Quat::IDENTITY, |(world, inverse)| *world * *inverse);
            let above = bone.parent.and_then(|parent| from_rest.get(parent)).copied().unwrap_or_default();
            parts.rotations.push((above.inverse() * rotation).normalize());
            from_rest.push(rotation);
        }
        let hips = bones.list.first().and_then(|hips| world.positions.get(hips.joint));
        parts.positions.push(hips.copied().unwrap_or_default());
    }
    Ok(Clip::new(skeleton, clip.rate_hz(), parts)?)
}

/// The rest pose on the floor. A skeleton that rests there, as characters do, keeps its heights: players scale motion by the height of
/// the hips.
fn standing(skeleton: &Skeleton) -> RestSkeleton<'_> {
    let rest = RestSkeleton::of(skeleton);
    let lowest_m = rest.points().map(|at| at.y).fold(f32::INFINITY, f32::min);
    let is_on_floor = lowest_m.abs() <= NEAR_FLOOR * rest.height_m();
    if is_on_floor { rest } else { RestSkeleton::on_floor(skeleton) }
}

/// A humanoid bone.
struct Bone {
    role: Role,
    /// Its joint in the whole skeleton.
    joint: usize,
    /// The bone above it.
    parent: Option<usize>,
}

/// The humanoid bones of a skeleton: the hips, then all others, parents before children.
struct Bones {
    list: Vec<Bone>,
}

impl Bones {
    /// Fails if a bone that VRM requires is missing.
    fn of(skeleton: &Skeleton) -> Result<Self, FormatsError> {
        let missing: Vec<&str> = Role::ALL
            .iter()
            .filter(|role| is_required(**role) && skeleton.joint_of(**role).is_none())
            .map(|role| role.name())
            .collect();
        if !missing.is_empty() {
            let message = format!("no {}", missing.join(", "));
            return Err(FormatsError::refused(&codes::NOT_HUMANOID, Place::default(), message));
        }
        let hips = skeleton.joint_of(Role::Hips).unwrap_or_default();
        let mut list = vec![Bone { role: Role::Hips, joint: hips, parent: None }];
        let mut bone_of: Vec<Option<usize>> = vec![None; skeleton.len()];
        if let Some(slot) = bone_of.get_mut(hips) {
            *slot = Some(0);
        }
        for (joint, data) in skeleton.joints().iter().enumerate().filter(|(joint, _)| *joint != hips) {
            let above = data.parent.and_then(|parent| *bone_of.get(parent)?);
            let own = data.role.map(|role| {
                // A joint beside the hips becomes a bone below them.
                list.push(Bone { role, joint, parent: above.or(Some(0)) });
                list.len() - 1
            });
            if let Some(slot) = bone_of.get_mut(joint) {
                *slot = own.or(above);
            }
        }
        Ok(Self { list })
    }

    /// The skeleton of the bones and their tips, with frames that are parallel to the world in a rest pose.
    fn skeleton(&self, rest: &RestSkeleton<'_>) -> Result<Skeleton, FormatsError> {
        let joint = |bone: &Bone| {
            let above = bone.parent.and_then(|parent| self.list.get(parent));
            let offset = rest.at(bone.joint) - above.map_or(Vec3::ZERO, |above| rest.at(above.joint));
            let name = rest.skeleton.joints().get(bone.joint).map(|joint| joint.name.clone());
            Joint::new(name.unwrap_or_default(), bone.parent, offset).with_role(bone.role)
        };
        let tip = |(joint, at): &(usize, Vec3)| {
            let parent = self.list.iter().position(|bone| bone.joint == *joint)?;
            Some(Tip { parent, offset: *at - rest.at(*joint) })
        };
        let tips = rest.tips.iter().filter_map(tip).collect();
        Ok(Skeleton::new(self.list.iter().map(joint).collect(), tips)?)
    }
}
