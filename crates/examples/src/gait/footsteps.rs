//! The place and time of each footstep.
//!
//! A [`Step`] moves the body from above one foot to above the next. A sequence of steps gives *passages*, the instants at which the
//! body passes over a foot. Each passage defines the place and time of its foot: the foot lands half a step before the body passes it,
//! and lifts a third of a step before the body passes the next one. Double support then takes a fifth of the time, as in comfortable
//! walking, and no foot lags behind in a slow step.

use marey_motion::{Ground, Side, Vec3};

use super::GaitStyle;
use crate::figure::{Figure, sign};

/// The length of an ordinary step over the body's height (Perry and Burnfield: 0.7 m at 1.7 m).
pub(crate) const USUAL_STEP: f32 = 0.41;

/// A step: it moves the body from above one foot to above the next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Step {
    /// The foot that lands.
    pub(crate) side: Side,
    /// The pause before the step, in seconds.
    pub(crate) pause_secs: f64,
    /// The duration of the step, in seconds.
    pub(crate) secs: f64,
    /// The distance that the body moves ahead.
    pub(crate) ahead_m: f32,
    /// The distance that the body moves to its left.
    pub(crate) sideways_m: f32,
    /// The angle that the body turns, to the left.
    pub(crate) turn_rad: f32,
    /// The deviation of the foot from its regular place: to the left, ahead, and turned to the left.
    pub(crate) scatter: Ground,
    /// The height of the swinging foot, relative to an ordinary step; near 0 it scuffs the floor.
    pub(crate) clearance: f64,
    /// The label of the step.
    pub(crate) label: &'static str,
}

/// The instant at which the body passes over a foot, or stands still beside it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Passage {
    /// The foot it passes over.
    pub(crate) side: Side,
    /// Time of arrival.
    pub(crate) secs: f64,
    /// Time of departure; later than the arrival if the body stands.
    pub(crate) leave_secs: f64,
    /// Position on the floor.
    pub(crate) x: f64,
    /// Position on the floor.
    pub(crate) z: f64,
    /// Heading, not wrapped to one turn.
    pub(crate) heading_rad: f64,
    /// Duration of the step to this passage.
    pub(crate) step_secs: f64,
    /// Length of the step to this passage, relative to [`USUAL_STEP`]; 0 if the feet close, negative backwards.
    pub(crate) stride: f64,
    /// Whether the figure stands here for a while.
    pub(crate) stands: bool,
    /// Label of the step to this passage.
    pub(crate) label: &'static str,
}

/// The place and time of a foot on the floor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Foothold {
    pub(crate) side: Side,
    /// The point under the ankle of the flat foot, and the direction of the foot.
    pub(crate) place: Ground,
    /// Heading of the body over the foot, not wrapped to one turn.
    pub(crate) heading_rad: f64,
    /// Time at which the heel lands; −∞ for a foot that stands from the start.
    pub(crate) land_secs: f64,
    /// Time at which the ball lands.
    pub(crate) flat_secs: f64,
    /// Time at which the heel lifts.
    pub(crate) heel_off_secs: f64,
    /// Time at which the ball lifts; ∞ for a foot that stands to the end.
    pub(crate) lift_secs: f64,
    /// Roll of the foot on landing, 1 in an ordinary step.
    pub(crate) strike: f64,
    /// Roll of the foot on take-off, 1 in an ordinary step.
    pub(crate) push: f64,
    /// Height of the preceding swing, relative to an ordinary step.
    pub(crate) clearance: f64,
}

impl Foothold {
    /// A foot that stands all the time.
    pub(crate) fn standing(side: Side, place: Ground, heading_rad: f64) -> Self {
        Self {
            side,
            place,
            heading_rad,
            land_secs: f64::NEG_INFINITY,
            flat_secs: f64::NEG_INFINITY,
            heel_off_secs: f64::INFINITY,
            lift_secs: f64::INFINITY,
            strike: 0.0,
            push: 0.0,
            clearance: 1.0,
        }
    }
}

/// The footsteps of a walk.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Footsteps {
    /// Sorted by time. The first is the initial position.
    pub(crate) passages: Vec<Passage>,
    /// Sorted by landing. The first two stand from the start.
    pub(crate) holds: Vec<Foothold>,
}

/// Times within a step, as fractions of its duration.
mod timing {
    /// From heel strike until the body is over the foot.
    pub(super) const LAND_TO_PASSAGE: f64 = 0.51;
    /// From heel strike to foot flat.
    pub(super) const LAND_TO_FLAT: f64 = 0.22;
    /// From heel-off to toe-off.
    pub(super) const HEEL_OFF_TO_LIFT: f64 = 0.40;
    /// From toe-off until the body is over the other foot, in an ordinary step.
    pub(super) const LIFT_TO_PASSAGE: f64 = 0.33;
    /// Delay of toe-off in a short step, per unit by which it is shorter.
    pub(super) const SHORT_STEP: f64 = 0.16;
    /// Largest distance of the body past a foot before toe-off, in ordinary steps.
    pub(super) const FURTHEST: f64 = 0.68;
    /// Shortest double support, in seconds.
    pub(super) const MIN_DOUBLE_SUPPORT_SECS: f64 = 0.05;
    /// Shortest time that a foot is flat, in seconds.
    pub(super) const MIN_FLAT_SECS: f64 = 0.04;
}

/// Additional distance between the feet in standing, on each side.
const STANDING_SPREAD_M: f32 = 0.035;

impl Footsteps {
    /// Places a sequence of steps that starts from standing at the origin, facing +Z.
    pub(crate) fn place(steps: &[Step], style: &GaitStyle, figure: &Figure) -> Self {
        let passages = passages(steps, f64::from(figure.height_m));
        let first_stance = steps.first().map_or(Side::Right, |step| step.side.other());
        let mut holds = [first_stance.other(), first_stance]
            .map(|side| standing_hold(&passages[0], side, style))
            .to_vec();
        for (i, step) in steps.iter().enumerate() {
            set_lift_times(&mut holds[i..], &passages[i], &passages[i + 1]);
            holds.push(landing_hold(&passages[i + 1], step, style));
        }
        for (hold, pair) in holds.iter_mut().zip(passages.windows(2)) {
            // Foothold i of passage i − 1 is left before passage i + 1.
            hold.push = 0.5 * (pair[0].stride + pair[1].stride);
        }
        Self { passages, holds }
    }

    /// Every swing of a foot, in order: its start, the standing foot that it passes, and its end.
    pub(crate) fn moves(&self) -> impl Iterator<Item = [&Foothold; 3]> {
        self.holds.windows(3).map(|holds| [&holds[0], &holds[1], &holds[2]])
    }

    /// The start time and label of each part. The first starts at 0. Standing is labelled `stand`.
    pub(crate) fn parts(&self) -> Vec<(f64, &'static str)> {
        let mut parts = vec![(0.0, "stand")];
        for (i, passage) in self.passages.iter().enumerate().skip(1) {
            let (moving, before) = (&self.holds[i - 1], &self.holds[i]);
            let starts = if self.passages[i - 1].stands { moving.heel_off_secs } else { before.land_secs };
            parts.push((starts, passage.label));
            if passage.stands {
                parts.push((self.holds[i + 1].flat_secs, "stand"));
            }
        }
        parts.dedup_by_key(|part| part.1);
        parts
    }
}

/// The passages of the body over a sequence of steps.
fn passages(steps: &[Step], height_m: f64) -> Vec<Passage> {
    let first = Passage {
        side: steps.first().map_or(Side::Right, |step| step.side.other()),
        secs: 0.0,
        leave_secs: steps.first().map_or(0.0, |step| step.pause_secs),
        x: 0.0,
        z: 0.0,
        heading_rad: 0.0,
        step_secs: steps.first().map_or(0.6, |step| step.secs),
        stride: 0.0,
        stands: true,
        label: "stand",
    };
    let mut passages = vec![first];
    for (i, step) in steps.iter().enumerate() {
        let from = passages[i];
        let next = steps.get(i + 1);
        let secs = from.leave_secs + step.secs;
        // The body moves along an arc, whose chord has the mean of both headings.
        let (sin, cos) = (from.heading_rad + 0.5 * f64::from(step.turn_rad)).sin_cos();
        let (ahead, sideways) = (f64::from(step.ahead_m), f64::from(step.sideways_m));
        passages.push(Passage {
            side: step.side,
            secs,
            leave_secs: secs + next.map_or(0.0, |step| step.pause_secs),
            x: from.x + sin * ahead + cos * sideways,
            z: from.z + cos * ahead - sin * sideways,
            heading_rad: from.heading_rad + f64::from(step.turn_rad),
            step_secs: step.secs,
            stride: ahead / (f64::from(USUAL_STEP) * height_m),
            stands: next.is_none_or(|step| step.pause_secs > 0.0),
            label: step.label,
        });
    }
    passages
}

/// The regular place of a foot at a passage.
fn foot_place(passage: &Passage, side: Side, spread_m: f32, style: &GaitStyle) -> Ground {
    let body = Ground::new(passage.x as f32, passage.z as f32, passage.heading_rad as f32);
    let half = sign(side) * (0.5 * style.step_width_m + spread_m);
    body * Ground::new(half, 0.0, sign(side) * style.toe_out_rad)
}

fn standing_hold(passage: &Passage, side: Side, style: &GaitStyle) -> Foothold {
    Foothold::standing(side, foot_place(passage, side, STANDING_SPREAD_M, style), passage.heading_rad)
}

fn landing_hold(passage: &Passage, step: &Step, style: &GaitStyle) -> Foothold {
    let spread_m = if passage.stands { STANDING_SPREAD_M } else { 0.0 };
    let regular = foot_place(passage, step.side, spread_m, style);
    let shift = regular.direction(Vec3::new(step.scatter.x, 0.0, step.scatter.z));
    let land_secs = passage.secs - timing::LAND_TO_PASSAGE * step.secs;
    Foothold {
        place: Ground::new(regular.x + shift.x, regular.z + shift.z, regular.yaw_rad + step.scatter.yaw_rad),
        land_secs,
        // A foot that closes beside the other lands almost flat.
        flat_secs: land_secs + timing::LAND_TO_FLAT * passage.stride.clamp(0.25, 1.0) * step.secs,
        strike: passage.stride,
        clearance: step.clearance,
        ..standing_hold(passage, step.side, style)
    }
}

/// Sets the lift times of the first of these holds, which is left for passage `to`. The second is the foot that `from` passes over.
fn set_lift_times(holds: &mut [Foothold], from: &Passage, to: &Passage) {
    let step_secs = if from.stands { to.step_secs } else { from.step_secs };
    // Short steps have a longer double support. In long steps a foot lifts earlier.
    let shortness = 1.0 - from.stride.abs().max(to.stride.abs()).min(1.2);
    let in_reach = 1.0 - timing::FURTHEST / from.stride.abs().max(0.1);
    let before = (timing::LIFT_TO_PASSAGE - timing::SHORT_STEP * shortness).max(in_reach);
    let other_down = holds[1].land_secs + timing::MIN_DOUBLE_SUPPORT_SECS;
    let hold = &mut holds[0];
    hold.lift_secs = (from.leave_secs - before * step_secs).max(other_down);
    // A foot that moves back or to the side is lifted without rolling.
    let rolls = if from.stride.max(to.stride) > 0.0 { 1.0 } else { 0.35 };
    hold.heel_off_secs = (hold.lift_secs - rolls * timing::HEEL_OFF_TO_LIFT * step_secs)
        .max(hold.flat_secs + timing::MIN_FLAT_SECS)
        .min(hold.lift_secs - timing::MIN_FLAT_SECS);
}
