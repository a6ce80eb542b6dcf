//! No pose pops: what changes at once is eased over a short while (the end of section 6.2).
//!
//! Where an interaction begins or ends, the turn from the new pose to the last one is kept for each joint, and let go over
//! `blend_secs`. Changed: the paper mixes with the last pose, which follows late for as long as it lasts; here what moves goes on
//! moving.

use glam::Quat;
use marey_motion::LocalPose;

use crate::guard::near;

/// What is left of the last change.
#[derive(Debug, Clone)]
pub(crate) struct Blend {
    turns: Vec<Quat>,
    /// How much of it is left: 1 when it has just happened.
    left: f32,
}

impl Blend {
    pub(crate) fn new(joints: usize) -> Self {
        Self { turns: vec![Quat::IDENTITY; joints], left: 0.0 }
    }

    /// The pose changes: it goes on from the last one.
    pub(crate) fn begin(&mut self, last: &[Quat], new: &[Quat]) {
        for ((turn, last), new) in self.turns.iter_mut().zip(last).zip(new) {
            *turn = near(*last * new.inverse());
        }
        self.left = 1.0;
    }

    /// How much of the last change is left, smooth at both ends.
    pub(crate) fn share(&self) -> f32 {
        self.left * self.left * (3.0 - 2.0 * self.left)
    }

    /// A frame later, over so many seconds in all: puts what is left on a pose.
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
