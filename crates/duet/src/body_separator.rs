//! Removes interpenetration between two bodies, one frame at a time.
//!
//! Movements are blended, steered and joined, so a limb can end up inside the partner. In each
//! frame, every limb that is deeper in the partner than allowed is moved out along the shortest
//! direction. An arm moves, or a leg whose foot is not planted; if both limbs can move,
//! each takes half of the correction.
//!
//! The correction grows from zero while a limb enters the partner, so the limb stops at the
//! surface, as a strike does. Each limb keeps most of its correction from the previous frame. This
//! keeps it on the same side of the partner, where the shortest direction could flip between
//! frames, and lets it return smoothly. Only past frames are used, so the separator also works
//! live.
//!
//! Limits: trunks, thighs and upper arms are never moved. Steering keeps those apart.

use std::sync::Arc;

use marey_body::{BodyCapsule, BodyCapsules, LIMB_ENDS};
use marey_motion::{
    Actor, Clip, ClipParts, Contacts, LocalPose, Observer, Role, Side, Skeleton, Take, Vec3, WorldPose,
};
use marey_ops::reach::Reach;

use crate::{DuetError, Result, SeparationSettings};

/// Maximum number of corrections in a frame.
const MAX_CORRECTIONS: usize = 8;
/// Maximum length of one correction, in metres.
const MAX_CORRECTION_M: f32 = 0.12;
/// A corrected limb returns to its original position this much faster than it moves by itself, in
/// metres per second.
const RETURN_MPS: f32 = 0.6;
/// Lower bound of the lever ratio. A bone that is hit near its root hardly moves with its end; this
/// bounds how far the end moves.
const MIN_LEVER: f32 = 0.35;

/// Keeps two bodies from penetrating each other, frame by frame.
#[derive(Debug, Clone)]
pub struct BodySeparator {
    shapes: [BodyCapsules; 2],
    limbs: [[Option<Reach>; 4]; 2],
    worlds: [WorldPose; 2],
    placed: [Vec<BodyCapsule>; 2],
    /// For each limb end: its uncorrected position in the previous frame, and the correction
    /// applied there.
    last: [[(Vec3, Vec3); 4]; 2],
    /// Additional speed at which a corrected limb returns, in metres per frame.
    return_m: f32,
    /// Overlap that is left alone, in metres.
    overlap_m: f32,
    /// How much a correction may change, in metres per frame.
    max_change_m: f32,
}

/// Two overlapping capsules: depth, their indices, and the closest points on their axes.
#[derive(Debug, Clone, Copy)]
struct Overlap {
    depth_m: f32,
    capsules: [usize; 2],
    points: [Vec3; 2],
}

impl BodySeparator {
    /// Creates a separator for two bodies at a frame rate.
    pub fn new(skeletons: [&Arc<Skeleton>; 2], rate_hz: f64, settings: &SeparationSettings) -> Self {
        Self {
            shapes: skeletons.map(|skeleton| BodyCapsules::of(skeleton)),
            limbs: skeletons.map(|skeleton| LIMB_ENDS.map(|role| Reach::of(skeleton, role).ok())),
            worlds: skeletons.map(WorldPose::scratch),
            placed: Default::default(),
            last: Default::default(),
            return_m: RETURN_MPS / rate_hz as f32,
            overlap_m: settings.overlap_m,
            max_change_m: settings.correction_mps.map_or(f32::INFINITY, |speed| speed / rate_hz as f32),
        }
    }

    /// Moves the limbs of the next frame out of the partner. `is_planted` reports which feet are
    /// planted; those legs stay.
    pub fn separate(&mut self, poses: &mut [LocalPose; 2], is_planted: impl Fn(usize, Side) -> bool) {
        for person in [0, 1] {
            self.place(person, &poses[person]);
            self.keep_corrections(person, &mut poses[person]);
        }
        self.separate_limbs(poses, &is_planted);
        for person in [0, 1] {
            self.limit_changes(person, &mut poses[person]);
        }
        for (world, (limbs, last)) in self.worlds.iter().zip(self.limbs.iter().zip(&mut self.last)) {
            for (limb, last) in limbs.iter().zip(last) {
                last.1 = limb.map_or(Vec3::ZERO, |limb| world.positions[limb.end()] - last.0);
            }
        }
    }

    /// Applies most of the previous frame's correction, so that limbs stay on the side they were
    /// moved to.
    fn keep_corrections(&mut self, person: usize, pose: &mut LocalPose) {
        for end in 0..LIMB_ENDS.len() {
            let Some(limb) = self.limbs[person][end] else { continue };
            let from = self.worlds[person].positions[limb.end()];
            let (before, correction) = self.last[person][end];
            let return_m = from.distance(before) + self.return_m;
            let kept = correction - correction.clamp_length_max(return_m);
            self.last[person][end].0 = from;
            if kept != Vec3::ZERO {
                limb.carry(pose, &self.worlds[person], from + kept);
                self.place(person, pose);
            }
        }
    }

    /// Moves limbs back whose corrections changed too much since the previous frame.
    fn limit_changes(&mut self, person: usize, pose: &mut LocalPose) {
        for end in 0..LIMB_ENDS.len() {
            let Some(limb) = self.limbs[person][end] else { continue };
            let (from, before) = self.last[person][end];
            let change = self.worlds[person].positions[limb.end()] - from - before;
            if change.length() > self.max_change_m {
                let target = from + before + change.clamp_length_max(self.max_change_m);
                limb.carry(pose, &self.worlds[person], target);
                self.place(person, pose);
            }
        }
    }

    /// Moves limbs out of the partner, deepest overlap first.
    fn separate_limbs(&mut self, poses: &mut [LocalPose; 2], is_planted: &impl Fn(usize, Side) -> bool) {
        for _ in 0..MAX_CORRECTIONS {
            let Some(overlap) = self.deepest(is_planted) else { return };
            let limbs = [0, 1].map(|person| self.movable_limb(person, overlap.capsules[person], is_planted));
            let count = limbs.iter().flatten().count().max(1) as f32;
            let out = overlap.points[0] - overlap.points[1];
            let between = self.worlds[0].positions[0] - self.worlds[1].positions[0];
            let out = out.try_normalize().unwrap_or_else(|| between.normalize_or(Vec3::Z));
            for person in [0, 1] {
                let Some(limb) = limbs[person] else { continue };
                let capsule = self.placed[person][overlap.capsules[person]];
                let lever = if capsule.limb == Some(capsule.role) {
                    1.0
                } else {
                    let along = capsule.capsule.from.distance(overlap.points[person]);
                    (along / capsule.capsule.from.distance(capsule.capsule.to).max(1e-3))
                        .clamp(MIN_LEVER, 1.0)
                };
                let distance_m = ((overlap.depth_m - self.overlap_m) / count / lever).min(MAX_CORRECTION_M);
                let sign = if person == 0 { 1.0 } else { -1.0 };
                let target = self.worlds[person].positions[limb.end()] + out * (sign * distance_m);
                limb.carry(&mut poses[person], &self.worlds[person], target);
                self.place(person, &poses[person]);
            }
        }
    }

    fn place(&mut self, person: usize, pose: &LocalPose) {
        self.worlds[person].set(pose.view());
        self.shapes[person].place(&self.worlds[person], &mut self.placed[person]);
    }

    /// Returns the limb that can move a capsule, if any.
    fn movable_limb(
        &self,
        person: usize,
        capsule: usize,
        is_planted: &impl Fn(usize, Side) -> bool,
    ) -> Option<Reach> {
        let role = self.placed[person][capsule].limb?;
        let is_foot = matches!(role, Role::LeftFoot | Role::RightFoot);
        if is_foot && role.side().is_some_and(|side| is_planted(person, side)) {
            return None;
        }
        self.limbs[person][LIMB_ENDS.iter().position(|end| *end == role)?]
    }

    /// Returns the deepest overlap that a limb can resolve.
    fn deepest(&self, is_planted: &impl Fn(usize, Side) -> bool) -> Option<Overlap> {
        let mut best: Option<Overlap> = None;
        for (i, one) in self.placed[0].iter().enumerate() {
            for (j, other) in self.placed[1].iter().enumerate() {
                if one.limb.or(other.limb).is_none() {
                    continue;
                }
                let (a, b) = one.capsule.nearest_points(&other.capsule);
                let depth_m = one.capsule.radius_m + other.capsule.radius_m - a.distance(b);
                let is_deepest = depth_m > best.map_or(self.overlap_m + 1e-4, |best| best.depth_m);
                let can_move =
                    || self.movable_limb(0, i, is_planted).or(self.movable_limb(1, j, is_planted)).is_some();
                if is_deepest && can_move() {
                    best = Some(Overlap { depth_m, capsules: [i, j], points: [a, b] });
                }
            }
        }
        best
    }
}

/// Returns the take with the limbs of both actors moved out of each other. `contacts` holds the
/// foot contacts of each actor.
///
/// Fails if the take does not have two actors, or if `observer` cancels.
pub fn separate_bodies(
    take: &Take,
    contacts: &[Contacts],
    settings: &SeparationSettings,
    observer: Observer<'_>,
) -> Result<Take> {
    let ([one, other], [contacts_one, contacts_other]) = (take.actors(), contacts) else {
        return Err(DuetError::People { found: take.actors().len() });
    };
    let clips = [&one.clip, &other.clip];
    let contacts = [contacts_one, contacts_other];
    let mut separator = BodySeparator::new(clips.map(Clip::skeleton), take.rate_hz(), settings);
    let mut parts = [ClipParts::default(), ClipParts::default()];
    for frame in 0..take.frames() {
        if observer.report("keeping bodies apart", frame, take.frames()).is_break() {
            return Err(DuetError::Cancelled);
        }
        let mut poses = clips.map(|clip| clip.pose(frame).to_owned());
        let is_planted = |person: usize, side: Side| {
            let mut roles = [Role::LeftFoot, Role::LeftToes].into_iter();
            roles.any(|role| contacts[person].touches(role.on(side), frame))
        };
        separator.separate(&mut poses, is_planted);
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
