//! The two dancers of a score.

use std::f64::consts::{PI, TAU};

use marey_motion::Side;
use rand::Rng;

use super::LindySettings;
use super::hands::hands;
use super::moves::{Corners, CoupleMotion, Distances, footfalls};
use super::score::Score;
use crate::Result;
use crate::couple::{
    Couple, Dancer, DancerPosture, Embrace, Grip, OFFSET_M, OPEN_RAD, Path, footsteps, idle_motion,
};
use crate::curve::Curve;
use crate::figure::Figure;
use crate::random::SmoothNoise;

/// Distance of the leader from the middle, as a fraction of the distance between both.
const LEADERS_SHARE: f64 = 0.42;
/// Amplitude of the pulse, in metres.
const PULSE_M: f64 = 0.016;

/// Creates the leader and the follower of a score.
pub(super) fn couple(settings: &LindySettings, score: &Score, rng: &mut impl Rng) -> Result<Couple> {
    let figures = [Figure::new(&settings.leader)?, Figure::new(&settings.follower)?];
    let embrace = Embrace::of(&figures[0], &figures[1]);
    let motion = CoupleMotion::of(score, &Distances::new(&figures[0], &figures[1], &embrace), rng);
    let duration_secs = score.duration_secs();
    let smooth = |corners: &Corners, beats: f64| {
        Curve::polyline(duration_secs, corners).smoothed(beats * score.beat_secs)
    };
    let close = smooth(&motion.embrace, 0.3);
    let paths = paths(&motion, &close, duration_secs, smooth);
    let chest = smooth(&motion.chest_rad, 0.3);
    let away = smooth(&motion.away, 0.3);
    let mut dancer = |figure: Figure, path: Path, first: Side, cue_gain: f64| {
        let steps = footsteps(&path, &footfalls(score, first, rng));
        let size = f64::from(figure.height_m) / 1.72;
        let [lean, twist] = [5.0, 4.0].map(|secs| SmoothNoise::new(rng, secs));
        let posture = DancerPosture {
            rise_m: Curve::sampled(duration_secs, |secs| size * pulse_m(score, secs)),
            lean_rad: Curve::sampled(duration_secs, |secs| {
                0.11 - 0.10 * away.at(secs) - 0.05 * close.at(secs) + 0.012 * lean.at(secs)
            }),
            twist_rad: Curve::sampled(duration_secs, |secs| {
                cue_gain * chest.at(secs) + 0.03 * twist.at(secs)
            }),
        };
        Dancer::new(figure, path, steps, posture, duration_secs)
    };
    let ([leader, follower], [leads, follows]) = (figures, paths);
    let dancers = [dancer(leader, leads, Side::Left, 1.0), dancer(follower, follows, Side::Right, 0.0)];
    let grip = Grip {
        embrace: close,
        raise: smooth(&motion.raise, 0.3),
        sideways_m: smooth(&motion.hands_m, 0.3),
        up_m: 0.0,
    };
    Ok(Couple { dancers, hands: hands(score, &embrace), grip, elbows: 0.25, idle_motion: idle_motion(rng) })
}

fn paths(
    motion: &CoupleMotion,
    close: &Curve,
    duration_secs: f64,
    smooth: impl Fn(&Corners, f64) -> Curve,
) -> [Path; 2] {
    let middle = Path {
        x: smooth(&motion.x, 0.5),
        z: smooth(&motion.z, 0.5),
        heading_rad: smooth(&motion.yaw_rad, 0.45),
    };
    let apart = smooth(&motion.apart_m, 0.35);
    let spin = smooth(&motion.spin_rad, 0.3);
    let weight = smooth(&motion.weight_m, 0.3);
    let leader = middle.offset_by(duration_secs, |secs| {
        let sideways = weight.at(secs) + OFFSET_M * close.at(secs);
        [sideways, -LEADERS_SHARE * apart.at(secs), OPEN_RAD * close.at(secs)]
    });
    let follower = middle.offset_by(duration_secs, |secs| {
        let turned = PI + spin.at(secs) - OPEN_RAD * close.at(secs);
        [-OFFSET_M * close.at(secs), (1.0 - LEADERS_SHARE) * apart.at(secs), turned]
    });
    [leader, follower]
}

/// The pulse: down on the beat, up in between, deeper in slow music, zero before and after the dance.
fn pulse_m(score: &Score, secs: f64) -> f64 {
    let beat = score.beat_at(secs);
    let begun = ((beat + 2.0) / 2.0).clamp(0.0, 1.0);
    let not_over = ((score.beats() as f64 + 2.0 - beat) / 2.0).clamp(0.0, 1.0);
    -PULSE_M * begun * not_over * (score.beat_secs / 0.4).min(1.25) * (0.5 + 0.5 * (TAU * beat).cos())
}
