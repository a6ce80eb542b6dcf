//! Where the feet of the target go.
//!
//! A foot in the air follows the ankle of the source, in proportion to the legs. In a contact, its heel or ball follows that of the
//! source, so that feet of another length or height stand as still. When a foot stands flat, all three agree: positions along the
//! sole are compared with those of the ankle at rest.

use glam::{Quat, Vec3};
use marey_motion::{Role, Side, Skeleton, smoothstep};

use super::feet::{Feet, Foot, SoleOffset, Soles, median};
use super::figure::Figure;
use super::solver::Place;
use crate::sole::{SolePart, SolePoint};

/// Height difference of heel and ball, in metres, over which the weight shifts from one to the other.
const ROLL_M: f32 = 0.03;
/// Smallest weight of a heel or ball that is the higher one, so that one in contact always counts.
const LEAST_SHARE: f32 = 0.05;
/// Weight of a heel or ball that is not in contact.
const LEAST_CONTACT: f32 = 0.2;
/// Heights over the floor, in metres, between which a sole loses the influence of the floor.
const NEAR_FLOOR_M: (f32, f32) = (0.03, 0.15);
/// Height over the floor, in metres, up to which a sole keeps its height as it swings.
const SCRAPE_M: f32 = 0.04;
/// Horizontal part of a sole of length 1 below which it is steep.
const STEEP: f32 = 0.5;

/// The wanted rotation and ankle position of a foot.
#[derive(Debug, Clone, Copy)]
pub(super) struct FootGoal {
    /// The world rotation to multiply in front of that of the foot.
    pub(super) pitch: Quat,
    pub(super) ankle: Vec3,
    /// 1 for a foot that stands, 0 for a free one.
    pub(super) contact: f32,
}

/// The sole of one foot at rest.
#[derive(Debug)]
pub(super) struct RestSole {
    pub(super) points: Soles,
    /// The joint of the foot.
    pub(super) foot: usize,
    /// Heel and ball in the frame of the foot.
    offsets: [Vec3; 2],
}

impl RestSole {
    /// `None` if the foot has no sole. The skeleton rests in its T-pose.
    pub(super) fn of(skeleton: &Skeleton, side: Side) -> Option<Self> {
        let point = |part: SolePart| {
            SolePoint::all(skeleton).into_iter().find(|point| point.side == side && point.part == part)
        };
        let (heel, ball) = (point(SolePart::Heel)?, point(SolePart::Ball)?);
        let foot = skeleton.joint_of(Role::LeftFoot.on(side))?;
        let (at, turns) = (skeleton.rest_positions(), skeleton.rest_world_rotations());
        let places = [heel, ball].map(|point| point.at(&at, &turns));
        let points = Soles {
            heel,
            ball,
            ankle: foot,
            ankle_rest_m: at[foot].y - places[0].y + heel.rest_m(),
            flat: places.map(|place| SoleOffset::of(place - at[foot], places)),
        };
        let offsets = places.map(|place| turns[foot].inverse() * (place - at[foot]));
        Some(Self { points, foot, offsets })
    }

    /// Heights of heel and ball over the lowest point of the foot at rest, in metres.
    fn rest_m(&self) -> [f32; 2] {
        [self.points.heel.rest_m(), self.points.ball.rest_m()]
    }
}

/// The soles of both bodies on one side.
#[derive(Debug)]
pub(super) struct FootPair {
    pub(super) source: RestSole,
    pub(super) target: RestSole,
}

/// A rotation that pitches a foot.
#[derive(Debug, Clone, Copy)]
struct Pitch {
    axis: Vec3,
    angle_rad: f32,
}

impl FootPair {
    /// The goals of one foot in all frames of a motion.
    pub(super) fn goals(&self, figures: &[Figure], foot: &Foot, place: Place) -> Vec<FootGoal> {
        let frames = 0..figures.len();
        let rotation = |frame: usize| figures[frame].rotations[self.target.foot];
        let pitches: Vec<Option<Pitch>> = frames
            .clone()
            .map(|frame| self.pitch(rotation(frame), self.heights(foot, frame, place)))
            .collect();
        // What a flat foot needs comes from the rest poses, so every frame gets it.
        let flat = frames.clone().filter(|&frame| foot.is_flat(frame));
        let usual_rad = median(flat.filter_map(|frame| Some(pitches[frame]?.angle_rad)).collect());
        let usual_rad = usual_rad.unwrap_or(0.0);
        let goal = |frame: usize| {
            let contact = foot.heel[frame].contact.max(foot.ball[frame].contact);
            let lowest_m = foot.heel[frame].clearance_m.min(foot.ball[frame].clearance_m);
            let ground = contact.max(near_floor(lowest_m));
            let pitch = pitches[frame].map_or(Quat::IDENTITY, |Pitch { axis, angle_rad }| {
                Quat::from_axis_angle(axis, usual_rad + ground * (angle_rad - usual_rad))
            });
            let ankle = self.ankle(foot, frame, pitch * rotation(frame), [contact, ground], place);
            FootGoal { pitch, ankle, contact }
        };
        frames.map(goal).collect()
    }

    /// The wanted heights of heel and ball.
    fn heights(&self, foot: &Foot, frame: usize, place: Place) -> [f32; 2] {
        let [heel, ball] = self.target.rest_m();
        let height = |rest_m: f32, clearance_m: f32| place.floor_m + rest_m + place.scale * clearance_m;
        [height(heel, foot.heel[frame].clearance_m), height(ball, foot.ball[frame].clearance_m)]
    }

    /// The pitch that gives heel and ball their heights. `None` if the foot has no direction.
    fn pitch(&self, rotation: Quat, [heel_m, ball_m]: [f32; 2]) -> Option<Pitch> {
        let sole = rotation * (self.target.offsets[1] - self.target.offsets[0]);
        let (length, ahead) = (sole.length(), ahead(sole));
        let axis = ahead.cross(Vec3::Y).try_normalize().filter(|_| length > 1e-4)?;
        let angle = |rise_m: f32| (rise_m / length).clamp(-0.99, 0.99).asin();
        Some(Pitch { axis, angle_rad: ahead.length() * (angle(ball_m - heel_m) - angle(sole.y)) })
    }

    /// The wanted ankle of a foot with a rotation. The sole determines its height in a contact, and its place near the ground.
    fn ankle(
        &self,
        foot: &Foot,
        frame: usize,
        rotation: Quat,
        [contact, ground]: [f32; 2],
        place: Place,
    ) -> Vec3 {
        let offsets = self.target.offsets.map(|offset| rotation * offset);
        let heights = self.heights(foot, frame, place);
        let ahead = ahead(offsets[1] - offsets[0]);
        let points = [foot.heel[frame], foot.ball[frame]];
        let by = |part: usize| {
            let (own, theirs) = (self.target.points.flat[part], foot.flat[part]);
            let ahead_m = own.ahead_m - place.travel * theirs.ahead_m;
            let left_m = own.left_m - place.travel * theirs.left_m;
            let shift = ahead * ahead_m + Vec3::Y.cross(ahead) * left_m;
            let over = place.of(points[part].place) + shift - offsets[part];
            over.with_y(heights[part] - offsets[part].y)
        };
        let on_ball = smoothstep((points[0].clearance_m - points[1].clearance_m) / ROLL_M);
        let shares = [1.0 - on_ball, on_ball].map(|share| LEAST_SHARE + share);
        let shares = [0, 1].map(|part| points[part].contact.max(LEAST_CONTACT) * shares[part]);
        let on_ball = shares[1] / (shares[0] + shares[1]).max(1e-6);
        let free = place.of(foot.ankle[frame]);
        let stood = by(0).lerp(by(1), on_ball);
        let ankle = free.lerp(stood, ground).with_y(free.y + contact * (stood.y - free.y));
        // Low parts of the sole are not nearer to the floor than in the source: longer feet would scrape it as they swing.
        let low = |part: usize| {
            let above_m = place.scale * (points[part].clearance_m - points[part].clearance_m.min(SCRAPE_M));
            heights[part] - above_m - offsets[part].y - ankle.y
        };
        ankle + Vec3::Y * low(0).max(low(1)).max(0.0)
    }
}

/// The goals of both feet.
pub(super) fn goals(
    pairs: &[FootPair; 2],
    figures: &[Figure],
    feet: &Feet,
    place: Place,
) -> [Vec<FootGoal>; 2] {
    [0, 1].map(|side| pairs[side].goals(figures, &feet.sides[side], place))
}

/// 1 for a point of the sole on the floor, 0 for a free one, by its height over the floor.
fn near_floor(clearance_m: f32) -> f32 {
    let (low, high) = NEAR_FLOOR_M;
    1.0 - smoothstep((clearance_m - low) / (high - low))
}

/// The horizontal direction of a sole, shorter than 1 if the sole is steep: past the vertical it points the other way, without
/// a jump.
fn ahead(sole: Vec3) -> Vec3 {
    let level = sole.normalize_or_zero().with_y(0.0);
    level / level.length().max(STEEP)
}
