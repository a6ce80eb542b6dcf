//! Signs by which a hand shows that it grips, in a stream that does not show its fingers.
//!
//! A hand that holds something keeps still in the room while the body may move. It lets go when it leaves the place of its grip, or when
//! it moves fast.

use glam::Vec3;

/// How long a hand has kept still.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct HandStillness {
    /// How long the hand has kept still in the room, in seconds.
    pub dwell_secs: f32,
    /// How long the hand has kept still while the body moved, in seconds.
    pub pull_secs: f32,
    /// Whether a hand that gripped has left the place of its grip.
    pub has_left: bool,
}

/// A hand that is slower than this keeps still, in metres per second.
const STILL_MPS: f32 = 0.3;
/// A body that moves faster than this pulls at a hand, in metres per second; the hand is slower than half of the body.
const PULL_MPS: f32 = 0.4;
/// How long a hand keeps still before it grips, and while the body pulls at it, in seconds.
const DWELL_SECS: f32 = 0.2;
const PULL_SECS: f32 = 0.1;
/// A hand that is faster than this lets go, in metres per second.
const LEAVING_MPS: f32 = 1.6;
/// A hand that is farther than this from where it gripped has left, in metres: more than the length of a hand, which turns about a bar.
const LEFT_M: f32 = 0.35;

impl HandStillness {
    /// Whether the hand has kept still long enough to grip.
    pub fn dwells(&self) -> bool {
        self.dwell_secs >= DWELL_SECS
    }

    /// Whether the body has pulled at the still hand long enough.
    pub fn pulls(&self) -> bool {
        self.pull_secs >= PULL_SECS
    }
}

/// Tracks a hand of the performer in the room.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct HandTracker {
    pub(crate) still: HandStillness,
    position: Vec3,
    /// Where the hand gripped.
    gripped_at: Option<Vec3>,
}

impl HandTracker {
    /// Updates the signs. `velocity` is that of the hand in the room, `from_centre` that relative to the centre of mass.
    pub(crate) fn update(&mut self, position: Vec3, velocity: Vec3, from_centre: Vec3, secs: f32) {
        self.position = position;
        let is_still = velocity.length() < STILL_MPS;
        let body_mps = (velocity - from_centre).length();
        let is_pulled = body_mps > PULL_MPS && velocity.length() < 0.5 * body_mps;
        self.still.dwell_secs = if is_still { self.still.dwell_secs + secs } else { 0.0 };
        self.still.pull_secs = if is_pulled { self.still.pull_secs + secs } else { 0.0 };
        self.still.has_left = self.gripped_at.is_some_and(|gripped_at| {
            velocity.length() > LEAVING_MPS || gripped_at.distance(position) > LEFT_M
        });
    }

    /// Remembers where the hand gripped.
    pub(crate) fn grip(&mut self) {
        self.gripped_at = Some(self.position);
        self.still.has_left = false;
    }

    /// Forgets the grip.
    pub(crate) fn release(&mut self) {
        self.gripped_at = None;
        self.still = HandStillness::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECS: f32 = 1.0 / 60.0;

    #[test]
    fn a_still_hand_dwells_and_pulls_if_the_body_moves() {
        let mut hand = HandTracker::default();
        for _ in 0..30 {
            hand.update(Vec3::Y * 2.0, Vec3::ZERO, Vec3::ZERO, SECS);
        }
        assert!(hand.still.dwells() && !hand.still.pulls());
        for _ in 0..10 {
            // The body rises: the hand sinks relative to it.
            hand.update(Vec3::Y * 2.0, Vec3::ZERO, Vec3::Y * -0.5, SECS);
        }
        assert!(hand.still.pulls());
        hand.update(Vec3::Y * 2.0, Vec3::X, Vec3::X, SECS);
        assert!(!hand.still.dwells() && !hand.still.pulls());
        // A hand that moves half as fast as the body turns about a bar.
        for _ in 0..10 {
            hand.update(Vec3::Y * 2.0, Vec3::X * 0.4, Vec3::X * -0.8, SECS);
        }
        assert!(!hand.still.dwells() && hand.still.pulls());
    }

    #[test]
    fn a_grip_ends_when_the_hand_leaves_or_is_fast() {
        let mut hand = HandTracker::default();
        hand.update(Vec3::ZERO, Vec3::ZERO, Vec3::ZERO, SECS);
        hand.grip();
        hand.update(Vec3::X * 0.1, Vec3::X * 0.5, Vec3::ZERO, SECS);
        assert!(!hand.still.has_left);
        hand.update(Vec3::X * 0.1, Vec3::X * 3.0, Vec3::ZERO, SECS);
        assert!(hand.still.has_left);
        hand.update(Vec3::X * 0.4, Vec3::ZERO, Vec3::ZERO, SECS);
        assert!(hand.still.has_left);
        hand.release();
        hand.update(Vec3::X * 0.5, Vec3::ZERO, Vec3::ZERO, SECS);
        assert!(!hand.still.has_left);
    }
}
