//! Hands of a motion that is still being made.

use std::slice;

use glam::Vec3;
use marey_motion::{Skeleton, WorldPose};

use super::figure::Figure;
use super::hands::{Hands, TouchingActor, bend_arms};
use super::moment::Moment;

/// Time in which most of a new correction is made, in seconds: what a hand is nearest to changes suddenly, and later frames are not known.
const EASING_SECS: f64 = 0.04;

/// Hands that keep their distances to the own body and to a floor at height 0, frame by frame.
#[derive(Debug)]
pub(super) struct LiveHands {
    hands: Hands,
    /// The share of a new correction that a frame makes.
    share: f32,
    /// The shifts of both hands in the last frame.
    last: Option<[Vec3; 2]>,
}

impl LiveHands {
    /// Both skeletons rest in their T-poses.
    pub(super) fn new(source: &Skeleton, target: &Skeleton, rate_hz: f64) -> Self {
        let share = 1.0 - (-1.0 / (EASING_SECS * rate_hz.max(1e-3))).exp();
        Self { hands: Hands::new(source, target), share: share as f32, last: None }
    }

    /// Bends the arms of the target in the next frame.
    pub(super) fn keep(&mut self, source: &WorldPose, target: &Skeleton, figure: &mut Figure) {
        let before = figure.clone();
        let mut actors = [TouchingActor {
            hands: &self.hands,
            target,
            figures: slice::from_mut(figure),
            can_move: true,
            floor_m: 0.0,
            travel: 1.0,
        }];
        let sources = [self.hands.source.posed(source)];
        let wanted = Moment::new(&actors, &sources, &[&before]).solve();
        let Some(&[left, right]) = wanted.first() else { return };
        let shifts = match self.last {
            Some(last) => [last[0].lerp(left, self.share), last[1].lerp(right, self.share)],
            None => [left, right],
        };
        self.last = Some(shifts);
        let fronts = [0, 1].map(|side| self.hands.arms[side].as_ref().map_or(Vec3::ZERO, |arm| arm.front));
        bend_arms(&mut actors, &vec![fronts], 0, &vec![shifts]);
    }
}
