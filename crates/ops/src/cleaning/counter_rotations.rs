//! Joints that made up for the spike of a joint that carries them.

use std::collections::BTreeSet;

use glam::Quat;
use marey_motion::Skeleton;

use super::channel::Channel;
use super::{DefectKind, DefectRemedy, MotionDefect};

/// How many times its median deviation a joint must change to have made up for a spike. Less than for a spike by itself: the
/// spike above it is evidence.
const LEAST_FACTOR: f32 = 8.0;

/// Interpolates the rotations of joints under those whose spikes were repaired, where they deviate in the same frames.
pub(super) fn repair(rotations: &mut [Quat], skeleton: &Skeleton, defects: &mut Vec<MotionDefect>) {
    let is_repaired_spike =
        |defect: &&MotionDefect| defect.kind == DefectKind::Spike && defect.remedy == DefectRemedy::Repaired;
    let spikes: BTreeSet<(usize, usize, usize)> = defects
        .iter()
        .filter(is_repaired_spike)
        .filter_map(|spike| Some((spike.joint?, spike.frames.start, spike.frames.end)))
        .collect();
    let joints = skeleton.len();
    let mut usual: Vec<Option<f32>> = vec![None; joints];
    for (carrier, start, end) in spikes {
        for joint in (carrier + 1..joints).filter(|joint| skeleton.is_under(*joint, carrier)) {
            let frames = start..end;
            let mut channel = Channel { values: rotations, offset: joint, stride: joints };
            let usual = *usual[joint].get_or_insert_with(|| channel.median_deviation());
            // The deviation of smooth motion from its interpolation grows with the square of the length.
            let growth = 0.25 * ((frames.len() + 1) as f32).powi(2);
            if channel.change(&frames) > LEAST_FACTOR * usual.max(LEAST_USUAL_RAD) * growth {
                channel.interpolate(&frames);
                defects.push(MotionDefect::repaired_spike(joint, frames));
            }
        }
    }
}

/// A joint that usually deviates by less than this, in radians, is compared as if it deviated by this: its rotations are rounded.
const LEAST_USUAL_RAD: f32 = 1e-3;
