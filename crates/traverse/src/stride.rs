//! One stride, bent to its footings: step 1 to 3 of [`crate::strider`].

use marey_motion::{Ground, LocalPose, Quat, Side, Vec2, Vec3, WorldPose};
use marey_ops::sole::Part;
use marey_plan::Placement;

use crate::foot::Foot;
use crate::primitive::Primitive;
use crate::strider::{Body, Frame, Strider, side_index};
use crate::swing::{smoothest_over, suddenness};
use crate::{Example, Footing};

/// When a foot comes down, the body is so far up from the lower of both footings to the higher.
const UP_SHARE: f32 = 0.3;
/// How far a foot may be drawn back or put forward to clear an edge, in metres.
const ASIDE_M: [f32; 4] = [0.02, 0.04, 0.06, 0.09];
/// In this share of a swing.
const ASIDE_SHARE: f32 = 0.5;
/// So much is left between a foot and the ground that it is carried over, in metres.
const CLEAR_M: f32 = 0.01;
/// In this share of a swing at each end the foot is near the ground,
const NEAR_SHARE: f32 = 0.15;
/// and may touch it, in metres.
const TOUCH_M: f32 = 0.008;
/// A foot is lifted and set down no faster than this lets it, in m/s²: a toe that is in the face of a step at once does not throw the foot up.
const MOST_MPS2: f32 = 50.0;

/// A foot in the ground by a centimetre for a frame is as bad as a velocity that jumps by so many centimetres a frame, squared.
const DEEP: f32 = 10.0;

/// One stride: an example, and the footings it is bent to.
pub(crate) struct Stride<'a> {
    pub(crate) strider: &'a Strider<'a>,
    pub(crate) example: &'a Example,
    pub(crate) primitive: &'a Primitive,
    /// Whose upper body it has.
    pub(crate) upper: Option<&'a Primitive>,
    pub(crate) from: Footing,
    pub(crate) to: Footing,
    /// How high the foot stood before that, over the one that stands now.
    pub(crate) before_m: f32,
    /// How the foot that swings is to come down; `None`: as the example has it.
    pub(crate) landing: Option<Foot>,
}

impl Stride<'_> {
    /// The foot that swings, by its number.
    pub(crate) fn swings(&self) -> usize {
        side_index(self.primitive.foot.unwrap_or(Side::Left))
    }

    /// The frames of the stride, one more than it lasts, from how the body was left.
    pub(crate) fn frames(&self, placement: &Placement, left: Option<&Body>) -> Vec<Frame> {
        let first = self.source(self.primitive.frames.start as f64);
        let left = left.cloned().unwrap_or_else(|| {
            let mut begin = first.clone();
            begin.root.y += self.level_m(0.0);
            begin
        });
        let swings = self.swings();
        let last = self.source(self.primitive.frames.end as f64).feet[swings];
        let landing = self.landing.unwrap_or_else(|| self.landed(last));
        let shifts = [(left.feet[swings], first.feet[swings]), (landing, last)];
        let turns = shifts.map(|(to, from)| to.turn * from.turn.inverse());
        let shifts = shifts.map(|(to, from)| to.ball - from.ball);
        let mut frames = Vec::with_capacity(placement.frames + 1);
        let mut flight = placement.frames + 1..0;
        for number in 0..=placement.frames {
            let at = placement.source_frame_at(number as f64);
            let share = number as f32 / placement.frames.max(1) as f32;
            let rest = 1.0 - eased(share);
            let mut body = self.source(at);
            // 2. Hips, 3. trunk and arms.
            let begin_m = Vec3::Y * self.level_m(0.0);
            body.root += rest * (left.root - first.root - begin_m) + Vec3::Y * self.level_m(share);
            body.root.z += eased(share) * self.longer_m();
            body.turn = part(left.turn * first.turn.inverse(), rest) * body.turn;
            for (joint, local) in body.locals.iter_mut().enumerate().skip(1) {
                *local = part(left.locals[joint] * first.locals[joint].inverse(), rest) * *local;
            }
            // 1. Feet: the one that swings.
            let flown = self.flown(at);
            if flown > 0.0 {
                flight = flight.start.min(number)..number + 1;
            }
            let along = eased(flown);
            let foot = &mut body.feet[swings];
            foot.ball += shifts[0].lerp(shifts[1], along).with_y(0.0);
            foot.turn = part(turns[0], 1.0 - along) * part(turns[1], along) * foot.turn;
            frames.push(Frame { body, stands: self.stands(at) });
        }
        let flight = flight.start.saturating_sub(1).min(placement.frames)..flight.end.max(1);
        for frame in &mut frames[..flight.start] {
            frame.body.feet[swings].ball.y += shifts[0].y;
        }
        self.carry(&mut frames[flight], [shifts[0].y, shifts[1].y]);
        frames
    }

    /// Which share of its swing the foot has flown.
    fn flown(&self, at: f64) -> f32 {
        let (from, to) = (self.primitive.take_off as f64, self.primitive.landing as f64);
        (((at - from) / (to - from)) as f32).clamp(0.0, 1.0)
    }

    /// The foot that swings, put from where the example has it at its end onto its footing.
    fn landed(&self, foot: Foot) -> Foot {
        let up_m = self.to.at.y - self.from.at.y - self.primitive.height_m;
        let moved = Foot { ball: foot.ball + Vec3::new(0.0, up_m, self.longer_m()), ..foot };
        let slope = self.to.slope_rad - self.primitive.to.slope_rad;
        self.strider.walker.legs[self.swings()].tilted(&moved, slope)
    }

    /// The example's body, from the sole that stands, put on its footing.
    pub(crate) fn source(&self, at: f64) -> Body {
        let clip = &self.example.clip;
        let mut pose = clip.sample(at / clip.rate_hz());
        self.splice(at, &mut pose);
        let world = WorldPose::of(clip.skeleton(), pose.view());
        let from = &self.primitive.from;
        let here = from.way.inverse();
        let turned = Ground::new(0.0, 0.0, here.yaw_rad).rotation();
        let base = Vec3::new(0.0, self.from.at.y - from.at.y, self.from.at.x);
        let put = |point: Vec3| here.point(point) + base;
        let slope = self.from.slope_rad - from.slope_rad;
        let feet = [0, 1].map(|index| {
            let leg = &self.strider.walker.legs[index];
            let foot = leg.foot_at(put(world.positions[leg.foot]), turned * world.rotations[leg.foot]);
            if index == self.swings() { foot } else { leg.tilted(&foot, slope) }
        });
        Body { root: put(pose.positions[0]), turn: turned * pose.rotations[0], locals: pose.rotations, feet }
    }

    /// Gives a pose the upper body of another stride at the same share of its time.
    fn splice(&self, at: f64, pose: &mut LocalPose) {
        let (Some(splice), Some(upper)) = (self.strider.database.splice(), self.upper) else { return };
        let (own, other) = (&self.primitive.frames, &upper.frames);
        let share = (at - own.start as f64) / own.len().max(1) as f64;
        let clip = &self.strider.database.examples()[upper.example].clip;
        let spliced = clip.sample((other.start as f64 + share * other.len() as f64) / clip.rate_hz());
        for &joint in splice.upper() {
            pose.rotations[joint] = spliced.rotations[joint];
        }
    }

    /// How much farther the footing is than the example leads.
    fn longer_m(&self) -> f32 {
        self.to.at.x - self.from.at.x - self.primitive.length_m
    }

    /// How much higher than in the example the body is, at a share of the stride.
    fn level_m(&self, share: f32) -> f32 {
        let between = |one: f32, other: f32| one.min(other) + UP_SHARE * (one - other).abs();
        let (up, own) = (self.to.at.y - self.from.at.y, self.primitive.height_m);
        let begin = between(self.before_m, 0.0) - between(self.primitive.before_m, 0.0);
        let end = between(up, 0.0) - between(own, 0.0);
        begin + eased(share) * (end - begin)
    }

    /// Which parts of which sole stand.
    fn stands(&self, at: f64) -> [[bool; 2]; 2] {
        let frame = (at.round() as usize).min(self.example.clip.frames() - 1);
        let touches =
            |side: Side| Part::ALL.map(|part| self.example.contacts.touches(part.role(side), frame));
        [touches(Side::Left), touches(Side::Right)]
    }

    /// Carries the foot that swings over the ground, from one height over that of the example to another: as smoothly as can be, drawn back or put
    /// forward where that is smoother, or where it would be in the ground.
    fn carry(&self, frames: &mut [Frame], [from_m, to_m]: [f32; 2]) {
        let mut best = self.over(frames, [from_m, to_m], [0.0; 2]);
        // Before an edge it is drawn back at first, behind one it is put forward at last.
        for end in 0..2 {
            let mut tried = best.clone();
            for by_m in ASIDE_M {
                let mut aside_m = best.aside_m;
                aside_m[end] = by_m;
                let other = self.over(frames, [from_m, to_m], aside_m);
                if other.faults < tried.faults {
                    tried = other;
                }
            }
            best = tried;
        }
        let last = frames.len().saturating_sub(1).max(1) as f32;
        for (number, (frame, up_m)) in frames.iter_mut().zip(&best.up_m).enumerate() {
            let ball = &mut frame.body.feet[self.swings()].ball;
            ball.y += up_m;
            ball.z += aside_m(number as f32 / last, best.aside_m);
        }
    }

    /// How a foot is carried that is drawn back and put forward by so much.
    fn over(&self, frames: &[Frame], [from_m, to_m]: [f32; 2], aside: [f32; 2]) -> Carried {
        let swings = self.swings();
        let leg = &self.strider.walker.legs[swings];
        let profile = self.strider.footings.profile();
        let last = frames.len().saturating_sub(1).max(1) as f32;
        let secs = last / self.strider.database.rate_hz() as f32;
        let asides: Vec<f32> = (0..frames.len()).map(|i| aside_m(i as f32 / last, aside)).collect();
        let ground = frames.iter().zip(&asides).map(|(frame, aside_m)| {
            let outline = leg.outline(&frame.body.feet[swings], &frame.body.locals);
            let [heel, ball, tip] = outline.map(|point| point + Vec2::X * *aside_m);
            profile.lift_m(heel, ball).max(profile.lift_m(ball, tip))
        });
        let ground: Vec<f32> = ground.collect();
        let needed = ground.iter().enumerate().map(|(number, ground_m)| {
            let share = number as f32 / last;
            let near = (share.min(1.0 - share) / NEAR_SHARE).min(1.0);
            let reached = |height_m: f32, share: f32| height_m + 0.5 * MOST_MPS2 * (share * secs).powi(2);
            let needed_m = ground_m + near * CLEAR_M - (1.0 - near) * TOUCH_M;
            needed_m.min(reached(from_m, share)).min(reached(to_m, 1.0 - share))
        });
        let up_m = smoothest_over(from_m, to_m, &needed.collect::<Vec<_>>());
        let deep =
            ground.iter().zip(&up_m).map(|(ground_m, up_m)| (ground_m - up_m - TOUCH_M).max(0.0).powi(2));
        let faults = suddenness(&up_m) + suddenness(&asides) + DEEP * deep.sum::<f32>();
        Carried { up_m, aside_m: aside, faults }
    }
}

/// How a foot is carried.
#[derive(Debug, Clone)]
struct Carried {
    /// How high over what the example does, frame by frame.
    up_m: Vec<f32>,
    /// How far it is drawn back at first, and put forward at last.
    aside_m: [f32; 2],
    /// How sudden that is, and how deep in the ground.
    faults: f32,
}

/// How far ahead a foot is of where it would be, at a share of its swing.
fn aside_m(share: f32, [back_m, ahead_m]: [f32; 2]) -> f32 {
    let bump = |share: f32| {
        let share = (share / ASIDE_SHARE).clamp(0.0, 1.0);
        0.5 - 0.5 * (std::f32::consts::TAU * share).cos()
    };
    ahead_m * bump(1.0 - share) - back_m * bump(share)
}

/// A share of time eased so that neither velocity nor acceleration jumps.
fn eased(share: f32) -> f32 {
    let t = share.clamp(0.0, 1.0);
    t * t * t * (10.0 - 15.0 * t + 6.0 * t * t)
}

/// Part of a turn.
fn part(turn: Quat, share: f32) -> Quat {
    let near = if turn.w < 0.0 { -turn } else { turn };
    Quat::IDENTITY.slerp(near, share)
}
