//! Feet that stand, and step from one place to the next.
//!
//! A foot is brought where it [stands](crate::stance) by its leg ([`Leg::place`]). Where it swings by itself, what it was moved by before and
//! after is given back in time; where a step had to be made, it goes straight from place to place in an arc. Feet that swing are kept out of
//! the floor, a little before and after too, so that nothing jumps.

use std::sync::Arc;

use marey_motion::{LocalPose, Quat, Skeleton, Vec3, WorldPose};

use crate::frames::Touches;
use crate::leg::{Foot, Leg};
use crate::played::Stage;
use crate::stance::{Gait, Stance};

/// For how long before and after a foot is lifted, in seconds.
const EASE_SECS: f64 = 0.1;
/// How high a foot is lifted in a step, in metres: as far as it goes, but no more than so much, and some of the way it goes.
const ARC_M: f32 = 0.04;
const ARC: f32 = 0.12;
/// Hips are lowered by no more than this for a leg to reach its foot, in metres.
const MOST_LOWERED_M: f32 = 0.08;
/// For so long before it stands a foot slows down, in seconds.
const LANDING_SECS: f64 = 0.12;

/// Makes feet stand in poses that are where they should be, and tells what stands then. Poses that were given stay as they are.
pub(crate) fn stand(
    skeleton: &Arc<Skeleton>,
    legs: &[Leg],
    poses: &mut [LocalPose],
    touches: &[Touches],
    stage: &Stage,
) -> Vec<Touches> {
    let worlds = |poses: &[LocalPose]| -> Vec<WorldPose> {
        poses.iter().map(|pose| WorldPose::of(skeleton, pose.view())).collect()
    };
    let gaits = |worlds: &[WorldPose]| -> Vec<Gait<'_>> {
        legs.iter().map(|leg| Gait::of(leg, worlds, touches, stage)).collect()
    };
    let above = worlds(poses);
    let above = gaits(&above);
    let planned = planned(&above, poses);
    for (pose, low_m) in poses.iter_mut().zip(lowered(&above, &planned, stage)) {
        pose.positions.iter_mut().take(1).for_each(|root| root.y -= low_m);
    }
    let gaits = gaits(&worlds(poses));
    let mut stands: Vec<Touches> = touches.to_vec();
    for (gait, stances) in gaits.iter().zip(planned) {
        let wanted = feet(gait, &stances);
        let stances: Vec<Stance> =
            stances.into_iter().filter_map(|stance| gait.within_reach(stance, &wanted)).collect();
        let own = gait.leg.soles.iter().fold(0, |own, sole| own | 1 << sole.index);
        let is_standing = |frame: usize| stances.iter().any(|stance| stance.frames.contains(&frame));
        for (frame, stands) in stands.iter_mut().enumerate().filter(|(frame, _)| !is_standing(*frame)) {
            if stage.away_from_given(frame) > 0 {
                *stands &= !own;
            }
        }
        let feet = feet(gait, &stances);
        for ((frame, pose), foot) in poses.iter_mut().enumerate().zip(&feet) {
            if stage.away_from_given(frame) > 0 && *foot != gait.feet[frame] {
                gait.leg.place(skeleton, pose, foot);
            }
        }
        clear(gait.leg, skeleton, poses, is_standing, stage);
    }
    stands
}

/// When and where each foot stands: one after the other, so that each knows when the one before swings.
fn planned(gaits: &[Gait<'_>], poses: &[LocalPose]) -> Vec<Vec<Stance>> {
    let frames = poses.len();
    let end = poses.last().map_or(Vec3::ZERO, |pose| pose.view().root_position());
    let is_each_torn = gaits.len() > 1 && gaits.iter().all(Gait::is_torn);
    // Where both have to step, the one that is left behind goes first.
    let behind = |gait: &Gait<'_>| gait.feet.first().map_or(0.0, |foot| foot.at.with_y(end.y).distance(end));
    let first = gaits.iter().enumerate().max_by(|a, b| behind(a.1).total_cmp(&behind(b.1)));
    let first = first.map_or(0, |(index, _)| index);
    let mut planned: Vec<Option<Vec<Stance>>> = vec![None; gaits.len()];
    for index in std::iter::once(first).chain((0..gaits.len()).filter(|index| *index != first)) {
        let is_up: Vec<bool> = (0..frames)
            .map(|frame| {
                let others = (0..gaits.len()).filter(|other| *other != index);
                others.clone().count() > 0
                    && others.clone().all(|other| match &planned[other] {
                        Some(stances) => !stances.iter().any(|stance| stance.frames.contains(&frame)),
                        None => gaits[other].stands[frame] == 0,
                    })
            })
            .collect();
        let best_at = is_each_torn.then_some(if index == first { 0.25 } else { 0.75 });
        planned[index] = Some(gaits[index].stances(&is_up, best_at));
    }
    planned.into_iter().map(Option::unwrap_or_default).collect()
}

/// How much lower the hips have to be in each frame for legs to reach where their feet stand, in metres: no more than
/// a bend of the knees, and not where a pose was given.
fn lowered(gaits: &[Gait<'_>], planned: &[Vec<Stance>], stage: &Stage) -> Vec<f32> {
    let mut needed = vec![0f32; stage.frames];
    for (gait, stances) in gaits.iter().zip(planned) {
        let feet = feet(gait, stances);
        for frame in stances.iter().flat_map(|stance| stance.frames.clone()) {
            let high_m = gait.too_high_m(&feet[frame], frame).unwrap_or(0.0);
            needed[frame] = needed[frame].max(if high_m < MOST_LOWERED_M { high_m } else { 0.0 });
        }
    }
    let reach = (EASE_SECS * stage.rate_hz / 2.0).ceil().max(1.0) as usize;
    let around = |frame: usize| frame.saturating_sub(reach)..(frame + reach + 1).min(stage.frames);
    let most: Vec<f32> =
        (0..stage.frames).map(|frame| needed[around(frame)].iter().copied().fold(0.0, f32::max)).collect();
    let mean = |frame: usize| most[around(frame)].iter().sum::<f32>() / around(frame).len() as f32;
    let share = |frame: usize| (stage.away_from_given(frame) as f32 / (2 * reach) as f32).min(1.0);
    (0..stage.frames)
        .map(|frame| (mean(frame) * eased(share(frame))).max(needed[frame] * share(frame)))
        .collect()
}

/// Where a foot is to be in every frame.
fn feet(gait: &Gait<'_>, stances: &[Stance]) -> Vec<Foot> {
    let mut feet = gait.feet.clone();
    let turns = turns(gait, stances);
    for (foot, turn) in feet.iter_mut().zip(&turns) {
        foot.turn = (*turn * foot.turn).normalize();
    }
    for stance in stances {
        let pivot = gait.pivot(&stance.frames);
        for frame in stance.frames.clone() {
            let place = stance.foot(frame);
            let own_pivot = if gait.is_flat(frame) { pivot } else { gait.pivot(&(frame..frame + 1)) };
            let foot = &mut feet[frame];
            foot.at = place.point(own_pivot) - foot.turn * own_pivot;
        }
    }
    for (before, after) in gaps(stances, gait) {
        let Some(span) = inner(before, after, gait) else { continue };
        let (start, end) = (span.start - 1, span.end.min(feet.len() - 1));
        let is_made = before.is_some_and(|stance| stance.steps_on) && after.is_some();
        let (from, to) = (feet[start], feet[end]);
        let moved = [start, end].map(|frame| feet[frame].at - gait.feet[frame].at);
        let moved = [moved[0], if after.is_some() { moved[1] } else { Vec3::ZERO }];
        let far_m = to.at.with_y(0.0).distance(from.at.with_y(0.0));
        let slow = (LANDING_SECS * gait.rate_hz).ceil().min((end - start) as f64 / 2.0).max(1.0) as f32;
        // How fast the leg's own motion is where the foot stands.
        let speed = [
            before.map_or(Vec3::ZERO, |_| gait.feet[start + 1].at - gait.feet[start].at),
            after.map_or(Vec3::ZERO, |_| gait.feet[end].at - gait.feet[end - 1].at),
        ];
        for frame in span {
            let share = (frame - start) as f32 / (end - start) as f32;
            let up_m = far_m.min(ARC_M + ARC * far_m) * bump(share);
            let foot = &mut feet[frame];
            if is_made {
                foot.at = from.at.lerp(to.at, eased(share)) + up_m * Vec3::Y;
                foot.turn = from.turn.slerp(to.turn, eased(share));
            } else {
                let slowed = speed[0] * slope((frame - start) as f32 / slow) * slow
                    - speed[1] * slope((end - frame) as f32 / slow) * slow;
                foot.at = gait.feet[frame].at + moved[0].lerp(moved[1], eased(share)) - slowed;
                foot.at.y += (up_m - gait.leg.height_m(foot)).max(0.0);
            }
        }
    }
    feet
}

/// The stances before and after each time that the foot does not stand.
fn gaps<'a>(stances: &'a [Stance], gait: &Gait<'_>) -> Vec<(Option<&'a Stance>, Option<&'a Stance>)> {
    let firsts = std::iter::once(None).chain(stances.iter().map(Some));
    let seconds = stances.iter().map(Some).chain(std::iter::once(None));
    firsts.zip(seconds).filter(|(before, after)| inner(*before, *after, gait).is_some()).collect()
}

/// The frames between two stances, or before the first and after the last; frames that were given are not among them.
fn inner(before: Option<&Stance>, after: Option<&Stance>, gait: &Gait<'_>) -> Option<std::ops::Range<usize>> {
    let start = before.map_or(1, |stance| stance.frames.end);
    let last = gait.feet.len() - usize::from(gait.has_last);
    let end = after.map_or(last, |stance| stance.frames.start);
    (start < end).then_some(start..end)
}

/// How feet are turned away from what their legs' own motion has: known while they stand flat and where they were given, and in between on the way.
fn turns(gait: &Gait<'_>, stances: &[Stance]) -> Vec<Quat> {
    let frames = gait.feet.len();
    let mut known: Vec<(usize, Quat)> = vec![(0, Quat::IDENTITY)];
    for stance in stances {
        let flat = stance.frames.clone().filter(|frame| *frame > 0 && gait.is_flat(*frame));
        known.extend(flat.map(|frame| (frame, stance.foot(frame).turn * gait.feet[frame].turn.inverse())));
    }
    if gait.has_last && known.last().is_none_or(|(frame, _)| *frame + 1 < frames) {
        known.push((frames - 1, Quat::IDENTITY));
    }
    let mut turns = vec![Quat::IDENTITY; frames];
    for pair in known.windows(2) {
        let ((from, a), (to, b)) = (pair[0], pair[1]);
        for (frame, turn) in turns[from..to].iter_mut().enumerate() {
            *turn = a.slerp(b, eased(frame as f32 / (to - from) as f32));
        }
    }
    if let Some((from, turn)) = known.last() {
        turns[*from..].fill(*turn);
    }
    turns
}

/// From 0 to 1 without a start or a stop that jerks (the polynomial of least jerk).
fn eased(share: f32) -> f32 {
    share * share * share * (10.0 - 15.0 * share + 6.0 * share * share)
}

/// Goes off at slope 1 from 0, and is back at 0 at 1, without a slope.
fn slope(share: f32) -> f32 {
    let left = (1.0 - share).max(0.0);
    share * left * left
}

/// From 0 up to 1 and down again, smoothly.
fn bump(share: f32) -> f32 {
    let up = 4.0 * share * (1.0 - share);
    up * up
}

/// Lifts a foot out of the floor in all frames but those that were given. `stands` says whether it stands in a frame.
fn clear(
    leg: &Leg,
    skeleton: &Arc<Skeleton>,
    poses: &mut [LocalPose],
    stands: impl Fn(usize) -> bool,
    stage: &Stage,
) {
    let reach = (EASE_SECS * stage.rate_hz).ceil().max(1.0) as usize;
    let eased = |away: usize| {
        let share = (away as f32 / reach as f32).min(1.0);
        share * share * (3.0 - 2.0 * share)
    };
    for (frame, pose) in poses.iter_mut().enumerate() {
        // Toes are quick.
        leg.bend_toes(skeleton, pose, eased(2 * stage.away_from_given(frame)));
    }
    let depth = |frame: usize, pose: &LocalPose| {
        if stands(frame) { 0.0 } else { leg.depth_m(&WorldPose::of(skeleton, pose.view())) }
    };
    let depths: Vec<f32> = poses.iter().enumerate().map(|(frame, pose)| depth(frame, pose)).collect();
    let around = |frame: usize| frame.saturating_sub(reach)..(frame + reach + 1).min(depths.len());
    // The most around, and the mean of that: nowhere less than is needed.
    let most: Vec<f32> =
        (0..depths.len()).map(|frame| depths[around(frame)].iter().copied().fold(0.0, f32::max)).collect();
    for (frame, pose) in poses.iter_mut().enumerate() {
        let mean = most[around(frame)].iter().sum::<f32>() / around(frame).len() as f32;
        // Less beside where it stands, and beside what was given.
        let standing = around(frame).filter(|other| stands(*other)).map(|other| frame.abs_diff(other));
        let away = standing.chain([stage.away_from_given(frame), reach]).min().unwrap_or(0);
        let lift_m = mean * eased(away);
        if lift_m > 0.0 {
            let foot = leg.foot(&WorldPose::of(skeleton, pose.view()));
            leg.place(skeleton, pose, &Foot { at: foot.at + lift_m * Vec3::Y, ..foot });
        }
    }
}
