//! Joint frames in which the rest pose has no rotation.

use std::sync::Arc;

use glam::{Quat, Vec3};
use marey_motion::{Clip, ClipParts, Joint, Skeleton, Tip};

use crate::Result;

/// The same motion on a skeleton whose rest pose is that of joints without rotation, for formats that have no other.
///
/// Every joint gets a frame that is parallel to the world at rest. World positions stay the same.
///
/// ```
/// use std::sync::Arc;
/// use marey_motion::{Clip, Joint, LocalPose, Quat, Skeleton, Vec3};
/// use marey_ops::zero_rest::with_zero_rest;
/// // An arm along its own Y axis, which is turned to the left at rest.
/// let arm = Joint { rest_rotation: Quat::from_rotation_z(-1.57), ..Joint::new("arm", None, Vec3::ZERO) };
/// let skeleton = Arc::new(Skeleton::new(vec![arm, Joint::new("elbow", Some(0), Vec3::Y)], vec![])?);
/// let clip = Clip::still(skeleton.clone(), 30.0, LocalPose::rest(&skeleton))?;
/// let plain = with_zero_rest(&clip)?;
/// assert_eq!(plain.skeleton().joints()[0].rest_rotation, Quat::IDENTITY);
/// assert!(plain.skeleton().offsets()[1].distance(skeleton.rest_positions()[1]) < 1e-6);
/// assert!(plain.world().positions[1].distance(clip.world().positions[1]) < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn with_zero_rest(clip: &Clip) -> Result<Clip> {
    let skeleton = clip.skeleton();
    let rest = skeleton.rest_world_rotations();
    let above = |joint: usize| match skeleton.joints()[joint].parent {
        Some(parent) => rest[parent],
        None => Quat::IDENTITY,
    };
    let joints = skeleton.joints().iter().enumerate().map(|(j, joint)| Joint {
        offset: above(j) * joint.offset,
        rest_rotation: Quat::IDENTITY,
        ..joint.clone()
    });
    let tips = skeleton.tips().iter().map(|tip| Tip { offset: rest[tip.parent] * tip.offset, ..*tip });
    let plain = Arc::new(Skeleton::new(joints.collect(), tips.collect())?);
    let mut parts = ClipParts::default();
    for pose in clip.poses() {
        let rotation = |(j, rotation): (usize, &Quat)| (above(j) * *rotation * rest[j].inverse()).normalize();
        parts.rotations.extend(pose.rotations.iter().enumerate().map(rotation));
        let position = |(&j, position): (&usize, &Vec3)| above(j) * *position;
        parts.positions.extend(skeleton.movers().iter().zip(pose.positions).map(position));
    }
    Ok(Clip::new(plain, clip.rate_hz(), parts)?)
}
