//! A character with two legs, whose primitive is one stride: from the plant of one foot to that of the other.
//!
//! Lamouret and van de Panne (1996), section 2, question 1: cyclic motions have an obvious granularity. Strides are
//! segmented at foot plants, as [`marey_ops::gait`] finds them in the contacts. During a stride one foot stands while
//! the other leaves the ground, swings and lands. Length and height are measured from the standing foot to the landing
//! of the other.
//!
//! Runs are strides with a flight between two plants. What cannot be a stride is counted with its reason ([`UnusedStride`]).
//!
//! Limits: only strides that lead ahead and are nearly straight are used.

use std::ops::Range;

use marey_motion::{Clip, Ground, Role, Side, Skeleton, Vec3, WorldClip};
use marey_ops::gait::{self, FootPlant, plants};

use crate::leg::Leg;
use crate::primitive::{Stance, dominant_tag};
use crate::unused_stride::UnusedStride;
use crate::{MotionPrimitive, Result, TraverseError, TraverseExample};

/// Minimum length of a stride, in metres.
const MIN_STRIDE_M: f32 = 0.15;
/// Maximum duration of a stride, in seconds.
const MAX_STRIDE_SECS: f64 = 1.3;
/// Maximum time between the lift-off of one foot and the plant of the other, in seconds. Runners fly for 0.1 to 0.2, a leap over an
/// obstacle takes 0.5.
const MAX_FLIGHT_SECS: f64 = 0.6;
/// Maximum turn between the two halves of a stride, in radians.
const MAX_TURN_RAD: f32 = 0.3;
/// Maximum angle between the facing of the hips and their direction of travel, in radians.
const MAX_FACING_RAD: f32 = 0.6;
/// Margin of a sole beyond heel and toes, in metres.
const SOLE_MARGIN_M: f32 = 0.005;

/// The legs of a character.
#[derive(Debug, Clone)]
pub(crate) struct Walker {
    pub(crate) legs: [Leg; 2],
    pub(crate) hips: usize,
    half_length_m: f32,
}

/// A foot plant in an example.
struct PlantedFoot {
    plant: FootPlant,
    position: Vec3,
    /// From heel to ball.
    direction: Vec3,
}

impl Walker {
    /// Finds the legs of a character with two complete ones.
    pub(crate) fn of(skeleton: &Skeleton) -> Result<Self> {
        let leg = |side: Side| Leg::of(skeleton, side);
        let (Some(left), Some(right)) = (leg(Side::Left), leg(Side::Right)) else {
            return Err(TraverseError::NoSole);
        };
        let hips = skeleton.joint_of(Role::Hips).unwrap_or(0);
        let half_length_m = 0.5 * left.lengths_m().iter().sum::<f32>() + SOLE_MARGIN_M;
        Ok(Self { legs: [left, right], hips, half_length_m })
    }

    /// Half the length of a sole, in metres.
    pub(crate) fn half_length_m(&self) -> f32 {
        self.half_length_m
    }

    pub(crate) fn leg(&self, side: Side) -> &Leg {
        &self.legs[usize::from(side == Side::Right)]
    }

    /// Segments an example into strides. What lies between two plants and is none is returned with its reason.
    pub(crate) fn strides(
        &self,
        example_index: usize,
        example: &TraverseExample,
    ) -> Result<(Vec<MotionPrimitive>, Vec<UnusedStride>)> {
        let clip = &example.clip;
        let mut plants = plants(&example.contacts, clip.rate_hz(), &gait::GaitSettings::default())?;
        plants.sort_by_key(|plant| plant.frames.start);
        let world = clip.world();
        let feet: Vec<PlantedFoot> =
            plants.into_iter().map(|plant| self.planted_foot(plant, &world)).collect();
        let (mut strides, mut unused) = (Vec::new(), Vec::new());
        for three in feet.windows(3) {
            let [before, from, to] = three else { continue };
            match self.stride(example_index, example, [before, from, to], &world) {
                Ok(stride) => strides.push(stride),
                Err(reason) => unused.push(reason),
            }
        }
        Ok((strides, unused))
    }

    /// The foot in the middle of its plant.
    fn planted_foot(&self, plant: FootPlant, world: &WorldClip) -> PlantedFoot {
        let frame = plant.frames.start + plant.frames.len() / 2;
        let [heel, ball] = self.sole(plant.foot, frame, world);
        let position = heel.lerp(ball, self.leg(plant.foot).middle());
        PlantedFoot { plant, position, direction: ball - heel }
    }

    /// Heel and ball of a foot, each lowered by its height above the floor when the foot is flat.
    fn sole(&self, side: Side, frame: usize, world: &WorldClip) -> [Vec3; 2] {
        let (positions, rotations) = (world.positions_at(frame), world.rotations_at(frame));
        self.leg(side).sole.map(|point| point.at(positions, rotations) - Vec3::Y * point.rest_m())
    }

    /// The stride from the second of three plants to the third, or why there is none.
    fn stride(
        &self,
        example_index: usize,
        example: &TraverseExample,
        [before, from, to]: [&PlantedFoot; 3],
        world: &WorldClip,
    ) -> std::result::Result<MotionPrimitive, UnusedStride> {
        let frames = from.plant.frames.start..to.plant.frames.start;
        let seconds = |frames: usize| frames as f64 / example.clip.rate_hz();
        // In captured motion the detected lift-off can come slightly before the detected plant of the other foot.
        let take_off = before.plant.frames.end.max(frames.start + 1);
        let flown = frames.start.saturating_sub(before.plant.frames.end);
        let flies = frames.end.saturating_sub(from.plant.frames.end);
        let foot_alternates = before.plant.foot == to.plant.foot && from.plant.foot != to.plant.foot;
        if !foot_alternates {
            return Err(UnusedStride::SameFoot);
        } else if seconds(frames.len()) > MAX_STRIDE_SECS {
            return Err(UnusedStride::Slow);
        } else if seconds(flown.max(flies)) > MAX_FLIGHT_SECS {
            return Err(UnusedStride::LongFlight);
        } else if take_off >= frames.end {
            return Err(UnusedStride::BothFeet);
        }
        let heading = self.straight_heading(&example.clip, &frames, world)?;
        let stance = |foot: &PlantedFoot| {
            let along_m = heading.inverse().point(foot.position).z;
            let origin = heading.point(Vec3::Z * along_m);
            let direction = heading.inverse().direction(foot.direction);
            Stance {
                position: foot.position,
                slope_rad: direction.y.atan2(direction.z),
                heading: Ground::new(origin.x, origin.z, heading.yaw_rad),
            }
        };
        let (from_stance, to_stance) = (stance(from), stance(to));
        let length_m = heading.inverse().point(to.position).z - heading.inverse().point(from.position).z;
        let middle = |frame: usize| {
            let [heel, ball] = self.sole(to.plant.foot, frame, world);
            0.5 * (heel.y + ball.y)
        };
        let top = frames.clone().map(middle).fold(f32::MIN, f32::max);
        if length_m <= MIN_STRIDE_M {
            return Err(UnusedStride::Short);
        }
        Ok(MotionPrimitive {
            example: example_index,
            take_off,
            landing: frames.end,
            foot: Some(to.plant.foot),
            length_m,
            height_m: to.position.y - from.position.y,
            previous_height_m: before.position.y - from.position.y,
            clearance_m: top - before.position.y.max(to.position.y),
            style: dominant_tag(&example.tags, &frames),
            from: from_stance,
            to: to_stance,
            outline: Vec::new(),
            frames,
        })
    }

    /// Start and direction of the hips' motion, if it is nearly straight and ahead.
    fn straight_heading(
        &self,
        clip: &Clip,
        frames: &Range<usize>,
        world: &WorldClip,
    ) -> std::result::Result<Ground, UnusedStride> {
        let hips = |frame: usize| world.positions_at(frame)[self.hips].with_y(0.0);
        let (first, middle, last) =
            (hips(frames.start), hips(frames.start + frames.len() / 2), hips(frames.end));
        let ahead = (last - first).try_normalize().ok_or(UnusedStride::Short)?;
        let turn = (middle - first).angle_between(last - middle);
        let rest = clip.skeleton().rest_world_rotations()[self.hips].inverse();
        let facing = world.rotations_at(frames.start)[self.hips] * rest * Vec3::Z;
        let facing = facing.with_y(0.0).try_normalize().ok_or(UnusedStride::NotAhead)?;
        if facing.angle_between(ahead) > MAX_FACING_RAD {
            Err(UnusedStride::NotAhead)
        } else if turn > MAX_TURN_RAD {
            Err(UnusedStride::Turns)
        } else {
            Ok(Ground::new(first.x, first.z, ahead.x.atan2(ahead.z)))
        }
    }
}
