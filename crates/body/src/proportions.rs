//! The size and build of a person, and the skeleton that follows from them.
//!
//! Segment lengths are fractions of the body's height as measured by Drillis and Contini (*Body Segment Parameters*, 1966), in the
//! table of Winter (*Biomechanics and Motor Control of Human Movement*, 4th ed., fig. 4.1): ankle at 0.039 of the height, knee at
//! 0.285, hip at 0.530, shoulder at 0.818, upper arm 0.186, forearm 0.146, hand 0.108, foot 0.152. That table is of surface marks.
//! The rest is set by eye: the hip and shoulder joints lie inside the widths of the table (0.191 and 0.259), the spine has three
//! joints, and the foot's length is divided between heel, ball and toes as 1 : 1.8 : 1.2.
//!
//! At rest the body stands in a T-pose and faces +Z, its palms down and its soles at y = 0. Every rest rotation is the identity,
//! and left mirrors right.

use std::sync::Arc;

use marey_motion::{Joint, OutOfRange, Role, Side, Skeleton, Tip, Vec3};
use serde::{Deserialize, Serialize};

use crate::Result;

/// The size and build of a person; [`BodyProportions::skeleton`] makes the skeleton.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BodyProportions {
    /// Height from sole to crown, in metres; default 1.72; 1.35 to 1.9.
    pub height_m: f32,
    /// Leg length relative to the tables; default 1; 0.94 to 1.06. The trunk is adjusted so that the height stays the same.
    pub leg_length: f32,
    /// Distance between the shoulder joints relative to the tables; default 1; 0.85 to 1.15.
    pub shoulder_width: f32,
    /// Distance between the hip joints relative to the tables; default 1; 0.85 to 1.15.
    pub hip_width: f32,
}

impl Default for BodyProportions {
    fn default() -> Self {
        Self { height_m: 1.72, leg_length: 1.0, shoulder_width: 1.0, hip_width: 1.0 }
    }
}

/// Heights of joints above the floor, as fractions of the body's height.
mod height {
    pub(super) const ANKLE: f32 = 0.039;
    pub(super) const KNEE: f32 = 0.285;
    pub(super) const HIP: f32 = 0.530;
    pub(super) const SHOULDER: f32 = 0.818;
    pub(super) const NECK: f32 = 0.838;
    pub(super) const HEAD: f32 = 0.890;
    pub(super) const BALL: f32 = 0.013;
    /// From the hip joints up to the root between them.
    pub(super) const ROOT_OVER_HIP: f32 = 0.018;
}

/// Lengths, as fractions of the body's height.
mod length {
    pub(super) const HIP_HALF: f32 = 0.050;
    pub(super) const COLLAR_HALF: f32 = 0.018;
    pub(super) const SHOULDER_HALF: f32 = 0.112;
    pub(super) const UPPER_ARM: f32 = 0.186;
    pub(super) const FOREARM: f32 = 0.146;
    pub(super) const PALM: f32 = 0.052;
    pub(super) const FINGERS: f32 = 0.056;
    pub(super) const HEEL_BACK: f32 = 0.038;
    pub(super) const BALL_AHEAD: f32 = 0.068;
    pub(super) const TOES: f32 = 0.046;
}

/// Heights of the three spine joints between the root (0) and the neck (1).
const SPINE_FRACTIONS: [f32; 3] = [0.14, 0.38, 0.66];

impl BodyProportions {
    /// Checks the ranges.
    pub fn validate(&self) -> std::result::Result<(), OutOfRange> {
        OutOfRange::check("height_m", self.height_m, 1.35..=1.9)?;
        OutOfRange::check("leg_length", self.leg_length, 0.94..=1.06)?;
        OutOfRange::check("shoulder_width", self.shoulder_width, 0.85..=1.15)?;
        OutOfRange::check("hip_width", self.hip_width, 0.85..=1.15)
    }

    /// A skeleton of 24 joints, each with a role, and tips for crown, heels, toes, thumbs and fingers.
    ///
    /// # Errors
    /// If a proportion is outside its range.
    pub fn skeleton(&self) -> Result<Arc<Skeleton>> {
        self.validate()?;
        let mut tree = Tree { height_m: self.height_m, joints: Vec::new(), tips: Vec::new() };
        let hip = height::HIP * self.leg_length;
        let root = hip + height::ROOT_OVER_HIP;
        let hips = tree.joint(None, Role::Hips, [0.0, root, 0.0]);
        let upper_chest = self.add_spine(&mut tree, hips, root);
        for side in Side::BOTH {
            self.add_arm(&mut tree, upper_chest, side, root);
        }
        for side in Side::BOTH {
            self.add_leg(&mut tree, hips, side, hip);
        }
        Ok(Arc::new(Skeleton::new(tree.joints, tree.tips)?))
    }

    /// The heights of the three spine joints.
    fn spine_heights(&self, root: f32) -> [f32; 3] {
        SPINE_FRACTIONS.map(|fraction| root + fraction * (height::NECK - root))
    }

    /// Adds spine, neck and head; returns the joint that carries neck and shoulders.
    fn add_spine(&self, tree: &mut Tree, hips: usize, root: f32) -> usize {
        let heights = self.spine_heights(root);
        let mut below = (hips, root);
        for (role, at) in [Role::Spine, Role::Chest, Role::UpperChest].into_iter().zip(heights) {
            below = (tree.joint(Some(below.0), role, [0.0, at - below.1, 0.0]), at);
        }
        let (upper_chest, at) = below;
        let neck = tree.joint(Some(upper_chest), Role::Neck, [0.0, height::NECK - at, -0.004]);
        let head = tree.joint(Some(neck), Role::Head, [0.0, height::HEAD - height::NECK, 0.012]);
        tree.tip(head, [0.0, 1.0 - height::HEAD, 0.0]);
        upper_chest
    }

    fn add_arm(&self, tree: &mut Tree, upper_chest: usize, side: Side, root: f32) {
        let out = sign(side);
        let up = height::SHOULDER - self.spine_heights(root)[2];
        let reach = length::SHOULDER_HALF * self.shoulder_width - length::COLLAR_HALF;
        let collar = [out * length::COLLAR_HALF, up, 0.0];
        let shoulder = tree.joint(Some(upper_chest), Role::LeftShoulder.on(side), collar);
        let upper = tree.joint(Some(shoulder), Role::LeftUpperArm.on(side), [out * reach, 0.0, 0.0]);
        let lower = tree.joint(Some(upper), Role::LeftLowerArm.on(side), [out * length::UPPER_ARM, 0.0, 0.0]);
        let hand = tree.joint(Some(lower), Role::LeftHand.on(side), [out * length::FOREARM, 0.0, 0.0]);
        let knuckle =
            tree.joint(Some(hand), Role::LeftMiddleProximal.on(side), [out * length::PALM, 0.0, 0.0]);
        tree.tip(hand, [out * 0.045, -0.006, 0.034]);
        tree.tip(knuckle, [out * length::FINGERS, 0.0, 0.0]);
    }

    fn add_leg(&self, tree: &mut Tree, hips: usize, side: Side, hip: f32) {
        let stretch = |at: f32| at * self.leg_length;
        let half = length::HIP_HALF * self.hip_width;
        let upper = tree.joint(
            Some(hips),
            Role::LeftUpperLeg.on(side),
            [sign(side) * half, -height::ROOT_OVER_HIP, 0.0],
        );
        let knee = [0.0, stretch(height::KNEE) - hip, 0.0];
        let lower = tree.joint(Some(upper), Role::LeftLowerLeg.on(side), knee);
        let ankle = [0.0, height::ANKLE - stretch(height::KNEE), 0.0];
        let foot = tree.joint(Some(lower), Role::LeftFoot.on(side), ankle);
        let ball = [0.0, height::BALL - height::ANKLE, length::BALL_AHEAD];
        let toes = tree.joint(Some(foot), Role::LeftToes.on(side), ball);
        tree.tip(foot, [0.0, -height::ANKLE, -length::HEEL_BACK]);
        tree.tip(toes, [0.0, -height::BALL, length::TOES]);
    }
}

/// +1 on the left, −1 on the right: the direction of x.
fn sign(side: Side) -> f32 {
    match side {
        Side::Left => 1.0,
        Side::Right => -1.0,
    }
}

/// Collects joints and tips; offsets are given as fractions of the body's height.
struct Tree {
    height_m: f32,
    joints: Vec<Joint>,
    tips: Vec<Tip>,
}

impl Tree {
    fn joint(&mut self, parent: Option<usize>, role: Role, offset: [f32; 3]) -> usize {
        let offset = Vec3::from(offset) * self.height_m;
        self.joints.push(Joint::new(role.name(), parent, offset).with_role(role));
        self.joints.len() - 1
    }

    fn tip(&mut self, parent: usize, offset: [f32; 3]) {
        self.tips.push(Tip { parent, offset: Vec3::from(offset) * self.height_m });
    }
}

#[cfg(test)]
mod tests {
    use marey_motion::{Coded, LocalPose, MirrorMap, Quat, WorldPose};

    use super::*;

    fn bodies() -> impl Iterator<Item = BodyProportions> {
        [1.4, 1.58, 1.72, 1.9].into_iter().flat_map(|height_m| {
            [0.94, 1.0, 1.06].map(|leg_length| BodyProportions {
                height_m,
                leg_length,
                ..BodyProportions::default()
            })
        })
    }

    #[test]
    fn the_crown_is_at_the_height_and_the_soles_on_the_floor() {
        for body in bodies() {
            let skeleton = body.skeleton().unwrap();
            let rest = WorldPose::of(&skeleton, LocalPose::rest(&skeleton).view());
            let top = rest.tips().map(|p| p.y).fold(0.0, f32::max);
            assert!((top - body.height_m).abs() < 1e-4, "{body:?}: {top}");
            assert!(rest.lowest().abs() < 1e-5);
            assert!(skeleton.joints().iter().all(|j| j.rest_rotation == Quat::IDENTITY && j.role.is_some()));
            let soles = rest.tips().filter(|p| p.y.abs() < 1e-5).count();
            assert_eq!(soles, 4, "two heels, two toes");
        }
    }

    #[test]
    fn left_mirrors_right() {
        let skeleton = BodyProportions::default().skeleton().unwrap();
        let (map, at) = (MirrorMap::of(&skeleton), skeleton.rest_positions());
        for (j, p) in at.iter().enumerate() {
            let twin = at[map.partner(j)];
            assert!(twin.distance(Vec3::new(-p.x, p.y, p.z)) < 1e-6, "{}", skeleton.joints()[j].name);
        }
        assert_eq!(skeleton.len(), 24);
    }

    #[test]
    fn segments_have_the_lengths_of_the_table() {
        let body = BodyProportions::default();
        let skeleton = body.skeleton().unwrap();
        for (role, fraction) in [
            (Role::LeftLowerLeg, 0.245),
            (Role::LeftFoot, 0.246),
            (Role::RightLowerArm, 0.186),
            (Role::RightHand, 0.146),
        ] {
            let length = skeleton.offsets()[skeleton.joint_of(role).unwrap()].length();
            assert!((length / body.height_m - fraction).abs() < 1e-4, "{role}");
        }
    }

    #[test]
    fn proportions_outside_their_ranges_are_refused() {
        for body in [
            BodyProportions { height_m: 1.2, ..BodyProportions::default() },
            BodyProportions { height_m: f32::NAN, ..BodyProportions::default() },
            BodyProportions { leg_length: 1.2, ..BodyProportions::default() },
            BodyProportions { shoulder_width: 0.1, ..BodyProportions::default() },
            BodyProportions { hip_width: 2.0, ..BodyProportions::default() },
        ] {
            assert_eq!(body.skeleton().unwrap_err().code().id, "body/setting");
        }
    }
}
