//! Writes VRM animations, `.vrma`: glTF with the extension `VRMC_vrm_animation`.

use marey_body::RestSkeleton;
use marey_motion::{Report, Role, Take};

use super::humanoid::humanoid;
use super::motion::{Clock, add_channels};
use super::pack::Pack;
use super::scene::{Animation, Scene};
use super::skeleton::add_nodes;
use super::{check_times, close_binary};
use crate::FormatsError;
use crate::write::only_actor;

/// Writes the motion of one actor for any VRM character.
///
/// The nodes are the humanoid bones alone, in a T-pose on the floor that faces +Z. Every bone has rotations, and the hips have
/// translations. The motion of other joints is part of the next bone's. Fails for several actors, and for figures without the bones that VRM
/// requires.
pub fn write_vrma(take: &Take) -> Result<(Vec<u8>, Report), FormatsError> {
    check_times(take)?;
    let actor = only_actor(take)?;
    let clip = humanoid(&actor.clip)?;
    let (mut scene, mut pack) = (Scene::default(), Pack::default());
    let mut animation = Animation { name: take.name().to_owned(), ..Animation::default() };
    let clock = Clock::of(take, &mut pack);
    let hips = add_nodes(&RestSkeleton::of(clip.skeleton()), &actor.name, &mut scene) + 1;
    add_channels(&clip, hips, &clock, None, &mut animation, &mut pack);
    scene.animations.push(animation);
    scene.humanoid = clip.skeleton().roles().map(|(role, joint)| (bone_name(role), hips + joint)).collect();
    Ok((close_binary(&scene, &pack)?, Report::default()))
}

/// The name of a role in VRM: `leftFoot`.
fn bone_name(role: Role) -> String {
    let mut letters = role.name().chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
