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
//! terms of mass that is the smaller displacement. Where the ground would cut an arc, the arc is lifted, smoothly and no less than is
//! needed in any frame.

use std::ops::Range;

use marey_motion::{Clip, ClipParts, Contact, Contacts, LocalPose, Quat, Role, Vec2, Vec3, WorldPose};
use marey_plan::{Placement, Plan};

use crate::clearance::smooth_lift;
use crate::database::Figure;
use crate::hopper::{Hopper, bones, plane};
use crate::primitive::Stance;
use crate::stride::Strider;
use crate::{Database, Error, Example, Footing, Footings, Primitive, Result, Way};

/// Arcs are lifted over so long a time around what is in the way, in seconds.
const LIFT_SECS: f64 = 0.3;

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
            Figure::Hopper(hopper) => {
                Adapter { database: self, hopper, footings, way, left: None }.all(placements)
            }
            Figure::Walker(walker) => Strider { database: self, walker, footings, way }.all(placements),
        }
    }

    /// When the foot leaves and is down again, where a placement is one of the primitives; else all of it.
    fn flight(&self, placement: &Placement) -> Range<usize> {
        let same = |primitive: &&Primitive| {
            self.examples()[primitive.example].source == placement.source
                && primitive.frames.start == placement.source_start
                && primitive.frames.end.abs_diff(placement.source_end) <= 1
        };
        let found = self.primitives().iter().find(same);
        found.map_or(placement.source_start..placement.source_end, |found| found.take_off..found.landing)
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
}

/// How a sole is displaced.
#[derive(Clone, Copy)]
struct Shift {
    by: Vec2,
    turn_rad: f32,
}

impl Shift {
    fn of(footing: &Footing, stance: &Stance) -> Self {
        Self { by: footing.at - plane(stance.at), turn_rad: footing.slope_rad - stance.slope_rad }
    }

    fn mix(self, other: Self, alpha: f32) -> Self {
        Self {
            by: self.by.lerp(other.by, alpha),
            turn_rad: self.turn_rad + alpha * (other.turn_rad - self.turn_rad),
        }
    }
}

impl<'a> Adapter<'a> {
    fn all(mut self, placements: &[Placement]) -> Result<Crossed> {
        let skeleton = self.database.skeleton().clone();
        let role = skeleton.joints()[0].role.unwrap_or(Role::Hips);
        let (mut parts, mut landings) = (ClipParts::default(), Vec::new());
        let mut airborne: Vec<Range<usize>> = Vec::new();
        let mut frames = 0;
        for placement in placements {
            let (poses, flown) = self.adapt(placement)?;
            let is_last = placement.end() == placements.last().map_or(0, Placement::end);
            // The last instant of a hop is the first of the next; after the last hop it is shown itself.
            for pose in poses.iter().take(placement.frames + usize::from(is_last)) {
                parts.push(self.carried(pose).view());
            }
            if let Some(left) = &self.left {
                landings.push((placement.end(), left.footing));
            }
            airborne.extend(flown.map(|flown| placement.start + flown.start..placement.start + flown.end));
            frames = placement.end() + usize::from(is_last);
        }
        let mut stands: Vec<Contact> = Vec::new();
        let mut from = 0;
        for flight in airborne.into_iter().chain(std::iter::once(frames..frames)) {
            if from < flight.start {
                stands.push(Contact { role, frames: from..flight.start });
            }
            from = flight.end;
        }
        let clip = Clip::new(skeleton, self.database.rate_hz(), parts)?;
        Ok(Crossed { clip, contacts: Contacts::new(stands, frames)?, landings })
    }

    /// A pose beside the way, carried to its place on it.
    fn carried(&self, pose: &LocalPose) -> LocalPose {
        let mut pose = pose.clone();
        let ground = self.way.ground(pose.positions[0].z);
        pose.positions[0] = self.way.point(pose.positions[0]);
        pose.rotations[0] = ground.rotation() * pose.rotations[0];
        pose
    }

    /// The poses of a placement, one more than it lasts, and when it is in the air.
    fn adapt(&mut self, placement: &Placement) -> Result<(Vec<LocalPose>, Option<Range<usize>>)> {
        let example = self.example(placement)?;
        let stance = |frame: usize| {
            let pose = example.clip.pose(frame.min(example.clip.frames() - 1));
            self.hopper.stance(&WorldPose::of(example.clip.skeleton(), pose))
        };
        let (from, to) = (stance(placement.source_start), stance(placement.source_end));
        let footing = self.footing_under(placement, &to)?;
        let left = match self.left.take() {
            Some(left) => left,
            None => self.begin(example, placement, &from)?,
        };
        let flight = self.database.flight(placement);
        let phase = self.database.settings().phase;
        let shifts = [Shift::of(&left.footing, &from), Shift::of(&footing, &to)];
        let first = example.clip.pose(placement.source_start).to_owned();
        let turns = turns_between(example.clip.skeleton().parents(), &first, &left.pose);
        let mut poses = Vec::with_capacity(placement.frames + 1);
        for frame in 0..=placement.frames {
            let source = placement.source_frame_at(frame as f64);
            let mut pose = example.clip.sample(source / example.clip.rate_hz());
            let share = (source - flight.start as f64) / flight.len().max(1) as f64;
            let shift = shifts[0].mix(shifts[1], phase.alpha(share as f32));
            let rest = 1.0 - phase.alpha(frame as f32 / placement.frames.max(1) as f32);
            self.bend(&mut pose, shift, rest, &turns);
            poses.push(pose);
        }
        self.lift(&mut poses);
        if let Some(pose) = poses.last().cloned() {
            self.left = Some(Left { pose, footing });
        }
        let flown = flown(placement, &flight);
        Ok((poses, flown.filter(|_| from.at.distance(to.at) > 1e-3)))
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
        self.bend(&mut pose, Shift::of(&footing, from), 0.0, &[]);
        Ok(Left { pose, footing })
    }

    /// Displaces the sole, and turns the bones by part of some turns; those on the root keep their direction in the world.
    fn bend(&self, pose: &mut LocalPose, shift: Shift, part: f32, turns: &[Quat]) {
        let parents = self.database.skeleton().parents();
        let root = pose.rotations[0];
        let middle = pose.positions[0] + root * self.hopper.middle();
        let turned = Quat::from_rotation_x(-shift.turn_rad) * root;
        for (joint, &parent) in parents.iter().enumerate().skip(1) {
            let turn = turns.get(joint).map_or(Quat::IDENTITY, |turn| Quat::IDENTITY.slerp(*turn, part));
            let local = pose.rotations[joint];
            pose.rotations[joint] =
                if parent == 0 { turned.inverse() * turn * root * local } else { turn * local };
        }
        pose.rotations[0] = turned;
        let sole = Vec3::new(0.0, middle.y + shift.by.y, middle.z + shift.by.x);
        pose.positions[0] = sole - turned * self.hopper.middle();
    }

    /// Lifts the arc where the ground would cut it.
    fn lift(&self, poses: &mut [LocalPose]) {
        let profile = self.footings.profile();
        let mut world = WorldPose::scratch(self.database.skeleton());
        let needed = |pose: &LocalPose| {
            world.set(pose.view());
            let sole = self.hopper.ends(&world);
            let all = std::iter::once(sole).chain(bones(&world)).map(|bone| bone.map(plane));
            all.map(|[a, b]| profile.lift_m(a, b)).fold(0.0, f32::max)
        };
        let mut needed: Vec<f32> = poses.iter().map(needed).collect();
        // Both ends stand.
        for end in [0, poses.len() - 1] {
            needed[end] = 0.0;
        }
        let window = (LIFT_SECS * self.database.rate_hz()).round() as usize;
        for (pose, lift_m) in poses.iter_mut().zip(smooth_lift(&needed, window)) {
            pose.positions[0].y += lift_m;
        }
    }
}

/// The turns that carry one pose to another, joint by joint; of bones on the root, in the world.
fn turns_between(parents: &[usize], from: &LocalPose, to: &LocalPose) -> Vec<Quat> {
    let turned = |pose: &LocalPose, joint: usize| {
        let local = pose.rotations[joint];
        if joint > 0 && parents[joint] == 0 { pose.rotations[0] * local } else { local }
    };
    (0..parents.len()).map(|joint| turned(to, joint) * turned(from, joint).inverse()).collect()
}

/// The frames of a placement, from its first, in which the example is in the air.
fn flown(placement: &Placement, flight: &Range<usize>) -> Option<Range<usize>> {
    let is_up = |frame: &usize| {
        let source = placement.source_frame_at(*frame as f64);
        source >= flight.start as f64 && source < flight.end as f64
    };
    let up: Vec<usize> = (0..placement.frames).filter(is_up).collect();
    Some(*up.first()?..up.last()? + 1)
}
