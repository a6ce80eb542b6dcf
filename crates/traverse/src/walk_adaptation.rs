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
//! Feet that are in the ground, as captured ones are, are raised out of it, and toes bend. A walk begins and ends standing
//! ([`crate::standing`]). Every frame is compared with the examples ([`crate::strain`]).
//!
//! On a curved path, feet and hips are mapped to the path separately. A standing foot keeps one position and does not
//! slide.

use marey_motion::{
    Clip, ClipParts, Contact, Contacts, LocalPose, Observer, Quat, Side, Vec2, Vec3, WorldPose,
};
use marey_ops::ik::{self, Limb, two_bone};
use marey_ops::sole::SolePart;
use marey_plan::Placement;

use crate::clearance::smooth_lift;
use crate::footing::RefusedStride;
use crate::hop_adaptation::check_cancelled;
use crate::leg::{Foot, Leg};
use crate::primitive::MotionPrimitive;
use crate::standing::{is_standing, stance};
use crate::strain::{StrainCheck, StrainedFrame};
use crate::stride_adaptation::StrideAdapter;
use crate::walker::Walker;
use crate::{
    AdaptedMotion, Footing, Footings, GroundPath, Landing, PrimitiveDatabase, Result, TraverseError,
};

/// Minimum flexion of a knee, in radians. A straight knee snaps.
const MIN_KNEE_RAD: f32 = 0.25;
/// Window over which lowering the hips is smoothed, in seconds.
const DROP_WINDOW_SECS: f64 = 0.3;
/// Window over which fitting a foot to the ground is smoothed, in seconds.
const FIT_WINDOW_SECS: f64 = 0.15;
/// Maximum depth out of which a foot is raised, in metres.
const MAX_FIT_M: f32 = 0.08;

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
    /// How deep the heels are in the example's own ground, in metres.
    pub(crate) heels_sunk_m: [f32; 2],
}

impl WalkFrame {
    /// Heel, ball and tip of the toes of a foot in the vertical plane, with toes that give way and without what the heel sinks in the
    /// example.
    pub(crate) fn outline(&self, leg: &Leg, index: usize) -> [Vec2; 3] {
        let [heel, ball, tip] = leg.outline_with_bent_toes(&self.body.feet[index], &self.body.locals);
        [heel + Vec2::Y * self.heels_sunk_m[index], ball, tip]
    }
}

/// Realises placements as a walk.
pub(crate) struct WalkAdapter<'a> {
    pub(crate) database: &'a PrimitiveDatabase,
    pub(crate) walker: &'a Walker,
    pub(crate) footings: &'a Footings,
    pub(crate) path: &'a GroundPath,
}

/// A walk over the ground, and where it strains the body.
pub(crate) struct AdaptedWalk {
    pub(crate) motion: AdaptedMotion,
    pub(crate) strained: Vec<StrainedFrame>,
    /// The strides, and one past their last frames.
    strides: Vec<(usize, RefusedStride)>,
}

impl AdaptedWalk {
    /// The motion, if no frame strains the body.
    pub(crate) fn unstrained(self) -> Result<AdaptedMotion> {
        match self.strained.first() {
            Some(strained) => Err(self.stride_at(strained).error),
            None => Ok(self.motion),
        }
    }

    /// The strides that strain the body, each with its first strained frame.
    pub(crate) fn strained_strides(&self) -> Vec<StrainedStride> {
        let mut strides: Vec<StrainedStride> = Vec::new();
        for strained in &self.strained {
            let next = self.stride_at(strained);
            if strides.last().is_none_or(|last| last.stride != next.stride) {
                strides.push(next);
            }
        }
        strides
    }

    fn stride_at(&self, strained: &StrainedFrame) -> StrainedStride {
        let StrainedFrame { frame, strain } = strained.clone();
        let stride = self.strides.iter().find(|(end, _)| frame < *end).or(self.strides.last());
        let stride = stride.map_or(RefusedStride { primitive: 0, ends_m: [0.0; 2] }, |(_, stride)| *stride);
        let along_m = stride.ends_m[1];
        StrainedStride { stride, error: TraverseError::Strained { along_m, frame, strain } }
    }
}

/// A stride that strains the body, and how.
pub(crate) struct StrainedStride {
    pub(crate) stride: RefusedStride,
    pub(crate) error: TraverseError,
}

impl WalkAdapter<'_> {
    pub(crate) fn adapt_all(&self, placements: &[Placement], observer: Observer<'_>) -> Result<AdaptedWalk> {
        let (standing_first, placements) = match placements {
            [first, rest @ ..] if is_standing(first) => (Some(first), rest),
            all => (None, all),
        };
        let (standing_last, placements) = match placements {
            [rest @ .., last] if is_standing(last) => (Some(last), rest),
            all => (None, all),
        };
        let primitives = self.database.primitives();
        let numbers =
            placements.iter().map(|placement| self.primitive_index(placement)).collect::<Result<Vec<_>>>()?;
        let mut frames: Vec<WalkFrame> = Vec::new();
        let mut landings: Vec<Landing> = Vec::new();
        let mut strides = Vec::new();
        let mut previous: Option<BodyState> = None;
        let mut upper: Option<usize> = None;
        for (index, placement) in placements.iter().enumerate() {
            check_cancelled(observer, index, placements.len())?;
            let number = numbers[index];
            let primitive = &primitives[number];
            let example = &self.database.examples()[primitive.example];
            upper = match (self.database.splice(), upper) {
                (Some(splice), Some(last)) => Some(splice.after(last, primitive, primitives)),
                _ => Some(number),
            };
            let to = self.footing(placement, primitive.to.position)?;
            let from = match (landings.last(), standing_first) {
                (Some(last), _) => last.footing,
                (None, Some(standing)) => self.standing_footing(standing)?,
                (None, None) => self.footing(placement, primitive.from.position)?,
            };
            let previous_height_m = match (&landings[..], standing_first) {
                ([.., before, _], _) => before.footing.position.y - from.position.y,
                (_, Some(_)) => 0.0,
                (_, None) => primitive.previous_height_m,
            };
            if landings.is_empty() {
                landings.push(Landing { frame: 0, footing: from });
            }
            let mut stride = StrideAdapter {
                adapter: self,
                example,
                primitive,
                upper: upper.map(|upper| &primitives[upper]),
                from,
                to,
                previous_height_m,
                landing: None,
                starts: index == 0 && standing_first.is_some(),
                stops: None,
            };
            if let Some(standing) = standing_first.filter(|_| index == 0) {
                let body = self.standing(standing, &stride, &from)?;
                frames.extend(resting(&body, standing.frames));
                previous = Some(body);
            }
            let rest = standing_last.filter(|_| index + 1 == placements.len());
            let rest = rest.map(|standing| self.standing(standing, &stride, &to)).transpose()?;
            stride.stops = rest.as_ref();
            stride.landing = rest.as_ref().map(|rest| rest.feet[stride.swing_foot()]);
            if let Some(next) = numbers.get(index + 1) {
                let next = &primitives[*next];
                let example = &self.database.examples()[next.example];
                let stride_after =
                    StrideAdapter { example, primitive: next, upper: None, from: to, ..stride };
                stride.landing =
                    Some(stride_after.source(next.frames.start as f64).feet[1 - stride_after.swing_foot()]);
            }
            let mut adapted = stride.frames(placement, previous.as_ref());
            previous = adapted.pop().map(|frame| frame.body);
            frames.extend(adapted);
            landings.push(Landing { frame: placement.end(), footing: to });
            let ends_m = [from, to].map(|footing| footing.position.x);
            strides.push((frames.len(), RefusedStride { primitive: number, ends_m }));
        }
        if let (Some(standing), Some(body)) = (standing_last, &previous) {
            frames.extend(resting(body, standing.frames));
        }
        self.finish(frames, landings, strides)
    }

    /// The footing of a character that stands.
    fn standing_footing(&self, placement: &Placement) -> Result<Footing> {
        let example = self.database.example(&placement.source);
        let clip = example.map(|example| &example.clip).filter(|clip| placement.source_end <= clip.frames());
        let unknown = || TraverseError::UnknownSource {
            take: placement.source.take.clone(),
            frame: placement.source_start,
        };
        let stance = stance(self.walker, clip.ok_or_else(unknown)?, placement.source_start);
        self.footing(placement, stance.position)
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

    /// Fits the feet to the ground, lowers the hips where legs cannot reach, maps all frames to the path, and solves the legs.
    fn finish(
        &self,
        mut frames: Vec<WalkFrame>,
        landings: Vec<Landing>,
        strides: Vec<(usize, RefusedStride)>,
    ) -> Result<AdaptedWalk> {
        let skeleton = self.database.skeleton();
        let rate_hz = self.database.rate_hz();
        for leg in 0..self.walker.legs.len() {
            self.fit_foot(&mut frames, leg);
        }
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
        let (settings, profile) = (self.database.settings(), self.footings.profile());
        let mut check = self.database.limits().map(|limits| {
            StrainCheck::new(self.walker, &limits.poses, settings, profile, self.path, rate_hz)
        });
        for frame in &frames {
            let mut pose = self.pose(&frame.body);
            let mut missing_m = 0f32;
            for (leg, foot) in self.walker.legs.iter().zip(&frame.body.feet) {
                missing_m = missing_m.max(self.solve_leg(&mut pose, &mut world, leg, foot));
            }
            world.set(pose.view());
            if let Some(check) = &mut check {
                check.add(&world, frame.body.root.z, missing_m);
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
        let motion = AdaptedMotion { clip: Clip::new(skeleton.clone(), rate_hz, parts)?, contacts, landings };
        Ok(AdaptedWalk { motion, strained: check.map_or(Vec::new(), |check| check.found), strides })
    }

    /// Bends the toes of a foot and raises it where it is in the ground: captured feet are never quite on it.
    fn fit_foot(&self, frames: &mut [WalkFrame], index: usize) {
        let leg = &self.walker.legs[index];
        let profile = self.footings.profile();
        let window = (FIT_WINDOW_SECS * self.database.rate_hz()).round() as usize;
        // What is deeper is in the face of a step, beside which the foot has to go.
        let shallow = |depth_m: f32| if depth_m < MAX_FIT_M { depth_m.max(0.0) } else { 0.0 };
        let rises_m: Vec<f32> = frames
            .iter()
            .map(|frame| {
                let [heel, ball, tip] = frame.outline(leg, index);
                shallow(profile.lift_m(heel, ball).max(profile.lift_m(ball, tip)))
            })
            .collect();
        for (frame, rise_m) in frames.iter_mut().zip(smooth_lift(&rises_m, window)) {
            frame.body.feet[index].ball.y += rise_m;
        }
        let bends_rad: Vec<f32> = frames
            .iter()
            .map(|frame| {
                let (foot, locals) = (&frame.body.feet[index], &frame.body.locals);
                let [_, _, tip] = leg.outline(foot, locals);
                let depth_m = profile.height_at(tip.x).map_or(0.0, |height_m| shallow(height_m - tip.y));
                leg.toe_bend_rad(foot, locals, depth_m)
            })
            .collect();
        for (frame, bend_rad) in frames.iter_mut().zip(smooth_lift(&bends_rad, window)) {
            let BodyState { feet, locals, .. } = &mut frame.body;
            leg.bend_toes(&feet[index], locals, bend_rad);
        }
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

    /// Rotates a leg so that its foot takes a given pose. Returns how far the ankle misses its place, in metres.
    ///
    /// The knee bends about the hinge of the thigh in the example, which is defined however far the thigh is raised.
    fn solve_leg(&self, pose: &mut LocalPose, world: &mut WorldPose, leg: &Leg, foot: &Foot) -> f32 {
        world.set(pose.view());
        let ankle = leg.ankle(foot);
        let target = self.path.world_from_path(ankle);
        let foot_rotation = self.path.ground(ankle.z).rotation() * foot.rotation;
        let rest = self.database.skeleton().rest_world_rotations();
        let hinge = world.rotations[leg.upper] * (rest[leg.upper].inverse() * Vec3::X);
        let [root, middle, end] = [leg.upper, leg.lower, leg.foot].map(|joint| world.positions[joint]);
        let limb = Limb { root, middle, end, front: Limb::hinge_front(end - root, hinge) };
        let settings = ik::IkSettings { min_fold_rad: MIN_KNEE_RAD, ..ik::IkSettings::default() };
        let solved = two_bone(&limb, target, Limb::hinge_front(target - root, hinge), &settings);
        let parents = self.database.skeleton().parents();
        let upper = solved.upper_turn * world.rotations[leg.upper];
        let lower = solved.lower_turn * world.rotations[leg.lower];
        let locals = [
            (leg.upper, world.rotations[parents[leg.upper]].inverse() * upper),
            (leg.lower, upper.inverse() * lower),
            (leg.foot, lower.inverse() * foot_rotation),
        ];
        for (joint, local) in locals {
            // q and −q are the same rotation: keep the sign of the example.
            pose.rotations[joint] = if local.dot(pose.rotations[joint]) < 0.0 { -local } else { local };
        }
        solved.missed_by(target)
    }
}

/// A body at rest, on both feet.
fn resting(body: &BodyState, frames: usize) -> impl Iterator<Item = WalkFrame> + '_ {
    (0..frames).map(|_| WalkFrame { body: body.clone(), contacts: [[true; 2]; 2], heels_sunk_m: [0.0; 2] })
}

pub(crate) fn side_index(side: Side) -> usize {
    usize::from(side == Side::Right)
}
