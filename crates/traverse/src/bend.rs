//! A pose of a hopper with its sole displaced and its bones turned: Δx of one instant.

use marey_motion::{LocalPose, LocalPoseRef, Quat, Vec2, Vec3};

use crate::Footing;
use crate::hopper::{Hopper, plane};
use crate::primitive::Stance;

/// How a sole is displaced.
#[derive(Clone, Copy)]
pub(crate) struct Shift {
    by: Vec2,
    turn_rad: f32,
}

impl Shift {
    pub(crate) fn of(footing: &Footing, stance: &Stance) -> Self {
        Self { by: footing.at - plane(stance.at), turn_rad: footing.slope_rad - stance.slope_rad }
    }

    pub(crate) fn mix(self, other: Self, alpha: f32) -> Self {
        Self {
            by: self.by.lerp(other.by, alpha),
            turn_rad: self.turn_rad + alpha * (other.turn_rad - self.turn_rad),
        }
    }
}

/// Displaces the sole, and turns the bones by part of some turns; those on the root keep their direction in the world.
pub(crate) fn bend(
    hopper: &Hopper,
    parents: &[usize],
    pose: &mut LocalPose,
    shift: Shift,
    part: f32,
    turns: &[Quat],
) {
    let root = pose.rotations[0];
    let middle = pose.positions[0] + root * hopper.middle();
    let turned = Quat::from_rotation_x(-shift.turn_rad) * root;
    let back = turned.inverse();
    for (joint, &parent) in parents.iter().enumerate().skip(1) {
        let turn = turns.get(joint).map_or(Quat::IDENTITY, |turn| Quat::IDENTITY.lerp(*turn, part));
        let local = pose.rotations[joint];
        pose.rotations[joint] = if parent == 0 { back * (turn * (root * local)) } else { turn * local };
    }
    pose.rotations[0] = turned;
    let sole = Vec3::new(0.0, middle.y + shift.by.y, middle.z + shift.by.x);
    pose.positions[0] = sole - turned * hopper.middle();
}

/// The turns that carry one pose to another, joint by joint; of bones on the root, in the world.
pub(crate) fn turns_between(parents: &[usize], from: LocalPoseRef<'_>, to: LocalPoseRef<'_>) -> Vec<Quat> {
    let turned = |pose: LocalPoseRef<'_>, joint: usize| {
        let local = pose.rotations[joint];
        if joint > 0 && parents[joint] == 0 { pose.rotations[0] * local } else { local }
    };
    (0..parents.len()).map(|joint| turned(to, joint) * turned(from, joint).inverse()).collect()
}
