//! The length of a crossfade.
//!
//! A crossfade adds accelerations. They grow with the distance and relative velocity of the two motions, and
//! shrink with the length of the fade. A fade takes its shortest length if its largest acceleration hardly
//! exceeds that of either source meanwhile, and longer otherwise.

use std::sync::Arc;

use marey_motion::{LocalPose, Skeleton, Vec3, WorldPose};

use crate::copy_pose::copy_pose;
use crate::join::JoinSettings;
use crate::join::fades::{FadeSpan, blend_layer};
use crate::join::offset::Offset;
use crate::piece::Piece;

/// Number of lengths that are tried beyond the shortest one.
const STEPS: usize = 3;

/// Sampling rate of accelerations, in Hz.
const SAMPLE_HZ: f64 = 30.0;

/// A fade is smooth enough if its largest acceleration exceeds that of the sources by at most 5 %; squared.
/// Longer fades would give feet less time to stand.
const MAX_RELATIVE_ACCELERATION: f32 = 1.1;

/// Chooses the length of fades.
#[derive(Debug)]
pub(super) struct FadeLength {
    shortest: usize,
    longest: usize,
    settings: JoinSettings,
    /// Sampling interval, in frames.
    stride: usize,
    /// Samples of the previous source and of the next.
    old: SampledMotion,
    new: SampledMotion,
    world: WorldPose,
    mixed: LocalPose,
    offset: Offset,
    past: [Vec<Vec3>; 2],
}

impl FadeLength {
    pub(super) fn new(skeleton: &Arc<Skeleton>, rate_hz: f64, settings: &JoinSettings) -> Self {
        let stride = ((rate_hz / SAMPLE_HZ).round() as usize).max(1);
        let samples = settings.longest_of_arms(rate_hz).div_ceil(stride) + LEAD + 2;
        Self {
            shortest: settings.window(rate_hz),
            longest: settings.longest(rate_hz),
            settings: *settings,
            stride,
            old: SampledMotion::new(skeleton, samples),
            new: SampledMotion::new(skeleton, samples),
            world: WorldPose::scratch(skeleton),
            mixed: LocalPose::rest(skeleton),
            offset: Offset::none(skeleton),
            past: [vec![Vec3::ZERO; skeleton.len()], vec![Vec3::ZERO; skeleton.len()]],
        }
    }

    /// The length of the fade from a piece to the next: the first length that is smooth enough, or else the
    /// smoothest.
    pub(super) fn span(&mut self, before: &Piece, next: &Piece) -> FadeSpan {
        if self.longest == self.shortest {
            return self.settings.fade_span(self.shortest);
        }
        let Self { stride, old, new, world, .. } = self;
        old.clear();
        new.clear();
        for sample in 0..old.poses.len() {
            // Starts before the fade and ends after it.
            let Some(at) = (before.frames() + sample * *stride).checked_sub(LEAD * *stride) else { continue };
            old.add(world, |pose| before.pose_at(at, pose));
            if let Some(sample) = sample.checked_sub(LEAD) {
                new.add(world, |pose| next.pose_at(sample * *stride, pose));
            }
        }
        let mut best = (f32::INFINITY, self.settings.fade_span(self.shortest));
        for step in 0..=STEPS {
            let body = self.shortest + (self.longest - self.shortest) * step / STEPS;
            let span = self.settings.fade_span(body);
            let relative = self.relative_acceleration(span);
            if relative < best.0 {
                best = (relative, span);
            }
            if relative <= MAX_RELATIVE_ACCELERATION {
                break;
            }
        }
        best.1
    }

    /// The largest acceleration of any joint in a fade of this length, relative to the largest in either
    /// source meanwhile; both squared.
    fn relative_acceleration(&mut self, span: FadeSpan) -> f32 {
        let Self { stride, old, new, world, mixed, offset, past: [earlier, last], .. } = self;
        let lead = old.count.saturating_sub(new.count);
        let after = span.arms.div_ceil(*stride) + 1;
        let (mut largest, mut count) = (0f32, 0);
        offset.clear();
        // In the direction that the fade will use.
        for sample in (0..=span.body / (2 * *stride)).rev() {
            offset.follow_between(&new.poses[sample], &old.poses[lead + sample]);
        }
        for sample in 0..(lead + after).min(old.count) {
            match sample.checked_sub(lead) {
                None => copy_pose(&old.poses[sample], mixed),
                Some(sample) => {
                    copy_pose(&new.poses[sample], mixed);
                    let age = sample * *stride;
                    if age < span.arms {
                        blend_layer(mixed, &old.poses[lead + sample], span.weight(age), offset);
                    }
                }
            }
            world.set(mixed.view());
            if count >= 2 {
                largest = largest.max(peak_acceleration(earlier, last, &world.positions));
            }
            std::mem::swap(earlier, last);
            last.copy_from_slice(&world.positions);
            count += 1;
        }
        let examples = old.largest(lead + after).max(new.largest(after));
        if largest <= examples { 0.0 } else { largest / examples }
    }
}

/// Number of samples before a fade.
const LEAD: usize = 2;

/// Samples of a motion.
#[derive(Debug)]
struct SampledMotion {
    poses: Vec<LocalPose>,
    /// The largest acceleration up to each sample, squared, in metres per sample².
    peaks: Vec<f32>,
    count: usize,
    past: [Vec<Vec3>; 2],
}

impl SampledMotion {
    fn new(skeleton: &Arc<Skeleton>, samples: usize) -> Self {
        let places = || vec![Vec3::ZERO; skeleton.len()];
        let poses = (0..samples).map(|_| LocalPose::rest(skeleton)).collect();
        Self { poses, peaks: vec![0.0; samples], count: 0, past: [places(), places()] }
    }

    fn clear(&mut self) {
        self.count = 0;
    }

    fn add(&mut self, world: &mut WorldPose, pose_at: impl FnOnce(&mut LocalPose)) {
        let (at, [earlier, last]) = (self.count, &mut self.past);
        pose_at(&mut self.poses[at]);
        world.set(self.poses[at].view());
        let before = at.checked_sub(1).map_or(0.0, |before| self.peaks[before]);
        self.peaks[at] =
            if at >= 2 { before.max(peak_acceleration(earlier, last, &world.positions)) } else { before };
        std::mem::swap(earlier, last);
        last.copy_from_slice(&world.positions);
        self.count += 1;
    }

    /// The largest acceleration of the first samples.
    fn largest(&self, samples: usize) -> f32 {
        samples.min(self.count).checked_sub(1).map_or(0.0, |last| self.peaks[last])
    }
}

/// The largest acceleration of any joint, squared.
fn peak_acceleration(earlier: &[Vec3], last: &[Vec3], now: &[Vec3]) -> f32 {
    let joints = earlier.iter().zip(last).zip(now);
    joints.map(|((p0, p1), p2)| (*p2 - *p1 * 2.0 + *p0).length_squared()).fold(0.0, f32::max)
}
