//! Toes that bend up instead of entering the floor.
//!
//! Toes rotate with their foot. If a join pitches a foot down while its ball stands, their tips would enter the
//! floor; the joint of real toes gives way there. Only the depth beyond that of the source is corrected, so
//! that motion that is not joined stays as it is.

use std::f32::consts::FRAC_PI_3;

use marey_motion::{LocalPose, Quat, Role, Side, Skeleton, Vec3, WorldPose};

use super::leg::smooth_max;

/// Tips closer to the floor than this are slowed down, in metres.
const ROUND_M: f32 = 0.01;

/// Toes bend by at most this angle.
const MAX_BEND_RAD: f32 = FRAC_PI_3;

/// The toes of a foot.
#[derive(Debug, Clone, Copy)]
pub(super) struct Toes {
    joint: usize,
    parent: usize,
    /// The first tip of the joint, in its frame.
    tip: Vec3,
}

impl Toes {
    /// `None` if the toes have no joint, or the joint has no tip.
    pub(super) fn of(skeleton: &Skeleton, side: Side) -> Option<Self> {
        let joint = skeleton.joint_of(Role::LeftToes.on(side))?;
        let parent = skeleton.joints()[joint].parent?;
        let tip = skeleton.tips().iter().find(|tip| tip.parent == joint)?.offset;
        (tip.length_squared() > 0.0).then_some(Self { joint, parent, tip })
    }

    /// Height of the tip, in metres.
    pub(super) fn tip_m(&self, world: &WorldPose) -> f32 {
        (world.positions[self.joint] + world.rotations[self.joint] * self.tip).y
    }

    /// How far the tip must rise to be no deeper in the floor than in the source, in metres; 0 or less if it is
    /// not.
    pub(super) fn missing_height_m(&self, world: &WorldPose, own_tip_m: f32, floor_m: f32) -> f32 {
        let depth_m = |tip_m: f32| smooth_max(floor_m - tip_m, 0.0, ROUND_M);
        depth_m(self.tip_m(world)) - depth_m(own_tip_m)
    }

    /// Bends the toes of a pose up such that their tip rises. `world` is the pose in world coordinates.
    pub(super) fn bend(&self, pose: &mut LocalPose, world: &WorldPose, lift_m: f32) {
        if lift_m <= 0.0 {
            return;
        }
        let turn = world.rotations[self.joint];
        let along = turn * self.tip;
        let length = along.length();
        let Some(ahead) = along.with_y(0.0).try_normalize() else { return };
        let pitch = |height_m: f32| (height_m / length).clamp(-1.0, 1.0).asin();
        let bend_rad = (pitch(along.y + lift_m) - pitch(along.y)).min(MAX_BEND_RAD);
        let bent = Quat::from_axis_angle(ahead.cross(Vec3::Y), bend_rad) * turn;
        pose.rotations[self.joint] = (world.rotations[self.parent].conjugate() * bent).normalize();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn toes_bend_out_of_the_floor_and_no_farther() {
        let made = marey_examples::walk::walk(&marey_examples::walk::WalkSettings::default()).unwrap();
        let skeleton = made.take.first().skeleton();
        let toes = Toes::of(skeleton, Side::Left).unwrap();
        let rest = LocalPose::rest(skeleton);
        let tip_m = |pose: &LocalPose| toes.tip_m(&WorldPose::of(skeleton, pose.view()));
        let floor_m = tip_m(&rest);
        let mut down = rest.clone();
        let foot = skeleton.joint_of(Role::LeftFoot).unwrap();
        down.rotations[foot] = Quat::from_rotation_x(0.3) * down.rotations[foot];
        assert!(tip_m(&down) < floor_m - 0.02);
        let bent = |own_tip_m: f32| {
            let (mut pose, world) = (down.clone(), WorldPose::of(skeleton, down.view()));
            toes.bend(&mut pose, &world, toes.missing_height_m(&world, own_tip_m, floor_m));
            pose
        };
        assert!((tip_m(&bent(floor_m + 0.1)) - floor_m).abs() < 1e-4);
        // As deep as in the source: nothing changes.
        assert_eq!(bent(tip_m(&down)), down);
        let others = |pose: &LocalPose| {
            let mut rotations = pose.rotations.clone();
            rotations.remove(toes.joint);
            rotations
        };
        assert_eq!(others(&bent(floor_m + 0.1)), others(&down));
    }
}
