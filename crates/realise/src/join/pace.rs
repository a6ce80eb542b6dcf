//! The length of a crossfade.
//!
//! A crossfade adds accelerations. They grow with the distance and relative velocity of the two motions, and
//! shrink with the length of the fade. A fade takes its usual length if its largest acceleration hardly
//! exceeds that of either source meanwhile, and longer otherwise.

use std::sync::Arc;

use marey_motion::{LocalPose, Skeleton, Vec3, WorldPose};

use crate::copy::copy;
use crate::join::fades::{lay, share_under};
use crate::join::offset::Offset;
use crate::piece::Piece;

/// Number of lengths that are tried beyond the usual one.
const STEPS: usize = 3;

/// Sampling rate of accelerations, in Hz.
const LOOK_HZ: f64 = 30.0;

/// A fade is smooth enough if its largest acceleration exceeds that of the sources by at most 5 %; squared.
/// Longer fades would give feet less time to stand.
const CALM: f32 = 1.1;

/// Chooses the length of fades.
#[derive(Debug)]
pub(super) struct Pace {
    usual: usize,
    longest: usize,
    /// Sampling interval, in frames.
    stride: usize,
    /// Samples of the previous source and of the next.
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

    /// The length in frames of the fade from a piece to the next: the first length that is smooth enough, or
    /// else the smoothest.
    pub(super) fn span(&mut self, before: &Piece, next: &Piece) -> usize {
        if self.longest == self.usual {
            return self.usual;
        }
        let Self { stride, old, new, world, .. } = self;
        old.clear();
        new.clear();
        for look in 0..old.poses.len() {
            // Starts before the fade and ends after it.
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

    /// The largest acceleration of any joint in a fade of this length, relative to the largest in either
    /// source meanwhile; both squared.
    fn suddenness(&mut self, span: usize) -> f32 {
        let Self { stride, old, new, world, mixed, offset, past: [earlier, last], .. } = self;
        let lead = old.given.saturating_sub(new.given);
        let after = span.div_ceil(*stride) + 1;
        let (mut largest, mut given) = (0f32, 0);
        offset.clear();
        // In the direction that the fade will use.
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

/// Number of samples before a fade.
const LEAD: usize = 2;

/// Samples of a motion.
#[derive(Debug)]
struct Path {
    poses: Vec<LocalPose>,
    /// The largest acceleration up to each sample, squared, in metres per sample².
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

    /// The largest acceleration of the first samples.
    fn largest(&self, looks: usize) -> f32 {
        looks.min(self.given).checked_sub(1).map_or(0.0, |last| self.jolts[last])
    }
}

/// The largest acceleration of any joint, squared.
fn jolt(earlier: &[Vec3], last: &[Vec3], now: &[Vec3]) -> f32 {
    let joints = earlier.iter().zip(last).zip(now);
    joints.map(|((p0, p1), p2)| (*p2 - *p1 * 2.0 + *p0).length_squared()).fold(0.0, f32::max)
}
