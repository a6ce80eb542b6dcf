//! From a plan to motion over the ground: every hop is bent to begin where the figure stands and to land on the terrain.
//!
//! Lamouret and van de Panne (1996), section 3.3:
//!
//! ```text
//! Δx₁ = x_f − x(0)      Δx₂ = x_c − x(T)      x′(t) = x(t) + (1 − α) Δx₁ + α Δx₂
//! ```
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | x | the configuration: where the sole is, how it is tilted, how the bones are turned | m, rad |
//! | x_f | the configuration in which the figure was left | m, rad |
//! | x_c | the configuration in which the sole lies on its footing, as it lay on its own ground | m, rad |
//! | α | share of an adaptation, see [`crate::Phase`] | 1 |
//!
//! Changed: α of the sole goes from 0 to 1 in flight, not over the whole hop, since a base that stands would slide otherwise. What
//! hangs on the sole keeps its direction in the world when the sole is tilted, so that the figure keeps its balance: in
//! terms of mass that is the smaller displacement. Where the ground would cut an arc, the arc is lifted between take-off and landing,
//! as of a body that jumps higher, by no less than is needed in any frame. A base that stands is not lifted out of the ground: Δx₁ is phased out
//! sooner where the figure would stand in it.

use std::ops::Range;

use marey_motion::{Clip, ClipParts, Contact, Contacts, LocalPose, Quat, Role, WorldPose};
use marey_plan::{Placement, Plan};

use crate::bend::{Shift, bend, turns_between};
use crate::clearance::{ROCK_M, TOUCH_M, smooth_lift};
use crate::database::Figure;
use crate::hopper::{Hopper, bones, plane};
use crate::primitive::Stance;
use crate::strider::Strider;
use crate::{Database, Error, Example, Footing, Footings, Primitive, Result, Way};

/// A base that rocks where it stands is kept on the ground over so long, in seconds.
const ROCK_SECS: f64 = 0.1;

/// Motion over a terrain.
#[derive(Debug, Clone)]
pub struct Crossed {
    /// The motion.
    pub clip: Clip,
    /// When its feet stand.
    pub contacts: Contacts,
    /// Where it came to stand, and when: the frame, and the footing.
    pub landings: Vec<(usize, Footing)>,
}

impl Database {
    /// Realises a plan on footings: any plan that uses these examples, whoever made it. Where a placement puts the end of a hop, the
    /// nearest footing is meant. The figure goes along +Z.
    pub fn realise(&self, plan: &Plan, footings: &Footings) -> Result<Crossed> {
        self.realise_along(plan, footings, &Way::straight())
    }

    /// The same along a way over the floor, of which the footings are the profile.
    pub fn realise_along(&self, plan: &Plan, footings: &Footings, way: &Way) -> Result<Crossed> {
        plan.validate()?;
        let placements = plan.actors.first().map_or(&[][..], |actor| &actor.placements);
        match self.figure() {
            Figure::Hopper(hopper) => Adapter::new(self, hopper, footings, way).all(placements),
            Figure::Walker(walker) => Strider { database: self, walker, footings, way }.all(placements),
        }
    }

    /// The primitive that a placement is, where it is one.
    fn primitive(&self, placement: &Placement) -> Option<&Primitive> {
        let same = |primitive: &&Primitive| {
            primitive.frames.start == placement.source_start
                && primitive.frames.end.abs_diff(placement.source_end) <= 1
                && self.examples()[primitive.example].source == placement.source
        };
        self.primitives().iter().find(same)
    }
}

/// Where the figure was left: x_f.
struct Left {
    pose: LocalPose,
    footing: Footing,
}

struct Adapter<'a> {
    database: &'a Database,
    hopper: &'a Hopper,
    footings: &'a Footings,
    way: &'a Way,
    left: Option<Left>,
    /// The frames so far.
    parts: ClipParts,
    /// Room for a pose and the last of a hop, and for how much of its lift each frame of a hop has.
    pose: LocalPose,
    end: LocalPose,
    world: WorldPose,
    lifted: Vec<f32>,
    needed_m: Vec<f32>,
}

/// A hop that is to be bent.
#[derive(Clone, Copy)]
struct Bent<'a> {
    example: &'a Example,
    placement: &'a Placement,
    /// When the base is in the air, in frames of the example.
    flight: &'a Range<usize>,
    shifts: [Shift; 2],
    /// How joints are turned to be as they were left.
    turns: &'a [Quat],
    is_last: bool,
}

impl<'a> Adapter<'a> {
    fn new(database: &'a Database, hopper: &'a Hopper, footings: &'a Footings, way: &'a Way) -> Self {
        let skeleton = database.skeleton();
        Self {
            database,
            hopper,
            footings,
            way,
            left: None,
            parts: ClipParts::default(),
            pose: LocalPose::rest(skeleton),
            end: LocalPose::rest(skeleton),
            world: WorldPose::scratch(skeleton),
            lifted: Vec::new(),
            needed_m: Vec::new(),
        }
    }

    fn all(mut self, placements: &[Placement]) -> Result<Crossed> {
        let skeleton = self.database.skeleton().clone();
        let role = skeleton.joints()[0].role.unwrap_or(Role::Hips);
        let mut landings = Vec::with_capacity(placements.len());
        let (mut stands, mut from): (Vec<Contact>, usize) = (Vec::new(), 0);
        let frames = placements.last().map_or(0, |last| last.end() + 1);
        self.parts.rotations.reserve(frames * skeleton.len());
        self.parts.positions.reserve(frames * skeleton.movers().len());
        for placement in placements {
            // The last instant of a hop is the first of the next; after the last hop it is shown itself.
            let is_last = placement.end() + 1 == frames;
            let flown = self.adapt(placement, is_last)?;
            if let Some(left) = &self.left {
                landings.push((placement.end(), left.footing));
            }
            if let Some(flown) = flown {
                let up = placement.start + flown.start;
                stands.extend((from < up).then_some(Contact { role, frames: from..up }));
                from = placement.start + flown.end;
            }
        }
        stands.extend((from < frames).then_some(Contact { role, frames: from..frames }));
        let clip = Clip::new(skeleton, self.database.rate_hz(), self.parts)?;
        Ok(Crossed { clip, contacts: Contacts::new(stands, frames)?, landings })
    }

    /// Adds the frames of a placement, where it is the last also the one at its end, and says which of them are in the air.
    fn adapt(&mut self, placement: &Placement, is_last: bool) -> Result<Option<Range<usize>>> {
        let example = self.example(placement)?;
        let mut stance = |frame: usize| {
            self.world.set(example.clip.pose(frame.min(example.clip.frames() - 1)));
            self.hopper.stance(&self.world)
        };
        let (from, to) = (stance(placement.source_start), stance(placement.source_end));
        let footing = self.footing_under(placement, &to)?;
        let mut left = match self.left.take() {
            Some(left) => left,
            None => self.begin(example, placement, &from)?,
        };
        let primitive = self.database.primitive(placement);
        let flight = primitive.map_or(placement.source_start..placement.source_end, |primitive| {
            primitive.take_off..primitive.landing
        });
        let shifts = [Shift::of(&left.footing, &from), Shift::of(&footing, &to)];
        let first = example.clip.pose(placement.source_start);
        let turns = turns_between(example.clip.skeleton().parents(), first, left.pose.view());
        let hop = Bent { example, placement, flight: &flight, shifts, turns: &turns, is_last };
        let begin = [self.parts.rotations.len(), self.parts.positions.len()];
        // Δx₁ goes on until the end, unless the figure would stand in the ground by it: then until there.
        let mut until = placement.frames;
        let lift_m = loop {
            match self.frames(&hop, until) {
                Ok(lift_m) => break lift_m,
                Err(frame) => until = frame,
            }
            self.parts.rotations.truncate(begin[0]);
            self.parts.positions.truncate(begin[1]);
        };
        left.pose.clone_from(&self.end);
        self.lift(begin[1], lift_m);
        self.left = Some(Left { footing, ..left });
        let flown = flown(placement, &flight);
        Ok(flown.filter(|_| from.at.distance(to.at) > 1e-3))
    }

    /// Adds the frames of a hop, with Δx₁ gone after so many of them, and says how far they must be lifted; or the first in which the figure
    /// stands in the ground by it.
    fn frames(&mut self, hop: &Bent<'_>, until: usize) -> std::result::Result<f32, usize> {
        let Bent { example, placement, flight, shifts, turns, is_last } = *hop;
        let phase = self.database.settings().phase;
        let parents = self.database.skeleton().parents();
        let mut lift_m = 0f32;
        self.lifted.clear();
        self.needed_m.clear();
        for frame in 0..=placement.frames {
            let source = placement.source_frame_at(frame as f64);
            self.sample(example, source);
            let share = (source - flight.start as f64) / flight.len().max(1) as f64;
            let shift = shifts[0].mix(shifts[1], phase.alpha(share as f32));
            let rest = 1.0 - phase.alpha(frame as f32 / until.max(1) as f32);
            bend(self.hopper, parents, &mut self.pose, shift, rest, turns);
            let (needed_m, lifted) = (self.needed_m(), phase.lifted(share as f32));
            if lifted > 0.0 {
                lift_m = lift_m.max(needed_m / lifted);
            } else if needed_m > ROCK_M && (1..until).contains(&frame) {
                return Err(frame);
            }
            self.needed_m.push(needed_m);
            self.lifted.push(lifted);
            if frame == placement.frames {
                self.end.clone_from(&self.pose);
                if !is_last {
                    break;
                }
            }
            self.way.carry(&mut self.pose.positions[0], &mut self.pose.rotations[0]);
            self.parts.push(self.pose.view());
        }
        Ok(lift_m)
    }

    /// The pose of an example at a frame, or between two.
    fn sample(&mut self, example: &Example, source: f64) {
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

    fn example(&self, placement: &Placement) -> Result<&'a Example> {
        let example = self.database.example(&placement.source);
        let whole = example.filter(|example| placement.source_end <= example.clip.frames());
        whole.ok_or_else(|| Error::UnknownSource {
            take: placement.source.take.clone(),
            frame: placement.source_end,
        })
    }

    /// The footing nearest to where a placement puts a stance.
    fn footing_under(&self, placement: &Placement, stance: &Stance) -> Result<Footing> {
        self.footings.at_along(placement.world_from_source.point(stance.at).z)
    }

    /// The first configuration: as the example has it, on the footing under it.
    fn begin(&self, example: &Example, placement: &Placement, from: &Stance) -> Result<Left> {
        let footing = self.footing_under(placement, from)?;
        let mut pose = example.clip.pose(placement.source_start).to_owned();
        bend(self.hopper, self.database.skeleton().parents(), &mut pose, Shift::of(&footing, from), 0.0, &[]);
        Ok(Left { pose, footing })
    }

    /// How far the pose must be lifted to be nowhere in the ground.
    fn needed_m(&mut self) -> f32 {
        let profile = self.footings.profile();
        self.world.set(self.pose.view());
        let sole = self.hopper.ends(&self.world).map(plane);
        let needed_m = profile.lift_beyond(0.0, sole[0], sole[1]);
        // Mostly all bones are above all of the ground near them.
        let ends = || bones(&self.world).flatten().map(plane);
        let (low, high) = ends().fold((sole[0], sole[0]), |(low, high), end| (low.min(end), high.max(end)));
        if profile.ceiling_m(low.x, high.x) <= low.y + needed_m {
            return needed_m;
        }
        bones(&self.world)
            .map(|bone| bone.map(plane))
            .fold(needed_m, |lift_m, [a, b]| profile.lift_beyond(lift_m, a, b))
    }

    /// Lifts the arc over the ground, and a base that rocks onto it: of the frames from a position of the root on.
    fn lift(&mut self, begin: usize, lift_m: f32) {
        // Both ends stand.
        let last = self.needed_m.len() - 1;
        (self.needed_m[0], self.needed_m[last]) = (0.0, 0.0);
        if self.needed_m.iter().all(|needed_m| *needed_m < TOUCH_M) {
            return;
        }
        for (needed_m, lifted) in self.needed_m.iter_mut().zip(&self.lifted) {
            *needed_m = (*needed_m - lifted * lift_m).max(0.0);
        }
        let window = (ROCK_SECS * self.database.rate_hz()).round() as usize;
        let movers = self.database.skeleton().movers().len();
        let roots = self.parts.positions[begin..].iter_mut().step_by(movers);
        let lifts = smooth_lift(&self.needed_m, window).into_iter().zip(&self.lifted);
        for (root, (rock_m, lifted)) in roots.zip(lifts) {
            root.y += rock_m + lifted * lift_m;
        }
    }
}

/// The frames of a placement, from its first, in which the example is in the air.
fn flown(placement: &Placement, flight: &Range<usize>) -> Option<Range<usize>> {
    let is_up = |frame: &usize| {
        let source = placement.source_frame_at(*frame as f64);
        source >= flight.start as f64 && source < flight.end as f64
    };
    let mut up = (0..placement.frames).filter(is_up);
    let first = up.next()?;
    Some(first..up.next_back().unwrap_or(first) + 1)
}
