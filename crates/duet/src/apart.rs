//! Bodies that do not go into each other.
//!
//! Movements are blended, steered and joined, so that a limb may end up in somebody. Frame by frame, limbs that are deeper in the
//! other than flesh gives way are brought out again, by the shortest way: an arm or a leg that stands nowhere gives way, both
//! where both can. What is needed grows from nothing while a limb goes in, so that it stops at the surface, as a strike does. What a limb was
//! carried by in one frame it is carried by in the next, but for a little: so it stays on its side of the other, where the
//! shortest way out would change sides from one frame to the next, and gets back with ease. No frame but those before is needed, so that it
//! works live as well.
//!
//! Limits: trunks, thighs and upper arms give way to nothing; that they keep apart is left to how movements are steered.

use std::sync::Arc;

use marey_motion::{
    Actor, Clip, ClipParts, Contacts, LocalPose, Role, Side, Skeleton, Take, Vec3, WorldPose,
};
use marey_ops::reach::Reach;

use crate::shape::{Capsule, ENDS, Shape, nearest};
use crate::{Error, Result};

/// How deep limbs may be in the other, in metres: flesh gives way.
const GIVES_M: f32 = 0.015;
/// How often limbs are moved in a frame, at the most.
const ROUNDS: usize = 8;
/// How far a limb is moved at a time, in metres, at the most.
const MOST_M: f32 = 0.12;
/// How much faster than it goes itself a limb gets back to where it would be, in metres a second.
const BACK_MPS: f32 = 0.6;
/// A bone that is hit near its root hardly moves with its end: no more than this many times as far is its end moved.
const LEAST_LEVER: f32 = 0.35;

/// Keeps two bodies apart, frame by frame.
#[derive(Debug, Clone)]
pub struct Apart {
    shapes: [Shape; 2],
    limbs: [[Option<Reach>; 4]; 2],
    worlds: [WorldPose; 2],
    placed: [Vec<Capsule>; 2],
    /// Where the end of each limb was in the last frame as it came, and how far it was carried from there.
    last: [[(Vec3, Vec3); 4]; 2],
    /// How much faster than it goes itself a limb gets back, in metres a frame.
    back_m: f32,
}

/// Two capsules that are too deep in each other: how deep, and where, the first's and the second's.
#[derive(Debug, Clone, Copy)]
struct Overlap {
    depth_m: f32,
    capsules: [usize; 2],
    points: [Vec3; 2],
}

impl Apart {
    /// For two bodies, at a rate.
    pub fn new(skeletons: [&Arc<Skeleton>; 2], rate_hz: f64) -> Self {
        Self {
            shapes: skeletons.map(|skeleton| Shape::of(skeleton)),
            limbs: skeletons.map(|skeleton| ENDS.map(|role| Reach::of(skeleton, role).ok())),
            worlds: skeletons.map(WorldPose::scratch),
            placed: Default::default(),
            last: Default::default(),
            back_m: BACK_MPS / rate_hz as f32,
        }
    }

    /// Brings limbs of the next frame out of the other. `stands` says which feet of whom stand: their legs stay.
    pub fn part(&mut self, poses: &mut [LocalPose; 2], stands: impl Fn(usize, Side) -> bool) {
        for person in [0, 1] {
            self.place(person, &poses[person]);
            self.carry_on(person, &mut poses[person]);
        }
        self.bring_out(poses, &stands);
        for (world, (limbs, last)) in self.worlds.iter().zip(self.limbs.iter().zip(&mut self.last)) {
            for (limb, last) in limbs.iter().zip(last) {
                last.1 = limb.map_or(Vec3::ZERO, |limb| world.positions[limb.end()] - last.0);
            }
        }
    }

    /// Carries limbs as far as in the last frame, but for a little: so they stay on the side on which they were brought out.
    fn carry_on(&mut self, person: usize, pose: &mut LocalPose) {
        for end in 0..ENDS.len() {
            let Some(limb) = self.limbs[person][end] else { continue };
            let from = self.worlds[person].positions[limb.end()];
            let (was, carried) = self.last[person][end];
            let back_m = from.distance(was) + self.back_m;
            let left = carried - carried.clamp_length_max(back_m);
            self.last[person][end].0 = from;
            if left != Vec3::ZERO {
                limb.carry(pose, &self.worlds[person], from + left);
                self.place(person, pose);
            }
        }
    }

    /// Brings limbs out of the other, the deepest first.
    fn bring_out(&mut self, poses: &mut [LocalPose; 2], stands: &impl Fn(usize, Side) -> bool) {
        for _ in 0..ROUNDS {
            let Some(overlap) = self.deepest(stands) else { return };
            let movable = [0, 1].map(|person| self.limb(person, overlap.capsules[person], stands));
            let count = movable.iter().flatten().count().max(1) as f32;
            let out = overlap.points[0] - overlap.points[1];
            let between = self.worlds[0].positions[0] - self.worlds[1].positions[0];
            let out = out.try_normalize().unwrap_or_else(|| between.normalize_or(Vec3::Z));
            for person in [0, 1] {
                let Some(limb) = movable[person] else { continue };
                let capsule = self.placed[person][overlap.capsules[person]];
                let lever = if capsule.limb == Some(capsule.role) {
                    1.0
                } else {
                    let along = capsule.from.distance(overlap.points[person]);
                    (along / capsule.from.distance(capsule.to).max(1e-3)).clamp(LEAST_LEVER, 1.0)
                };
                let way_m = ((overlap.depth_m - GIVES_M) / count / lever).min(MOST_M);
                let sign = if person == 0 { 1.0 } else { -1.0 };
                let place = self.worlds[person].positions[limb.end()] + out * (sign * way_m);
                limb.carry(&mut poses[person], &self.worlds[person], place);
                self.place(person, &poses[person]);
            }
        }
    }

    fn place(&mut self, person: usize, pose: &LocalPose) {
        self.worlds[person].set(pose.view());
        self.shapes[person].place(&self.worlds[person], &mut self.placed[person]);
    }

    /// The limb that can take a capsule elsewhere.
    fn limb(&self, person: usize, capsule: usize, stands: &impl Fn(usize, Side) -> bool) -> Option<Reach> {
        let role = self.placed[person][capsule].limb?;
        let is_foot = matches!(role, Role::LeftFoot | Role::RightFoot);
        if is_foot && role.side().is_some_and(|side| stands(person, side)) {
            return None;
        }
        self.limbs[person][ENDS.iter().position(|end| *end == role)?]
    }

    /// The capsules that are deepest in each other, of those that something can be done about.
    fn deepest(&self, stands: &impl Fn(usize, Side) -> bool) -> Option<Overlap> {
        let mut best: Option<Overlap> = None;
        for (i, one) in self.placed[0].iter().enumerate() {
            for (j, other) in self.placed[1].iter().enumerate() {
                if one.limb.or(other.limb).is_none() {
                    continue;
                }
                let (a, b) = nearest((one.from, one.to), (other.from, other.to));
                let depth_m = one.radius_m + other.radius_m - a.distance(b);
                let is_deepest = depth_m > best.map_or(GIVES_M + 1e-4, |best| best.depth_m);
                let can_move = || self.limb(0, i, stands).or(self.limb(1, j, stands)).is_some();
                if is_deepest && can_move() {
                    best = Some(Overlap { depth_m, capsules: [i, j], points: [a, b] });
                }
            }
        }
        best
    }
}

/// A take of two, their limbs brought out of each other; contacts say when feet stand.
pub fn kept_apart(take: &Take, contacts: &[Contacts]) -> Result<Take> {
    let ([one, other], [contacts_one, contacts_other]) = (take.actors(), contacts) else {
        return Err(Error::People { found: take.actors().len() });
    };
    let clips = [&one.clip, &other.clip];
    let contacts = [contacts_one, contacts_other];
    let mut apart = Apart::new(clips.map(Clip::skeleton), take.rate_hz());
    let mut parts = [ClipParts::default(), ClipParts::default()];
    for frame in 0..take.frames() {
        let mut poses = clips.map(|clip| clip.pose(frame).to_owned());
        let stands = |person: usize, side: Side| {
            let mut roles = [Role::LeftFoot, Role::LeftToes].into_iter();
            roles.any(|role| contacts[person].touches(role.on(side), frame))
        };
        apart.part(&mut poses, stands);
        for (parts, pose) in parts.iter_mut().zip(&poses) {
            parts.push(pose.view());
        }
    }
    let actors = take.actors().iter().zip(parts).map(|(actor, parts)| {
        let clip = Clip::new(actor.clip.skeleton().clone(), actor.clip.rate_hz(), parts)?;
        Ok(Actor { name: actor.name.clone(), clip })
    });
    Ok(Take::new(take.name(), actors.collect::<Result<_>>()?)?)
}
