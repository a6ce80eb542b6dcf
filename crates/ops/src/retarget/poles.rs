//! The direction in which knees and elbows bend, from the moving limb.

use glam::Vec3;
use marey_motion::Skeleton;

use super::figure::Figure;
use crate::ik::Limb;

/// Shortest mean distance of the middle joint from the line between the others, in metres, that determines a direction.
const LEAST_BEND_M: f32 = 0.005;

/// The three joints of a limb.
#[derive(Debug, Clone, Copy)]
pub(super) struct LimbJoints {
    pub(super) upper: usize,
    pub(super) lower: usize,
    pub(super) end: usize,
}

impl LimbJoints {
    /// The limb in a frame, with the direction in which it bends. `front`, in the frame of the upper joint, counts as far as the
    /// middle joint is nearer to the line between the others than `bent_m` metres.
    ///
    /// A limb that is stretched too far, so that it bends backwards, does not flip: the direction is within 90° of the front.
    pub(super) fn limb(self, skeleton: &Skeleton, figure: &Figure, front: Vec3, bent_m: f32) -> Limb {
        let [root, middle, end] =
            [self.upper, self.lower, self.end].map(|joint| figure.position(skeleton, joint));
        let front = figure.rotations[self.upper] * front;
        let bend = Limb { root, middle, end, front }.fold_direction(0.0);
        let forward = bend - front * front.dot(bend).min(0.0);
        let middle_ahead = middle + forward - bend;
        let front = Limb { root, middle: middle_ahead, end, front }.fold_direction(bent_m);
        Limb { root, middle, end, front }
    }

    /// The direction in which the limb bends in a motion, in the frame of the upper joint, or `rest` if it is always straight.
    ///
    /// Knees and elbows are hinges: what bends far shows the direction for the frames in which the limb is straight. A single frame
    /// does not show it.
    pub(super) fn front(self, skeleton: &Skeleton, figures: &[Figure], rest: Vec3) -> Vec3 {
        let bend = |figure: &Figure| {
            let [root, middle, end] =
                [self.upper, self.lower, self.end].map(|joint| figure.position(skeleton, joint));
            let limb = Limb { root, middle, end, front: Vec3::ZERO };
            figure.rotations[self.upper].inverse() * limb.fold_direction(0.0)
        };
        let mean = figures.iter().map(bend).sum::<Vec3>() / figures.len().max(1) as f32;
        if figures.len() < 2 || mean.length() < LEAST_BEND_M { rest } else { mean.normalize() }
    }
}
