//! Arms of the target that reach for points.

use glam::Vec3;
use marey_motion::{Role, Side, Skeleton};

use super::figure::Figure;
use super::poles::LimbJoints;
use crate::ik::{IkSettings, reach_m, two_bone};

/// Smallest fold of an elbow, in radians. An elbow that locks snaps when it unlocks.
const MIN_ELBOW_RAD: f32 = 0.05;
/// Distance of an elbow from the line between shoulder and wrist, in metres, from which the elbow alone determines its direction.
const BENT_M: f32 = 0.03;

/// One arm of the target.
#[derive(Debug)]
pub(super) struct Arm {
    pub(super) joints: LimbJoints,
    /// Descendants of shoulder, elbow and wrist, grouped by the nearest of them.
    follow: [Vec<usize>; 2],
    /// Where the elbow points when a straight arm bends, in the frame of the upper joint.
    pub(super) front: Vec3,
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
            joints: LimbJoints { upper, lower, end: hand },
            follow: [group(upper, lower), group(lower, hand)],
            front: skeleton.rest_world_rotations()[upper].inverse() * Vec3::NEG_Z,
            reach_m: reach_m(bones_m[0], bones_m[1], MIN_ELBOW_RAD),
        })
    }

    /// Bends the arm so that the wrist moves by `shift`. The hand keeps its rotation, the elbow its direction; that of a straight
    /// arm is `front`, in the frame of the upper joint.
    pub(super) fn shift(&self, skeleton: &Skeleton, figure: &mut Figure, shift: Vec3, front: Vec3) {
        let limb = self.joints.limb(skeleton, figure, front, BENT_M);
        let settings = IkSettings { min_fold_rad: MIN_ELBOW_RAD, ..IkSettings::default() };
        let bent = two_bone(&limb, limb.end + shift, limb.front, &settings);
        let turns = [(self.joints.upper, bent.upper_turn), (self.joints.lower, bent.lower_turn)];
        for ((joint, turn), follow) in turns.into_iter().zip(&self.follow) {
            for &joint in std::iter::once(&joint).chain(follow) {
                figure.rotations[joint] = (turn * figure.rotations[joint]).normalize();
            }
        }
    }
}
