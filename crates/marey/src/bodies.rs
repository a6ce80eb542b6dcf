//! One body for examples of many people.
//!
//! An actor of a result has one body: the one that was asked for ([`Context::with_bodies`](crate::Context::with_bodies)), or else the
//! one that most of the usable examples have. Examples of other bodies are retargeted onto it.

use std::sync::Arc;

use crate::ActorBodies;
use crate::motion::{Actor, Clip, MotionError, Observer, Role, Side, Skeleton, Take};
use crate::ops::OpsError;
#[cfg(feature = "follow")]
use crate::ops::retarget::TravelScale;
use crate::ops::retarget::{RetargetSettings, is_same_body, retarget_clips_observed};

/// Checks that motion of a body can be that of another: both have hips and both legs, or both arms if the other has no legs. A
/// lamp that hops is no example for a person who walks, nor the other way round.
pub(crate) fn check_likeness(source: &Skeleton, target: &Skeleton) -> Result<(), MotionError> {
    if is_same_body(source, target) {
        return Ok(());
    }
    for role in compared_roles(target) {
        source.require(role)?;
        target.require(role)?;
    }
    Ok(())
}

/// Whether a body has what [`check_likeness`] asks of a target.
pub(crate) fn can_be_asked_for(body: &Skeleton) -> bool {
    compared_roles(body).all(|role| body.joint_of(role).is_some())
}

/// The roles that motion of another body needs to be that of a target.
fn compared_roles(target: &Skeleton) -> impl Iterator<Item = Role> {
    let legs = [Role::LeftUpperLeg, Role::LeftLowerLeg, Role::LeftFoot];
    let arms = [Role::LeftUpperArm, Role::LeftLowerArm, Role::LeftHand];
    let both_sides = |role: Role| Side::BOTH.map(|side| role.on(side));
    let has_legs = legs.into_iter().flat_map(both_sides).any(|role| target.joint_of(role).is_some());
    let limbs = if has_legs { legs } else { arms };
    std::iter::once(Role::Hips).chain(limbs.into_iter().flat_map(both_sides))
}

/// The motion of a person who is alone on a body; unchanged if it has that skeleton.
#[cfg(feature = "tween")]
pub(crate) fn on_body(clip: &Clip, body: &Arc<Skeleton>, observer: Observer<'_>) -> Result<Clip, OpsError> {
    Ok(clips_on_bodies(&[clip], std::slice::from_ref(body), observer)?.swap_remove(0))
}

/// The motion of a person who is one of several on a body: in the same place. Unchanged if it has that skeleton.
#[cfg(feature = "follow")]
pub(crate) fn partner_on_body(
    clip: &Clip,
    body: &Arc<Skeleton>,
    observer: Observer<'_>,
) -> Result<Clip, OpsError> {
    check_likeness(clip.skeleton(), body)?;
    let settings = RetargetSettings { travel: TravelScale::Kept, ..RetargetSettings::default() };
    let body = std::slice::from_ref(body);
    Ok(retarget_clips_observed(&[clip], body, &settings, observer)?.swap_remove(0))
}

/// The motions of the actors of one take on their bodies. Those that have the skeleton stay as they are.
pub(crate) fn clips_on_bodies(
    clips: &[&Clip],
    bodies: &[Arc<Skeleton>],
    observer: Observer<'_>,
) -> Result<Vec<Clip>, OpsError> {
    for (clip, body) in clips.iter().zip(bodies) {
        check_likeness(clip.skeleton(), body)?;
    }
    retarget_clips_observed(clips, bodies, &RetargetSettings::default(), observer)
}

/// A take with every actor on the body that is asked for.
pub(crate) fn take_on_bodies(
    take: Take,
    bodies: &ActorBodies,
    observer: Observer<'_>,
) -> Result<Take, OpsError> {
    let own = |actor: &Actor| bodies.of(&actor.name).unwrap_or(actor.clip.skeleton()).clone();
    let bodies: Vec<Arc<Skeleton>> = take.actors().iter().map(own).collect();
    let clips: Vec<&Clip> = take.actors().iter().map(|actor| &actor.clip).collect();
    let clips = clips_on_bodies(&clips, &bodies, observer)?;
    Ok(take.with_clips(clips)?)
}
