//! Converts clips once their conventions are known.

use std::sync::Arc;

use glam::Quat;
use marey_motion::{Actor, Clip, Joint, Role, Skeleton, Tip};

use crate::{DetectedConventions, Finding, FindingSource, FloorHeight, Result, UpAxis};

/// Sets the roles of the skeleton.
pub(super) fn with_roles(clip: Clip, roles: &[Option<Role>]) -> Result<Clip> {
    let skeleton = clip.skeleton().with_roles(roles)?;
    Ok(clip.with_skeleton(Arc::new(skeleton))?)
}

/// Rotates the world so that `up` becomes +Y.
pub(super) fn rotate_to_y_up(clip: Clip, up: UpAxis) -> Result<Clip> {
    if up == UpAxis::Y {
        return Ok(clip);
    }
    let skeleton = Arc::new(skeleton_with_y_up(clip.skeleton(), up)?);
    let rate_hz = clip.rate_hz();
    let mut parts = clip.into_parts();
    parts.rotations.iter_mut().for_each(|q| *q = up.to_y_up_rotation(*q));
    parts.positions.iter_mut().for_each(|p| *p = up.to_y_up(*p));
    Ok(Clip::new(skeleton, rate_hz, parts)?)
}

/// Rotates the rest pose, but not the motion, so that the body faces +Z in it.
pub(super) fn rotate_rest_to_face_z(clip: Clip, facing_deg: f32) -> Result<Clip> {
    if facing_deg == 0.0 {
        return Ok(clip);
    }
    let to_z = Quat::from_rotation_y(-facing_deg.to_radians());
    with_rest_rotations(clip, |joint, rest| (joint == 0).then_some(to_z * rest))
}

/// Replaces each rest rotation for which `replacement` returns one.
pub(super) fn with_rest_rotations(
    clip: Clip,
    replacement: impl Fn(usize, Quat) -> Option<Quat>,
) -> Result<Clip> {
    let joints = clip.skeleton().joints().iter().enumerate().map(|(i, joint)| Joint {
        rest_rotation: replacement(i, joint.rest_rotation).unwrap_or(joint.rest_rotation),
        ..joint.clone()
    });
    let skeleton = Skeleton::new(joints.collect(), clip.skeleton().tips().to_vec())?;
    Ok(clip.with_skeleton(Arc::new(skeleton))?)
}

/// The same skeleton with Y up.
fn skeleton_with_y_up(skeleton: &Skeleton, up: UpAxis) -> Result<Skeleton> {
    let joints = skeleton.joints().iter().map(|joint| Joint {
        offset: up.to_y_up(joint.offset),
        rest_rotation: up.to_y_up_rotation(joint.rest_rotation),
        ..joint.clone()
    });
    let tips = skeleton.tips().iter().map(|tip| Tip { offset: up.to_y_up(tip.offset), ..*tip });
    Ok(Skeleton::new(joints.collect(), tips.collect())?)
}

/// Gives actors that were recorded together the lowest rate that was found for any of them: evidence about one is evidence about
/// all. Frames stay as they are.
pub fn share_rate(actors: &mut [Actor], detected: &mut [DetectedConventions]) -> Result<()> {
    let lowest = actors.iter().map(|actor| actor.clip.rate_hz()).fold(f64::INFINITY, f64::min);
    for actor in actors {
        actor.clip = actor.clip.clone().with_rate(lowest)?;
    }
    for rate_hz in detected.iter_mut().map(|found| &mut found.rate_hz).filter(|rate| rate.value > lowest) {
        *rate_hz = Finding::new(lowest, FindingSource::Evidence, "as for another actor");
    }
    Ok(())
}

/// Moves all actors vertically by the same amount, so that the floor is at y = 0. If no actor rests on a floor, nothing
/// moves.
pub(super) fn move_floor_to_zero(actors: &mut [Actor], floor: FloorHeight) -> Result<()> {
    let height_m = match floor {
        FloorHeight::Metres(height_m) => height_m,
        FloorHeight::Detected => {
            let floors = actors.iter().map(|actor| marey_ops::floor::estimate(&actor.clip));
            marey_ops::floor::shared_height_m(floors).unwrap_or(0.0)
        }
    };
    for actor in actors {
        actor.clip = actor.clip.lifted(-height_m)?;
    }
    Ok(())
}
