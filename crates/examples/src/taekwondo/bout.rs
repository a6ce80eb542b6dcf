//! The rounds of a bout: the techniques of both fighters, their times, and where both stand before and after.

use std::f64::consts::{PI, TAU};

use rand::{Rng, RngExt};

use super::{Chain, Movement, MovementKind, TaekwondoSettings};
use crate::random::normal;

/// Duration of standing before the first round and after the last, in seconds.
const READY_SECS: f64 = 0.8;
const REST_SECS: f64 = 1.0;
/// Longest duration of a round, in seconds.
const MAX_ROUND_SECS: f64 = 1.9;
/// Initial distance between the fighters in metres, for bodies of 1.72 m.
const START_DISTANCE_M: f64 = 1.5;
/// Smallest distance after footwork, in metres.
const MIN_DISTANCE_M: f64 = 1.25;

/// A place on the floor and a heading.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Place {
    pub(super) x: f64,
    pub(super) z: f64,
    /// Not wrapped to one turn.
    pub(super) heading_rad: f64,
}

/// The part of one fighter in a round.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Turn {
    pub(super) movement: Movement,
    /// Time at which the fighter starts to move.
    pub(super) start_secs: f64,
    /// Time at which the last foot lands.
    pub(super) end_secs: f64,
    /// Final position.
    pub(super) to: Place,
}

/// One round.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Round {
    pub(super) start_secs: f64,
    pub(super) turns: [Turn; 2],
    pub(super) attack: Option<Attack>,
}

/// An attack within a round.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Attack {
    pub(super) attacker: usize,
    /// Time of contact.
    pub(super) contact_secs: f64,
    /// Duration, relative to the usual one.
    pub(super) pace: f64,
    /// Target on the trunk, from 0 at the hips to 1 at the neck.
    pub(super) aim: f64,
}

/// A bout, round by round.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Bout {
    pub(super) starts: [Place; 2],
    pub(super) rounds: Vec<Round>,
}

impl Bout {
    /// Samples rounds from the chain until the time is up.
    pub(super) fn plan(settings: &TaekwondoSettings, chain: &Chain, rng: &mut impl Rng) -> Self {
        let size = f64::from(settings.red.height_m + settings.blue.height_m) / (2.0 * 1.72);
        let half = 0.5 * START_DISTANCE_M * size;
        let mut places = [[0.0, -half], [0.0, half]];
        let mut headings = [0.0, PI];
        let place = |places: &[[f64; 2]; 2], headings: &[f64; 2], i: usize| Place {
            x: places[i][0],
            z: places[i][1],
            heading_rad: headings[i],
        };
        let starts = [0, 1].map(|i| place(&places, &headings, i));
        let (mut secs, mut last, mut rounds) = (READY_SECS, [Movement::Guard; 2], Vec::new());
        while secs + MAX_ROUND_SECS + REST_SECS < settings.duration_secs {
            let (actor, movements) = chain.next(last, rng);
            let timing = Timing::draw(secs, actor, movements, rng);
            let steps = Steps::draw(&places, size, actor, movements, rng);
            places = steps.taken(places);
            headings = faced(&places, headings, rng);
            let turns = [0, 1].map(|i| Turn {
                movement: movements[i],
                start_secs: timing.spans[i].0,
                end_secs: timing.spans[i].1,
                to: place(&places, &headings, i),
            });
            rounds.push(Round { start_secs: secs, turns, attack: timing.attack });
            secs = turns[0].end_secs.max(turns[1].end_secs) + rng.random_range(0.02..0.10);
            last = movements;
        }
        Self { starts, rounds }
    }
}

/// The times of both fighters in a round.
struct Timing {
    spans: [(f64, f64); 2],
    attack: Option<Attack>,
}

impl Timing {
    fn draw(secs: f64, actor: usize, movements: [Movement; 2], rng: &mut impl Rng) -> Self {
        let mut spans = [(0.0, 0.0); 2];
        if movements[actor].kind() != MovementKind::Offensive {
            let late = rng.random_range(0.05..0.16);
            spans[actor] = (secs, secs + rng.random_range(0.52..0.66));
            spans[1 - actor] = (secs + late, secs + late + rng.random_range(0.48..0.62));
            return Self { spans, attack: None };
        }
        let pace = rng.random_range(0.92..1.10);
        let (contact, end) = match movements[actor] {
            Movement::Punch => (0.42, 0.80),
            Movement::SideKick => (0.62, 1.28),
            _ => (0.60, 1.06),
        };
        let contact_secs = secs + contact * pace;
        spans[actor] = (secs, secs + end * pace);
        let around = match movements[1 - actor] {
            Movement::Dodge => (-0.40, 0.34),
            Movement::Hit | Movement::HeadHit => (0.0, 0.48),
            _ => (-0.36, 0.30),
        };
        spans[1 - actor] = ((contact_secs + around.0).max(secs + 0.05), contact_secs + around.1);
        let aim = rng.random_range(0.0..1.0);
        Self { spans, attack: Some(Attack { attacker: actor, contact_secs, pace, aim }) }
    }
}

/// The displacement of both in a round, towards the opponent and to their own left, in metres.
struct Steps {
    ahead_m: [f64; 2],
    sideways_m: [f64; 2],
    apart_m: f64,
}

impl Steps {
    fn draw(
        places: &[[f64; 2]; 2],
        size: f64,
        actor: usize,
        movements: [Movement; 2],
        rng: &mut impl Rng,
    ) -> Self {
        let apart_m = (places[1][0] - places[0][0]).hypot(places[1][1] - places[0][1]);
        let other = 1 - actor;
        let mut steps = Self { ahead_m: [0.0; 2], sideways_m: [0.0; 2], apart_m };
        // Small hops on the spot restore the distance.
        let settle = (0.35 * (apart_m - 1.36 * size)).clamp(-0.13, 0.10);
        steps.ahead_m[actor] = match movements[actor] {
            Movement::Approach => (apart_m - size * rng.random_range(1.2..1.42)).clamp(0.12, 0.45),
            Movement::Retreat => -(size * rng.random_range(1.42..1.62) - apart_m).clamp(0.14, 0.45),
            attack if attack.kind() == MovementKind::Offensive => {
                (apart_m - size * contact_distance_m(attack)).clamp(-0.18, 0.62)
            }
            _ => settle,
        };
        let advance_m = steps.ahead_m[actor];
        steps.ahead_m[other] = match movements[other] {
            Movement::Approach => (-advance_m * rng.random_range(0.7..1.0)).max(0.1),
            Movement::Retreat => -(advance_m * rng.random_range(0.7..1.1)).max(0.12),
            Movement::Dodge => -rng.random_range(0.32..0.44),
            Movement::Hit => -rng.random_range(0.16..0.32),
            Movement::HeadHit => -rng.random_range(0.14..0.26),
            block if block.is_block() => -rng.random_range(0.03..0.10),
            _ => settle,
        };
        steps.sideways_m = movements.map(|movement| match movement {
            Movement::CircleLeft => rng.random_range(0.22..0.38),
            Movement::CircleRight => -rng.random_range(0.22..0.38),
            _ => 0.02 * normal(rng).clamp(-2.0, 2.0),
        });
        // Footwork does not come too close to the opponent.
        let remaining_m = apart_m - steps.ahead_m[0] - steps.ahead_m[1];
        if movements.iter().all(|movement| movement.kind() == MovementKind::Normal)
            && remaining_m < MIN_DISTANCE_M * size
        {
            steps.ahead_m[other] -= (MIN_DISTANCE_M * size - remaining_m).min(0.2);
        }
        steps
    }

    fn taken(&self, places: [[f64; 2]; 2]) -> [[f64; 2]; 2] {
        let direction = [0, 1].map(|axis| (places[1][axis] - places[0][axis]) / self.apart_m);
        [0, 1].map(|i| {
            let sign = if i == 0 { 1.0 } else { -1.0 };
            let (ahead, sideways) = (sign * self.ahead_m[i], sign * self.sideways_m[i]);
            // Forward is (x, z), so left is (z, −x).
            [
                places[i][0] + ahead * direction[0] + sideways * direction[1],
                places[i][1] + ahead * direction[1] - sideways * direction[0],
            ]
        })
    }
}

/// Distance between the fighters at contact in metres, for bodies of 1.72 m.
fn contact_distance_m(attack: Movement) -> f64 {
    match attack {
        Movement::Punch => 1.06,
        Movement::SideKick => 1.14,
        Movement::HighKick => 1.14,
        Movement::FrontKick => 1.24,
        _ => 1.24,
    }
}

/// The headings of both, approximately towards each other.
fn faced(places: &[[f64; 2]; 2], headings: [f64; 2], rng: &mut impl Rng) -> [f64; 2] {
    let [x, z] = [0, 1].map(|axis| places[1][axis] - places[0][axis]);
    let mut turned = |x: f64, z: f64, before: f64| {
        let yaw = x.atan2(z) + 0.04 * normal(rng).clamp(-2.0, 2.0);
        yaw + TAU * ((before - yaw) / TAU).round()
    };
    [turned(x, z, headings[0]), turned(-x, -z, headings[1])]
}
