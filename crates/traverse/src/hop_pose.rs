//! Adapts one pose of a hopper: Δx at one instant.

use marey_motion::{LocalPose, LocalPoseRef, Quat, Vec2, Vec3};

use crate::Footing;
use crate::hopper::{Hopper, side_view};
use crate::primitive::Stance;

/// Displacement of a sole in the vertical plane.
#[derive(Clone, Copy)]
pub(crate) struct SoleShift {
    offset: Vec2,
    rotation_rad: f32,
}

impl SoleShift {
    /// The displacement from a stance of the example to a footing.
    pub(crate) fn between(stance: &Stance, footing: &Footing) -> Self {
        Self {
            offset: footing.position - side_view(stance.position),
            rotation_rad: footing.slope_rad - stance.slope_rad,
        }
    }

    /// Interpolates. Exact at both ends, so that the end of a hop does not depend on where it began.
    pub(crate) fn lerp(self, other: Self, alpha: f32) -> Self {
        if alpha >= 1.0 {
            return other;
        }
        Self {
            offset: self.offset.lerp(other.offset, alpha),
            rotation_rad: self.rotation_rad + alpha * (other.rotation_rad - self.rotation_rad),
        }
    }
}

/// Displaces the sole and applies a fraction of the joint rotations. Bones on the root keep their world direction.
pub(crate) fn adapt_pose(
    hopper: &Hopper,
    parents: &[usize],
    pose: &mut LocalPose,
    shift: SoleShift,
    fraction: f32,
    rotations: &[Quat],
) {
    let root = pose.rotations[0];
    let middle = pose.positions[0] + root * hopper.middle();
    let rotated = Quat::from_rotation_x(-shift.rotation_rad) * root;
    let root_from_world = rotated.inverse();
    for (joint, &parent) in parents.iter().enumerate().skip(1) {
        let rotation =
            rotations.get(joint).map_or(Quat::IDENTITY, |rotation| Quat::IDENTITY.lerp(*rotation, fraction));
        let local = pose.rotations[joint];
        pose.rotations[joint] =
            if parent == 0 { root_from_world * (rotation * (root * local)) } else { rotation * local };
    }
    pose.rotations[0] = rotated;
    let sole = Vec3::new(0.0, middle.y + shift.offset.y, middle.z + shift.offset.x);
    pose.positions[0] = sole - rotated * hopper.middle();
}

/// The joint rotations from one pose to another; those of bones on the root are in world coordinates.
pub(crate) fn joint_rotations(parents: &[usize], from: LocalPoseRef<'_>, to: LocalPoseRef<'_>) -> Vec<Quat> {
    let rotation = |pose: LocalPoseRef<'_>, joint: usize| {
        let local = pose.rotations[joint];
        if joint > 0 && parents[joint] == 0 { pose.rotations[0] * local } else { local }
    };
    (0..parents.len()).map(|joint| rotation(to, joint) * rotation(from, joint).inverse()).collect()
}
