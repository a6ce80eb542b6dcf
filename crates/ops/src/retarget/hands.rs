//! Hands of the target that keep their distances to bodies and the floor.
//!
//! A hand that touches something in the source, or is nearer than its own length, should be as near in the target
//! (`hand_goals.rs`). Hands of several actors are solved together, because both hands of a handshake move (`moment.rs`). Arms are
//! then bent to place the wrists. Shifts are smoothed over time, and a hand may touch an arm that moves for the other hand, so
//! what is missing is corrected in further passes: of one side after the other, since both sides would correct the same distance, and
//! over shorter and shorter times, since what is missing becomes less.
//!
//! Limits. A hand that swings past a part is placed like one that touches it, so that it moves faster than in the source if the bodies
//! differ much.

use glam::Vec3;
use marey_motion::{Clip, Observer, Side, Skeleton, WorldPose};

use super::arms::Arm;
use super::figure::Figure;
use super::moment::Moment;
use super::solver::Size;
use super::touch_body::{PosedBody, TouchBody};
use crate::Result;
use crate::error::check_cancelled;

/// Number of frames between two looks at the observer.
const LOOK: usize = 256;

/// Passes over a motion.
const PASSES: usize = 12;
/// Time over which the shifts of hands are smoothed in the first pass, before and after each frame, in seconds: the direction out of a
/// body changes suddenly between its parts.
const SMOOTHING_SECS: f64 = 0.06;
/// The share of that time that is left from one pass to the next.
const SHORTENING: f64 = 0.85;
/// Shorter corrections, in metres, are left out.
const MIN_SHIFT_M: f32 = 1e-5;

/// The source and the target of one actor, and how the target's hands move.
#[derive(Debug)]
pub(super) struct Hands {
    pub(super) source: TouchBody,
    pub(super) target: TouchBody,
    pub(super) arms: [Option<Arm>; 2],
}

impl Hands {
    /// Both skeletons rest in their T-poses.
    pub(super) fn new(source: &Skeleton, target: &Skeleton) -> Self {
        Self {
            source: TouchBody::of(source, Size::of(source).height_m()),
            target: TouchBody::of(target, Size::of(target).height_m()),
            arms: Side::BOTH.map(|side| Arm::of(target, side)),
        }
    }
}

/// An actor whose hands are solved together with those of others.
pub(super) struct TouchingActor<'a> {
    pub(super) hands: &'a Hands,
    pub(super) target: &'a Skeleton,
    /// Its motion on the target, with feet on the floor.
    pub(super) figures: &'a mut [Figure],
    /// Whether hands may be moved. Actors that keep their body keep their motion.
    pub(super) can_move: bool,
    /// Heights of the floor in source and target.
    pub(super) floor_m: f32,
    /// The horizontal scale of all actors.
    pub(super) travel: f32,
}

/// The shifts of each actor's hands, left and right, in one frame.
pub(super) type HandShifts = Vec<[Vec3; 2]>;

/// Moves the hands of actors in all frames of their sources.
pub(super) fn keep_touches(
    actors: &mut [TouchingActor<'_>],
    sources: &[&Clip],
    observer: Observer<'_>,
) -> Result<()> {
    if actors.iter().all(|actor| !actor.can_move) {
        return Ok(());
    }
    let fronts: HandShifts = actors
        .iter()
        .map(|actor| {
            let front = |arm: &Arm| arm.joints.front(actor.target, actor.figures, arm.front);
            [0, 1].map(|side| actor.hands.arms[side].as_ref().map(front).unwrap_or_default())
        })
        .collect();
    let before: Vec<Vec<Figure>> = actors.iter().map(|actor| actor.figures.to_vec()).collect();
    let frames = before.iter().map(Vec::len).min().unwrap_or(0);
    let mut worlds: Vec<WorldPose> = sources.iter().map(|clip| WorldPose::scratch(clip.skeleton())).collect();
    let rate_hz = sources.first().map_or(1.0, |clip| clip.rate_hz());
    let mut reach = SMOOTHING_SECS * rate_hz;
    for pass in 0..PASSES {
        let mut shifts: Vec<HandShifts> = Vec::with_capacity(frames);
        for frame in 0..frames {
            if frame.is_multiple_of(LOOK) {
                check_cancelled(observer, "retargeting", pass * frames + frame, PASSES * frames)?;
            }
            for (world, clip) in worlds.iter_mut().zip(sources) {
                world.set(clip.pose(frame));
            }
            let sources: Vec<PosedBody> =
                actors.iter().zip(&worlds).map(|(actor, world)| actor.hands.source.posed(world)).collect();
            let figures: Vec<&Figure> = before.iter().map(|figures| &figures[frame]).collect();
            let moment = Moment::new(actors, &sources, &figures);
            shifts.push(if pass == 0 { moment.solve() } else { moment.refine(actors, frame, pass % 2) });
        }
        let shifts = smoothed(&shifts, reach.round() as usize, observer)?;
        for (frame, shifts) in shifts.iter().enumerate() {
            if frame.is_multiple_of(LOOK) {
                check_cancelled(observer, "retargeting", (pass + 1) * frames, PASSES * frames)?;
            }
            bend_arms(actors, &fronts, frame, shifts);
        }
        reach *= SHORTENING;
    }
    Ok(())
}

/// Bends the arms of all actors so that hands move by their shifts.
pub(super) fn bend_arms(
    actors: &mut [TouchingActor<'_>],
    fronts: &HandShifts,
    frame: usize,
    shifts: &HandShifts,
) {
    for ((actor, fronts), shifts) in actors.iter_mut().zip(fronts).zip(shifts) {
        for (side, arm) in actor.hands.arms.iter().enumerate() {
            let shift = shifts[side];
            if let Some(arm) = arm.as_ref().filter(|_| shift.length() > MIN_SHIFT_M) {
                arm.shift(actor.target, &mut actor.figures[frame], shift, fronts[side]);
            }
        }
    }
}

/// The mean of shifts over `reach` frames before and after each, which count less the farther they are.
fn smoothed(shifts: &[HandShifts], reach: usize, observer: Observer<'_>) -> Result<Vec<HandShifts>> {
    let weight = |away: usize| {
        let t = away as f32 / (reach + 1) as f32;
        (1.0 - t * t) * (1.0 - t * t)
    };
    let mean = |frame: usize| {
        if frame.is_multiple_of(LOOK) {
            check_cancelled(observer, "retargeting", frame, shifts.len())?;
        }
        let around = frame.saturating_sub(reach)..(frame + reach + 1).min(shifts.len());
        let total: f32 = around.clone().map(|other| weight(other.abs_diff(frame))).sum();
        let hand = |actor: usize, side: usize| {
            let sum: Vec3 =
                around.clone().map(|other| shifts[other][actor][side] * weight(other.abs_diff(frame))).sum();
            sum / total
        };
        Ok((0..shifts[frame].len()).map(|actor| [0, 1].map(|side| hand(actor, side))).collect())
    };
    (0..shifts.len()).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constant_shifts_stay_and_jumps_are_spread() {
        let shifts: Vec<HandShifts> =
            (0..20).map(|frame| vec![[Vec3::X, Vec3::Y * f32::from(u8::from(frame >= 10))]]).collect();
        let smooth = smoothed(&shifts, 2, Observer::ignore()).unwrap();
        assert!(smooth.iter().all(|frame| frame[0][0].distance(Vec3::X) < 1e-6));
        let steps = smooth.windows(2).map(|pair| (pair[1][0][1] - pair[0][0][1]).length());
        assert!(steps.fold(0.0, f32::max) < 0.45);
        assert_eq!((smooth[0][0][1], smooth[19][0][1]), (Vec3::ZERO, Vec3::Y));
        assert_eq!(smoothed(&shifts, 0, Observer::ignore()).unwrap(), shifts);
    }
}
