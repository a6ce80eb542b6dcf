//! How long a fade takes.
//!
//! A fade from one motion to another adds accelerations of its own: the farther apart the two are and the faster they part, the larger,
//! and the longer it takes, the smaller. So it takes its usual time where it is, at its most sudden, hardly more so than either
//! example is meanwhile, and longer where it is not.

use std::sync::Arc;

use marey_motion::{LocalPose, Skeleton, Vec3, WorldPose};

use crate::copy::copy;
use crate::join::fades::{lay, share_under};
use crate::join::offset::Offset;
use crate::piece::Piece;

/// How many lengths are tried beyond the usual.
const STEPS: usize = 3;

/// Accelerations are looked at this often, in Hz.
const LOOK_HZ: f64 = 30.0;

/// A fade is as calm as the examples where its largest acceleration is up to a twentieth more than theirs; squared. Feet that fade for
/// longer stand less.
const CALM: f32 = 1.1;

/// Finds how many frames a fade should take.
#[derive(Debug)]
pub(super) struct Pace {
    usual: usize,
    longest: usize,
    /// Every so many frames are looked at.
    stride: usize,
    /// The example before and the one after, where they are looked at.
    old: Path,
    new: Path,
    world: WorldPose,
    mixed: LocalPose,
    offset: Offset,
    past: [Vec<Vec3>; 2],
}

impl Pace {
    pub(super) fn new(skeleton: &Arc<Skeleton>, rate_hz: f64, usual: usize, longest: usize) -> Self {
        let stride = ((rate_hz / LOOK_HZ).round() as usize).max(1);
        let looks = longest.div_ceil(stride) + LEAD + 2;
        Self {
            usual,
            longest,
            stride,
            old: Path::new(skeleton, looks),
            new: Path::new(skeleton, looks),
            world: WorldPose::scratch(skeleton),
            mixed: LocalPose::rest(skeleton),
            offset: Offset::none(skeleton),
            past: [vec![Vec3::ZERO; skeleton.len()], vec![Vec3::ZERO; skeleton.len()]],
        }
    }

    /// How many frames the fade from a piece to the next takes: of the lengths that are tried, the first that is as calm as the
    /// examples, or else the calmest.
    pub(super) fn span(&mut self, before: &Piece, next: &Piece) -> usize {
        if self.longest == self.usual {
            return self.usual;
        }
        let Self { stride, old, new, world, .. } = self;
        old.clear();
        new.clear();
        for look in 0..old.poses.len() {
            // From before the fade to after it.
            let Some(at) = (before.frames() + look * *stride).checked_sub(LEAD * *stride) else { continue };
            old.add(world, |pose| before.pose_at(at, pose));
            if let Some(look) = look.checked_sub(LEAD) {
                new.add(world, |pose| next.pose_at(look * *stride, pose));
            }
        }
        let mut best = (f32::INFINITY, self.usual);
        for step in 0..=STEPS {
            let span = self.usual + (self.longest - self.usual) * step / STEPS;
            let sudden = self.suddenness(span);
            if sudden < best.0 {
                best = (sudden, span);
            }
            if sudden <= CALM {
                break;
            }
        }
        best.1
    }

    /// The largest acceleration of any joint in a fade of so many frames, over the largest in either example meanwhile, both squared.
    fn suddenness(&mut self, span: usize) -> f32 {
        let Self { stride, old, new, world, mixed, offset, past: [earlier, last], .. } = self;
        let lead = old.given.saturating_sub(new.given);
        let after = span.div_ceil(*stride) + 1;
        let (mut largest, mut given) = (0f32, 0);
        offset.clear();
        // By the way round that the fade will take.
        for look in (0..=span / (2 * *stride)).rev() {
            offset.follow_between(&new.poses[look], &old.poses[lead + look]);
        }
        for look in 0..(lead + after).min(old.given) {
            match look.checked_sub(lead) {
                None => copy(&old.poses[look], mixed),
                Some(look) => {
                    copy(&new.poses[look], mixed);
                    let age = look * *stride;
                    if age < span {
                        lay(mixed, &old.poses[lead + look], share_under(age, span), offset);
                    }
                }
            }
            world.set(mixed.view());
            if given >= 2 {
                largest = largest.max(jolt(earlier, last, &world.positions));
            }
            std::mem::swap(earlier, last);
            last.copy_from_slice(&world.positions);
            given += 1;
        }
        let examples = old.largest(lead + after).max(new.largest(after));
        if largest <= examples { 0.0 } else { largest / examples }
    }
}

/// How many looks are taken before a fade.
const LEAD: usize = 2;

/// A motion at the moments it is looked at.
#[derive(Debug)]
struct Path {
    poses: Vec<LocalPose>,
    /// The largest acceleration up to each, squared, in metres a look a look.
    jolts: Vec<f32>,
    given: usize,
    past: [Vec<Vec3>; 2],
}

impl Path {
    fn new(skeleton: &Arc<Skeleton>, looks: usize) -> Self {
        let places = || vec![Vec3::ZERO; skeleton.len()];
        let poses = (0..looks).map(|_| LocalPose::rest(skeleton)).collect();
        Self { poses, jolts: vec![0.0; looks], given: 0, past: [places(), places()] }
    }

    fn clear(&mut self) {
        self.given = 0;
    }

    fn add(&mut self, world: &mut WorldPose, pose_at: impl FnOnce(&mut LocalPose)) {
        let (at, [earlier, last]) = (self.given, &mut self.past);
        pose_at(&mut self.poses[at]);
        world.set(self.poses[at].view());
        let before = at.checked_sub(1).map_or(0.0, |before| self.jolts[before]);
        self.jolts[at] = if at >= 2 { before.max(jolt(earlier, last, &world.positions)) } else { before };
        std::mem::swap(earlier, last);
        last.copy_from_slice(&world.positions);
        self.given += 1;
    }

    /// The largest acceleration of the first so many looks.
    fn largest(&self, looks: usize) -> f32 {
        looks.min(self.given).checked_sub(1).map_or(0.0, |last| self.jolts[last])
    }
}

/// The largest acceleration of any joint, squared.
fn jolt(earlier: &[Vec3], last: &[Vec3], now: &[Vec3]) -> f32 {
    let joints = earlier.iter().zip(last).zip(now);
    joints.map(|((p0, p1), p2)| (*p2 - *p1 * 2.0 + *p0).length_squared()).fold(0.0, f32::max)
}
