//! One body for examples of many people.
//!
//! An actor of a result has one body: the one that was asked for ([`Context::with_bodies`](crate::Context::with_bodies)), or else the
//! one that most of the usable examples have. Examples of other bodies are retargeted onto it.

use std::sync::Arc;

use crate::motion::{Actor, Clip, MotionError, Place, Report, Role, Side, Skeleton, Take};
use crate::ops::OpsError;
use crate::ops::retarget::{RetargetSettings, TravelScale, is_same_body, retarget_clips};
use crate::{ActorBodies, codes};

/// How long each body is seen in examples.
#[derive(Debug, Default)]
pub(crate) struct BodyTally {
    /// The first skeleton of each body, and its duration in seconds.
    bodies: Vec<(Arc<Skeleton>, f64)>,
}

impl BodyTally {
    /// Counts an example.
    pub(crate) fn add(&mut self, skeleton: &Arc<Skeleton>, secs: f64) {
        let is_known = |body: &&mut (Arc<Skeleton>, f64)| {
            Arc::ptr_eq(&body.0, skeleton) || is_same_body(&body.0, skeleton)
        };
        match self.bodies.iter_mut().find(is_known) {
            Some(body) => body.1 += secs,
            None => self.bodies.push((skeleton.clone(), secs)),
        }
    }

    /// The body that lasts longest; the first of two that last equally long.
    pub(crate) fn longest(&self) -> Option<&Arc<Skeleton>> {
        let longest = self.bodies.iter().reduce(|best, next| if next.1 > best.1 { next } else { best });
        longest.map(|(skeleton, _)| skeleton)
    }
}

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
pub(crate) fn on_body(clip: &Clip, body: &Arc<Skeleton>) -> Result<Clip, OpsError> {
    Ok(clips_on_bodies(&[clip], std::slice::from_ref(body))?.swap_remove(0))
}

/// The motion of a person who is one of several on a body: in the same place. Unchanged if it has that skeleton.
#[cfg(feature = "follow")]
pub(crate) fn partner_on_body(clip: &Clip, body: &Arc<Skeleton>) -> Result<Clip, OpsError> {
    check_likeness(clip.skeleton(), body)?;
    let settings = RetargetSettings { travel: TravelScale::Kept, ..RetargetSettings::default() };
    Ok(retarget_clips(&[clip], std::slice::from_ref(body), &settings)?.swap_remove(0))
}

/// The motions of the actors of one take on their bodies. Those that have the skeleton stay as they are.
pub(crate) fn clips_on_bodies(clips: &[&Clip], bodies: &[Arc<Skeleton>]) -> Result<Vec<Clip>, OpsError> {
    for (clip, body) in clips.iter().zip(bodies) {
        check_likeness(clip.skeleton(), body)?;
    }
    let travel = TravelScale::for_actors(clips.len());
    retarget_clips(clips, bodies, &RetargetSettings { travel, ..RetargetSettings::default() })
}

/// A take with every actor on the body that is asked for.
pub(crate) fn take_on_bodies(take: Take, bodies: &ActorBodies) -> Result<Take, OpsError> {
    let own = |actor: &Actor| bodies.of(&actor.name).unwrap_or(actor.clip.skeleton()).clone();
    let bodies: Vec<Arc<Skeleton>> = take.actors().iter().map(own).collect();
    let clips: Vec<&Clip> = take.actors().iter().map(|actor| &actor.clip).collect();
    let clips = clips_on_bodies(&clips, &bodies)?;
    Ok(take.with_clips(clips)?)
}

/// Whether motion of a skeleton has to be retargeted for a body, instead of being copied. Unknown skeletons do not count.
pub(crate) fn is_other_body(own: Option<&Arc<Skeleton>>, body: Option<&Arc<Skeleton>>) -> bool {
    own.zip(body).is_some_and(|(own, body)| own != body && !is_same_body(own, body))
}

/// Reports how many of the used examples were retargeted.
pub(crate) fn report_retargeted(retargeted: usize, used: usize, report: &mut Report) {
    if retargeted > 0 {
        let message = format!("{retargeted} of {used} examples");
        report.warn_many(&codes::RETARGETED, Place::default(), retargeted, message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::{Joint, Quat, Vec3};

    fn arm(length_m: f32, rest_rad: f32) -> Arc<Skeleton> {
        let elbow = Joint {
            rest_rotation: Quat::from_rotation_z(rest_rad),
            ..Joint::new("elbow", Some(0), Vec3::X * length_m)
        };
        Arc::new(Skeleton::new(vec![Joint::new("arm", None, Vec3::ZERO), elbow], vec![]).unwrap())
    }

    #[test]
    fn equal_bones_are_one_body_whatever_their_rest_pose() {
        let mut tally = BodyTally::default();
        assert!(tally.longest().is_none());
        for (skeleton, secs) in [(arm(0.3, 0.0), 2.0), (arm(0.4, 0.0), 3.0), (arm(0.3, 0.5), 1.5)] {
            tally.add(&skeleton, secs);
        }
        assert_eq!(tally.longest(), Some(&arm(0.3, 0.0)));
        assert_eq!(tally.bodies.len(), 2);
    }
}
