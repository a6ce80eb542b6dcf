//! The route of the walker: random episodes, as steps.

use marey_motion::{Ground, Side, Vec3};
use rand::{Rng, RngExt};

use super::WalkSettings;
use crate::figure::sign;
use crate::gait::{Step, USUAL_STEP};
use crate::random::normal;

/// Speed over √(g · height) at which a step has the usual length.
const USUAL_PACE: f32 = 0.32;
/// Speed over √(g · height) above which bodies run rather than walk.
const MAX_PACE: f32 = 0.40;
/// Speed over √(g · height) that is low enough for a sharp turn; above 0.6 of the fastest.
const CORNERING_PACE: f32 = 0.26;
/// The slowest walk, in metres per second.
const MIN_MPS: f32 = 0.35;
/// The longest step, relative to the body's height.
const MAX_STEP: f32 = 0.43;
/// Largest change of speed per step, in metres per second.
const MAX_SPEED_CHANGE_MPS: f32 = 0.25;
/// Duration of standing after the last step, in seconds.
const SETTLE_SECS: f64 = 1.0;
/// Length of steps backwards and sideways relative to the body's height, and their duration in seconds.
const BACK_STEP: std::ops::Range<f32> = 0.16..0.24;
const SIDE_STEP: std::ops::Range<f32> = 0.13..0.19;
const BACK_SECS: f64 = 0.62;
const SIDE_SECS: f64 = 0.52;
/// Duration of standing before steps backwards or sideways, in seconds.
const STAND_SECS: f64 = 0.7;
/// Height of the swing in a scuffing step, relative to the usual.
const SCUFF_CLEARANCE: f64 = 0.04;
/// Largest turn in one step, in radians.
const MAX_STEP_TURN_RAD: f32 = 0.9;

/// An episode of the walk.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Episode {
    Straight { steps: usize },
    Curve { steps: usize, step_turn_rad: f32 },
    Sharp { turn_rad: f32 },
    Stop { secs: f64 },
    Backward { steps: usize },
    Sidestep { steps: usize },
}

/// Chooses steps until the duration is reached.
pub(super) fn plan(settings: &WalkSettings, rng: &mut impl Rng) -> Vec<Step> {
    let mut walker = Walker {
        settings,
        place: Ground::IDENTITY,
        side: if rng.random_bool(0.5) { Side::Left } else { Side::Right },
        speed_mps: 0.0,
        target_mps: settings.style.speed_mps,
        pause_secs: rng.random_range(0.9..1.6),
        secs: 0.0,
        steps: Vec::new(),
        rng,
    };
    while walker.has_time() {
        let episode = walker.choose();
        walker.perform(episode);
    }
    walker.stop(0.0);
    walker.steps
}

/// The state of the walker while its route is planned.
struct Walker<'a, R> {
    settings: &'a WalkSettings,
    rng: &'a mut R,
    /// Position and heading of the body.
    place: Ground,
    /// The next foot.
    side: Side,
    speed_mps: f32,
    target_mps: f32,
    /// Duration of standing before the next step.
    pause_secs: f64,
    /// The time at which the body is at `place`.
    secs: f64,
    steps: Vec<Step>,
}

impl<R: Rng> Walker<'_, R> {
    /// Whether there is time for another step, two more to stop, and the final stand.
    fn has_time(&self) -> bool {
        let slowest = self.settings.style.speed_mps * (1.0 - self.settings.speed_range);
        let step_secs = self.step_secs(slowest.clamp(MIN_MPS, 0.5));
        self.secs + self.pause_secs + 2.6 * step_secs + SETTLE_SECS < self.settings.duration_secs
    }

    fn choose(&mut self) -> Episode {
        let style = self.settings.style.speed_mps;
        let range = self.settings.speed_range;
        let desired_mps = style * (1.0 + self.rng.random_range(-range..=range));
        self.target_mps = desired_mps.clamp(MIN_MPS, self.speed_at(MAX_PACE));
        if let Some(turn_rad) = self.turn_to_middle() {
            return self.turn_to_middle_episode(turn_rad);
        }
        let share = f64::from(self.settings.backward_or_sideways);
        if share > 0.0 && self.rng.random_bool(share) {
            return match self.rng.random_bool(0.5) {
                true => Episode::Backward { steps: self.rng.random_range(3..=5) },
                false => Episode::Sidestep { steps: self.rng.random_range(2..=4) },
            };
        }
        let steps = self.rng.random_range(4..=9);
        let direction = if self.rng.random_bool(0.5) { 1.0 } else { -1.0 };
        match self.rng.random_range(0..20) {
            0..7 => Episode::Straight { steps },
            7..14 => Episode::Curve { steps, step_turn_rad: direction * self.rng.random_range(0.07..0.3) },
            14..18 => Episode::Sharp { turn_rad: direction * self.rng.random_range(1.0..2.2) },
            _ if self.is_standing() => Episode::Straight { steps },
            _ => Episode::Stop { secs: self.rng.random_range(1.2..2.5) },
        }
    }

    /// The turn towards the middle of the room, if the walker is far from it and faces away.
    fn turn_to_middle(&self) -> Option<f32> {
        let away = self.place.translation().length();
        let home = self.place.inverse().point(Vec3::ZERO);
        let turn_rad = home.x.atan2(home.z);
        (away > self.settings.room_m && turn_rad.abs() > 0.5).then_some(turn_rad)
    }

    fn turn_to_middle_episode(&mut self, turn_rad: f32) -> Episode {
        if turn_rad.abs() > 1.2 && self.rng.random_bool(0.6) {
            return Episode::Sharp { turn_rad: turn_rad.clamp(-2.4, 2.4) };
        }
        let step_turn_rad = turn_rad.signum() * self.rng.random_range(0.2..0.36);
        Episode::Curve { steps: (turn_rad / step_turn_rad).ceil() as usize, step_turn_rad }
    }

    fn perform(&mut self, episode: Episode) {
        match episode {
            Episode::Straight { steps } => {
                for _ in 0..steps {
                    if self.turn_to_middle().is_some() {
                        return;
                    }
                    let wobble = 0.02 * self.settings.style.variation * self.normal();
                    self.go(1.0, wobble, "straight");
                }
            }
            Episode::Curve { steps, step_turn_rad } => {
                let label = if step_turn_rad > 0.0 { "curve left" } else { "curve right" };
                for _ in 0..steps {
                    let turn = step_turn_rad * (1.0 + 0.1 * self.normal());
                    self.go(1.0 - 0.35 * turn.abs(), turn, label);
                }
            }
            Episode::Sharp { turn_rad } => self.turn_sharply(turn_rad),
            Episode::Stop { secs } => self.stop(secs),
            Episode::Backward { steps } => self.step_backward(steps),
            Episode::Sidestep { steps } => self.step_sideways(steps),
        }
    }

    /// Turns with the outer foot, inner foot, outer foot, and so on. The first step brakes.
    fn turn_sharply(&mut self, turn_rad: f32) {
        let (label, outer) = match turn_rad > 0.0 {
            true => ("sharp left", Side::Right),
            false => ("sharp right", Side::Left),
        };
        if self.is_standing() {
            self.go(1.0, 0.0, "start");
        }
        while self.speed_mps > self.speed_at(CORNERING_PACE) && self.has_time() {
            self.go(0.6, 0.0, "straight");
        }
        if self.side != outer {
            self.go(0.6, 0.0, "straight");
        }
        self.go(0.6, 0.12 * turn_rad, label);
        let rest = 0.88 * turn_rad;
        let parts = (rest.abs() / MAX_STEP_TURN_RAD).ceil().max(2.0);
        for _ in 0..parts as usize {
            self.go(0.5, rest / parts, label);
        }
    }

    /// Slows down, closes the feet and stands.
    fn stop(&mut self, stand_secs: f64) {
        if self.is_standing() {
            return;
        }
        self.take_step(0.65 * self.speed_mps, 0.0, "stop");
        let secs = self.step_secs(0.6 * self.settings.style.speed_mps);
        self.push(secs, [0.0; 2], 0.0, "stop");
        self.speed_mps = 0.0;
        self.pause_secs = stand_secs;
    }

    /// Stops, steps backwards, closes the feet and stands.
    fn step_backward(&mut self, steps: usize) {
        self.stop(STAND_SECS);
        let mut gone = false;
        for _ in 0..steps {
            if self.has_time() {
                let ahead_m = -self.rng.random_range(BACK_STEP) * self.settings.body.height_m;
                self.push(BACK_SECS, [ahead_m, 0.0], 0.0, "backward");
                gone = true;
            }
        }
        if gone {
            self.push(BACK_SECS, [0.0; 2], 0.0, "backward");
        }
        self.pause_secs = STAND_SECS;
    }

    /// Stops, steps to the side of the next foot, which steps out while the other one closes, and stands.
    fn step_sideways(&mut self, steps: usize) {
        self.stop(STAND_SECS);
        let label = if self.side == Side::Left { "sidestep left" } else { "sidestep right" };
        let direction = sign(self.side);
        for _ in 0..steps {
            if self.has_time() {
                let sideways_m = direction * self.rng.random_range(SIDE_STEP) * self.settings.body.height_m;
                self.push(SIDE_SECS, [0.0, sideways_m], 0.0, label);
                self.push(SIDE_SECS, [0.0; 2], 0.0, label);
            }
        }
        self.pause_secs = STAND_SECS;
    }

    fn is_standing(&self) -> bool {
        self.speed_mps == 0.0
    }

    /// One step at the desired speed times a factor, within the largest change of speed. Does nothing if time is up.
    fn go(&mut self, speed_factor: f32, turn_rad: f32, label: &'static str) {
        if !self.has_time() {
            return;
        }
        if self.is_standing() {
            let speed = 0.62 * self.target_mps;
            return self.take_step(speed, 0.3 * turn_rad, "start");
        }
        let desired = speed_factor * self.target_mps;
        let change = MAX_SPEED_CHANGE_MPS * if speed_factor < 1.0 { 1.6 } else { 1.0 };
        let speed = desired.clamp(self.speed_mps - change, self.speed_mps + change);
        self.take_step(speed, turn_rad, label);
    }

    fn take_step(&mut self, speed_mps: f32, turn_rad: f32, label: &'static str) {
        let speed_mps = speed_mps.max(MIN_MPS);
        let tempo = 1.0 + 0.015 * self.settings.style.variation * self.normal();
        let secs = self.step_secs(speed_mps) * f64::from(tempo);
        self.speed_mps = speed_mps;
        self.push(secs, [speed_mps * secs as f32, 0.0], turn_rad, label);
    }

    /// Adds a step with a displacement forward and to the left.
    fn push(&mut self, secs: f64, [ahead_m, sideways_m]: [f32; 2], turn_rad: f32, label: &'static str) {
        let size = self.settings.style.variation;
        let scatter = Ground::new(
            // The foot never crosses the line of the other foot.
            (0.008 * size * self.normal()).clamp(-0.02, 0.02),
            (0.010 * size * self.normal()).clamp(-0.03, 0.03),
            0.03 * size * self.normal(),
        );
        let half = Ground::new(0.0, 0.0, 0.5 * turn_rad);
        self.place = self.place * half * Ground::new(sideways_m, ahead_m, 0.0) * half;
        let scuff = f64::from(self.settings.style.scuff);
        let scuffs = scuff > 0.0 && self.rng.random_bool(scuff);
        // A first step is prepared in standing: the weight shifts and the heel lifts.
        let pause_secs = if self.pause_secs > 0.0 { self.pause_secs.max(secs) } else { 0.0 };
        self.pause_secs = 0.0;
        self.secs += pause_secs + secs;
        self.steps.push(Step {
            side: self.side,
            pause_secs,
            secs,
            ahead_m,
            sideways_m,
            turn_rad,
            scatter,
            clearance: if scuffs { SCUFF_CLEARANCE } else { 1.0 },
            label,
        });
        self.side = self.side.other();
    }

    /// The speed at a pace, which is speed over √(g · height). Bodies of all sizes move alike at the same pace.
    fn speed_at(&self, pace: f32) -> f32 {
        pace * (9.81 * self.settings.body.height_m).sqrt()
    }

    /// The duration of a step at a speed. Step length grows with the square root of the speed, because a person's walk ratio (length over
    /// rate) is constant (Sekiya and Nagasaki, 1998).
    fn step_secs(&self, speed_mps: f32) -> f64 {
        let (body, style) = (&self.settings.body, &self.settings.style);
        let pace = speed_mps / self.speed_at(1.0);
        let length = USUAL_STEP * style.stride * (pace / USUAL_PACE).sqrt();
        // Short legs and feet that roll little make shorter steps.
        let max_length = MAX_STEP * body.leg_length * (0.8 + 0.2 * style.roll.min(1.0));
        f64::from(length.min(max_length) * body.height_m / speed_mps)
    }

    fn normal(&mut self) -> f32 {
        normal(self.rng) as f32
    }
}
