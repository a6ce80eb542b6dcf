//! Arms of the target that reach for points.

use glam::{Quat, Vec3};
use marey_motion::{Role, Side, Skeleton};

use super::figure::Figure;
use super::solver::Size;
use crate::ik::{IkSettings, Limb, reach_m, two_bone};

/// Distance of the middle of the palm from the wrist, as a fraction of the height (Winter's tables: hands of 0.108).
const PALM: f32 = 0.05;
/// Smallest fold of an elbow, in radians. An elbow that locks snaps when it unlocks.
const MIN_ELBOW_RAD: f32 = 0.05;
/// Distance of an elbow from the line between shoulder and wrist, in metres, from which the elbow alone determines its direction.
const BENT_M: f32 = 0.03;

/// The palm of a hand.
#[derive(Debug, Clone, Copy)]
pub(super) struct Palm {
    /// The joint of the wrist.
    pub(super) hand: usize,
    /// The middle of the palm in the frame of the wrist.
    offset: Vec3,
}

impl Palm {
    /// The palm of a side; the skeleton rests in its T-pose.
    pub(super) fn of(skeleton: &Skeleton, side: Side, size: Size) -> Option<Self> {
        let hand = skeleton.joint_of(Role::LeftHand.on(side))?;
        let outward = if side == Side::Left { Vec3::X } else { Vec3::NEG_X };
        let offset = skeleton.rest_world_rotations()[hand].inverse() * outward * PALM * size.height_m();
        Some(Self { hand, offset })
    }

    /// From the wrist to the middle of the palm, in the world.
    pub(super) fn wrist_to_palm(&self, rotations: &[Quat]) -> Vec3 {
        rotations[self.hand] * self.offset
    }
}

/// One arm of the target.
#[derive(Debug)]
pub(super) struct Arm {
    pub(super) upper: usize,
    lower: usize,
    hand: usize,
    /// Descendants of shoulder, elbow and wrist, grouped by the nearest of them.
    follow: [Vec<usize>; 2],
    /// Where the elbow points when a straight arm bends, in the frame of the upper joint.
    front: Vec3,
    /// Largest distance of the wrist from the upper joint, in metres.
    pub(super) reach_m: f32,
}

impl Arm {
    /// The arm of a side; the skeleton rests in its T-pose.
    pub(super) fn of(skeleton: &Skeleton, side: Side) -> Option<Self> {
        let [upper, lower, hand] = [Role::LeftUpperArm, Role::LeftLowerArm, Role::LeftHand]
            .map(|role| skeleton.joint_of(role.on(side)));
        let (upper, lower, hand) = (upper?, lower?, hand?);
        let is_below = |joint, other| joint != other && skeleton.is_under(joint, other);
        if !is_below(hand, lower) || !is_below(lower, upper) {
            return None;
        }
        let at = skeleton.rest_positions();
        let group = |under: usize, but: usize| -> Vec<usize> {
            let is_in = |&j: &usize| is_below(j, under) && !skeleton.is_under(j, but);
            (under + 1..skeleton.len()).filter(is_in).collect()
        };
        let bones_m = [at[upper].distance(at[lower]), at[lower].distance(at[hand])];
        Some(Self {
            upper,
            lower,
            hand,
            follow: [group(upper, lower), group(lower, hand)],
            front: skeleton.rest_world_rotations()[upper].inverse() * Vec3::NEG_Z,
            reach_m: reach_m(bones_m[0], bones_m[1], MIN_ELBOW_RAD),
        })
    }

    /// Bends the arm so that the wrist moves by `shift`. The hand keeps its rotation, the elbow its direction.
    pub(super) fn shift(&self, skeleton: &Skeleton, figure: &mut Figure, shift: Vec3) {
        let [root, middle, end] =
            [self.upper, self.lower, self.hand].map(|joint| figure.position(skeleton, joint));
        let limb = Limb { root, middle, end, front: figure.rotations[self.upper] * self.front };
        let front = limb.fold_direction(BENT_M);
        let settings = IkSettings { min_fold_rad: MIN_ELBOW_RAD, ..IkSettings::default() };
        let bent = two_bone(&Limb { front, ..limb }, end + shift, front, &settings);
        let turns = [(self.upper, bent.upper_turn), (self.lower, bent.lower_turn)];
        for ((joint, turn), follow) in turns.into_iter().zip(&self.follow) {
            for &joint in std::iter::once(&joint).chain(follow) {
                figure.rotations[joint] = (turn * figure.rotations[joint]).normalize();
            }
        }
    }
}
