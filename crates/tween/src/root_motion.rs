//! Root motion on the floor that keeps standing feet in place.

use marey_motion::{CheckedAccess, Ground, Vec3, WorldPose};
use marey_ops::align::align;

use crate::Result;
use crate::leg::Leg;
use crate::recovery::RecoveredMotion;
use crate::stance::{Gait, heading};
use crate::style_frames::SoleBits;
use crate::synthesis::OutputSpec;

/// Weight of the root motion of the corpus, relative to a point in contact.
const CORPUS_WEIGHT: f32 = 0.02;
/// Half width of the smoothing window, in seconds.
const SMOOTH_SECS: f64 = 0.1;
/// Distance from the hips of the points that represent the root motion of the corpus, in metres.
const CORPUS_POINT_RADIUS_M: f32 = 0.3;

/// Returns the ground track of poses at the origin. `sole_positions` are the positions of their sole points.
pub(crate) fn root_motion(
    steps: &RecoveredMotion,
    (worlds, sole_positions): (&[WorldPose], &[Vec<Vec3>]),
    contact_bits: &[SoleBits],
    (legs, output): (&[Leg], &OutputSpec),
) -> Result<Vec<Ground>> {
    let last = steps.rotations.len().saturating_sub(1);
    let steps_per_frame = output.steps_per_frame(last);
    let mut track = vec![output.start];
    for frame in 1..output.frames {
        let step = ((frame - 1) as f64 * steps_per_frame) as usize;
        let of_step = steps.travel.get(step.min(last)).copied().unwrap_or_default();
        let fraction = steps_per_frame as f32;
        let corpus_motion =
            Ground::new(fraction * of_step.x, fraction * of_step.z, fraction * of_step.yaw_rad);
        let in_both = contact_bits.at(frame - 1)? & contact_bits.at(frame)?;
        let (before, after) = (sole_positions.at(frame - 1)?, sole_positions.at(frame)?);
        let delta = frame_delta(before, after, in_both, corpus_motion)?;
        let current = track.last().copied().unwrap_or_default();
        track.push(current * delta);
    }
    let mut track = smoothed(&track, (SMOOTH_SECS * output.rate_hz).round() as usize)?;
    let gait = |leg| Gait::new(leg, worlds, contact_bits, output);
    let gaits: Vec<Gait<'_>> = legs.iter().map(gait).collect::<Result<_>>()?;
    let end = match output.end {
        Some(end) => Some(end),
        None => standing_end(&gaits, worlds, &track)?,
    };
    blend_to_end(&mut track, end);
    Ok(track)
}

/// Smooths a track by a triangular window; the ends keep their values. Feet are planted afterwards.
fn smoothed(track: &[Ground], half_width: usize) -> Result<Vec<Ground>> {
    let mut turn = 0.0;
    let mut before = track.first().map_or(0.0, |ground| ground.yaw_rad);
    let coordinates: Vec<[f32; 3]> = track
        .iter()
        .map(|ground| {
            turn += Ground::new(0.0, 0.0, ground.yaw_rad - before).yaw_rad;
            before = ground.yaw_rad;
            [ground.x, ground.z, turn]
        })
        .collect();
    let Some(last) = track.len().checked_sub(1) else { return Ok(Vec::new()) };
    // Beyond an end, the track continues as its point reflection.
    let at = |frame: isize| -> Result<[f32; 3]> {
        let inside = frame.clamp(0, last as isize) as usize;
        let [x, z, turn] = *coordinates.at(inside)?;
        if frame == inside as isize {
            return Ok([x, z, turn]);
        }
        let mirrored = (2 * inside as isize - frame).clamp(0, last as isize) as usize;
        let [mirrored_x, mirrored_z, mirrored_turn] = *coordinates.at(mirrored)?;
        Ok([2.0 * x - mirrored_x, 2.0 * z - mirrored_z, 2.0 * turn - mirrored_turn])
    };
    let start_rad = track.first().map_or(0.0, |ground| ground.yaw_rad);
    let half_width = half_width as isize;
    let mean = |frame: usize| {
        let (mut sum, mut weights) = ([0.0; 3], 0.0);
        for offset in -half_width..=half_width {
            let weight = (half_width + 1 - offset.abs()) as f32;
            weights += weight;
            sum.iter_mut().zip(at(frame as isize + offset)?).for_each(|(sum, value)| *sum += weight * value);
        }
        let [x, z, turn] = sum.map(|sum| sum / weights);
        Ok(Ground::new(x, z, start_rad + turn))
    };
    let frames = track.iter().enumerate();
    frames.map(|(frame, own)| if frame == 0 || frame == last { Ok(*own) } else { mean(frame) }).collect()
}

/// Returns the ground position of the last pose at which a foot that stands all the time keeps its place. If
/// both do, the one closer to the hips counts.
fn standing_end(gaits: &[Gait<'_>], worlds: &[WorldPose], track: &[Ground]) -> Result<Option<Ground>> {
    let distance_from_hips = |gait: &Gait<'_>| {
        let pairs = gait.feet.iter().zip(worlds);
        let hips = pairs.filter_map(|(foot, world)| Some((foot, world.positions.first()?)));
        hips.map(|(foot, hips)| (foot.ankle - hips).with_y(0.0).length()).sum::<f32>()
    };
    let standing = gaits.iter().filter(|gait| gait.has_last && gait.stands_throughout());
    let nearest = standing.min_by(|a, b| distance_from_hips(a).total_cmp(&distance_from_hips(b)));
    let (Some(gait), Some(start), Some(free)) = (nearest, track.first(), track.last()) else {
        return Ok(None);
    };
    let all = 0..gait.feet.len();
    let (first, last) = (gait.standing(0)?, gait.standing(all.end - 1)?);
    let pivot = gait.pivot(&all);
    let yaw_of = |direction: Vec3| direction.x.atan2(direction.z);
    let turned = yaw_of(heading(&first, gait.leg)) - yaw_of(heading(&last, gait.leg));
    let yaw_rad = if gait.is_free_to_turn(&all) { free.yaw_rad } else { start.yaw_rad + turned };
    let turn = Ground::new(0.0, 0.0, yaw_rad);
    let shift = start.point(first.point(pivot)) - turn.point(last.point(pivot));
    Ok(Some(Ground::new(shift.x, shift.z, yaw_rad)))
}

/// Returns the motion on the ground from one frame to the next.
fn frame_delta(
    before: &[Vec3],
    after: &[Vec3],
    in_contact: SoleBits,
    corpus_motion: Ground,
) -> Result<Ground> {
    let corpus_points = [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z].map(|axis| CORPUS_POINT_RADIUS_M * axis);
    let (mut stay, mut moved, mut weights) = (Vec::new(), Vec::new(), Vec::new());
    for (index, (before, after)) in before.iter().zip(after).enumerate() {
        if in_contact >> index & 1 == 1 {
            stay.push(*before);
            moved.push(*after);
            weights.push(1.0);
        }
    }
    for point in corpus_points {
        stay.push(corpus_motion.point(point));
        moved.push(point);
        weights.push(CORPUS_WEIGHT);
    }
    Ok(align(&stay, &moved, &weights)?.x_from_a)
}

/// Blends a track linearly so that it ends at a given position.
fn blend_to_end(track: &mut [Ground], end: Option<Ground>) {
    let (Some(end), Some(last)) = (end, track.last().copied()) else { return };
    let last_frame = track.len().saturating_sub(1).max(1) as f32;
    let turn = Ground::new(0.0, 0.0, end.yaw_rad - last.yaw_rad).yaw_rad;
    for (frame, ground) in track.iter_mut().enumerate() {
        let fraction = frame as f32 / last_frame;
        let (x, z) = (ground.x + fraction * (end.x - last.x), ground.z + fraction * (end.z - last.z));
        *ground = Ground::new(x, z, ground.yaw_rad + fraction * turn);
    }
    // The blended end is only accurate to rounding errors.
    track.iter_mut().last().into_iter().for_each(|ground| *ground = end);
}
