//! How a walk begins and ends: standing.
//!
//! The examples' own standing is used if there is any: a frame in which both feet are flat side by side and the hips are still. Without
//! one, the middle of a stride is used, where the feet pass each other, with the moving foot put down. The first stride then begins
//! with the body at rest and speeds up to its own pace; the last one slows down and puts the foot beside the other one.

use marey_motion::{Clip, Ground, LocalPose, Quat, Role, Side, Vec3, WorldPose};
use marey_ops::sole::SolePart;
use marey_plan::{KeyTime, Placement};

use crate::leg::{Foot, Leg};
use crate::primitive::Stance;
use crate::stride_adaptation::StrideAdapter;
use crate::walk_adaptation::{BodyState, WalkAdapter};
use crate::walker::Walker;
use crate::{Footing, MotionPrimitive, Result, TraverseError, TraverseExample};

/// Maximum speed of the hips of someone who stands, in m/s, measured over this time on each side, in seconds.
const STILL_MPS: f32 = 0.12;
const STILL_SECS: f64 = 0.1;
/// Maximum distance of the feet along the facing, in metres.
const BESIDE_M: f32 = 0.12;
/// Maximum fold of a knee, in radians: no one who sits or squats.
const UPRIGHT_RAD: f32 = 0.6;
/// One in this many frames is looked at.
const EVERY: usize = 4;
/// Duration of the first and the last stride, relative to the example.
const EASE_RATIO: f64 = 1.5;
/// Frames between two key times of an eased stride.
const KEY_FRAMES: usize = 2;

/// A frame of the examples in which the character stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct StandingFrame {
    pub(crate) example: usize,
    pub(crate) frame: usize,
    pub(crate) stance: Stance,
}

impl StandingFrame {
    /// The stillest frame in which someone stands upright, if there is one.
    pub(crate) fn find(walker: &Walker, examples: &[TraverseExample]) -> Option<Self> {
        let frames = examples.iter().enumerate().flat_map(|(index, example)| {
            (0..example.clip.frames()).step_by(EVERY).map(move |frame| (index, example, frame))
        });
        let standing = frames.filter(|(_, example, frame)| is_down(example, *frame));
        let scored = standing.filter_map(|(index, example, frame)| {
            let unrest = unrest(walker, &example.clip, frame)?;
            Some((unrest, index, frame))
        });
        let (_, example, frame) = scored.min_by(|a, b| a.0.total_cmp(&b.0))?;
        let clip = &examples.get(example)?.clip;
        Some(Self { example, frame, stance: stance(walker, clip, frame) })
    }

    /// The middle of a stride, where the feet pass each other.
    pub(crate) fn of_stride(walker: &Walker, examples: &[TraverseExample], stride: &MotionPrimitive) -> Self {
        let frame = mid_swing(stride);
        Self { example: stride.example, frame, stance: stance(walker, &examples[stride.example].clip, frame) }
    }
}

/// The middle of the swing: the standing foot is flat, the other one passes it.
pub(crate) fn mid_swing(stride: &MotionPrimitive) -> usize {
    (stride.take_off + stride.landing) / 2
}

/// Whether heels and balls of both feet are down in a usable frame.
fn is_down(example: &TraverseExample, frame: usize) -> bool {
    let mut parts = Side::BOTH.into_iter().flat_map(|side| SolePart::ALL.map(|part| part.role(side)));
    parts.all(|role: Role| example.contacts.touches(role, frame))
        && !example.unusable.iter().any(|range| range.contains(&frame))
}

/// How far a frame is from standing still upright with the feet side by side; `None` if it is no standing.
fn unrest(walker: &Walker, clip: &Clip, frame: usize) -> Option<f32> {
    let reach = (STILL_SECS * clip.rate_hz()).round().max(1.0) as usize;
    let (before, after) = (frame.checked_sub(reach)?, frame + reach);
    if after >= clip.frames() {
        return None;
    }
    let hips = |frame: usize| WorldPose::of(clip.skeleton(), clip.pose(frame)).positions[walker.hips];
    let speed_mps = hips(before).distance(hips(after)) * clip.rate_hz() as f32 / (after - before) as f32;
    let world = WorldPose::of(clip.skeleton(), clip.pose(frame));
    let stance = stance(walker, clip, frame);
    let [left, right] = walker.legs.each_ref().map(|leg| stance.heading.inverse().point(sole(leg, &world)));
    let apart_m = (left.z - right.z).abs();
    let fold = |leg: &Leg| {
        let [hip, knee, ankle] = [leg.upper, leg.lower, leg.foot].map(|joint| world.positions[joint]);
        (knee - hip).angle_between(ankle - knee)
    };
    let is_upright = walker.legs.iter().all(|leg| fold(leg) < UPRIGHT_RAD);
    let stands = speed_mps < STILL_MPS && apart_m < BESIDE_M && is_upright;
    stands.then_some(speed_mps + apart_m)
}

/// The middle of a sole in a pose, lowered to the ground below a flat foot.
fn sole(leg: &Leg, world: &WorldPose) -> Vec3 {
    let points =
        leg.sole.map(|point| point.at(&world.positions, &world.rotations) - Vec3::Y * point.rest_m());
    points[0].lerp(points[1], leg.middle())
}

/// The point between the feet, on the level of the lower one, and the facing of the hips.
pub(crate) fn stance(walker: &Walker, clip: &Clip, frame: usize) -> Stance {
    let world = WorldPose::of(clip.skeleton(), clip.pose(frame));
    let [left, right] = walker.legs.each_ref().map(|leg| sole(leg, &world));
    let middle = 0.5 * (left + right);
    let rest = clip.skeleton().rest_world_rotations()[walker.hips].inverse();
    let facing = world.rotations[walker.hips] * rest * Vec3::Z;
    Stance {
        position: middle.with_y(left.y.min(right.y)),
        slope_rad: 0.0,
        heading: Ground::new(middle.x, middle.z, facing.x.atan2(facing.z)),
    }
}

/// Whether a walker stands still in a placement.
pub(crate) fn is_standing(placement: &Placement) -> bool {
    placement.source_end == placement.source_start + 1
}

impl WalkAdapter<'_> {
    /// The body that stands on a footing as in the example of a placement. The feet are those of a stride that begins or ends there:
    /// its standing foot, and its other foot flat beside it.
    pub(crate) fn standing(
        &self,
        placement: &Placement,
        stride: &StrideAdapter<'_>,
        footing: &Footing,
    ) -> Result<BodyState> {
        let example = self.database.example(&placement.source);
        let clip = example.map(|example| &example.clip).filter(|clip| placement.source_end <= clip.frames());
        let unknown = || TraverseError::UnknownSource {
            take: placement.source.take.clone(),
            frame: placement.source_start,
        };
        let clip = clip.ok_or_else(unknown)?;
        let pose = clip.pose(placement.source_start);
        let stance = stance(self.walker, clip, placement.source_start);
        let path_from_source = stance.heading.inverse();
        let swing = stride.swing_foot();
        let own = stride.source(mid_swing(stride.primitive) as f64).feet;
        let beside = self.walker.legs[swing].flat(&own[swing], footing);
        let mut feet = own;
        feet[swing] = beside;
        let middle_x = 0.5 * (feet[0].ball.x + feet[1].ball.x);
        let root = path_from_source.point(pose.positions[0])
            + Vec3::new(middle_x, footing.position.y - stance.position.y, footing.position.x);
        let mut locals = pose.rotations.to_vec();
        let rest = LocalPose::rest(self.database.skeleton()).rotations;
        for toes in self.walker.legs.iter().filter_map(|leg| leg.toes) {
            locals[toes] = rest[toes];
        }
        let rotation = Ground::new(0.0, 0.0, path_from_source.yaw_rad).rotation() * pose.rotations[0];
        Ok(BodyState { root, rotation, locals, feet })
    }
}

impl Leg {
    /// The foot flat on a footing, with the heading and the distance to the side that it has.
    fn flat(&self, foot: &Foot, footing: &Footing) -> Foot {
        let yaw = |direction: Vec3| direction.x.atan2(direction.z);
        let own = self.along(foot.rotation);
        let turn = Quat::from_rotation_y(yaw(own) - yaw(self.along(self.rest)));
        let rotation = turn * self.rest;
        let ahead_m = (1.0 - self.middle()) * self.along(rotation).z;
        let up_m = footing.position.y + self.sole[1].rest_m();
        let ball = Vec3::new(foot.ball.x, up_m, footing.position.x + ahead_m);
        self.tilted(&Foot { ball, rotation }, footing.slope_rad)
    }
}

/// Whether a stride begins or ends at rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ease {
    /// It speeds up from rest to its own pace.
    In,
    /// It slows down to rest.
    Out,
}

/// Stretches a placement so that its source starts or ends at rest, and runs at its own pace at the other end: a cubic in time.
pub(crate) fn ease(placement: &mut Placement, ease: Ease) {
    let source_frames = placement.source_frames() as f64;
    placement.frames = (EASE_RATIO * source_frames).round().max(1.0) as usize;
    let frames = placement.frames as f64;
    let ratio = frames / source_frames;
    let eased_in = |t: f64| (ratio - 2.0) * t.powi(3) + (3.0 - ratio) * t.powi(2);
    let share = |t: f64| match ease {
        Ease::In => eased_in(t),
        Ease::Out => 1.0 - eased_in(1.0 - t),
    };
    let keys = (KEY_FRAMES..placement.frames.saturating_sub(KEY_FRAMES - 1)).step_by(KEY_FRAMES);
    let key = |number: usize| KeyTime {
        source_frame: placement.source_start as f64 + source_frames * share(number as f64 / frames),
        frame: (placement.start + number) as f64,
    };
    placement.key_times = keys.map(key).collect();
}

#[cfg(test)]
mod tests {
    use marey_plan::SourceRef;

    use super::*;

    #[test]
    fn eased_strides_start_or_end_at_rest_and_keep_their_pace_at_the_other_end() {
        for (kind, slow, fast) in [(Ease::In, 0.0, 59.0), (Ease::Out, 59.0, 0.0)] {
            let mut placement = Placement {
                source: SourceRef { take: "walk".into(), actor: 0 },
                source_start: 100,
                source_end: 140,
                start: 30,
                frames: 40,
                key_times: vec![],
                world_from_source: Ground::default(),
                mirrored: false,
            };
            ease(&mut placement, kind);
            assert_eq!(placement.frames, 60);
            let at = |frame: f64| placement.source_frame_at(frame);
            assert_eq!((at(0.0), at(60.0)), (100.0, 140.0));
            assert!((0..60).all(|frame| at(f64::from(frame)) < at(f64::from(frame + 1))));
            assert!(at(slow + 1.0) - at(slow) < 0.1, "{}", at(slow + 1.0) - at(slow));
            assert!((at(fast + 1.0) - at(fast) - 1.0).abs() < 0.06, "{}", at(fast + 1.0) - at(fast));
        }
    }
}
