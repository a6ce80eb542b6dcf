//! Gaps: a pose that was repeated because frames were missing.

use std::ops::Range;

use marey_motion::{Clip, ClipParts};

use super::channel::Channel;
use super::{Cleaner, DefectKind, DefectRemedy, MotionDefect};

/// The fewest equal frames that count. Two equal frames occur when a file was made from one of half its rate.
const LEAST_FRAMES: usize = 3;
/// The motion catches up after a gap: it moves this many times as far as in the frame after that.
const CATCHES_UP: f32 = 2.5;
/// Joints that move by less than this do not catch up, in radians or metres.
const STILL: f32 = 0.01;

/// The frames to replace: those that repeat a pose, until the motion goes on.
pub(super) fn find(clip: &Clip) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for frame in 1..=clip.frames() {
        if frame < clip.frames() && is_same(clip, frame - 1, frame) {
            continue;
        }
        let run = start..frame;
        start = frame;
        if run.len() < LEAST_FRAMES || run.start == 0 || run.end + 1 >= clip.frames() {
            continue;
        }
        let leap = step(clip, run.end - 1, run.end);
        if leap < STILL || leap < CATCHES_UP * step(clip, run.end, run.end + 1) {
            continue;
        }
        // The first of the equal poses is a recorded one, unless the motion leaps into it too.
        let entry = step(clip, run.start - 1, run.start);
        let before = if run.start >= 2 { step(clip, run.start - 2, run.start - 1) } else { 0.0 };
        let is_foreign = entry > STILL && entry > CATCHES_UP * before.max(STILL);
        found.push(if is_foreign { run } else { run.start + 1..run.end });
    }
    found
}

fn is_same(clip: &Clip, one: usize, other: usize) -> bool {
    let (one, other) = (clip.pose(one), clip.pose(other));
    one.rotations == other.rotations && one.positions == other.positions
}

/// The largest movement of a joint or mover from one frame to another, in radians or metres.
fn step(clip: &Clip, one: usize, other: usize) -> f32 {
    let (one, other) = (clip.pose(one), clip.pose(other));
    let rotations = one.rotations.iter().zip(other.rotations).map(|(a, b)| a.angle_between(*b));
    let positions = one.positions.iter().zip(other.positions).map(|(a, b)| a.distance(*b));
    rotations.chain(positions).fold(0.0, f32::max)
}

/// Interpolates short gaps over the whole body, and reports all.
pub(super) fn repair(
    parts: &mut ClipParts,
    [joints, movers]: [usize; 2],
    gaps: Vec<Range<usize>>,
    cleaner: &mut Cleaner<'_>,
) {
    let longest = cleaner.frames(cleaner.settings.repair_secs).max(1);
    for frames in gaps {
        let is_short = frames.len() <= longest;
        if is_short {
            for offset in 0..joints {
                Channel { values: &mut parts.rotations, offset, stride: joints }.interpolate(&frames);
            }
            for offset in 0..movers {
                Channel { values: &mut parts.positions, offset, stride: movers }.interpolate(&frames);
            }
        }
        let remedy = if is_short { DefectRemedy::Repaired } else { DefectRemedy::Unusable };
        cleaner.defects.push(MotionDefect { frames, kind: DefectKind::Gap, joint: None, remedy });
    }
}
