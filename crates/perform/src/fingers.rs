//! The fingers of a skeleton, which show whether its hands are closed.

use marey_motion::{Clip, LocalPoseRef, Quat, Role, Side, Skeleton};

/// A finger that is bent by more than this closes the hand, in radians.
const CLOSED_RAD: f32 = 1.0;
/// Captured fingers move by more than this, in radians.
const CAPTURED_RAD: f32 = 0.1;

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

    /// The fingers of a clip that move in it. Many captures have finger joints that were never captured.
    pub fn captured(clip: &Clip) -> Self {
        let mut fingers = Self::of(clip.skeleton());
        // The first frame of many captures is a pose that was added later.
        let middle = clip.frames() / 2;
        for finger in &mut fingers.joints {
            let turn = |frame: usize, joint: usize| clip.pose(frame).rotations.get(joint).copied();
            *finger = finger.filter(|(joint, _)| {
                let moved = (0..clip.frames()).filter(|frame| {
                    turn(middle, *joint)
                        .zip(turn(*frame, *joint))
                        .is_some_and(|(middle, now)| middle.angle_between(now) > CAPTURED_RAD)
                });
                moved.count() > clip.frames() / 100
            });
        }
        fingers
    }

    /// Whether the left and the right hand are closed; `None` for a hand without fingers.
    pub fn closed(&self, pose: LocalPoseRef<'_>) -> [Option<bool>; 2] {
        self.joints.map(|joint| {
            let (joint, rest) = joint?;
            Some(pose.rotations.get(joint)?.angle_between(rest) > CLOSED_RAD)
        })
    }
}
