//! The directions in which elbows and knees bend.

use glam::Vec3;
use marey_motion::{Clip, Role, Side, WorldPose};

/// Number of frames sampled.
const SAMPLES: usize = 200;
/// Mean distance of the lower bone's direction from that of a straight limb, from which the bend is known.
const MIN_BEND: f32 = 0.05;

/// The directions in which the limbs of a body bend: of the lower bone, in the frame of the upper joint, left and right.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct LimbBends {
    /// Elbows.
    pub arms: [Option<Vec3>; 2],
    /// Knees.
    pub legs: [Option<Vec3>; 2],
}

impl LimbBends {
    /// The bends over a whole motion, each rounded to an axis of the upper joint, so that motions of one rig agree.
    ///
    /// Elbows and knees bend in one direction only. Limbs that stay straight have no bend.
    pub fn of(clip: &Clip) -> Self {
        let arms = Side::BOTH.map(|side| Limb::of(clip, Limb::ARM.map(|role| role.on(side))));
        let legs = Side::BOTH.map(|side| Limb::of(clip, Limb::LEG.map(|role| role.on(side))));
        let mut limbs = [arms[0], arms[1], legs[0], legs[1]];
        let mut world = WorldPose::scratch(clip.skeleton());
        let step = clip.frames().div_ceil(SAMPLES).max(1);
        for pose in clip.poses().step_by(step) {
            world.set(pose);
            limbs.iter_mut().flatten().for_each(|limb| limb.add(&world));
        }
        let bend = |limb: Option<Limb>| limb.and_then(|limb| limb.bend());
        Self { arms: [bend(limbs[0]), bend(limbs[1])], legs: [bend(limbs[2]), bend(limbs[3])] }
    }
}

/// A limb, and the sum of the directions of its lower bone.
#[derive(Debug, Clone, Copy)]
struct Limb {
    joints: [usize; 3],
    /// In the frame of the upper joint, less the part along the upper bone.
    sum: Vec3,
    /// The direction of the upper bone.
    along: Vec3,
    frames: usize,
}

impl Limb {
    const ARM: [Role; 3] = [Role::LeftUpperArm, Role::LeftLowerArm, Role::LeftHand];
    const LEG: [Role; 3] = [Role::LeftUpperLeg, Role::LeftLowerLeg, Role::LeftFoot];

    fn of(clip: &Clip, roles: [Role; 3]) -> Option<Self> {
        let [upper, lower, end] = roles.map(|role| clip.skeleton().joint_of(role));
        Some(Self { joints: [upper?, lower?, end?], sum: Vec3::ZERO, along: Vec3::ZERO, frames: 0 })
    }

    fn add(&mut self, world: &WorldPose) {
        let [upper, lower, end] = self.joints.map(|joint| world.positions[joint]);
        let bones = (lower - upper).try_normalize().zip((end - lower).try_normalize());
        let Some((along, next)) = bones else { return };
        let to_joint = world.rotations[self.joints[0]].inverse();
        self.sum += to_joint * (next - along * next.dot(along));
        self.along += to_joint * along;
        self.frames += 1;
    }

    fn bend(&self) -> Option<Vec3> {
        let mean = self.sum / self.frames.max(1) as f32;
        let along = nearest_axis(self.along);
        let across = mean - along * mean.dot(along);
        (across.length() > MIN_BEND).then(|| nearest_axis(across))
    }
}

/// The axis, of either sign, that a direction is nearest to.
pub(crate) fn nearest_axis(direction: Vec3) -> Vec3 {
    let size = direction.abs();
    if size.x >= size.y && size.x >= size.z {
        Vec3::X * direction.x.signum()
    } else if size.y >= size.z {
        Vec3::Y * direction.y.signum()
    } else {
        Vec3::Z * direction.z.signum()
    }
}
