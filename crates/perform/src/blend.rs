//! Smooth transitions between poses (end of section 6.2).
//!
//! When an interaction begins or ends, the rotation from the new pose to the last one is stored for each joint and decays over
//! `blend_secs`. Changed: the paper mixes with the last pose, which lags behind during the blend; with a decaying offset, joints
//! keep their velocity.

use glam::Quat;
use marey_motion::{LocalPose, smoothstep};

use crate::guard::near;

/// The offsets of the last transition.
#[derive(Debug, Clone)]
pub(crate) struct Blend {
    turns: Vec<Quat>,
    /// The remaining share of the transition, from 1 to 0.
    left: f32,
}

impl Blend {
    pub(crate) fn new(joints: usize) -> Self {
        Self { turns: vec![Quat::IDENTITY; joints], left: 0.0 }
    }

    /// Starts a transition from the last pose.
    pub(crate) fn begin(&mut self, last: &[Quat], new: &[Quat]) {
        for ((turn, last), new) in self.turns.iter_mut().zip(last).zip(new) {
            *turn = near(*last * new.inverse());
        }
        self.left = 1.0;
    }

    /// The weight of the remaining offset, smooth at both ends.
    pub(crate) fn share(&self) -> f32 {
        smoothstep(self.left)
    }

    /// Advances by a frame and adds the remaining offset to a pose; `over_secs` is the duration of the whole transition.
    pub(crate) fn apply(&mut self, pose: &mut LocalPose, secs: f32, blend_secs: f32) {
        if self.left <= 0.0 {
            return;
        }
        self.left = (self.left - secs / blend_secs.max(1e-3)).max(0.0);
        let share = self.share();
        for (turn, rotation) in self.turns.iter().zip(&mut pose.rotations) {
            *rotation = (Quat::IDENTITY.slerp(*turn, share) * *rotation).normalize();
        }
    }
}
