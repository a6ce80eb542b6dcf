//! Inverse kinematics of a leg.

use std::sync::Arc;

use marey_motion::{CheckedAccess, LocalPose, Quat, Role, Side, Skeleton, Vec3, WorldPose};
use marey_ops::ik::{IkSettings, Limb, two_bone};
use marey_ops::leg::{LegGeometry, SoleOffset};
use marey_ops::sole::{SolePart, SolePoint};

use crate::Result;

/// Maximum extension relative to the length of the leg, so that the knee never locks.
const MAX_EXTENSION: f32 = 0.9995;

/// If the knee is at least this far from the line between hip and ankle, it bends in its own direction, in
/// metres.
const BENT_M: f32 = 0.04;

/// Position and orientation of a foot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Foot {
    pub(crate) ankle: Vec3,
    pub(crate) rotation: Quat,
}

impl Foot {
    /// Returns the world position of a point in the foot's frame.
    pub(crate) fn point(&self, offset: Vec3) -> Vec3 {
        self.ankle + self.rotation * offset
    }
}

/// A sole point in the frame of its foot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Sole {
    /// Index among the sole points of the skeleton.
    pub(crate) index: usize,
    pub(crate) part: SolePart,
    /// In the foot's frame.
    pub(crate) offset: Vec3,
    /// Height above the floor when the foot stands flat.
    pub(crate) rest_m: f32,
}

/// A leg of a skeleton.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Leg {
    upper: usize,
    lower: usize,
    foot: usize,
    toes: Option<usize>,
    /// Forward direction in the upper joint's frame.
    front: Vec3,
    /// Maximum distance from hip to foot.
    pub(crate) reach_m: f32,
    /// Heel and ball, if present.
    pub(crate) soles: Vec<Sole>,
    /// Tips below this foot.
    tips: Vec<usize>,
}

impl Leg {
    /// Returns the complete legs of a skeleton.
    pub(crate) fn all(skeleton: &Skeleton) -> Vec<Self> {
        Side::BOTH.into_iter().filter_map(|side| Self::of(skeleton, side)).collect()
    }

    fn of(skeleton: &Skeleton, side: Side) -> Option<Self> {
        let leg = LegGeometry::of(skeleton, side)?;
        let LegGeometry { upper, lower, foot, front, .. } = leg;
        let points = SolePoint::all(skeleton);
        let soles = leg.sole.into_iter().flatten().filter_map(|SoleOffset { point, offset }| {
            let index = points.iter().position(|other| *other == point)?;
            Some(Sole { index, part: point.part, offset, rest_m: point.rest_m() })
        });
        let tips = skeleton.tips().iter().enumerate().filter(|(_, tip)| skeleton.is_under(tip.parent, foot));
        let toes = skeleton.joint_of(Role::LeftToes.on(side));
        Some(Self {
            upper,
            lower,
            foot,
            toes: toes.filter(|toes| skeleton.is_under(*toes, foot)),
            front,
            reach_m: MAX_EXTENSION * (leg.thigh_m + leg.shank_m),
            soles: soles.collect(),
            tips: tips.map(|(index, _)| index).collect(),
        })
    }

    /// Placement of the foot in a pose.
    pub(crate) fn foot(&self, world: &WorldPose) -> Result<Foot> {
        Ok(Foot { ankle: *world.positions.at(self.foot)?, rotation: *world.rotations.at(self.foot)? })
    }

    /// Position of the hip joint in a pose.
    pub(crate) fn hip(&self, world: &WorldPose) -> Result<Vec3> {
        Ok(*world.positions.at(self.upper)?)
    }

    /// Height of the lower of heel and ball, relative to standing flat.
    pub(crate) fn height_m(&self, foot: &Foot) -> f32 {
        let heights = self.soles.iter().map(|sole| foot.point(sole.offset).y - sole.rest_m);
        heights.fold(f32::INFINITY, f32::min)
    }

    /// Depth of the lowest point of the foot below the floor, at least 0.
    pub(crate) fn depth_m(&self, world: &WorldPose) -> Result<f32> {
        let foot = self.foot(world)?;
        let soles = self.soles.iter().map(|sole| sole.rest_m - foot.point(sole.offset).y);
        let tips = world.tips().enumerate().filter(|(index, _)| self.tips.contains(index));
        Ok(soles.chain(tips.map(|(_, tip)| -tip.y)).fold(0.0, f32::max))
    }

    /// Moves the foot to a target, or as close as the leg reaches.
    pub(crate) fn place(&self, skeleton: &Arc<Skeleton>, pose: &mut LocalPose, foot: &Foot) -> Result<()> {
        let world = WorldPose::of(skeleton, pose.view());
        let position = |joint: usize| world.positions.at(joint).copied();
        let rotation = |joint: usize| world.rotations.at(joint).copied();
        let (own_upper, own_lower) = (rotation(self.upper)?, rotation(self.lower)?);
        let limb = Limb {
            root: position(self.upper)?,
            middle: position(self.lower)?,
            end: position(self.foot)?,
            front: own_upper * self.front,
        };
        let pole = limb.fold_direction(BENT_M);
        let offset = foot.ankle - limb.root;
        let target = limb.root + offset.clamp_length_max(self.reach_m);
        let found = two_bone(&limb, target, pole, &IkSettings::default());
        let upper = found.upper_turn * own_upper;
        let lower = found.lower_turn * own_lower;
        let parent_rotation = |joint: usize| skeleton.joints().at(joint)?.parent.map(rotation).transpose();
        let parent = parent_rotation(self.upper)?.unwrap_or(Quat::IDENTITY);
        // Joints between hip and knee, or knee and foot, keep their local rotations.
        let (knee, ankle) = (parent_rotation(self.lower)?, parent_rotation(self.foot)?);
        let moved_with = |rotation: Option<Quat>, old: Quat, new: Quat| {
            rotation.map_or(new, |rotation| new * old.inverse() * rotation)
        };
        let knee = moved_with(knee, own_upper, upper);
        let ankle = moved_with(ankle, own_lower, lower);
        *pose.rotations.at_mut(self.upper)? = (parent.inverse() * upper).normalize();
        *pose.rotations.at_mut(self.lower)? = (knee.inverse() * lower).normalize();
        *pose.rotations.at_mut(self.foot)? = (ankle.inverse() * foot.rotation).normalize();
        Ok(())
    }

    /// Bends toes below the floor upwards, by a fraction of the necessary angle.
    pub(crate) fn bend_toes(
        &self,
        skeleton: &Arc<Skeleton>,
        pose: &mut LocalPose,
        fraction: f32,
    ) -> Result<()> {
        let Some(toes) = self.toes else { return Ok(()) };
        let world = WorldPose::of(skeleton, pose.view());
        let (ball, rotation) = (*world.positions.at(toes)?, *world.rotations.at(toes)?);
        let toe_tips = skeleton.tips().iter().zip(world.tips()).filter(|(tip, _)| tip.parent == toes);
        let deepest = toe_tips.map(|(_, tip)| tip).min_by(|a, b| a.y.total_cmp(&b.y));
        let Some(tip) = deepest.filter(|tip| tip.y < 0.0) else { return Ok(()) };
        let toe = tip - ball;
        let flat = toe.with_y(0.0).normalize_or_zero();
        let length = toe.length();
        if flat == Vec3::ZERO || length < 1e-3 {
            return Ok(());
        }
        // The direction in which the tip is at floor height, if the toes are long enough.
        let rise = (-ball.y / length).clamp(-1.0, 1.0);
        let target = flat * (1.0 - rise * rise).sqrt() + Vec3::Y * rise;
        let bend = Quat::IDENTITY.slerp(Quat::from_rotation_arc(toe / length, target), fraction);
        let parent = match skeleton.joints().at(toes)?.parent {
            Some(parent) => *world.rotations.at(parent)?,
            None => Quat::IDENTITY,
        };
        *pose.rotations.at_mut(toes)? = (parent.inverse() * (bend * rotation)).normalize();
        Ok(())
    }
}
