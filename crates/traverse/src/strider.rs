//! From a plan to a walk over the ground: feet first, then hips, then legs.
//!
//! The adaptation of [`crate::adapt`] for figures with legs, as Lamouret and van de Panne (1996, section 4) say it needs: by inverse
//! kinematics. The configuration of a stride is taken in coordinates of the way: beside it, up, and along it, from where the
//! foot stands that carries the body.
//!
//! 1. **Feet.** The foot that stands does what it does in the example, put on its footing and tilted as that is. The other one stays where it is until
//!    it leaves, and comes down as the next stride will have it stand: Δx₂ is phased in while it swings, and heel, ball and toes are carried over the
//!    ground as smoothly as can be ([`crate::swing`]), drawn back before an edge above and put forward behind one that was left where that is smoother.
//! 2. **Hips.** Δx₁ is phased out over the stride. The height follows the feet: between two footings the body is near the lower one
//!    when the foot comes down, and rises or sinks while it stands on one leg.
//! 3. **Trunk and arms.** Their Δx₁ is phased out over the stride. Where they are matched apart ([`crate::splice`]), they are those of another stride.
//! 4. **Legs.** Two bones each ([`marey_ops::ik`]); where they do not reach, the hips come down, smoothly.
//!
//! Along a way that bends, feet and hips are each carried to their own place on it: a foot that stands has one place, and does not slide.

use marey_motion::{Clip, ClipParts, Contact, Contacts, LocalPose, Quat, Side, Vec3, WorldPose};
use marey_ops::ik::{self, Limb, two_bone};
use marey_ops::sole::Part;
use marey_plan::Placement;

use crate::clearance::smooth_lift;
use crate::foot::{Foot, Leg};
use crate::primitive::Primitive;
use crate::stride::Stride;
use crate::walker::Walker;
use crate::{Crossed, Database, Error, Footing, Footings, Result, Way};

/// A leg is never straighter, in radians of fold of its knee.
const LEAST_FOLD_RAD: f32 = 0.25;
/// Drops are spread over so long, in seconds.
const SPREAD_SECS: f64 = 0.3;

/// A figure at an instant: its hips and feet beside the way, its joints as they are.
#[derive(Debug, Clone)]
pub(crate) struct Body {
    pub(crate) root: Vec3,
    pub(crate) turn: Quat,
    pub(crate) locals: Vec<Quat>,
    pub(crate) feet: [Foot; 2],
}

/// A frame of the walk: the body, and which parts of which sole stand.
pub(crate) struct Frame {
    pub(crate) body: Body,
    pub(crate) stands: [[bool; 2]; 2],
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
        let numbers = placements.iter().map(|placement| self.find(placement)).collect::<Result<Vec<_>>>()?;
        for (place, placement) in placements.iter().enumerate() {
            let number = numbers[place];
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
            let mut stride =
                Stride { strider: self, example, primitive, upper: other, from, to, before_m, landing: None };
            stride.landing = numbers.get(place + 1).map(|next| {
                let next = &primitives[*next];
                let example = &self.database.examples()[next.example];
                let stride = Stride { example, primitive: next, upper: None, from: to, ..stride };
                stride.source(next.frames.start as f64).feet[1 - stride.swings()]
            });
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
            let off = world.positions[leg.upper] - self.way.point(leg.ankle(foot));
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
        let ankle = leg.ankle(foot);
        let target = self.way.point(ankle);
        let turned = self.way.ground(ankle.z).rotation() * foot.turn;
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

pub(crate) fn side_index(side: Side) -> usize {
    usize::from(side == Side::Right)
}
