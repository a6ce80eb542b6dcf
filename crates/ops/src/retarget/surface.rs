//! The surface of a body, as capsules along its bones.

use glam::{Quat, Vec3};
use marey_motion::{Role, Side, Skeleton};

use super::solver::Size;

/// Parts of a body that hands touch: from one role to another, and the radius as a fraction of the height.
const PARTS: [(Role, Role, f32); 12] = [
    (Role::Hips, Role::Neck, 0.075),
    (Role::LeftUpperArm, Role::RightUpperArm, 0.045),
    (Role::LeftUpperLeg, Role::RightUpperLeg, 0.055),
    (Role::Head, Role::Head, 0.06),
    (Role::LeftUpperArm, Role::LeftLowerArm, 0.028),
    (Role::LeftLowerArm, Role::LeftHand, 0.022),
    (Role::RightUpperArm, Role::RightLowerArm, 0.028),
    (Role::RightLowerArm, Role::RightHand, 0.022),
    (Role::LeftUpperLeg, Role::LeftLowerLeg, 0.045),
    (Role::LeftLowerLeg, Role::LeftFoot, 0.032),
    (Role::RightUpperLeg, Role::RightLowerLeg, 0.045),
    (Role::RightLowerLeg, Role::RightFoot, 0.032),
];
/// Height of the middle of the head over its joint, as a fraction of the body's.
const HEAD: f32 = 0.05;

/// A capsule between two joints.
#[derive(Debug, Clone, Copy)]
pub(super) struct Capsule {
    from: usize,
    to: usize,
    /// Added to both ends, in the frame of the first joint.
    offset: Vec3,
    pub(super) radius_m: f32,
}

impl Capsule {
    pub(super) fn ends(&self, positions: &[Vec3], rotations: &[Quat]) -> [Vec3; 2] {
        let offset = rotations[self.from] * self.offset;
        [positions[self.from] + offset, positions[self.to] + offset]
    }

    /// The fraction of the way between two ends at which a line is nearest to a point.
    pub(super) fn nearest([from, to]: [Vec3; 2], point: Vec3) -> f32 {
        let along = to - from;
        let length = along.length_squared();
        if length > 1e-8 { ((point - from).dot(along) / length).clamp(0.0, 1.0) } else { 0.0 }
    }
}

/// The capsules of a body.
#[derive(Debug)]
pub(super) struct Surface {
    /// One for each of [`PARTS`] that the body has.
    pub(super) parts: [Option<Capsule>; PARTS.len()],
}

impl Surface {
    /// The surface of a body that rests in its T-pose.
    pub(super) fn of(skeleton: &Skeleton, size: Size) -> Self {
        let height_m = size.height_m();
        let upright = |joint: usize| skeleton.rest_world_rotations()[joint].inverse() * Vec3::Y;
        let parts = PARTS.map(|(from, to, radius)| {
            let from_joint = skeleton.joint_of(from)?;
            let to_joint = skeleton.joint_of(to).or_else(|| skeleton.joint_of(Role::Head))?;
            let is_head = from == Role::Head;
            let offset = if is_head { upright(from_joint) * HEAD * height_m } else { Vec3::ZERO };
            Some(Capsule { from: from_joint, to: to_joint, offset, radius_m: radius * height_m })
        });
        Self { parts }
    }

    /// Whether a part belongs to the arm of a side, or bears it: a hand is always near them.
    pub(super) fn is_own_arm(part: usize, side: Side) -> bool {
        let (from, to, _) = PARTS[part];
        let arm = [Role::LeftUpperArm, Role::LeftLowerArm, Role::LeftHand].map(|role| role.on(side));
        arm.contains(&from) && arm.contains(&to)
    }
}
