//! A leg: where its foot is, and how it is folded to put the foot somewhere else.

use std::sync::Arc;

use marey_motion::{LocalPose, Quat, Role, Side, Skeleton, Vec3, WorldPose};
use marey_ops::ik::{Limb, Settings, two_bone};
use marey_ops::sole::{Part, SolePoint};

/// Of the length of a leg, how much it may be stretched, so that the knee never locks.
const STRETCH: f32 = 0.9995;

/// A knee this far from the line between hip and ankle says where it points, in metres.
const BENT_M: f32 = 0.04;

/// Where a foot is and how it is turned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Foot {
    /// The ankle.
    pub(crate) at: Vec3,
    pub(crate) turn: Quat,
}

impl Foot {
    /// Where a point of the foot is.
    pub(crate) fn point(&self, offset: Vec3) -> Vec3 {
        self.at + self.turn * offset
    }
}

/// A point of a sole, as its foot carries it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Sole {
    /// Which of the skeleton's sole points it is.
    pub(crate) index: usize,
    pub(crate) part: Part,
    /// In the foot's frame.
    pub(crate) offset: Vec3,
    /// Its height over the floor that the foot stands flat on.
    pub(crate) rest_m: f32,
}

/// A leg of a skeleton.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Leg {
    upper: usize,
    lower: usize,
    foot: usize,
    toes: Option<usize>,
    /// Ahead in the upper joint's frame.
    front: Vec3,
    /// How far the foot gets from the hip.
    pub(crate) reach_m: f32,
    /// Heel and ball, as far as there are any.
    pub(crate) soles: Vec<Sole>,
    /// Which tips are under this foot.
    tips: Vec<usize>,
}

impl Leg {
    /// The legs that a skeleton has whole.
    pub(crate) fn all(skeleton: &Skeleton) -> Vec<Self> {
        Side::BOTH.into_iter().filter_map(|side| Self::of(skeleton, side)).collect()
    }

    fn of(skeleton: &Skeleton, side: Side) -> Option<Self> {
        let joint = |role: Role| skeleton.joint_of(role.on(side));
        let (upper, lower, foot) =
            (joint(Role::LeftUpperLeg)?, joint(Role::LeftLowerLeg)?, joint(Role::LeftFoot)?);
        let is_whole = skeleton.is_under(foot, lower) && skeleton.is_under(lower, upper);
        let is_of_foot = |joint: usize| joint == foot || skeleton.is_under(joint, foot);
        let (at, turns) = (skeleton.rest_positions(), skeleton.rest_world_rotations());
        let soles = SolePoint::all(skeleton).into_iter().enumerate().filter(|(_, point)| point.side == side);
        let soles = soles.map(|(index, point)| Sole {
            index,
            part: point.part,
            offset: turns[foot].inverse() * (point.at(&at, &turns) - at[foot]),
            rest_m: point.rest_m(),
        });
        let tips = skeleton.tips().iter().enumerate().filter(|(_, tip)| is_of_foot(tip.parent));
        is_whole.then(|| Self {
            upper,
            lower,
            foot,
            toes: joint(Role::LeftToes).filter(|toes| skeleton.is_under(*toes, foot)),
            front: turns[upper].inverse() * Vec3::Z,
            reach_m: STRETCH * (at[upper].distance(at[lower]) + at[lower].distance(at[foot])),
            soles: soles.collect(),
            tips: tips.map(|(index, _)| index).collect(),
        })
    }

    /// Where the foot is in a pose.
    pub(crate) fn foot(&self, world: &WorldPose) -> Foot {
        Foot { at: world.positions[self.foot], turn: world.rotations[self.foot] }
    }

    /// Where the hip joint is in a pose.
    pub(crate) fn hip(&self, world: &WorldPose) -> Vec3 {
        world.positions[self.upper]
    }

    /// How high the lower of heel and ball is over where it would stand.
    pub(crate) fn height_m(&self, foot: &Foot) -> f32 {
        let heights = self.soles.iter().map(|sole| foot.point(sole.offset).y - sole.rest_m);
        heights.fold(f32::INFINITY, f32::min)
    }

    /// How deep the lowest of the foot is in the floor; 0 where nothing is.
    pub(crate) fn depth_m(&self, world: &WorldPose) -> f32 {
        let foot = self.foot(world);
        let soles = self.soles.iter().map(|sole| sole.rest_m - foot.point(sole.offset).y);
        let tips = world.tips().enumerate().filter(|(index, _)| self.tips.contains(index));
        soles.chain(tips.map(|(_, tip)| -tip.y)).fold(0.0, f32::max)
    }

    /// Folds the leg so that its foot is there, or as near as it gets. What hangs on the foot is turned with it.
    pub(crate) fn place(&self, skeleton: &Arc<Skeleton>, pose: &mut LocalPose, foot: &Foot) {
        let world = WorldPose::of(skeleton, pose.view());
        let at = |joint: usize| world.positions[joint];
        let turn = |joint: usize| world.rotations[joint];
        let limb = Limb {
            root: at(self.upper),
            middle: at(self.lower),
            end: at(self.foot),
            front: turn(self.upper) * self.front,
        };
        let line = (limb.end - limb.root).normalize_or(Vec3::NEG_Y);
        let off = (limb.middle - limb.root) - line * (limb.middle - limb.root).dot(line);
        // A leg that is all but straight says little of where its knee is: then ahead, and nothing in between is sudden.
        let front = (limb.front - line * limb.front.dot(line)).normalize_or_zero();
        let pole = off + front * (BENT_M - off.length()).max(0.0);
        let away = foot.at - limb.root;
        let target = limb.root + away.clamp_length_max(self.reach_m);
        let found = two_bone(&limb, target, pole, &Settings::default());
        let upper = found.upper_turn * turn(self.upper);
        let lower = found.lower_turn * turn(self.lower);
        let above = |joint: usize| skeleton.joints()[joint].parent;
        let parent = above(self.upper).map_or(Quat::IDENTITY, turn);
        // What is between hip and knee, or knee and foot, keeps its turn.
        let (knee, ankle) = (above(self.lower).map(turn), above(self.foot).map(turn));
        let carried =
            |turn: Option<Quat>, old: Quat, new: Quat| turn.map_or(new, |turn| new * old.inverse() * turn);
        let knee = carried(knee, turn(self.upper), upper);
        let ankle = carried(ankle, turn(self.lower), lower);
        pose.rotations[self.upper] = (parent.inverse() * upper).normalize();
        pose.rotations[self.lower] = (knee.inverse() * lower).normalize();
        pose.rotations[self.foot] = (ankle.inverse() * foot.turn).normalize();
    }

    /// Bends toes that are in the floor up, by a share of what that takes.
    pub(crate) fn bend_toes(&self, skeleton: &Arc<Skeleton>, pose: &mut LocalPose, share: f32) {
        let Some(toes) = self.toes else { return };
        let world = WorldPose::of(skeleton, pose.view());
        let (ball, turn) = (world.positions[toes], world.rotations[toes]);
        let under = skeleton.tips().iter().zip(world.tips()).filter(|(tip, _)| tip.parent == toes);
        let deepest = under.map(|(_, tip)| tip).min_by(|a, b| a.y.total_cmp(&b.y));
        let Some(tip) = deepest.filter(|tip| tip.y < 0.0) else { return };
        let way = tip - ball;
        let flat = way.with_y(0.0).normalize_or_zero();
        let length = way.length();
        if flat == Vec3::ZERO || length < 1e-3 {
            return;
        }
        // Up to the floor, as far as the toes are long enough from where the ball is.
        let rise = (-ball.y / length).clamp(-1.0, 1.0);
        let wanted = flat * (1.0 - rise * rise).sqrt() + Vec3::Y * rise;
        let bend = Quat::IDENTITY.slerp(Quat::from_rotation_arc(way / length, wanted), share);
        let parent = skeleton.joints()[toes].parent.map_or(Quat::IDENTITY, |above| world.rotations[above]);
        pose.rotations[toes] = (parent.inverse() * (bend * turn)).normalize();
    }
}
