//! Appends animations to a file.

use glam::{Quat, Vec3};
use marey_motion::{Clip, Role, Take};
use marey_ops::keyframes::Keyframes;

use super::super::rig::{FileSpace, Rig};
use super::super::write::motion::Clock;
use super::super::write::pack::Pack;
use super::super::write::scene::{Animation, Channel, Sampler, Target};
use super::embed::extend;
use super::json_tree::JsonTree;

/// Values that differ by less than this are equal: rotations by component, translations in the units of the file.
const EQUAL: f32 = 1e-6;

/// An actor's nodes in a file.
pub(super) struct AnimatedRig<'a> {
    pub(super) rig: &'a Rig,
    pub(super) space: FileSpace,
    /// Number of nodes of the file before those of the rig.
    pub(super) first_node: usize,
}

/// Appends an animation with the motion of every actor. `None` if a list of the file is not an array.
pub(super) fn append(
    tree: &mut JsonTree,
    content: &mut Vec<u8>,
    take: &Take,
    keys: &[Option<Keyframes>],
    rigs: &[AnimatedRig<'_>],
) -> Option<()> {
    let mut pack = Pack::default();
    let clock = Clock::of(take, &mut pack);
    let mut animation = Animation { name: take.name().to_owned(), ..Animation::default() };
    for ((actor, keys), rig) in take.actors().iter().zip(keys).zip(rigs) {
        rig.add_channels(&actor.clip, &clock, keys.as_ref(), &mut animation, &mut pack);
    }
    let first_accessor = tree.items("accessors").len();
    for sampler in &mut animation.samplers {
        sampler.input += first_accessor;
        sampler.output += first_accessor;
    }
    let start = extend(tree, content, &pack.bytes)?;
    let first_view = tree.items("bufferViews").len();
    for view in &pack.views {
        let mut view = JsonTree::of(view)?;
        let offset = view.get("byteOffset").and_then(JsonTree::index)?;
        view.set("byteOffset", JsonTree::number(start + offset));
        tree.items_mut("bufferViews")?.push(view);
    }
    for accessor in &pack.accessors {
        let mut accessor = JsonTree::of(accessor)?;
        let view = accessor.get("bufferView").and_then(JsonTree::index)?;
        accessor.set("bufferView", JsonTree::number(first_view + view));
        tree.items_mut("accessors")?.push(accessor);
    }
    tree.items_mut("animations")?.push(JsonTree::of(&animation)?);
    Some(())
}

impl AnimatedRig<'_> {
    /// Adds a channel for the root, for joints of trunk, limbs and fingers, and for other joints that differ from the file's own
    /// pose. A body joint without a channel would keep the pose of the animation that a player showed before.
    fn add_channels(
        &self,
        clip: &Clip,
        clock: &Clock,
        keys: Option<&Keyframes>,
        animation: &mut Animation,
        pack: &mut Pack,
    ) {
        let (joints, movers) = (clip.skeleton().len(), clip.skeleton().movers());
        let mut add = |joint: usize, path: &'static str, input: usize, output: usize| {
            let Some(node) = self.rig.joints.get(joint).map(|joint| joint.node + self.first_node) else {
                return;
            };
            animation
                .channels
                .push(Channel { sampler: animation.samplers.len(), target: Target { node, path } });
            animation.samplers.push(Sampler { input, output });
        };
        for (mover, &joint) in movers.iter().enumerate() {
            let places = clip.positions().iter().skip(mover).step_by(movers.len());
            let mut places: Vec<Vec3> =
                places.map(|at| self.rig.translation(joint, *at, self.space)).collect();
            let own = self.rig.joints.get(joint).map(|joint| joint.local.translation.as_vec3());
            if joint > 0 && places.iter().all(|at| own.is_some_and(|own| at.abs_diff_eq(own, EQUAL))) {
                continue;
            }
            let kept = keys.filter(|_| joint > 0).and_then(|keys| keys.translations.get(mover));
            let input = clock.of_values(&mut places, kept, joint == 0, pack);
            add(joint, "translation", input, pack.translations(&places));
        }
        for (joint, described) in clip.skeleton().joints().iter().enumerate() {
            let rotations = clip.rotations().iter().skip(joint).step_by(joints);
            let mut rotations: Vec<Quat> =
                rotations.map(|rotation| self.rig.rotation(joint, *rotation, self.space)).collect();
            let own = self.rig.joints.get(joint).map(|joint| joint.local.rotation.as_quat());
            let is_own =
                |q: &Quat| own.is_some_and(|own| q.abs_diff_eq(own, EQUAL) || q.abs_diff_eq(-own, EQUAL));
            let is_body = described.role.is_some_and(|role| !is_face(role));
            if joint > 0 && !is_body && rotations.iter().all(is_own) {
                continue;
            }
            let kept = keys.and_then(|keys| keys.rotations.get(joint));
            let input = clock.of_values(&mut rotations, kept, joint == 0, pack);
            add(joint, "rotation", input, pack.rotations(&rotations));
        }
    }
}

/// Whether a joint belongs to the face, which programs animate by themselves: eyes that look at the camera, a mouth that speaks.
fn is_face(role: Role) -> bool {
    matches!(role, Role::Jaw | Role::LeftEye | Role::RightEye)
}
