//! A figure with two legs: its primitive is one step, from the plant of one foot to that of the other.
//!
//! Lamouret and van de Panne (1996), section 2, question 1: motions of a cyclic nature have an obvious granularity. A stride is cut
//! where feet come down, as [`marey_ops::gait`] finds it in contacts. While it lasts, one foot stands; the other one leaves, swings and
//! comes down. Lengths and heights are those from where the one stands to where the other one does.
//!
//! Limits: only strides that go ahead and nearly straight are used.

use std::ops::Range;

use marey_motion::{Clip, Ground, Role, Side, Skeleton, Vec3, WorldClip};
use marey_ops::gait::{self, Plant, plants};
use marey_ops::sole::SolePoint;

use crate::foot::Leg;
use crate::primitive::{Stance, style_of};
use crate::{Error, Example, Primitive, Result};

/// A stride leads ahead by at least so much, in metres.
const LEAST_STRIDE_M: f32 = 0.15;
/// A stride takes no longer, in seconds.
const MOST_SECS: f64 = 1.3;
/// A foot leaves no more than so long before the other one stands, in seconds; who runs does.
const MOST_LATE_SECS: f64 = 0.15;
/// The way of the second half of a stride is turned from that of the first by no more, in radians.
const MOST_TURN_RAD: f32 = 0.3;
/// The hips face the way they go within so much, in radians.
const MOST_ASIDE_RAD: f32 = 0.6;
/// What a sole needs beyond heel and toes, in metres.
const ROOM_M: f32 = 0.005;

/// The legs of a figure.
#[derive(Debug, Clone)]
pub(crate) struct Walker {
    pub(crate) legs: [Leg; 2],
    hips: usize,
    half_m: f32,
}

/// A foot that stands in an example.
struct Stood {
    plant: Plant,
    at: Vec3,
    /// From heel to ball, where the sole lies.
    along: Vec3,
}

impl Walker {
    /// The legs of a figure with two whole ones.
    pub(crate) fn of(skeleton: &Skeleton) -> Result<Self> {
        let points = SolePoint::all(skeleton);
        let leg = |side: Side| Leg::of(skeleton, &points, side);
        let (Some(left), Some(right)) = (leg(Side::Left), leg(Side::Right)) else {
            return Err(Error::NoSole);
        };
        let hips = skeleton.joint_of(Role::Hips).unwrap_or(0);
        let half_m = 0.5 * left.lengths_m().iter().sum::<f32>() + ROOM_M;
        Ok(Self { legs: [left, right], hips, half_m })
    }

    /// From the middle of a sole to its ends, in metres.
    pub(crate) fn half_m(&self) -> f32 {
        self.half_m
    }

    pub(crate) fn leg(&self, side: Side) -> &Leg {
        &self.legs[usize::from(side == Side::Right)]
    }

    /// The strides of an example.
    pub(crate) fn strides(&self, number: usize, example: &Example) -> Result<Vec<Primitive>> {
        let clip = &example.clip;
        let mut plants = plants(&example.contacts, clip.rate_hz(), &gait::Settings::default())?;
        plants.sort_by_key(|plant| plant.frames.start);
        let world = clip.world();
        let stood: Vec<Stood> = plants.into_iter().map(|plant| self.stood(plant, &world)).collect();
        let strides = stood.windows(3).filter_map(|three| self.stride(number, example, three, &world));
        Ok(strides.collect())
    }

    /// Where a foot stands: as it is in the middle of its plant.
    fn stood(&self, plant: Plant, world: &WorldClip) -> Stood {
        let frame = plant.frames.start + plant.frames.len() / 2;
        let [heel, ball] = self.sole(plant.foot, frame, world);
        let at = heel.lerp(ball, self.leg(plant.foot).middle());
        Stood { plant, at, along: ball - heel }
    }

    /// Heel and ball of a foot, each as far down as the floor is below it when the foot stands flat.
    fn sole(&self, side: Side, frame: usize, world: &WorldClip) -> [Vec3; 2] {
        let (positions, rotations) = (world.positions_at(frame), world.rotations_at(frame));
        self.leg(side).sole.map(|point| point.at(positions, rotations) - Vec3::Y * point.rest_m())
    }

    /// The stride from the second of three plants to the third, where it is one.
    fn stride(
        &self,
        number: usize,
        example: &Example,
        three: &[Stood],
        world: &WorldClip,
    ) -> Option<Primitive> {
        let [before, from, to] = three else { return None };
        let frames = from.plant.frames.start..to.plant.frames.start;
        let alternate = before.plant.foot == to.plant.foot && from.plant.foot != to.plant.foot;
        let in_time = frames.len() as f64 <= MOST_SECS * example.clip.rate_hz() && !frames.is_empty();
        // In captured motion a foot may be seen to leave a little before the other one is seen to stand.
        let late = (MOST_LATE_SECS * example.clip.rate_hz()) as usize;
        let take_off = before.plant.frames.end.max(frames.start + 1);
        if !alternate || !in_time || before.plant.frames.end + late < frames.start || take_off >= frames.end {
            return None;
        }
        let way = self.straight_way(&example.clip, &frames, world)?;
        let put = |stood: &Stood| {
            let along_m = way.inverse().point(stood.at).z;
            let origin = way.point(Vec3::Z * along_m);
            let along = way.inverse().direction(stood.along);
            Stance {
                at: stood.at,
                slope_rad: along.y.atan2(along.z),
                way: Ground::new(origin.x, origin.z, way.yaw_rad),
            }
        };
        let (from_stance, to_stance) = (put(from), put(to));
        let length_m = way.inverse().point(to.at).z - way.inverse().point(from.at).z;
        let middle = |frame: usize| {
            let [heel, ball] = self.sole(to.plant.foot, frame, world);
            0.5 * (heel.y + ball.y)
        };
        let top = frames.clone().map(middle).fold(f32::MIN, f32::max);
        (length_m > LEAST_STRIDE_M).then(|| Primitive {
            example: number,
            take_off,
            landing: frames.end,
            foot: Some(to.plant.foot),
            length_m,
            height_m: to.at.y - from.at.y,
            before_m: before.at.y - from.at.y,
            clearance_m: top - before.at.y.max(to.at.y),
            style: style_of(&example.tags, &frames),
            from: from_stance,
            to: to_stance,
            outline: Vec::new(),
            frames,
        })
    }

    /// The line that the hips go along, where they go nearly straight and ahead.
    fn straight_way(&self, clip: &Clip, frames: &Range<usize>, world: &WorldClip) -> Option<Ground> {
        let hips = |frame: usize| world.positions_at(frame)[self.hips].with_y(0.0);
        let (first, middle, last) =
            (hips(frames.start), hips(frames.start + frames.len() / 2), hips(frames.end));
        let ahead = (last - first).try_normalize()?;
        let turn = (middle - first).angle_between(last - middle);
        let rest = clip.skeleton().rest_world_rotations()[self.hips].inverse();
        let facing = world.rotations_at(frames.start)[self.hips] * rest * Vec3::Z;
        let aside = facing.with_y(0.0).try_normalize()?.angle_between(ahead);
        let straight = turn <= MOST_TURN_RAD && aside <= MOST_ASIDE_RAD;
        straight.then(|| Ground::new(first.x, first.z, ahead.x.atan2(ahead.z)))
    }
}
