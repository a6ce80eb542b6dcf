//! A performer on a real floor, who imitates activities while standing.

use std::f64::consts::{PI, TAU};

use marey_motion::{Clip, ClipParts, LocalPose, Quat, Side, Vec3, WorldPose};
use rand::Rng;

use super::jump::Jump;
use super::reach::{EASE, Hands, Reach};
use super::session::{Activity, Span};
use super::stance::{Footing, Stance, pose_stance};
use crate::Result;
use crate::figure::Figure;
use crate::figure::sign;
use crate::gait::{PelvisPose, room_above};
use crate::wander::Wander;

/// Half the distance between the feet, in metres, of a body of 1.72 m; and how far they point outwards, in radians.
const HALF_WIDTH_M: f32 = 0.11;
const TOE_OUT_RAD: f32 = 0.12;
/// The knees' fold in standing, in radians.
const SOFT_RAD: f32 = 0.2;

/// A performer with its session.
#[derive(Debug, Clone)]
pub(super) struct Performer {
    figure: Figure,
    spans: Vec<Span>,
    hands: Hands,
    /// Size of the body, over one of 1.72 m.
    size: f32,
    /// The pelvis in standing, in metres.
    level_m: f32,
    /// Swaying aside, ahead and up, turning, and looking up.
    idle: [Wander; 5],
    /// How far this performer's arms move, over the usual.
    vigour: f32,
}

/// The gesture of a standing performer in a frame.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Doing {
    pub(super) lean_rad: f64,
    pub(super) twist_rad: f64,
    pub(super) look_up_rad: f64,
    /// The pelvis to the left, up and ahead, in metres.
    pub(super) shift_m: [f64; 3],
    /// Which way the whole body faces: the turn about +Y, in radians.
    pub(super) yaw_rad: f64,
    /// Out, up and ahead of the shoulders, in lengths of the arm.
    pub(super) wrists: [Vec3; 2],
    pub(super) footings: [Footing; 2],
    /// Whether hands are closed.
    pub(super) closed: [bool; 2],
}

impl Performer {
    pub(super) fn new(figure: Figure, spans: Vec<Span>, rng: &mut impl Rng) -> Self {
        let size = figure.height_m / 1.72;
        let idle = [6.0, 5.0, 4.0, 7.0, 9.0].map(|period_secs| Wander::new(rng, period_secs));
        let vigour = 1.0 + 0.05 * Wander::new(rng, 1.0).at(0.0).clamp(-1.5, 1.5) as f32;
        let mut performer = Self { figure, spans, hands: Hands::new(), size, level_m: 0.0, idle, vigour };
        let pelvis = PelvisPose { position: Vec3::ZERO, rotation: Quat::IDENTITY };
        let leg = performer.figure.leg(Side::Left);
        let ankle = performer.place(Side::Left) + Vec3::Y * performer.figure.sole.ankle_height_m();
        performer.level_m = room_above(leg, leg.reach_m(SOFT_RAD), &pelvis, ankle);
        performer
    }

    /// How long the session lasts, in seconds.
    pub(super) fn duration_secs(&self) -> f64 {
        self.spans.last().map_or(0.0, |span| span.secs.end)
    }

    /// Records what is done in each frame.
    pub(super) fn record(&self, rate_hz: f64, all: &[Doing]) -> Result<Clip> {
        let mut parts = ClipParts::default();
        let mut pose = LocalPose::rest(&self.figure.skeleton);
        let mut world = WorldPose::scratch(&self.figure.skeleton);
        for doing in all {
            self.pose(doing, &mut world, &mut pose);
            parts.push(pose.view());
        }
        Ok(Clip::new(self.figure.skeleton.clone(), rate_hz, parts)?)
    }

    /// The pose of one who does something.
    pub(super) fn pose(&self, doing: &Doing, world: &mut WorldPose, pose: &mut LocalPose) {
        pose_stance(&self.figure, &self.stance(doing), world, pose);
    }

    /// Size of the body, over one of 1.72 m.
    pub(super) fn size(&self) -> f64 {
        f64::from(self.size)
    }

    /// Whether a hand is closed.
    fn is_closed(&self, side: Side, secs: f64) -> bool {
        let span = self.span_at(secs);
        span.activity.reach().is_closed(side, span.cycles(secs))
    }

    fn span_at(&self, secs: f64) -> &Span {
        &self.spans[self.spans.partition_point(|span| span.secs.end <= secs).min(self.spans.len() - 1)]
    }

    /// Where a hand is at a share of a cycle.
    pub(super) fn hand(&self, reach: Reach, side: Side, cycles: f64) -> Vec3 {
        self.hands.at(reach, side, cycles)
    }

    /// Where a foot stands: below the ankle.
    fn place(&self, side: Side) -> Vec3 {
        Vec3::X * (sign(side) * HALF_WIDTH_M * self.size)
    }

    /// Standing at ease, and not quite still.
    pub(super) fn at_ease(&self, secs: f64) -> Doing {
        let idle = self.idle.each_ref().map(|wander| wander.at(secs));
        Doing {
            lean_rad: 0.03,
            twist_rad: 0.02 * idle[3],
            look_up_rad: -0.05 + 0.04 * idle[4],
            shift_m: [0.006 * idle[0], 0.002 * idle[2] - 0.004, 0.004 * idle[1]],
            wrists: [EASE; 2],
            ..Doing::default()
        }
    }

    /// What is done at a time of the session.
    pub(super) fn at(&self, secs: f64) -> Doing {
        let mut doing = self.at_ease(secs);
        for span in self.spans.iter().filter(|span| span.activity != Activity::Stand) {
            let presence = span.presence(secs);
            if presence > 0.0 {
                self.add(span, secs, presence, &mut doing);
            }
        }
        doing.closed = Side::BOTH.map(|side| self.is_closed(side, secs));
        doing
    }

    fn stance(&self, doing: &Doing) -> Stance {
        let [aside, up, ahead] = doing.shift_m.map(|shift| shift as f32);
        let yaw_rad = doing.yaw_rad as f32;
        let turn = Quat::from_rotation_y(yaw_rad);
        let pelvis = PelvisPose {
            position: turn * Vec3::new(aside, self.level_m + up, ahead),
            rotation: Quat::from_rotation_y(yaw_rad + 0.4 * doing.twist_rad as f32)
                * Quat::from_rotation_x(0.04 + 0.5 * doing.lean_rad as f32),
        };
        let feet = Side::BOTH.map(|side| {
            let toes_rad = yaw_rad + sign(side) * TOE_OUT_RAD;
            doing.footings[side as usize].pose(&self.figure, turn * self.place(side), toes_rad)
        });
        Stance {
            pelvis,
            lean_rad: 0.5 * doing.lean_rad as f32,
            twist_rad: 0.6 * doing.twist_rad as f32,
            look_up_rad: doing.look_up_rad as f32 + 0.6 * doing.lean_rad as f32,
            wrists: doing.wrists,
            elbows_out: 0.25,
            closed: doing.closed,
            feet,
        }
    }

    /// Adds what a span does, as far as it is present.
    pub(super) fn add(&self, span: &Span, secs: f64, presence: f64, doing: &mut Doing) {
        let cycles = span.cycles(secs);
        let wave = (TAU * cycles).sin();
        match span.activity {
            Activity::Jump | Activity::TuckJump => {
                self.add_jump(span, secs, doing);
                return;
            }
            Activity::Swing => {
                doing.lean_rad += presence * (0.02 + 0.07 * wave);
                doing.shift_m[2] -= presence * 0.02 * wave;
                doing.shift_m[1] -= presence * 0.012 * (1.0 + wave);
                doing.look_up_rad += 0.25 * presence;
            }
            Activity::Climb => {
                doing.twist_rad -= presence * 0.10 * wave;
                doing.shift_m[0] += presence * 0.012 * wave;
                doing.look_up_rad += 0.35 * presence;
            }
            Activity::Walk => {
                doing.twist_rad -= presence * 0.09 * wave;
                doing.shift_m[0] += presence * 0.015 * (TAU * cycles).cos();
                for side in Side::BOTH {
                    // The heel rises while the other arm comes ahead.
                    let other = cycles + if side == Side::Left { 0.5 } else { 0.0 };
                    let rise = (TAU * other).cos().max(0.0).powi(2);
                    doing.footings[side as usize].heel_up_rad += (presence * 0.5 * rise) as f32;
                }
            }
            Activity::Swim => {
                doing.lean_rad += presence * (0.24 + 0.05 * wave);
                doing.shift_m[1] -= presence * 0.02 * (1.0 - (TAU * cycles).cos());
            }
            Activity::Kick => self.add_kick(cycles, presence, doing),
            Activity::Wave | Activity::Stand => {}
        }
        for side in Side::BOTH {
            let place = self.hands.at(span.activity.reach(), side, cycles);
            let usual = EASE.lerp(place, self.vigour);
            doing.wrists[side as usize] = raised(EASE, usual.clamp_length_max(0.97), presence as f32);
        }
    }

    /// Legs kick by turns while the hands hold on.
    fn add_kick(&self, cycles: f64, presence: f64, doing: &mut Doing) {
        let (number, share) = (cycles.floor(), cycles.rem_euclid(1.0));
        doing.look_up_rad += 0.15 * presence;
        if presence < 1.0 {
            return;
        }
        let side = if (number as i64).rem_euclid(2) == 0 { Side::Right } else { Side::Left };
        let weight = (PI * share).sin().powi(2);
        doing.shift_m[0] -= f64::from(sign(side) * self.size) * 0.07 * weight;
        doing.shift_m[1] -= 0.022 * weight;
        doing.lean_rad -= 0.16 * weight;
        let kick = ((share - 0.2) / 0.6).clamp(0.0, 1.0);
        // Exactly 0 at both ends: there the foot stands.
        let bell = |s: f64| if s < 1.0 { (PI * s).sin().powi(2) as f32 } else { 0.0 };
        doing.footings[side as usize] = Footing {
            heel_up_rad: -0.25 * bell(kick),
            ball_up_m: 0.42 * self.size * bell(kick),
            ahead_m: 0.60 * self.size * bell(kick.powf(1.2)),
        };
    }

    fn add_jump(&self, span: &Span, secs: f64, doing: &mut Doing) {
        if !span.secs.contains(&secs) {
            return;
        }
        let jump = Jump::new(f64::from(self.size), span.activity == Activity::TuckJump);
        let leap = jump.at((secs - span.secs.start).rem_euclid(span.period_secs));
        doing.shift_m[1] += leap.up_m;
        doing.shift_m[2] -= 0.05 * f64::from(self.size) * leap.fold;
        doing.lean_rad += 0.55 * leap.fold;
        doing.footings = [leap.footing; 2];
        doing.wrists = [leap.wrist; 2];
    }
}

/// From one place of a wrist to another, past the front of the shoulder where one is above it and one below.
fn raised(from: Vec3, to: Vec3, share: f32) -> Vec3 {
    let front = Vec3::new(0.15, 0.0, 0.6) * (to.y + 0.5).clamp(0.0, 1.0);
    let between = 0.5 * (from + to) + front;
    from.lerp(between, share).lerp(between.lerp(to, share), share)
}
