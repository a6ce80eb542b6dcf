//! Realises a plan of strides: feet first, then hips, then legs.
//!
//! The counterpart of [`crate::hop_adaptation`] for characters with legs. Lamouret and van de Panne (1996, section 4)
//! note that it needs inverse kinematics. A stride is described in path coordinates (to the left, up, along the path),
//! relative to the standing foot.
//!
//! 1. **Feet.** The standing foot moves as in the example, on its footing and with its tilt. The other foot stays in
//!    place until it leaves the ground, and lands in the pose in which the next stride needs it: Δx₂ is blended in during
//!    the swing. Heel, ball and toes clear the terrain on the smoothest curve ([`crate::swing_height`]). The foot is
//!    pulled back before an edge above it and pushed forward behind one that it left, if that makes the curve smoother.
//! 2. **Hips.** Δx₁ is blended out over the stride. The height follows the feet: between two footings the body is near
//!    the lower one when the foot lands, and rises or sinks during single support.
//! 3. **Trunk and arms.** Δx₁ is blended out over the stride. If upper bodies are matched separately
//!    ([`crate::upper_body_splice`]), they come from another stride.
//! 4. **Legs.** Two-bone inverse kinematics ([`marey_ops::ik`]). If a leg cannot reach, the hips are lowered smoothly.
//!
//! On a curved path, feet and hips are mapped to the path separately. A standing foot keeps one position and does not
//! slide.

use marey_motion::{Clip, ClipParts, Contact, Contacts, LocalPose, Observer, Quat, Side, Vec3, WorldPose};
use marey_ops::ik::{self, Limb, two_bone};
use marey_ops::sole::SolePart;
use marey_plan::Placement;

use crate::clearance::smooth_lift;
use crate::hop_adaptation::check_cancelled;
use crate::leg::{Foot, Leg};
use crate::primitive::MotionPrimitive;
use crate::stride_adaptation::StrideAdapter;
use crate::walker::Walker;
use crate::{
    AdaptedMotion, Footing, Footings, GroundPath, Landing, PrimitiveDatabase, Result, TraverseError,
};

/// Minimum flexion of a knee, in radians.
const MIN_KNEE_RAD: f32 = 0.25;
/// Window over which lowering the hips is smoothed, in seconds.
const DROP_WINDOW_SECS: f64 = 0.3;

/// The state of the body: hips and feet in path coordinates, and local joint rotations.
#[derive(Debug, Clone)]
pub(crate) struct BodyState {
    pub(crate) root: Vec3,
    pub(crate) rotation: Quat,
    pub(crate) locals: Vec<Quat>,
    pub(crate) feet: [Foot; 2],
}

/// A frame of the walk: the body, and the contacts of heel and ball of each foot.
pub(crate) struct WalkFrame {
    pub(crate) body: BodyState,
    pub(crate) contacts: [[bool; 2]; 2],
}

/// Realises placements as a walk.
pub(crate) struct WalkAdapter<'a> {
    pub(crate) database: &'a PrimitiveDatabase,
    pub(crate) walker: &'a Walker,
    pub(crate) footings: &'a Footings,
    pub(crate) path: &'a GroundPath,
}

impl WalkAdapter<'_> {
    pub(crate) fn adapt_all(
        &self,
        placements: &[Placement],
        observer: Observer<'_>,
    ) -> Result<AdaptedMotion> {
        let mut frames: Vec<WalkFrame> = Vec::new();
        let mut landings: Vec<Landing> = Vec::new();
        let mut previous: Option<BodyState> = None;
        let mut upper: Option<usize> = None;
        let primitives = self.database.primitives();
        let numbers =
            placements.iter().map(|placement| self.primitive_index(placement)).collect::<Result<Vec<_>>>()?;
        for (index, placement) in placements.iter().enumerate() {
            check_cancelled(observer, index, placements.len())?;
            let number = numbers[index];
            let primitive = &primitives[number];
            let example = &self.database.examples()[primitive.example];
            upper = match (self.database.splice(), upper) {
                (Some(splice), Some(last)) => Some(splice.after(last, primitive, primitives)),
                _ => Some(number),
            };
            let upper_primitive = upper.map(|upper| &primitives[upper]);
            let to = self.footing(placement, primitive.to.position)?;
            if landings.is_empty() {
                let from = self.footing(placement, primitive.from.position)?;
                landings.push(Landing { frame: 0, footing: from });
            }
            let from = landings[landings.len() - 1].footing;
            let previous_height_m = match landings.len() {
                1 => primitive.previous_height_m,
                count => landings[count - 2].footing.position.y - from.position.y,
            };
            let mut stride = StrideAdapter {
                adapter: self,
                example,
                primitive,
                upper: upper_primitive,
                from,
                to,
                previous_height_m,
                landing: None,
            };
            stride.landing = numbers.get(index + 1).map(|next| {
                let next = &primitives[*next];
                let example = &self.database.examples()[next.example];
                let stride = StrideAdapter { example, primitive: next, upper: None, from: to, ..stride };
                stride.source(next.frames.start as f64).feet[1 - stride.swing_foot()]
            });
            let mut adapted = stride.frames(placement, previous.as_ref());
            previous = adapted.pop().map(|frame| frame.body);
            frames.extend(adapted);
            landings.push(Landing { frame: placement.end(), footing: to });
        }
        self.finish(frames, landings)
    }

    /// Index of the primitive that a placement uses.
    fn primitive_index(&self, placement: &Placement) -> Result<usize> {
        let matches = |primitive: &MotionPrimitive| {
            self.database.examples()[primitive.example].source == placement.source
                && primitive.frames == (placement.source_start..placement.source_end)
        };
        self.database.primitives().iter().position(matches).ok_or_else(|| {
            let take = placement.source.take.clone();
            TraverseError::UnknownSource { take, frame: placement.source_start }
        })
    }

    /// The footing nearest to where a placement puts a point.
    fn footing(&self, placement: &Placement, at: Vec3) -> Result<Footing> {
        self.footings.nearest_along(placement.world_from_source.point(at).z)
    }

    /// Lowers the hips where legs cannot reach, maps all frames to the path, and solves the legs.
    fn finish(&self, mut frames: Vec<WalkFrame>, landings: Vec<Landing>) -> Result<AdaptedMotion> {
        let skeleton = self.database.skeleton();
        let rate_hz = self.database.rate_hz();
        let window = (DROP_WINDOW_SECS * rate_hz).round() as usize;
        let mut world = WorldPose::scratch(skeleton);
        let mut drops_m = Vec::with_capacity(frames.len());
        for frame in &frames {
            let pose = self.pose(&frame.body);
            world.set(pose.view());
            drops_m.push(self.drop_m(&world, &frame.body));
        }
        for (frame, drop_m) in frames.iter_mut().zip(smooth_lift(&drops_m, window)) {
            frame.body.root.y -= drop_m;
        }
        let (mut parts, mut contacts) = (ClipParts::default(), Vec::new());
        for frame in &frames {
            let mut pose = self.pose(&frame.body);
            for (leg, foot) in self.walker.legs.iter().zip(&frame.body.feet) {
                self.solve_leg(&mut pose, &mut world, leg, foot);
            }
            parts.push(pose.view());
        }
        for leg in &self.walker.legs {
            for (number, part) in SolePart::ALL.into_iter().enumerate() {
                let touches = |frame: &WalkFrame| frame.contacts[side_index(leg.side)][number];
                let mut start = None;
                for index in 0..=frames.len() {
                    match (frames.get(index).is_some_and(touches), start) {
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
        Ok(AdaptedMotion { clip: Clip::new(skeleton.clone(), rate_hz, parts)?, contacts, landings })
    }

    /// The pose of a body before its legs are solved.
    fn pose(&self, body: &BodyState) -> LocalPose {
        let mut pose = LocalPose::rest(self.database.skeleton());
        pose.rotations.clone_from(&body.locals);
        pose.rotations[0] = self.path.ground(body.root.z).rotation() * body.rotation;
        pose.positions[0] = self.path.world_from_path(body.root);
        pose
    }

    /// Distance by which the hips must be lowered for both legs to reach their feet, in metres.
    fn drop_m(&self, world: &WorldPose, body: &BodyState) -> f32 {
        let drop_m = |(leg, foot): (&Leg, &Foot)| {
            let reach_m = self.reach_m(leg);
            let offset = world.positions[leg.upper] - self.path.world_from_path(leg.ankle(foot));
            let vertical_m = (reach_m * reach_m - offset.x * offset.x - offset.z * offset.z).max(0.0).sqrt();
            offset.y - vertical_m
        };
        self.walker.legs.iter().zip(&body.feet).map(drop_m).fold(0.0, f32::max)
    }

    fn reach_m(&self, leg: &Leg) -> f32 {
        let offsets = self.database.skeleton().offsets();
        ik::reach_m(offsets[leg.lower].length(), offsets[leg.foot].length(), MIN_KNEE_RAD)
    }

    /// Rotates a leg so that its foot takes a given pose.
    fn solve_leg(&self, pose: &mut LocalPose, world: &mut WorldPose, leg: &Leg, foot: &Foot) {
        world.set(pose.view());
        let ankle = leg.ankle(foot);
        let target = self.path.world_from_path(ankle);
        let foot_rotation = self.path.ground(ankle.z).rotation() * foot.rotation;
        let rest = self.database.skeleton().rest_world_rotations();
        let front = world.rotations[leg.upper] * (rest[leg.upper].inverse() * Vec3::Z);
        let [root, middle, end] = [leg.upper, leg.lower, leg.foot].map(|joint| world.positions[joint]);
        let limb = Limb { root, middle, end, front };
        let settings = ik::IkSettings { min_fold_rad: MIN_KNEE_RAD, ..ik::IkSettings::default() };
        let solved = two_bone(&limb, target, front, &settings);
        let parents = self.database.skeleton().parents();
        let upper = solved.upper_turn * world.rotations[leg.upper];
        let lower = solved.lower_turn * world.rotations[leg.lower];
        pose.rotations[leg.upper] = world.rotations[parents[leg.upper]].inverse() * upper;
        pose.rotations[leg.lower] = upper.inverse() * lower;
        pose.rotations[leg.foot] = lower.inverse() * foot_rotation;
    }
}

pub(crate) fn side_index(side: Side) -> usize {
    usize::from(side == Side::Right)
}
