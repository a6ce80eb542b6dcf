//! Smooth transitions between poses (end of section 6.2).
//!
//! When an interaction begins or ends, the rotation from the new pose to the last one is stored for each joint and decays over
//! `blend_secs`. Changed: the paper blends with the last pose, which lags behind during the blend. With a decaying offset, joints keep
//! their velocity.

use glam::Quat;
use marey_motion::{LocalPose, smoothstep};

use crate::stream_filter::shortest;

/// A transition from one pose to another.
#[derive(Debug, Clone)]
pub(crate) struct Blend {
    /// The offset of each joint at the start of the transition.
    offsets: Vec<Quat>,
    /// The remaining fraction of the transition, from 1 to 0.
    remaining: f32,
}

impl Blend {
    pub(crate) fn new(joints: usize) -> Self {
        Self { offsets: vec![Quat::IDENTITY; joints], remaining: 0.0 }
    }

    /// Starts a transition from the last pose.
    pub(crate) fn begin(&mut self, last: &[Quat], new: &[Quat]) {
        for ((offset, last), new) in self.offsets.iter_mut().zip(last).zip(new) {
            *offset = shortest(*last * new.inverse());
        }
        self.remaining = 1.0;
    }

    /// The weight of the remaining offset, smooth at both ends.
    pub(crate) fn weight(&self) -> f32 {
        smoothstep(self.remaining)
    }

    /// Advances by a frame and adds the remaining offset to a pose. `blend_secs` is the duration of the whole transition.
    pub(crate) fn apply(&mut self, pose: &mut LocalPose, secs: f32, blend_secs: f32) {
        if self.remaining <= 0.0 {
            return;
        }
        self.remaining = (self.remaining - secs / blend_secs.max(1e-3)).max(0.0);
        let weight = self.weight();
        for (offset, rotation) in self.offsets.iter().zip(&mut pose.rotations) {
            *rotation = (Quat::IDENTITY.slerp(*offset, weight) * *rotation).normalize();
        }
    }
}
