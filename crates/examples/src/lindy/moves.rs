//! The paths and footfalls of both dancers, transition by transition.

use std::f64::consts::TAU;

use marey_motion::Side;
use rand::{Rng, RngExt};

use super::lead::Lead;
use super::score::{BEATS, Score};
use super::{PatternTransition, Stance, Turn};
use crate::couple::{Embrace, Footfall};
use crate::figure::Figure;
use crate::random::normal;

/// A piecewise linear function: (seconds, value).
pub(super) type Corners = Vec<(f64, f64)>;

/// The motion of both dancers, before smoothing.
#[derive(Debug, Clone, Default)]
pub(super) struct CoupleMotion {
    /// The middle of the couple.
    pub(super) x: Corners,
    pub(super) z: Corners,
    /// The direction from leader to follower.
    pub(super) yaw_rad: Corners,
    pub(super) apart_m: Corners,
    /// 1 in an embrace, with the bodies beside each other and open to one side.
    pub(super) embrace: Corners,
    /// The follower's turns, to the left.
    pub(super) spin_rad: Corners,
    pub(super) raise: Corners,
    pub(super) hands_m: Corners,
    pub(super) weight_m: Corners,
    pub(super) chest_rad: Corners,
    /// 1 if both lean away from each other.
    pub(super) away: Corners,
}

/// Fraction of a turn at each beat of its transition. Each of the three quick steps turns by the same angle.
const SPIN: [(f64, f64); 7] =
    [(0.8, 0.0), (1.5, 0.11), (2.0, 0.26), (2.5, 0.43), (3.0, 0.61), (3.5, 0.79), (4.4, 1.0)];
/// Additional distance after the follower's turn, when the hands come down between both, in metres.
const ARRIVING_M: f64 = 0.06;
/// Degree of embrace at the end of a turn into it.
const TURNED_IN: f64 = 0.2;

/// Distances between the bodies, in metres.
#[derive(Debug, Clone, Copy)]
pub(super) struct Distances {
    open_m: f64,
    closed_m: f64,
    /// In a turn: limited by the leader's reach above the follower's head.
    to_turn_m: f64,
}

impl Distances {
    pub(super) fn new(leader: &Figure, follower: &Figure, embrace: &Embrace) -> Self {
        let [leads_m, follows_m] = [leader, follower].map(|figure| f64::from(figure.height_m));
        Self { open_m: 0.275 * (leads_m + follows_m), closed_m: embrace.apart_m, to_turn_m: 0.38 * leads_m }
    }

    fn of(&self, stance: Stance) -> f64 {
        match stance {
            Stance::Open | Stance::OpenCrosshand => self.open_m,
            Stance::Closed => self.closed_m,
            Stance::ClosedCrosshand => self.closed_m + 0.15,
        }
    }
}

impl CoupleMotion {
    pub(super) fn of(score: &Score, distances: &Distances, rng: &mut impl Rng) -> Self {
        let mut motion = Self::default();
        let (mut yaw, mut spin, mut middle) = (0.0, 0.0, [0.0, 0.0]);
        for (i, transition) in score.transitions.iter().enumerate() {
            let lead = Lead::of(transition, rng);
            let at = |beat: f64| score.secs_at((BEATS * i) as f64 + beat);
            let turned_in = score.turns_before(i) && transition.from.is_closed();
            motion.step_apart(transition, turned_in, distances, at);
            let turns = turns_by(transition, rng);
            let starts = if transition.from.is_closed() { 0.2 } else { 1.2 };
            motion.yaw_rad.extend([(at(starts), yaw), (at(3.8), yaw + turns)]);
            yaw += turns;
            let whole_turn = match transition.turn {
                Turn::Step => 0.0,
                Turn::Inside => TAU,
                Turn::Outside => -TAU,
            };
            motion.spin_rad.extend(SPIN.map(|(beat, share)| (at(beat), spin + share * whole_turn)));
            spin += whole_turn;
            let close = |stance| f64::from(u8::from(stance == Stance::Closed));
            let (from, to) = (close(transition.from), close(transition.to));
            let begun = if turned_in { TURNED_IN * from } else { from };
            let ended = if transition.turn == Turn::Step { to } else { TURNED_IN * to };
            let arrives = if transition.turn == Turn::Step { 3.4 } else { 3.9 };
            motion.embrace.extend([(at(0.0), begun), (at(0.9), from), (at(1.6), from), (at(arrives), ended)]);
            motion.add_lead(&lead, at);
            for (m, axis) in middle.iter_mut().zip([&mut motion.x, &mut motion.z]) {
                axis.push((at(0.5), *m));
                *m = 0.8 * *m + 0.12 * normal(rng);
                axis.push((at(3.5), *m));
            }
        }
        motion
    }

    fn step_apart(
        &mut self,
        transition: &PatternTransition,
        turned_in: bool,
        distances: &Distances,
        at: impl Fn(f64) -> f64,
    ) {
        let (from, to) = (distances.of(transition.from), distances.of(transition.to));
        let turning_m = distances.to_turn_m;
        if !transition.from.is_closed() {
            // The rock step: apart, and together again.
            self.apart_m.extend([(at(0.0), from), (at(1.0), from + 0.07), (at(1.9), from - 0.04)]);
            self.away.extend([(at(0.1), 0.0), (at(0.9), 1.0), (at(1.8), 0.0)]);
        } else {
            let begun = if turned_in { (turning_m + ARRIVING_M).max(from) } else { from };
            let leaves = if transition.turn == Turn::Step { 1.7 } else { 0.9 };
            self.apart_m.extend([(at(0.0), begun), (at(0.6), from), (at(leaves), from)]);
        }
        if transition.turn == Turn::Step {
            self.apart_m.push((at(if to < from { 3.1 } else { 3.8 }), to));
        } else {
            // A turn into an embrace arrives a beat later.
            let ended = if transition.to.is_closed() { (turning_m + ARRIVING_M).max(to) } else { to };
            self.apart_m.extend([(at(2.0), turning_m), (at(3.2), turning_m), (at(4.0), ended)]);
        }
    }

    fn add_lead(&mut self, lead: &Lead, at: impl Fn(f64) -> f64) {
        let up = lead.rise_beat;
        self.raise.extend([(at(up), 0.0), (at(up + 0.9), lead.raise)]);
        self.raise.extend([(at(3.3), lead.raise), (at(4.2), 0.0)]);
        for (corners, value) in [
            (&mut self.hands_m, lead.hands_m),
            (&mut self.weight_m, lead.weight_m),
            (&mut self.chest_rad, lead.chest_rad),
        ] {
            corners.extend([(at(0.6), 0.0), (at(1.6), value), (at(2.4), value), (at(3.6), 0.0)]);
        }
    }
}

/// The rotation of the couple in a transition, to the right as in swing dancing.
fn turns_by(transition: &PatternTransition, rng: &mut impl Rng) -> f64 {
    match (transition.from.is_closed() || transition.to.is_closed(), transition.turn) {
        (false, Turn::Step) => rng.random_range(-0.35..0.35),
        (_, Turn::Step) => -rng.random_range(1.1..1.7),
        _ => -rng.random_range(0.5..0.9),
    }
}

/// The footfalls of a dancer: two on the beat, then three in the time of two, then the same from the other foot.
pub(super) fn footfalls(score: &Score, first: Side, rng: &mut impl Rng) -> Vec<Footfall> {
    // Faster music swings less.
    let swing = (0.5 + 0.35 * (score.beat_secs - 60.0 / 190.0)).min(0.6);
    let mut side = first;
    let mut falls = Vec::new();
    let mut fall = |beat: f64, ahead_m: f32, out_m: f32, rng: &mut _| {
        let late_secs = (0.004 * normal(rng)).clamp(-0.01, 0.01);
        let scatter = (0.01 * normal(rng) as f32).clamp(-0.02, 0.02);
        let secs = score.secs_at(beat) + late_secs;
        falls.push(Footfall { side, secs, ahead_m: ahead_m + scatter, out_m });
        side = side.other();
    };
    for (i, transition) in score.transitions.iter().enumerate() {
        let start = (BEATS * i) as f64;
        let back = if transition.from.is_closed() { -0.04 } else { -0.11 };
        for (beat, ahead_m, out_m) in
            [(0.0, back, 0.0), (1.0, 0.0, 0.0), (2.0, 0.0, 0.03), (2.0 + swing, 0.0, -0.01), (3.0, 0.0, 0.03)]
        {
            fall(start + beat, ahead_m, out_m, rng);
        }
    }
    let end = score.beats() as f64;
    fall(end, 0.0, 0.02, rng);
    fall(end + 1.0, 0.0, 0.02, rng);
    falls
}
