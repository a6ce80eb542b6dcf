//! Feet that swing are kept out of the floor.
//!
//! Joints that are chosen one by one do not know of the floor. Where a foot that does not stand would be in it, the leg is folded by
//! as much as lifts it out ([`marey_ops::ik`]), the foot turned as it was; and a little before and after, so that nothing jumps.

use marey_motion::{LocalPose, Quat, Role, Side, Skeleton, Vec3, WorldPose};
use marey_ops::ik::{Limb, Settings, two_bone};
use marey_ops::sole::SolePoint;

use crate::played::Stage;

/// For how long before and after a foot is lifted, in seconds.
const EASE_SECS: f64 = 0.1;

/// A leg of a skeleton.
pub(crate) struct Swing {
    upper: usize,
    lower: usize,
    foot: usize,
    /// Ahead in the upper joint's frame.
    front: Vec3,
    /// Which sole points are this foot's.
    soles: Vec<usize>,
    /// Which tips are under this foot.
    tips: Vec<usize>,
}

impl Swing {
    /// The legs that a skeleton has whole.
    pub(crate) fn all(skeleton: &Skeleton) -> Vec<Self> {
        Side::BOTH.into_iter().filter_map(|side| Self::of(skeleton, side)).collect()
    }

    fn of(skeleton: &Skeleton, side: Side) -> Option<Self> {
        let joint = |role: Role| skeleton.joint_of(role.on(side));
        let (upper, lower, foot) =
            (joint(Role::LeftUpperLeg)?, joint(Role::LeftLowerLeg)?, joint(Role::LeftFoot)?);
        let is_whole = skeleton.is_under(foot, lower) && skeleton.is_under(lower, upper);
        let soles = SolePoint::all(skeleton);
        let of_side =
            soles.iter().enumerate().filter(|(_, point)| point.side == side).map(|(index, _)| index);
        let is_of_foot = |joint: usize| joint == foot || skeleton.is_under(joint, foot);
        let tips = skeleton.tips().iter().enumerate().filter(|(_, tip)| is_of_foot(tip.parent));
        is_whole.then(|| Self {
            upper,
            lower,
            foot,
            front: skeleton.rest_world_rotations()[upper].inverse() * Vec3::Z,
            soles: of_side.collect(),
            tips: tips.map(|(index, _)| index).collect(),
        })
    }

    /// Whether a sole point is this foot's.
    pub(crate) fn has_sole(&self, sole: usize) -> bool {
        self.soles.contains(&sole)
    }

    /// Lifts this foot out of the floor in all frames but those that were given. `stands` says whether it
    /// stands in a frame.
    pub(crate) fn clear(
        &self,
        skeleton: &std::sync::Arc<Skeleton>,
        poses: &mut [LocalPose],
        stands: impl Fn(usize) -> bool,
        stage: &Stage,
    ) {
        let points = SolePoint::all(skeleton);
        let depth = |frame: usize, pose: &LocalPose| {
            if stands(frame) {
                return 0.0;
            }
            let world = WorldPose::of(skeleton, pose.view());
            let soles = self.soles.iter().filter_map(|sole| points.get(*sole));
            let soles = soles.map(|point| point.rest_m() - point.at(&world.positions, &world.rotations).y);
            let tips = world.tips().enumerate().filter(|(index, _)| self.tips.contains(index));
            soles.chain(tips.map(|(_, tip)| -tip.y)).fold(0.0, f32::max)
        };
        let depths: Vec<f32> = poses.iter().enumerate().map(|(frame, pose)| depth(frame, pose)).collect();
        let reach = (EASE_SECS * stage.rate_hz).ceil().max(1.0) as usize;
        let around = |frame: usize| frame.saturating_sub(reach)..(frame + reach + 1).min(depths.len());
        // The most around, and the mean of that: nowhere less than is needed.
        let most: Vec<f32> = (0..depths.len())
            .map(|frame| depths[around(frame)].iter().copied().fold(0.0, f32::max))
            .collect();
        for (frame, pose) in poses.iter_mut().enumerate() {
            let mean = most[around(frame)].iter().sum::<f32>() / around(frame).len() as f32;
            // Less beside where it stands, and beside what was given.
            let standing = around(frame).filter(|other| stands(*other)).map(|other| frame.abs_diff(other));
            let away = standing.chain([stage.away_from_given(frame), reach]).min().unwrap_or(0);
            let share = away as f32 / reach as f32;
            let lift_m = mean * share * share * (3.0 - 2.0 * share);
            if lift_m > 0.0 {
                self.lift(skeleton, pose, lift_m);
            }
        }
    }

    /// Folds the leg so that its foot is higher, and turned as it was.
    fn lift(&self, skeleton: &std::sync::Arc<Skeleton>, pose: &mut LocalPose, by_m: f32) {
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
        let pole = if off.length() > 0.02 { off } else { limb.front };
        let found = two_bone(&limb, limb.end + by_m * Vec3::Y, pole, &Settings::default());
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
        pose.rotations[self.foot] = (ankle.inverse() * turn(self.foot)).normalize();
    }
}
