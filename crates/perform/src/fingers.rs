//! The fingers of a skeleton, which show whether its hands are closed.

use marey_motion::{LocalPoseRef, Quat, Role, Side, Skeleton};

/// A finger that is bent by more than this closes the hand, in radians.
const CLOSED_RAD: f32 = 1.0;

/// The fingers of a skeleton, which show whether its hands are closed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fingers {
    /// For each hand, one finger joint and its rotation at rest.
    joints: [Option<(usize, Quat)>; 2],
}

impl Fingers {
    /// Finds the middle finger of each hand, or else the index or ring finger.
    pub fn of(skeleton: &Skeleton) -> Self {
        let roles = [Role::LeftMiddleProximal, Role::LeftIndexProximal, Role::LeftRingProximal];
        let joint = |side: Side| {
            let joint = roles.iter().find_map(|role| skeleton.joint_of(role.on(side)))?;
            Some((joint, skeleton.joints()[joint].rest_rotation))
        };
        Self { joints: Side::BOTH.map(joint) }
    }

    /// Whether the left and the right hand are closed. Hands without fingers count as open.
    pub fn closed(&self, pose: LocalPoseRef<'_>) -> [bool; 2] {
        self.joints.map(|joint| {
            joint.is_some_and(|(joint, rest)| {
                pose.rotations.get(joint).is_some_and(|turn| turn.angle_between(rest) > CLOSED_RAD)
            })
        })
    }
}
