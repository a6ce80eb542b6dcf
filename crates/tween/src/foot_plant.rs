//! Planting of feet.
//!
//! Inverse kinematics ([`Leg::place`]) moves a foot to its [stance](crate::stance). During a swing of the
//! leg's own motion, the offsets of the stances before and after are blended. During an inserted step, the
//! foot moves along an arc from one stance to the next. Swinging feet are kept above the floor, with a smooth
//! transition before and after.

use std::sync::Arc;

use marey_motion::{CheckedAccess, LocalPose, Quat, Skeleton, Vec3, WorldPose, smootherstep, smoothstep};

use crate::Result;
use crate::leg::{Foot, Leg};
use crate::stance::{Gait, Stance};
use crate::style_frames::SoleBits;
use crate::synthesis::OutputSpec;

/// Transition time before and after a foot is lifted, in seconds.
const EASE_SECS: f64 = 0.1;
/// The height of a step is at most `ARC_M` metres plus `ARC_PER_M` times its length, and at most its length.
const ARC_M: f32 = 0.04;
const ARC_PER_M: f32 = 0.12;
/// Hips are lowered by at most this for a leg to reach its foot, in metres.
const MAX_LOWERED_M: f32 = 0.08;
/// Time over which a foot slows down before it stands, in seconds.
const LANDING_SECS: f64 = 0.12;

/// Plants feet in poses at their final positions, and returns the resulting contacts. Given poses do not
/// change.
pub(crate) fn plant_feet(
    skeleton: &Arc<Skeleton>,
    legs: &[Leg],
    poses: &mut [LocalPose],
    contact_bits: &[SoleBits],
    output: &OutputSpec,
) -> Result<Vec<SoleBits>> {
    let worlds = |poses: &[LocalPose]| -> Vec<WorldPose> {
        poses.iter().map(|pose| WorldPose::of(skeleton, pose.view())).collect()
    };
    let gaits = |worlds: &[WorldPose]| -> Result<Vec<Gait<'_>>> {
        legs.iter().map(|leg| Gait::new(leg, worlds, contact_bits, output)).collect()
    };
    let own_worlds = worlds(poses);
    let own_gaits = gaits(&own_worlds)?;
    let planned = plan_stances(&own_gaits, poses)?;
    for (pose, drop_m) in poses.iter_mut().zip(hip_drops_m(&own_gaits, &planned, output)?) {
        pose.positions.iter_mut().take(1).for_each(|root| root.y -= drop_m);
    }
    let gaits = gaits(&worlds(poses))?;
    let mut planted: Vec<SoleBits> = contact_bits.to_vec();
    for (gait, stances) in gaits.iter().zip(planned) {
        let targets = foot_targets(gait, &stances)?;
        let within_reach = stances.into_iter().map(|stance| gait.within_reach(stance, &targets));
        let stances: Vec<Stance> = within_reach.filter_map(Result::transpose).collect::<Result<_>>()?;
        let foot_bits = gait.leg.soles.iter().fold(0, |bits, sole| bits | 1 << sole.index);
        let is_standing = |frame: usize| stances.iter().any(|stance| stance.frames.contains(&frame));
        for (frame, planted) in planted.iter_mut().enumerate().filter(|(frame, _)| !is_standing(*frame)) {
            if output.frames_from_given(frame) > 0 {
                *planted &= !foot_bits;
            }
        }
        let targets = foot_targets(gait, &stances)?;
        for ((frame, pose), (foot, own)) in poses.iter_mut().enumerate().zip(targets.iter().zip(&gait.feet)) {
            if output.frames_from_given(frame) > 0 && foot != own {
                gait.leg.place(skeleton, pose, foot)?;
            }
        }
        lift_out_of_floor(gait.leg, skeleton, poses, is_standing, output)?;
    }
    Ok(planted)
}

/// Plans the stances of each foot in turn, so that the second takes the swings of the first into account.
fn plan_stances(gaits: &[Gait<'_>], poses: &[LocalPose]) -> Result<Vec<Vec<Stance>>> {
    let frames = poses.len();
    let end = poses.last().map_or(Vec3::ZERO, |pose| pose.view().root_position());
    let mut all_need_steps = gaits.len() > 1;
    for gait in gaits {
        all_need_steps &= gait.needs_step()?;
    }
    // If both feet have to step, the trailing one goes first.
    let behind =
        |gait: &Gait<'_>| gait.feet.first().map_or(0.0, |foot| foot.ankle.with_y(end.y).distance(end));
    let first = gaits.iter().enumerate().max_by(|a, b| behind(a.1).total_cmp(&behind(b.1)));
    // A body without legs has no first foot.
    let first = first.map(|(index, _)| index);
    let mut planned: Vec<Option<Vec<Stance>>> = vec![None; gaits.len()];
    for index in first.into_iter().chain((0..gaits.len()).filter(|index| Some(*index) != first)) {
        let others: Vec<_> =
            gaits.iter().zip(&planned).enumerate().filter(|(other, _)| *other != index).collect();
        let is_up: Vec<bool> = (0..frames)
            .map(|frame| {
                !others.is_empty()
                    && others.iter().all(|(_, (gait, planned))| match planned {
                        Some(stances) => !stances.iter().any(|stance| stance.frames.contains(&frame)),
                        None => gait.contact_bits.get(frame) == Some(&0),
                    })
            })
            .collect();
        let best_at = all_need_steps.then_some(if Some(index) == first { 0.25 } else { 0.75 });
        *planned.at_mut(index)? = Some(gaits.at(index)?.stances(&is_up, best_at)?);
    }
    Ok(planned.into_iter().map(Option::unwrap_or_default).collect())
}

/// Returns how far to lower the hips in each frame so that legs reach their stances, in metres; limited, and
/// 0 in given poses.
fn hip_drops_m(gaits: &[Gait<'_>], planned: &[Vec<Stance>], output: &OutputSpec) -> Result<Vec<f32>> {
    let mut needed = vec![0f32; output.frames];
    for (gait, stances) in gaits.iter().zip(planned) {
        let feet = foot_targets(gait, stances)?;
        for frame in stances.iter().flat_map(|stance| stance.frames.clone()) {
            let high_m = gait.too_high_m(feet.at(frame)?, frame)?.unwrap_or(0.0);
            let needed = needed.at_mut(frame)?;
            *needed = needed.max(if high_m < MAX_LOWERED_M { high_m } else { 0.0 });
        }
    }
    let half_window = (EASE_SECS * output.rate_hz / 2.0).ceil().max(1.0) as usize;
    let means = means_of_maxima(&needed, half_window)?;
    let fraction =
        |frame: usize| (output.frames_from_given(frame) as f32 / (2 * half_window) as f32).min(1.0);
    let drop_m = |(frame, (mean, needed)): (usize, (&f32, &f32))| {
        (mean * smootherstep(fraction(frame))).max(needed * fraction(frame))
    };
    Ok(means.iter().zip(&needed).enumerate().map(drop_m).collect())
}

/// The mean of the maxima around each frame, which is smooth and never less than the value.
fn means_of_maxima(values: &[f32], half_window: usize) -> Result<Vec<f32>> {
    let around =
        |frame: usize| frame.saturating_sub(half_window)..(frame + half_window + 1).min(values.len());
    let maximum = |frame: usize| Ok(values.at(around(frame))?.iter().copied().fold(0.0, f32::max));
    let maxima: Vec<f32> = (0..values.len()).map(maximum).collect::<Result<_>>()?;
    let mean = |frame: usize| {
        let maxima = maxima.at(around(frame))?;
        Ok(maxima.iter().sum::<f32>() / maxima.len() as f32)
    };
    (0..values.len()).map(mean).collect()
}

/// Returns the target of a foot in every frame.
fn foot_targets(gait: &Gait<'_>, stances: &[Stance]) -> Result<Vec<Foot>> {
    let mut feet = gait.feet.clone();
    for (foot, rotation) in feet.iter_mut().zip(relative_rotations(gait, stances)?) {
        foot.rotation = (rotation * foot.rotation).normalize();
    }
    for stance in stances {
        let pivot = gait.pivot(&stance.frames);
        for frame in stance.frames.clone() {
            let placed = stance.foot(frame);
            let own_pivot = if gait.is_flat(frame) { pivot } else { gait.pivot(&(frame..frame + 1)) };
            let foot = feet.at_mut(frame)?;
            foot.ankle = placed.point(own_pivot) - foot.rotation * own_pivot;
        }
    }
    for (before, after) in swings(stances, gait) {
        let Some(span) = swing_frames(before, after, gait) else { continue };
        let (start, end) = (span.start - 1, span.end.min(feet.len() - 1));
        let is_inserted = before.is_some_and(|stance| stance.step_follows) && after.is_some();
        let own = |frame: usize| gait.feet.at(frame).map(|foot| foot.ankle);
        let (from, to) = (*feet.at(start)?, *feet.at(end)?);
        let offsets =
            [from.ankle - own(start)?, if after.is_some() { to.ankle - own(end)? } else { Vec3::ZERO }];
        let length_m = to.ankle.with_y(0.0).distance(from.ankle.with_y(0.0));
        let landing_frames =
            (LANDING_SECS * gait.rate_hz).ceil().min((end - start) as f64 / 2.0).max(1.0) as f32;
        // Velocity of the leg's own motion at the adjacent stances, per frame.
        let velocities = [
            if before.is_some() { own(start + 1)? - own(start)? } else { Vec3::ZERO },
            if after.is_some() { own(end)? - own(end - 1)? } else { Vec3::ZERO },
        ];
        for frame in span {
            let fraction = (frame - start) as f32 / (end - start) as f32;
            let up_m = length_m.min(ARC_M + ARC_PER_M * length_m) * bump(fraction);
            let foot = feet.at_mut(frame)?;
            if is_inserted {
                foot.ankle = from.ankle.lerp(to.ankle, smootherstep(fraction)) + up_m * Vec3::Y;
                foot.rotation = from.rotation.slerp(to.rotation, smootherstep(fraction));
            } else {
                let slowed = velocities[0] * slope((frame - start) as f32 / landing_frames) * landing_frames
                    - velocities[1] * slope((end - frame) as f32 / landing_frames) * landing_frames;
                foot.ankle = own(frame)? + offsets[0].lerp(offsets[1], smootherstep(fraction)) - slowed;
                foot.ankle.y += (up_m - gait.leg.height_m(foot)).max(0.0);
            }
        }
    }
    Ok(feet)
}

/// Returns the stances before and after each swing.
fn swings<'a>(stances: &'a [Stance], gait: &Gait<'_>) -> Vec<(Option<&'a Stance>, Option<&'a Stance>)> {
    let firsts = std::iter::once(None).chain(stances.iter().map(Some));
    let seconds = stances.iter().map(Some).chain(std::iter::once(None));
    firsts.zip(seconds).filter(|(before, after)| swing_frames(*before, *after, gait).is_some()).collect()
}

/// Returns the frames between two stances, before the first or after the last, without given poses.
fn swing_frames(
    before: Option<&Stance>,
    after: Option<&Stance>,
    gait: &Gait<'_>,
) -> Option<std::ops::Range<usize>> {
    let start = before.map_or(1, |stance| stance.frames.end);
    let last = gait.feet.len() - usize::from(gait.has_last);
    let end = after.map_or(last, |stance| stance.frames.start);
    (start < end).then_some(start..end)
}

/// Returns the rotation of the foot relative to the leg's own motion: fixed in flat stances and given poses,
/// interpolated in between.
fn relative_rotations(gait: &Gait<'_>, stances: &[Stance]) -> Result<Vec<Quat>> {
    let frames = gait.feet.len();
    let mut known: Vec<(usize, Quat)> = vec![(0, Quat::IDENTITY)];
    for stance in stances {
        let flat = stance.frames.clone().filter(|frame| *frame > 0 && gait.is_flat(*frame));
        for frame in flat {
            known.push((frame, stance.foot(frame).rotation * gait.feet.at(frame)?.rotation.inverse()));
        }
    }
    if gait.has_last && known.last().is_none_or(|(frame, _)| *frame + 1 < frames) {
        known.push((frames - 1, Quat::IDENTITY));
    }
    let mut rotations = vec![Quat::IDENTITY; frames];
    for &[(from, a), (to, b)] in known.array_windows() {
        for (frame, rotation) in rotations.at_mut(from..to)?.iter_mut().enumerate() {
            *rotation = a.slerp(b, smootherstep(frame as f32 / (to - from) as f32));
        }
    }
    if let Some((from, rotation)) = known.last() {
        rotations.at_mut(*from..)?.fill(*rotation);
    }
    Ok(rotations)
}

/// A cubic with value 0 and slope 1 at 0, and value and slope 0 at 1.
fn slope(fraction: f32) -> f32 {
    let remaining = (1.0 - fraction).max(0.0);
    fraction * remaining * remaining
}

/// Rises smoothly from 0 to 1 and falls back to 0.
fn bump(fraction: f32) -> f32 {
    let parabola = 4.0 * fraction * (1.0 - fraction);
    parabola * parabola
}

/// Lifts a swinging foot out of the floor, except in given poses. `is_standing` returns whether it stands
/// in a frame.
fn lift_out_of_floor(
    leg: &Leg,
    skeleton: &Arc<Skeleton>,
    poses: &mut [LocalPose],
    is_standing: impl Fn(usize) -> bool,
    output: &OutputSpec,
) -> Result<()> {
    let half_window = (EASE_SECS * output.rate_hz).ceil().max(1.0) as usize;
    let eased = |frames: usize| smoothstep(frames as f32 / half_window as f32);
    for (frame, pose) in poses.iter_mut().enumerate() {
        // Toes move twice as fast.
        leg.bend_toes(skeleton, pose, eased(2 * output.frames_from_given(frame)))?;
    }
    let depth = |(frame, pose): (usize, &LocalPose)| match is_standing(frame) {
        true => Ok(0.0),
        false => leg.depth_m(&WorldPose::of(skeleton, pose.view())),
    };
    let depths: Vec<f32> = poses.iter().enumerate().map(depth).collect::<Result<_>>()?;
    let means = means_of_maxima(&depths, half_window)?;
    for ((frame, pose), mean) in poses.iter_mut().enumerate().zip(means) {
        let around = frame.saturating_sub(half_window)..(frame + half_window + 1).min(depths.len());
        // Fades out towards stances and given poses.
        let standing = around.filter(|other| is_standing(*other)).map(|other| frame.abs_diff(other));
        let distance = standing.chain([output.frames_from_given(frame), half_window]).min().unwrap_or(0);
        let lift_m = mean * eased(distance);
        if lift_m > 0.0 {
            let foot = leg.foot(&WorldPose::of(skeleton, pose.view()))?;
            leg.place(skeleton, pose, &Foot { ankle: foot.ankle + lift_m * Vec3::Y, ..foot })?;
        }
    }
    Ok(())
}
