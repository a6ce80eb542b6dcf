//! Realises a plan of hops: adapts every hop to begin where the last one ended and to land on the terrain.
//!
//! Lamouret and van de Panne (1996), section 3.3:
//!
//! ```text
//! Δx₁ = x_f − x(0)      Δx₂ = x_c − x(T)      x′(t) = x(t) + (1 − α) Δx₁ + α Δx₂
//! ```
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | x | configuration: position and tilt of the sole, joint rotations | m, rad |
//! | x_f | configuration at the end of the previous hop | m, rad |
//! | x_c | configuration with the sole on its footing | m, rad |
//! | α | fraction of the adaptation, see [`crate::AdaptationEasing`] | 1 |
//!
//! Changes to the paper:
//!
//! - α of the sole rises from 0 to 1 in flight instead of over the whole hop, so that a standing base does not slide.
//! - Bones on the sole keep their world direction when the sole is tilted. This keeps the character balanced and is
//!   the smaller displacement in terms of mass.
//! - If the terrain intersects the arc, the arc is lifted between take-off and landing, as in a higher jump, by at
//!   least as much as every frame needs.
//! - A standing base is not lifted out of the ground. Instead Δx₁ is blended out earlier.

use std::ops::Range;

use marey_motion::{Clip, ClipParts, Contact, Contacts, LocalPose, Observer, Quat, Role, WorldPose};
use marey_plan::{Placement, Plan};

use crate::clearance::{ROCK_M, TOUCH_M, smooth_lift};
use crate::hop_pose::{SoleShift, adapt_pose, joint_rotations};
use crate::hopper::{Hopper, bones, side_view};
use crate::primitive::Stance;
use crate::primitive_database::Locomotion;
use crate::walk_adaptation::{StrainedStride, WalkAdapter};
use crate::{
    Footing, Footings, GroundPath, MotionPrimitive, PrimitiveDatabase, Result, TraverseError, TraverseExample,
};

/// Window over which a rocking base is kept on the ground, in seconds.
const ROCK_SECS: f64 = 0.1;

/// Motion that was adapted to a terrain.
#[derive(Debug, Clone)]
pub struct AdaptedMotion {
    /// The motion.
    pub clip: Clip,
    /// Ground contacts of the feet, or of a hopper's base.
    pub contacts: Contacts,
    /// The landing positions, in order; the first entry is the start.
    pub landings: Vec<Landing>,
}

/// A landing of the adapted motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Landing {
    /// The frame.
    pub frame: usize,
    /// The footing.
    pub footing: Footing,
}

impl PrimitiveDatabase {
    /// Realises a plan on footings, along a path of which the footings' terrain is the profile.
    ///
    /// A walk that strains the body ([`crate::Strain`]) is an error.
    ///
    /// The plan may come from [`PrimitiveDatabase::plan`] or be edited or written by hand, as long as it uses the
    /// examples of this database. A primitive lands on the footing nearest to where its placement puts it.
    ///
    /// Editing one placement without changing its length changes these frames only:
    ///
    /// | edit | hopper | walker |
    /// |---|---|---|
    /// | landing position | this placement and the next | this placement and the next two, and 0.3 s before and after |
    /// | source frames | this placement and the next | the same and the previous placement; everything after it if upper bodies are matched separately |
    pub fn realise(&self, plan: &Plan, footings: &Footings, path: &GroundPath) -> Result<AdaptedMotion> {
        self.realise_observed(plan, footings, path, Observer::ignore())
    }

    /// [`PrimitiveDatabase::realise`], which can be cancelled by an observer.
    pub fn realise_observed(
        &self,
        plan: &Plan,
        footings: &Footings,
        path: &GroundPath,
        observer: Observer<'_>,
    ) -> Result<AdaptedMotion> {
        plan.validate()?;
        let placements = plan.actors.first().map_or(&[][..], |actor| &actor.placements);
        match self.locomotion() {
            Locomotion::Hopping(hopper) => {
                HopAdapter::new(self, hopper, footings, path).adapt_all(placements, observer)
            }
            Locomotion::Walking(walker) => {
                let adapter = WalkAdapter { database: self, walker, footings, path };
                adapter.adapt_all(placements, observer)?.unstrained()
            }
        }
    }

    /// The strides of a plan that strain the body of a walker.
    pub(crate) fn strained_strides(
        &self,
        plan: &Plan,
        footings: &Footings,
        path: &GroundPath,
        observer: Observer<'_>,
    ) -> Result<Vec<StrainedStride>> {
        let Locomotion::Walking(walker) = self.locomotion() else { return Ok(Vec::new()) };
        let placements = plan.actors.first().map_or(&[][..], |actor| &actor.placements);
        let adapter = WalkAdapter { database: self, walker, footings, path };
        Ok(adapter.adapt_all(placements, observer)?.strained_strides())
    }

    /// The primitive that a placement uses, if it uses exactly one.
    fn primitive_of(&self, placement: &Placement) -> Option<&MotionPrimitive> {
        let matches = |primitive: &&MotionPrimitive| {
            primitive.frames.start == placement.source_start
                && primitive.frames.end.abs_diff(placement.source_end) <= 1
                && self.examples()[primitive.example].source == placement.source
        };
        self.primitives().iter().find(matches)
    }
}

/// Fails if the observer cancels.
pub(crate) fn check_cancelled(observer: Observer<'_>, hops: usize, total: usize) -> Result<()> {
    match observer.report("adapting", hops, total).is_continue() {
        true => Ok(()),
        false => Err(TraverseError::Cancelled { hops }),
    }
}

/// The configuration at the end of the previous hop: x_f.
struct EndState {
    pose: LocalPose,
    footing: Footing,
}

struct HopAdapter<'a> {
    database: &'a PrimitiveDatabase,
    hopper: &'a Hopper,
    footings: &'a Footings,
    path: &'a GroundPath,
    end_state: Option<EndState>,
    /// The frames so far.
    parts: ClipParts,
    // Buffers: the current pose, and the last pose of the current hop.
    pose: LocalPose,
    last_pose: LocalPose,
    world: WorldPose,
    /// Weight of the lift at each frame of the current hop.
    lift_weights: Vec<f32>,
    /// Height by which each frame of the current hop must be raised.
    needed_m: Vec<f32>,
}

/// A hop, and how it is adapted.
#[derive(Clone, Copy)]
struct HopJob<'a> {
    example: &'a TraverseExample,
    placement: &'a Placement,
    /// The frames of the example in which the base is in the air.
    flight: &'a Range<usize>,
    /// Δx₁ and Δx₂ of the sole.
    shifts: [SoleShift; 2],
    /// Δx₁ of the joints.
    rotations: &'a [Quat],
    is_last: bool,
}

impl<'a> HopAdapter<'a> {
    fn new(
        database: &'a PrimitiveDatabase,
        hopper: &'a Hopper,
        footings: &'a Footings,
        path: &'a GroundPath,
    ) -> Self {
        let skeleton = database.skeleton();
        Self {
            database,
            hopper,
            footings,
            path,
            end_state: None,
            parts: ClipParts::default(),
            pose: LocalPose::rest(skeleton),
            last_pose: LocalPose::rest(skeleton),
            world: WorldPose::scratch(skeleton),
            lift_weights: Vec::new(),
            needed_m: Vec::new(),
        }
    }

    fn adapt_all(mut self, placements: &[Placement], observer: Observer<'_>) -> Result<AdaptedMotion> {
        let skeleton = self.database.skeleton().clone();
        let role = skeleton.joints()[0].role.unwrap_or(Role::Hips);
        let mut landings = Vec::with_capacity(placements.len());
        let (mut contacts, mut contact_start): (Vec<Contact>, usize) = (Vec::new(), 0);
        let frames = placements.last().map_or(0, |last| last.end() + 1);
        self.parts.rotations.reserve(frames * skeleton.len());
        self.parts.positions.reserve(frames * skeleton.movers().len());
        for (hops, placement) in placements.iter().enumerate() {
            check_cancelled(observer, hops, placements.len())?;
            // The last instant of a hop is the first of the next, so only the last hop includes its end.
            let is_last = placement.end() + 1 == frames;
            let flight = self.adapt(placement, is_last)?;
            if let Some(end) = &self.end_state {
                landings.push(Landing { frame: placement.end(), footing: end.footing });
            }
            if let Some(flight) = flight {
                let take_off = placement.start + flight.start;
                let contact = Contact { role, frames: contact_start..take_off };
                contacts.extend((contact_start < take_off).then_some(contact));
                contact_start = placement.start + flight.end;
            }
        }
        contacts.extend((contact_start < frames).then_some(Contact { role, frames: contact_start..frames }));
        let clip = Clip::new(skeleton, self.database.rate_hz(), self.parts)?;
        Ok(AdaptedMotion { clip, contacts: Contacts::new(contacts, frames)?, landings })
    }

    /// Appends the frames of a placement, including its end if it is the last one. Returns the frames in the air.
    fn adapt(&mut self, placement: &Placement, is_last: bool) -> Result<Option<Range<usize>>> {
        let example = self.example(placement)?;
        let mut stance = |frame: usize| {
            self.world.set(example.clip.pose(frame.min(example.clip.frames() - 1)));
            self.hopper.stance(&self.world)
        };
        let (from, to) = (stance(placement.source_start), stance(placement.source_end));
        let footing = self.footing_under(placement, &to)?;
        let mut end_state = match self.end_state.take() {
            Some(end_state) => end_state,
            None => self.initial_state(example, placement, &from)?,
        };
        let primitive = self.database.primitive_of(placement);
        let flight = primitive.map_or(placement.source_start..placement.source_end, |primitive| {
            primitive.take_off..primitive.landing
        });
        let shifts = [SoleShift::between(&from, &end_state.footing), SoleShift::between(&to, &footing)];
        let first = example.clip.pose(placement.source_start);
        let rotations = joint_rotations(example.clip.skeleton().parents(), first, end_state.pose.view());
        let job = HopJob { example, placement, flight: &flight, shifts, rotations: &rotations, is_last };
        let first_index = [self.parts.rotations.len(), self.parts.positions.len()];
        // Δx₁ of the joints lasts until the end of the hop, or until the frame in which it would put the standing
        // character into the ground.
        let mut blend_out = placement.frames;
        let lift_m = loop {
            match self.push_frames(&job, blend_out) {
                Ok(lift_m) => break lift_m,
                Err(frame) => blend_out = frame,
            }
            self.parts.rotations.truncate(first_index[0]);
            self.parts.positions.truncate(first_index[1]);
        };
        end_state.pose.clone_from(&self.last_pose);
        self.raise(first_index[1], lift_m);
        self.end_state = Some(EndState { footing, ..end_state });
        let flight = flight_frames(placement, &flight);
        Ok(flight.filter(|_| from.position.distance(to.position) > 1e-3))
    }

    /// Appends the frames of a hop, with Δx₁ of the joints blended out over `blend_out` frames, and returns the lift
    /// that they need. Fails with the first frame in which a standing character would be in the ground.
    fn push_frames(&mut self, job: &HopJob<'_>, blend_out: usize) -> std::result::Result<f32, usize> {
        let HopJob { example, placement, flight, shifts, rotations, is_last } = *job;
        let easing = self.database.settings().easing;
        let parents = self.database.skeleton().parents();
        let mut lift_m = 0f32;
        self.lift_weights.clear();
        self.needed_m.clear();
        for frame in 0..=placement.frames {
            let source = placement.source_frame_at(frame as f64);
            self.sample(example, source);
            let fraction = (source - flight.start as f64) / flight.len().max(1) as f64;
            let shift = shifts[0].lerp(shifts[1], easing.alpha(fraction as f32));
            let remaining = 1.0 - easing.alpha(frame as f32 / blend_out.max(1) as f32);
            adapt_pose(self.hopper, parents, &mut self.pose, shift, remaining, rotations);
            let (needed_m, weight) = (self.needed_m(), easing.bump(fraction as f32));
            if weight > 0.0 {
                lift_m = lift_m.max(needed_m / weight);
            } else if needed_m > ROCK_M && (1..blend_out).contains(&frame) {
                return Err(frame);
            }
            self.needed_m.push(needed_m);
            self.lift_weights.push(weight);
            if frame == placement.frames {
                self.last_pose.clone_from(&self.pose);
                if !is_last {
                    break;
                }
            }
            self.path.transform_joint(&mut self.pose.positions[0], &mut self.pose.rotations[0]);
            self.parts.push(self.pose.view());
        }
        Ok(lift_m)
    }

    /// Sets the pose to that of an example at a frame, interpolated if it lies between two.
    fn sample(&mut self, example: &TraverseExample, source: f64) {
        if source.fract() == 0.0 {
            let pose = example.clip.pose((source as usize).min(example.clip.frames() - 1));
            self.pose.rotations.clear();
            self.pose.rotations.extend_from_slice(pose.rotations);
            self.pose.positions.clear();
            self.pose.positions.extend_from_slice(pose.positions);
        } else {
            example.clip.sample_into(source / example.clip.rate_hz(), &mut self.pose);
        }
    }

    fn example(&self, placement: &Placement) -> Result<&'a TraverseExample> {
        let example = self.database.example(&placement.source);
        let complete = example.filter(|example| placement.source_end <= example.clip.frames());
        complete.ok_or_else(|| TraverseError::UnknownSource {
            take: placement.source.take.clone(),
            frame: placement.source_end,
        })
    }

    /// The footing nearest to where a placement puts a stance.
    fn footing_under(&self, placement: &Placement, stance: &Stance) -> Result<Footing> {
        self.footings.nearest_along(placement.world_from_source.point(stance.position).z)
    }

    /// The first configuration: the example's, on the footing under it.
    fn initial_state(
        &self,
        example: &TraverseExample,
        placement: &Placement,
        from: &Stance,
    ) -> Result<EndState> {
        let footing = self.footing_under(placement, from)?;
        let mut pose = example.clip.pose(placement.source_start).to_owned();
        let parents = self.database.skeleton().parents();
        adapt_pose(self.hopper, parents, &mut pose, SoleShift::between(from, &footing), 0.0, &[]);
        Ok(EndState { pose, footing })
    }

    /// The height by which the current pose must be raised to be nowhere in the ground.
    fn needed_m(&mut self) -> f32 {
        let profile = self.footings.profile();
        self.world.set(self.pose.view());
        let sole = self.hopper.ends(&self.world).map(side_view);
        let needed_m = profile.lift_beyond(0.0, sole[0], sole[1]);
        // Fast path: in most poses all bones are above all of the terrain near them.
        let ends = || bones(&self.world).flatten().map(side_view);
        let (low, high) = ends().fold((sole[0], sole[0]), |(low, high), end| (low.min(end), high.max(end)));
        if profile.ceiling_m(low.x, high.x) <= low.y + needed_m {
            return needed_m;
        }
        bones(&self.world)
            .map(|bone| bone.map(side_view))
            .fold(needed_m, |lift_m, [a, b]| profile.lift_beyond(lift_m, a, b))
    }

    /// Lifts the arc of the current hop over the terrain, and a rocking base onto it. `first_index` is the index of the
    /// hop's first root position.
    fn raise(&mut self, first_index: usize, lift_m: f32) {
        // The base stands at both ends.
        let last = self.needed_m.len() - 1;
        (self.needed_m[0], self.needed_m[last]) = (0.0, 0.0);
        if self.needed_m.iter().all(|needed_m| *needed_m < TOUCH_M) {
            return;
        }
        for (needed_m, weight) in self.needed_m.iter_mut().zip(&self.lift_weights) {
            *needed_m = (*needed_m - weight * lift_m).max(0.0);
        }
        let window = (ROCK_SECS * self.database.rate_hz()).round() as usize;
        let movers = self.database.skeleton().movers().len();
        let roots = self.parts.positions[first_index..].iter_mut().step_by(movers);
        let lifts = smooth_lift(&self.needed_m, window).into_iter().zip(&self.lift_weights);
        for (root, (rock_m, weight)) in roots.zip(lifts) {
            root.y += rock_m + weight * lift_m;
        }
    }
}

/// The frames of a placement, from its first, in which the example is in the air.
fn flight_frames(placement: &Placement, flight: &Range<usize>) -> Option<Range<usize>> {
    let is_in_flight = |frame: &usize| {
        let source = placement.source_frame_at(*frame as f64);
        source >= flight.start as f64 && source < flight.end as f64
    };
    let mut frames = (0..placement.frames).filter(is_in_flight);
    let first = frames.next()?;
    Some(first..frames.next_back().unwrap_or(first) + 1)
}
