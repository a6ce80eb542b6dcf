//! The way of a figure over the floor: as its standing feet make it go.

use marey_motion::{Ground, Vec3, WorldPose};
use marey_ops::align::align;

use crate::Result;
use crate::frames::Touches;
use crate::leg::Leg;
use crate::played::Stage;
use crate::recovered::Recovered;
use crate::stance::{Gait, ahead};

/// How much it counts how the corpus went on, beside a point that stands.
const HABIT: f32 = 0.02;
/// Over how long before and after a way is smoothed, in seconds.
const SMOOTH_SECS: f64 = 0.1;
/// Around the hips, where that is asked, in metres.
const ARM_M: f32 = 0.3;

/// The way over the floor of poses that are in place and at their height, from where the first stands. `places` are their sole points.
pub(crate) fn track(
    steps: &Recovered,
    (worlds, places): (&[WorldPose], &[Vec<Vec3>]),
    touches: &[Touches],
    (legs, stage): (&[Leg], &Stage),
) -> Result<Vec<Ground>> {
    let last = steps.rotations.len().saturating_sub(1);
    let pace = stage.pace(last);
    let mut track = vec![stage.start];
    for frame in 1..stage.frames {
        let step = ((frame - 1) as f64 * pace) as usize;
        let habit = steps.travel.get(step.min(last)).copied().unwrap_or_default();
        let share = pace as f32;
        let habit = Ground::new(share * habit.x, share * habit.z, share * habit.yaw_rad);
        let both = touches[frame - 1] & touches[frame];
        let onward = onward(&places[frame - 1], &places[frame], both, habit)?;
        let here = track.last().copied().unwrap_or_default();
        track.push(here * onward);
    }
    let mut track = smoothed(&track, (SMOOTH_SECS * stage.rate_hz).round() as usize);
    let gaits: Vec<Gait<'_>> = legs.iter().map(|leg| Gait::of(leg, worlds, touches, stage)).collect();
    let end = stage.end.or_else(|| standing_end(&gaits, worlds, &track));
    arrive(&mut track, end);
    Ok(track)
}

/// A track without what is sudden in it: each frame is the mean of those around it, the nearer the more; its ends are as they were. Feet are
/// put where they stand afterwards.
fn smoothed(track: &[Ground], reach: usize) -> Vec<Ground> {
    let mut turn = 0.0;
    let mut before = track.first().map_or(0.0, |ground| ground.yaw_rad);
    let numbers: Vec<[f32; 3]> = track
        .iter()
        .map(|ground| {
            turn += Ground::new(0.0, 0.0, ground.yaw_rad - before).yaw_rad;
            before = ground.yaw_rad;
            [ground.x, ground.z, turn]
        })
        .collect();
    let Some(last) = track.len().checked_sub(1) else { return Vec::new() };
    // Beyond an end, it goes on as if turned about it.
    let at = |frame: isize| {
        let inside = frame.clamp(0, last as isize) as usize;
        let mirrored = numbers[(2 * inside as isize - frame).clamp(0, last as isize) as usize];
        let end = numbers[inside];
        if frame == inside as isize {
            end
        } else {
            std::array::from_fn(|axis| 2.0 * end[axis] - mirrored[axis])
        }
    };
    let start_rad = track.first().map_or(0.0, |ground| ground.yaw_rad);
    let reach = reach as isize;
    let mean = |frame: usize| {
        let (mut sum, mut weights) = ([0.0; 3], 0.0);
        for off in -reach..=reach {
            let weight = (reach + 1 - off.abs()) as f32;
            weights += weight;
            sum.iter_mut().zip(at(frame as isize + off)).for_each(|(sum, value)| *sum += weight * value);
        }
        let [x, z, turn] = sum.map(|sum| sum / weights);
        Ground::new(x, z, start_rad + turn)
    };
    (0..track.len())
        .map(|frame| if frame == 0 || frame == last { track[frame] } else { mean(frame) })
        .collect()
}

/// Where the last pose has to stand for a foot to be in its place that stands all the time: of two, the one that the hips are nearer to.
fn standing_end(gaits: &[Gait<'_>], worlds: &[WorldPose], track: &[Ground]) -> Option<Ground> {
    let aside = |gait: &Gait<'_>| {
        let pairs = gait.feet.iter().zip(worlds);
        pairs.map(|(foot, world)| (foot.at - world.positions[0]).with_y(0.0).length()).sum::<f32>()
    };
    let staying = gaits.iter().filter(|gait| gait.has_last && gait.stays());
    let gait = staying.min_by(|a, b| aside(a).total_cmp(&aside(b)))?;
    let (start, free) = (*track.first()?, *track.last()?);
    let all = 0..gait.feet.len();
    let (first, last) = (gait.standing(0), gait.standing(all.end - 1));
    let pivot = gait.pivot(&all);
    let heading = |way: Vec3| way.x.atan2(way.z);
    let turned = heading(ahead(&first, gait.leg)) - heading(ahead(&last, gait.leg));
    let yaw_rad = if gait.is_free_to_turn(&all) { free.yaw_rad } else { start.yaw_rad + turned };
    let turn = Ground::new(0.0, 0.0, yaw_rad);
    let shift = start.point(first.point(pivot)) - turn.point(last.point(pivot));
    Some(Ground::new(shift.x, shift.z, yaw_rad))
}

/// How the floor goes from one frame to the next.
fn onward(before: &[Vec3], after: &[Vec3], stands: Touches, habit: Ground) -> Result<Ground> {
    let around = [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z].map(|axis| ARM_M * axis);
    let (mut stay, mut moved, mut weights) = (Vec::new(), Vec::new(), Vec::new());
    for (index, (before, after)) in before.iter().zip(after).enumerate() {
        if stands >> index & 1 == 1 {
            stay.push(*before);
            moved.push(*after);
            weights.push(1.0);
        }
    }
    for point in around {
        stay.push(habit.point(point));
        moved.push(point);
        weights.push(HABIT);
    }
    Ok(align(&stay, &moved, &weights)?.x_from_a)
}

/// Brings the end of a track where it is wanted, frame by frame a little more.
fn arrive(track: &mut [Ground], end: Option<Ground>) {
    let (Some(end), Some(last)) = (end, track.last().copied()) else { return };
    let most = track.len().saturating_sub(1).max(1) as f32;
    let turn = Ground::new(0.0, 0.0, end.yaw_rad - last.yaw_rad).yaw_rad;
    for (frame, ground) in track.iter_mut().enumerate() {
        let share = frame as f32 / most;
        let (x, z) = (ground.x + share * (end.x - last.x), ground.z + share * (end.z - last.z));
        *ground = Ground::new(x, z, ground.yaw_rad + share * turn);
    }
    // To the bit.
    track.iter_mut().last().into_iter().for_each(|ground| *ground = end);
}
