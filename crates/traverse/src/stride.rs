//! From a plan to a walk over the ground: feet first, then hips, then legs.
//!
//! The adaptation of [`crate::adapt`] for figures with legs, as Lamouret and van de Panne (1996, section 4) say it needs: by inverse
//! kinematics. The configuration of a stride is taken in coordinates of the way: beside it, up, and along it, from where the
//! foot stands that carries the body.
//!
//! 1. **Feet.** The foot that stands comes down as the last stride left it and is on its footing, at its slope, when it lies flat. The
//!    other one stays where it is until it leaves, and comes down on the next footing: Δx₂ is phased in while it swings, upwards at once and
//!    downwards late, so that edges are cleared; what the ground would still cut is lifted.
//! 2. **Hips.** Δx₁ is phased out over the stride. The height follows the feet: between two footings the body is near the lower one
//!    when the foot comes down, and rises or sinks while it stands on one leg.
//! 3. **Trunk and arms.** Their Δx₁ is phased out over the stride. Where they are matched apart ([`crate::splice`]), they are those of another stride.
//! 4. **Legs.** Two bones each ([`marey_ops::ik`]); where they do not reach, the hips come down, smoothly.
//!
//! Along a way that bends, feet and hips are each carried to their own place on it: a foot that stands has one place, and does not slide.

use marey_motion::{
    Clip, ClipParts, Contact, Contacts, Ground, LocalPose, Quat, Side, Vec2, Vec3, WorldPose,
};
use marey_ops::ik::{self, Limb, two_bone};
use marey_ops::sole::Part;
use marey_plan::Placement;

use crate::clearance::smooth_lift;
use crate::primitive::Primitive;
use crate::walker::{Leg, Walker};
use crate::{Crossed, Database, Error, Example, Footing, Footings, Phase, Result, Way};

/// A foot that came down lies as its footing does after so long, in seconds.
const SETTLE_SECS: f64 = 0.12;
/// When a foot comes down, the body is so far up from the lower of both footings to the higher.
const UP_SHARE: f32 = 0.3;
/// Of a swing, a foot is as high as it must be after this share of it.
const RISE_SHARE: f32 = 0.45;
/// A leg is never straighter, in radians of fold of its knee.
const LEAST_FOLD_RAD: f32 = 0.25;
/// A ball of a foot that is farther from where it stood has left, in metres.
const GONE_M: f32 = 0.01;
/// Lifts and drops are spread over so long, in seconds.
const SPREAD_SECS: f64 = 0.3;

/// A foot in coordinates of the way.
#[derive(Debug, Clone, Copy)]
struct Foot {
    ankle: Vec3,
    turn: Quat,
}

/// A figure at an instant: its hips and feet beside the way, its joints as they are.
#[derive(Debug, Clone)]
struct Body {
    root: Vec3,
    turn: Quat,
    locals: Vec<Quat>,
    feet: [Foot; 2],
}

/// A frame of the walk: the body, and which parts of which sole stand.
struct Frame {
    body: Body,
    stands: [[bool; 2]; 2],
}

/// Makes a walk of placements.
pub(crate) struct Strider<'a> {
    pub(crate) database: &'a Database,
    pub(crate) walker: &'a Walker,
    pub(crate) footings: &'a Footings,
    pub(crate) way: &'a Way,
}

impl Strider<'_> {
    pub(crate) fn all(&self, placements: &[Placement]) -> Result<Crossed> {
        let mut frames: Vec<Frame> = Vec::new();
        let mut landings: Vec<(usize, Footing)> = Vec::new();
        let mut left: Option<Body> = None;
        let mut upper: Option<usize> = None;
        let primitives = self.database.primitives();
        for placement in placements {
            let number = self.find(placement)?;
            let primitive = &primitives[number];
            let example = &self.database.examples()[primitive.example];
            upper = match (self.database.splice(), upper) {
                (Some(splice), Some(last)) => Some(splice.after(last, primitive, primitives)),
                _ => Some(number),
            };
            let other = upper.map(|upper| &primitives[upper]);
            let to = self.footing(placement, primitive.to.at)?;
            if landings.is_empty() {
                let from = self.footing(placement, primitive.from.at)?;
                landings.push((0, from));
            }
            let from = landings[landings.len() - 1].1;
            let before_m = match landings.len() {
                1 => primitive.before_m,
                several => landings[several - 2].1.at.y - from.at.y,
            };
            let stride = Stride { strider: self, example, primitive, upper: other, from, to, before_m };
            let mut made = stride.frames(placement, left.as_ref());
            left = made.pop().map(|frame| frame.body);
            frames.extend(made);
            landings.push((placement.end(), to));
        }
        self.finish(frames, landings)
    }

    /// Which primitive a placement is.
    fn find(&self, placement: &Placement) -> Result<usize> {
        let is_it = |primitive: &Primitive| {
            self.database.examples()[primitive.example].source == placement.source
                && primitive.frames == (placement.source_start..placement.source_end)
        };
        self.database.primitives().iter().position(is_it).ok_or_else(|| {
            let take = placement.source.take.clone();
            Error::UnknownSource { take, frame: placement.source_start }
        })
    }

    /// The footing nearest to where a placement puts a point, along the way.
    fn footing(&self, placement: &Placement, at: Vec3) -> Result<Footing> {
        self.footings.at_along(placement.world_from_source.point(at).z)
    }

    /// Lets hips come down where legs do not reach, puts everything on the way, and folds the legs.
    fn finish(&self, mut frames: Vec<Frame>, landings: Vec<(usize, Footing)>) -> Result<Crossed> {
        let skeleton = self.database.skeleton();
        let rate_hz = self.database.rate_hz();
        let window = (SPREAD_SECS * rate_hz).round() as usize;
        let mut world = WorldPose::scratch(skeleton);
        let mut needed = Vec::with_capacity(frames.len());
        for frame in &frames {
            let pose = self.pose(&frame.body);
            world.set(pose.view());
            needed.push(self.drop_m(&world, &frame.body));
        }
        for (frame, drop_m) in frames.iter_mut().zip(smooth_lift(&needed, window)) {
            frame.body.root.y -= drop_m;
        }
        let (mut parts, mut contacts) = (ClipParts::default(), Vec::new());
        for frame in &frames {
            let mut pose = self.pose(&frame.body);
            for (leg, foot) in self.walker.legs.iter().zip(&frame.body.feet) {
                self.fold(&mut pose, &mut world, leg, foot);
            }
            parts.push(pose.view());
        }
        for leg in &self.walker.legs {
            for (number, part) in Part::ALL.into_iter().enumerate() {
                let stands = |frame: &Frame| frame.stands[side_index(leg.side)][number];
                let mut start = None;
                for index in 0..=frames.len() {
                    match (frames.get(index).is_some_and(stands), start) {
                        (true, None) => start = Some(index),
                        (false, Some(from)) => {
                            contacts.push(Contact { role: part.role(leg.side), frames: from..index });
                            start = None;
                        }
                        _ => {}
                    }
                }
            }
        }
        let contacts = Contacts::new(contacts, frames.len())?;
        Ok(Crossed { clip: Clip::new(skeleton.clone(), rate_hz, parts)?, contacts, landings })
    }

    /// The pose of a body, its legs not folded yet.
    fn pose(&self, body: &Body) -> LocalPose {
        let mut pose = LocalPose::rest(self.database.skeleton());
        pose.rotations.clone_from(&body.locals);
        pose.rotations[0] = self.way.ground(body.root.z).rotation() * body.turn;
        pose.positions[0] = self.way.point(body.root);
        pose
    }

    /// How far the hips must come down for both legs to reach.
    fn drop_m(&self, world: &WorldPose, body: &Body) -> f32 {
        let lacks = |(leg, foot): (&Leg, &Foot)| {
            let reach_m = self.reach_m(leg);
            let off = world.positions[leg.upper] - self.way.point(foot.ankle);
            let room = (reach_m * reach_m - off.x * off.x - off.z * off.z).max(0.0).sqrt();
            off.y - room
        };
        self.walker.legs.iter().zip(&body.feet).map(lacks).fold(0.0, f32::max)
    }

    fn reach_m(&self, leg: &Leg) -> f32 {
        let offsets = self.database.skeleton().offsets();
        ik::reach_m(offsets[leg.lower].length(), offsets[leg.foot].length(), LEAST_FOLD_RAD)
    }

    /// Folds a leg so that its foot is where and as it should be.
    fn fold(&self, pose: &mut LocalPose, world: &mut WorldPose, leg: &Leg, foot: &Foot) {
        world.set(pose.view());
        let target = self.way.point(foot.ankle);
        let turned = self.way.ground(foot.ankle.z).rotation() * foot.turn;
        let rest = self.database.skeleton().rest_world_rotations();
        let front = world.rotations[leg.upper] * (rest[leg.upper].inverse() * Vec3::Z);
        let [root, middle, end] = [leg.upper, leg.lower, leg.foot].map(|joint| world.positions[joint]);
        let limb = Limb { root, middle, end, front };
        let settings = ik::Settings { min_fold_rad: LEAST_FOLD_RAD, ..ik::Settings::default() };
        let bent = two_bone(&limb, target, front, &settings);
        let parents = self.database.skeleton().parents();
        let upper = bent.upper_turn * world.rotations[leg.upper];
        let lower = bent.lower_turn * world.rotations[leg.lower];
        pose.rotations[leg.upper] = world.rotations[parents[leg.upper]].inverse() * upper;
        pose.rotations[leg.lower] = upper.inverse() * lower;
        pose.rotations[leg.foot] = lower.inverse() * turned;
    }
}

fn side_index(side: Side) -> usize {
    usize::from(side == Side::Right)
}

/// One stride: an example, and the footings it is bent to.
struct Stride<'a> {
    strider: &'a Strider<'a>,
    example: &'a Example,
    primitive: &'a Primitive,
    /// Whose upper body it has.
    upper: Option<&'a Primitive>,
    from: Footing,
    to: Footing,
    /// How high the foot stood before that, over the one that stands now.
    before_m: f32,
}

impl Stride<'_> {
    /// The frames of the stride, one more than it lasts, from how the body was left.
    fn frames(&self, placement: &Placement, left: Option<&Body>) -> Vec<Frame> {
        let rate_hz = self.example.clip.rate_hz();
        let first = self.source(self.primitive.frames.start as f64);
        let left = left.cloned().unwrap_or_else(|| {
            let mut begin = first.clone();
            begin.root.y += self.level_m(0.0);
            begin
        });
        let swings = side_index(self.primitive.foot.unwrap_or(Side::Left));
        let flight = self.primitive.take_off as f64..self.primitive.landing as f64;
        let mut frames = Vec::with_capacity(placement.frames + 1);
        for number in 0..=placement.frames {
            let at = placement.source_frame_at(number as f64);
            let share = number as f32 / placement.frames.max(1) as f32;
            let rest = 1.0 - Phase::Ease.alpha(share);
            let mut body = self.source(at);
            // 2. Hips, 3. trunk and arms.
            let begin_m = Vec3::Y * self.level_m(0.0);
            body.root += rest * (left.root - first.root - begin_m) + Vec3::Y * self.level_m(share);
            body.root.z += Phase::Ease.alpha(share) * self.longer_m();
            body.turn = part(left.turn * first.turn.inverse(), rest) * body.turn;
            for (joint, local) in body.locals.iter_mut().enumerate().skip(1) {
                *local = part(left.locals[joint] * first.locals[joint].inverse(), rest) * *local;
            }
            // 1. Feet.
            let settled = Phase::Ease
                .alpha(((at - self.primitive.frames.start as f64) / (SETTLE_SECS * rate_hz)) as f32);
            let flown = ((at - flight.start) / (flight.end - flight.start)) as f32;
            for index in 0..2 {
                let (own, was, began) = (body.feet[index], left.feet[index], first.feet[index]);
                let shift = was.ankle - began.ankle;
                let turn = was.turn * began.turn.inverse();
                body.feet[index] = if index == swings {
                    let along = Phase::Ease.alpha(flown);
                    let level = shift.lerp(self.landing_shift(), along);
                    let height = shift.y + self.rise(flown) * (self.landing_shift().y - shift.y);
                    let slope = self.to.slope_rad - self.primitive.to.slope_rad;
                    Foot {
                        ankle: own.ankle + level.with_y(height),
                        turn: part(turn, 1.0 - along) * Quat::from_rotation_x(-along * slope) * own.turn,
                    }
                } else {
                    let slope = self.from.slope_rad - self.primitive.from.slope_rad;
                    Foot {
                        ankle: own.ankle + (1.0 - settled) * shift,
                        turn: part(turn, 1.0 - settled) * Quat::from_rotation_x(-settled * slope) * own.turn,
                    }
                };
            }
            frames.push(Frame { body, stands: self.stands(at) });
        }
        self.clear(&mut frames, swings);
        frames
    }

    /// The example's body, from the sole that stands, put on its footing.
    fn source(&self, at: f64) -> Body {
        let clip = &self.example.clip;
        let mut pose = clip.sample(at / clip.rate_hz());
        self.splice(at, &mut pose);
        let world = WorldPose::of(clip.skeleton(), pose.view());
        let from = &self.primitive.from;
        let here = from.way.inverse();
        let turned = Ground::new(0.0, 0.0, here.yaw_rad).rotation();
        let base = Vec3::new(0.0, self.from.at.y - from.at.y, self.from.at.x);
        let put = |point: Vec3| here.point(point) + base;
        let feet = [0, 1].map(|index| {
            let joint = self.strider.walker.legs[index].foot;
            Foot { ankle: put(world.positions[joint]), turn: turned * world.rotations[joint] }
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

    /// Δx₂ of the foot that swings.
    fn landing_shift(&self) -> Vec3 {
        Vec3::new(0.0, self.to.at.y - self.from.at.y - self.primitive.height_m, self.longer_m())
    }

    /// How much of its change of height a foot has at a share of its swing: soon up, late down.
    fn rise(&self, flown: f32) -> f32 {
        let up = self.landing_shift().y >= 0.0;
        Phase::Ease.alpha(if up { flown / RISE_SHARE } else { (flown - (1.0 - RISE_SHARE)) / RISE_SHARE })
    }

    /// How much higher than in the example the body is, at a share of the stride.
    fn level_m(&self, share: f32) -> f32 {
        let between = |one: f32, other: f32| one.min(other) + UP_SHARE * (one - other).abs();
        let (up, own) = (self.to.at.y - self.from.at.y, self.primitive.height_m);
        let begin = between(self.before_m, 0.0) - between(self.primitive.before_m, 0.0);
        let end = between(up, 0.0) - between(own, 0.0);
        begin + Phase::Ease.alpha(share) * (end - begin)
    }

    /// Which parts of which sole stand.
    fn stands(&self, at: f64) -> [[bool; 2]; 2] {
        let frame = (at.round() as usize).min(self.example.clip.frames() - 1);
        let touches =
            |side: Side| Part::ALL.map(|part| self.example.contacts.touches(part.role(side), frame));
        [touches(Side::Left), touches(Side::Right)]
    }

    /// Lifts the foot that swings where the ground would cut its way.
    fn clear(&self, frames: &mut [Frame], swings: usize) {
        let profile = self.strider.footings.profile();
        let leg = &self.strider.walker.legs[swings];
        let rest = self.strider.database.skeleton().rest_world_rotations()[leg.foot];
        let at_rest = self.strider.database.skeleton().rest_positions();
        let turns = self.strider.database.skeleton().rest_world_rotations();
        let sole = leg.sole.map(|point| rest.inverse() * (point.at(&at_rest, &turns) - at_rest[leg.foot]));
        let ends = |frame: &Frame| {
            let foot = &frame.body.feet[swings];
            [0, 1].map(|end| {
                let at = foot.ankle + foot.turn * sole[end] - Vec3::Y * leg.sole[end].rest_m();
                Vec2::new(at.z, at.y)
            })
        };
        let needed = |frame: &Frame| {
            let [heel, ball] = ends(frame);
            profile.lift_m(heel, ball).max(0.0)
        };
        // Contacts may last a little longer than the foot stays.
        let stood = ends(&frames[0])[1];
        let is_up =
            |frame: &Frame| frame.stands[swings] == [false; 2] || ends(frame)[1].distance(stood) > GONE_M;
        let Some(first) = frames.iter().position(is_up) else { return };
        let end = frames.iter().rposition(is_up).map_or(first, |last| last + 1);
        let frames = &mut frames[first..end];
        let mut needed: Vec<f32> = frames.iter().map(needed).collect();
        for end in [0, frames.len() - 1] {
            needed[end] = 0.0;
        }
        let window = (SPREAD_SECS * self.example.clip.rate_hz()).round() as usize;
        for (frame, lift_m) in frames.iter_mut().zip(smooth_lift(&needed, window)) {
            frame.body.feet[swings].ankle.y += lift_m;
        }
    }
}

/// Part of a turn.
fn part(turn: Quat, share: f32) -> Quat {
    let near = if turn.w < 0.0 { -turn } else { turn };
    Quat::IDENTITY.slerp(near, share)
}
