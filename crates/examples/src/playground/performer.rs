//! A performer on a real floor, who imitates activities while standing.

use std::f64::consts::{PI, TAU};

use marey_motion::{Clip, ClipParts, LocalPose, Quat, Side, Vec3, WorldPose};
use rand::Rng;

use super::hand_path::{HandPath, Hands, RELAXED};
use super::jump::Jump;
use super::session::{Activity, Span};
use super::stance::{Footing, Stance, pose_stance};
use crate::Result;
use crate::figure::{Figure, sign};
use crate::gait::{PelvisPose, headroom_m};
use crate::random::SmoothNoise;

/// Half the distance between the feet in metres, for a body of 1.72 m; and toe-out angle in radians.
const HALF_WIDTH_M: f32 = 0.11;
const TOE_OUT_RAD: f32 = 0.12;
/// Fold of the knees in standing, in radians.
const KNEE_FOLD_RAD: f32 = 0.2;

/// A performer with its session.
#[derive(Debug, Clone)]
pub(super) struct Performer {
    figure: Figure,
    spans: Vec<Span>,
    hands: Hands,
    /// Size of the body, relative to 1.72 m.
    size: f32,
    /// Height of the pelvis in standing, in metres.
    level_m: f32,
    /// Idle motion: sideways, forward, up, twist, and pitch of the head.
    idle: [SmoothNoise; 5],
    /// Amplitude of this performer's arms, relative to the usual.
    amplitude: f32,
}

/// The state of a standing performer in a frame.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PerformerState {
    pub(super) lean_rad: f64,
    pub(super) twist_rad: f64,
    pub(super) look_up_rad: f64,
    /// Offset of the pelvis to the left, up and forward, in metres.
    pub(super) shift_m: [f64; 3],
    /// Heading of the whole body: rotation about +Y, in radians.
    pub(super) yaw_rad: f64,
    /// Positions of the wrists relative to the shoulders, outwards, up and forward, in arm lengths.
    pub(super) wrists: [Vec3; 2],
    pub(super) footings: [Footing; 2],
    /// Whether the hands are closed.
    pub(super) closed: [bool; 2],
}

impl Performer {
    pub(super) fn new(figure: Figure, spans: Vec<Span>, rng: &mut impl Rng) -> Self {
        let size = figure.height_m / 1.72;
        let idle = [6.0, 5.0, 4.0, 7.0, 9.0].map(|period_secs| SmoothNoise::new(rng, period_secs));
        let amplitude = 1.0 + 0.05 * SmoothNoise::new(rng, 1.0).at(0.0).clamp(-1.5, 1.5) as f32;
        let mut performer = Self { figure, spans, hands: Hands::new(), size, level_m: 0.0, idle, amplitude };
        let pelvis = PelvisPose { position: Vec3::ZERO, rotation: Quat::IDENTITY };
        let leg = performer.figure.leg(Side::Left);
        let ankle = performer.place(Side::Left) + Vec3::Y * performer.figure.sole.ankle_height_m();
        performer.level_m = headroom_m(leg, leg.reach_m(KNEE_FOLD_RAD), &pelvis, ankle);
        performer
    }

    /// The duration of the session, in seconds.
    pub(super) fn duration_secs(&self) -> f64 {
        self.spans.last().map_or(0.0, |span| span.secs.end)
    }

    /// Records a state for each frame.
    pub(super) fn record(&self, rate_hz: f64, states: &[PerformerState]) -> Result<Clip> {
        let mut parts = ClipParts::default();
        let mut pose = LocalPose::rest(&self.figure.skeleton);
        let mut world = WorldPose::scratch(&self.figure.skeleton);
        for state in states {
            self.pose(state, &mut world, &mut pose);
            parts.push(pose.view());
        }
        Ok(Clip::new(self.figure.skeleton.clone(), rate_hz, parts)?)
    }

    /// The pose of a state.
    pub(super) fn pose(&self, state: &PerformerState, world: &mut WorldPose, pose: &mut LocalPose) {
        pose_stance(&self.figure, &self.stance(state), world, pose);
    }

    /// Size of the body, relative to 1.72 m.
    pub(super) fn size(&self) -> f64 {
        f64::from(self.size)
    }

    /// Whether a hand is closed.
    fn is_closed(&self, side: Side, secs: f64) -> bool {
        let span = self.span_at(secs);
        span.activity.hand_path().is_closed(side, span.cycles(secs))
    }

    fn span_at(&self, secs: f64) -> &Span {
        &self.spans[self.spans.partition_point(|span| span.secs.end <= secs).min(self.spans.len() - 1)]
    }

    /// The position of a hand at a fraction of a cycle.
    pub(super) fn hand(&self, path: HandPath, side: Side, cycles: f64) -> Vec3 {
        self.hands.at(path, side, cycles)
    }

    /// The foothold, below the ankle.
    fn place(&self, side: Side) -> Vec3 {
        Vec3::X * (sign(side) * HALF_WIDTH_M * self.size)
    }

    /// Relaxed standing with idle motion.
    pub(super) fn relaxed(&self, secs: f64) -> PerformerState {
        let idle = self.idle.each_ref().map(|noise| noise.at(secs));
        PerformerState {
            lean_rad: 0.03,
            twist_rad: 0.02 * idle[3],
            look_up_rad: -0.05 + 0.04 * idle[4],
            shift_m: [0.006 * idle[0], 0.002 * idle[2] - 0.004, 0.004 * idle[1]],
            wrists: [RELAXED; 2],
            ..PerformerState::default()
        }
    }

    /// The state at a time of the session.
    pub(super) fn at(&self, secs: f64) -> PerformerState {
        let mut state = self.relaxed(secs);
        for span in self.spans.iter().filter(|span| span.activity != Activity::Stand) {
            let presence = span.presence(secs);
            if presence > 0.0 {
                self.add(span, secs, presence, &mut state);
            }
        }
        state.closed = Side::BOTH.map(|side| self.is_closed(side, secs));
        state
    }

    fn stance(&self, state: &PerformerState) -> Stance {
        let [sideways, up, ahead] = state.shift_m.map(|shift| shift as f32);
        let yaw_rad = state.yaw_rad as f32;
        let turn = Quat::from_rotation_y(yaw_rad);
        let pelvis = PelvisPose {
            position: turn * Vec3::new(sideways, self.level_m + up, ahead),
            rotation: Quat::from_rotation_y(yaw_rad + 0.4 * state.twist_rad as f32)
                * Quat::from_rotation_x(0.04 + 0.5 * state.lean_rad as f32),
        };
        let feet = Side::BOTH.map(|side| {
            let toes_rad = yaw_rad + sign(side) * TOE_OUT_RAD;
            state.footings[side as usize].pose(&self.figure, turn * self.place(side), toes_rad)
        });
        Stance {
            pelvis,
            lean_rad: 0.5 * state.lean_rad as f32,
            twist_rad: 0.6 * state.twist_rad as f32,
            look_up_rad: state.look_up_rad as f32 + 0.6 * state.lean_rad as f32,
            wrists: state.wrists,
            elbows_out: 0.25,
            closed: state.closed,
            feet,
        }
    }

    /// Adds the activity of a span, weighted by its presence.
    pub(super) fn add(&self, span: &Span, secs: f64, presence: f64, state: &mut PerformerState) {
        let cycles = span.cycles(secs);
        let wave = (TAU * cycles).sin();
        match span.activity {
            Activity::Jump | Activity::TuckJump => {
                self.add_jump(span, secs, state);
                return;
            }
            Activity::Swing => {
                state.lean_rad += presence * (0.02 + 0.07 * wave);
                state.shift_m[2] -= presence * 0.02 * wave;
                state.shift_m[1] -= presence * 0.012 * (1.0 + wave);
                state.look_up_rad += 0.25 * presence;
            }
            Activity::Climb => {
                state.twist_rad -= presence * 0.10 * wave;
                state.shift_m[0] += presence * 0.012 * wave;
                state.look_up_rad += 0.35 * presence;
            }
            Activity::Walk => {
                state.twist_rad -= presence * 0.09 * wave;
                state.shift_m[0] += presence * 0.015 * (TAU * cycles).cos();
                for side in Side::BOTH {
                    // The heel rises while the other arm moves forward.
                    let other = cycles + if side == Side::Left { 0.5 } else { 0.0 };
                    let rise = (TAU * other).cos().max(0.0).powi(2);
                    state.footings[side as usize].heel_up_rad += (presence * 0.5 * rise) as f32;
                }
            }
            Activity::Swim => {
                state.lean_rad += presence * (0.24 + 0.05 * wave);
                state.shift_m[1] -= presence * 0.02 * (1.0 - (TAU * cycles).cos());
            }
            Activity::Kick => self.add_kick(cycles, presence, state),
            Activity::Wave | Activity::Stand => {}
        }
        for side in Side::BOTH {
            let place = self.hands.at(span.activity.hand_path(), side, cycles);
            let usual = RELAXED.lerp(place, self.amplitude);
            state.wrists[side as usize] = raised(RELAXED, usual.clamp_length_max(0.97), presence as f32);
        }
    }

    /// Adds alternating kicks of the legs while the hands hold.
    fn add_kick(&self, cycles: f64, presence: f64, state: &mut PerformerState) {
        let (number, share) = (cycles.floor(), cycles.rem_euclid(1.0));
        state.look_up_rad += 0.15 * presence;
        if presence < 1.0 {
            return;
        }
        let side = if (number as i64).rem_euclid(2) == 0 { Side::Right } else { Side::Left };
        let weight = (PI * share).sin().powi(2);
        state.shift_m[0] -= f64::from(sign(side) * self.size) * 0.07 * weight;
        state.shift_m[1] -= 0.022 * weight;
        state.lean_rad -= 0.16 * weight;
        let kick = ((share - 0.2) / 0.6).clamp(0.0, 1.0);
        // Exactly 0 at both ends, so that the foot stands there.
        let bell = |s: f64| if s < 1.0 { (PI * s).sin().powi(2) as f32 } else { 0.0 };
        state.footings[side as usize] = Footing {
            heel_up_rad: -0.25 * bell(kick),
            ball_up_m: 0.42 * self.size * bell(kick),
            ahead_m: 0.60 * self.size * bell(kick.powf(1.2)),
        };
    }

    fn add_jump(&self, span: &Span, secs: f64, state: &mut PerformerState) {
        if !span.secs.contains(&secs) {
            return;
        }
        let jump = Jump::new(f64::from(self.size), span.activity == Activity::TuckJump);
        let jump_state = jump.at((secs - span.secs.start).rem_euclid(span.period_secs));
        state.shift_m[1] += jump_state.up_m;
        state.shift_m[2] -= 0.05 * f64::from(self.size) * jump_state.fold;
        state.lean_rad += 0.55 * jump_state.fold;
        state.footings = [jump_state.footing; 2];
        state.wrists = [jump_state.wrist; 2];
    }
}

/// Interpolates between two wrist positions, past the front of the shoulder if one is above it and one below.
fn raised(from: Vec3, to: Vec3, share: f32) -> Vec3 {
    let front = Vec3::new(0.15, 0.0, 0.6) * (to.y + 0.5).clamp(0.0, 1.0);
    let middle = 0.5 * (from + to) + front;
    from.lerp(middle, share).lerp(middle.lerp(to, share), share)
}
