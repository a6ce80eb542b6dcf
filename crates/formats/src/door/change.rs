//! What is done to a clip once its conventions are known.

use std::sync::Arc;

use glam::Quat;
use marey_motion::{Actor, Clip, Joint, Role, Skeleton, Tip};

use super::{FloorWish, UpAxis};
use crate::Error;

/// The same motion, with these roles.
pub(super) fn with_roles(clip: Clip, roles: &[Option<Role>]) -> Result<Clip, Error> {
    let skeleton = clip.skeleton().with_roles(roles)?;
    Ok(clip.with_skeleton(Arc::new(skeleton))?)
}

/// Turns the world so that an axis becomes +Y.
pub(super) fn turn_up(clip: Clip, up: UpAxis) -> Result<Clip, Error> {
    if up == UpAxis::Y {
        return Ok(clip);
    }
    let skeleton = Arc::new(turned_skeleton(clip.skeleton(), up)?);
    let rate_hz = clip.rate_hz();
    let mut parts = clip.into_parts();
    parts.rotations.iter_mut().for_each(|q| *q = up.to_y_up_rotation(*q));
    parts.positions.iter_mut().for_each(|p| *p = up.to_y_up(*p));
    Ok(Clip::new(skeleton, rate_hz, parts)?)
}

/// Turns the rest pose, and only that, so that the body faces +Z in it.
pub(super) fn face_ahead(clip: Clip, facing_deg: f32) -> Result<Clip, Error> {
    if facing_deg == 0.0 {
        return Ok(clip);
    }
    let back = Quat::from_rotation_y(-facing_deg.to_radians());
    with_rest_rotations(clip, |joint, rest| (joint == 0).then_some(back * rest))
}

/// Changes the rest rotations for which there is another.
pub(super) fn with_rest_rotations(
    clip: Clip,
    other: impl Fn(usize, Quat) -> Option<Quat>,
) -> Result<Clip, Error> {
    let joints = clip.skeleton().joints().iter().enumerate().map(|(i, joint)| Joint {
        rest_rotation: other(i, joint.rest_rotation).unwrap_or(joint.rest_rotation),
        ..joint.clone()
    });
    let skeleton = Skeleton::new(joints.collect(), clip.skeleton().tips().to_vec())?;
    Ok(clip.with_skeleton(Arc::new(skeleton))?)
}

/// The same skeleton with Y up.
fn turned_skeleton(skeleton: &Skeleton, up: UpAxis) -> Result<Skeleton, Error> {
    let joints = skeleton.joints().iter().map(|joint| Joint {
        offset: up.to_y_up(joint.offset),
        rest_rotation: up.to_y_up_rotation(joint.rest_rotation),
        ..joint.clone()
    });
    let tips = skeleton.tips().iter().map(|tip| Tip { offset: up.to_y_up(tip.offset), ..*tip });
    Ok(Skeleton::new(joints.collect(), tips.collect())?)
}

/// Lowers or lifts all actors alike, so that a height becomes y = 0. Where nobody rests on a floor, there is none to find.
pub(super) fn put_on_floor(actors: &mut [Actor], wish: FloorWish) -> Result<(), Error> {
    let height_m = match wish {
        FloorWish::AtMetres(height_m) => height_m,
        FloorWish::Found => {
            let floors = actors.iter().map(|actor| marey_ops::floor::estimate(&actor.clip));
            let rested_on = floors.filter(|floor| floor.support > 0.0).map(|floor| floor.height_m);
            rested_on.reduce(f32::min).unwrap_or(0.0)
        }
    };
    for actor in actors {
        actor.clip = actor.clip.lifted(-height_m)?;
    }
    Ok(())
}
